"""What is said of the configured model, before it is asked."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tablewright.bootstrap import checks
from tablewright.bootstrap.databases import LazySealer
from tablewright.domain.scope import Scope
from tablewright.models.discovery import Candidate
from tablewright.service.model_keys import ModelKeys
from tablewright.settings.tree import Settings


@pytest.mark.requirement("model-keys")
def test_a_key_that_was_entered_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(environ: object) -> tuple[Candidate, ...]:
        return ()

    monkeypatch.setattr(checks, "discover", nothing)
    settings = Settings(model="openai:gpt-5-mini", data_dir=tmp_path)

    async def codes() -> list[str]:
        return [finding.code for finding in await checks.look_at_models(settings, {})]

    async def looked_at() -> tuple[list[str], list[str]]:
        before = await codes()
        await ModelKeys(tmp_path, LazySealer(tmp_path)).put(Scope(operator=True), "openai", "sk-1")
        return before, await codes()

    assert asyncio.run(looked_at()) == (["builtin", "keyless"], ["builtin", "chosen"])
