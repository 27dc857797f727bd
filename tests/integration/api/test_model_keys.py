"""Keys of models' providers: written once, sealed, and never told again."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import httpx2
import pytest
from tests.support.chat_client import served
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S

from tablewright.api.access import Access
from tablewright.bootstrap.databases import LazySealer
from tablewright.bootstrap.model_catalogue import model_catalogue
from tablewright.domain.ids import SystemClock
from tablewright.domain.scope import Scope
from tablewright.errors import SecretsUnreadable
from tablewright.models.base import BUILTIN
from tablewright.models.catalogue import Models
from tablewright.models.scripted import ScriptedModel
from tablewright.service.model_keys import ModelKeys

SECRET = "sk-very-secret-1234"
READERS = {"tw_op": Scope(owner="op", operator=True), "tw_ann": Scope(owner="ann")}


def parts(folder: Path, made: list[str]) -> FakeParts:
    def make(asked: str, model: str) -> ScriptedModel:
        made.append(asked)
        return ScriptedModel([], name=asked)

    models = Models({BUILTIN: ScriptedModel([], name=BUILTIN)}, factories={"openai": make})
    return FakeParts(folder=folder, models=models)


@pytest.mark.requirement("model-keys")
async def test_a_key_is_kept_sealed_and_never_told(tmp_path: Path) -> None:
    given = parts(tmp_path, [])
    access = Access(keyless=False, read_key=READERS.get)
    async with served(given, access) as address:
        url = address.removesuffix("/v1") + "/api/v1/"
        ann, operator = ({"authorization": f"Bearer {key}"} for key in ("tw_ann", "tw_op"))
        async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            refused = await http.put("model-keys/openai", json={"key": SECRET}, headers=ann)
            assert refused.status_code == 403
            for body, status in (({"key": "  "}, 422), ({"key": "a\nb"}, 422), ({}, 422)):
                assert (await http.put("model-keys/openai", json=body, headers=operator)).status_code == status
            unknown = await http.put("model-keys/nobody", json={"key": SECRET}, headers=operator)
            assert unknown.status_code in {404, 422}
            assert (await http.put("model-keys/openai", json={"key": SECRET}, headers=operator)).status_code == 204
            told = await http.get("model-keys", headers=ann)
            assert told.json() == {"providers": ["openai"], "kept": ["openai"]}
            assert SECRET not in told.text + refused.text + unknown.text
            file = tmp_path / "model-keys.json"
            kept = await asyncio.to_thread(file.read_text)
            assert SECRET not in kept
            assert all(
                stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
                for name in ("model-keys.json", "connections.key")
            )
            keys = ModelKeys(tmp_path, LazySealer(tmp_path))
            assert await asyncio.to_thread(keys.opened, "openai") == SECRET
            sealed = json.loads(kept)["openai"]
            await asyncio.to_thread(file.write_text, json.dumps({"anthropic": sealed}))
            with pytest.raises(SecretsUnreadable):
                await asyncio.to_thread(keys.opened, "anthropic")  # of another provider it is no key
            assert (await http.delete("model-keys/openai", headers=operator)).status_code == 204


@pytest.mark.requirement("model-keys")
def test_models_that_were_named_before_get_a_new_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    keys = {"openai": "first"}
    seen: list[str | None] = []

    def key_of(provider: str) -> str | None:
        seen.append(keys.get(provider))
        return keys.get(provider)

    models = model_catalogue({}, ScriptedModel([], name=BUILTIN), SystemClock(), None, key_of)
    one = models.get("openai:gpt-5")
    assert models.get("openai:gpt-5") is one
    keys["openai"] = "second"
    models.forget("openai")
    assert models.get("openai:gpt-5") is not one
    assert seen == ["first", "second"]
