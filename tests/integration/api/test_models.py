"""A model is tested by a call of it, so that the test fails where a question would."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.chat_client import served
from tests.support.fake_openai import FakeOpenAI
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.scripted_http import Hang, Response
from tests.support.wire import Say

from tablewright.api.access import Access
from tablewright.bootstrap.model_catalogue import model_catalogue
from tablewright.domain.ids import SystemClock
from tablewright.errors import ModelTimeout
from tablewright.models.base import BUILTIN
from tablewright.models.catalogue import Models
from tablewright.models.scripted import ScriptedModel
from tablewright.service.model_test import run_model_test
from tablewright.settings.tree import ProviderSettings

KEY = "sk-test-3f9a77c1e2"


def catalogue(endpoint: FakeOpenAI) -> Models:
    provider = ProviderSettings.model_validate({"base_url": endpoint.base_url, "api_key": KEY})
    return model_catalogue({"mine": provider}, ScriptedModel([], name=BUILTIN), SystemClock())


@asynccontextmanager
async def client(folder: Path, models: Models) -> AsyncIterator[httpx2.AsyncClient]:
    async with served(
        FakeParts(folder=folder, models=models), Access(keyless=True, read_key=lambda _key: None)
    ) as address:
        url = address.removesuffix("/v1") + "/api/v1/"
        async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            yield http


async def sent(http: httpx2.AsyncClient, **body: object) -> Any:
    reply = await http.post("models/test", json=body)
    assert reply.status_code == 200
    return reply.json()


@pytest.mark.requirement("model-tests")
async def test_a_model_that_answers_works_and_one_with_a_wrong_key_does_not(tmp_path: Path) -> None:
    async with FakeOpenAI() as endpoint, client(tmp_path, catalogue(endpoint)) as http:
        endpoint.says(Say(text="2"))
        works = await sent(http, model="mine:fake-model")
        assert works["ok"]
        assert works["error"] is None
        assert works["model"] == "mine:fake-model"
        assert works["elapsed_ms"] > 0
        asked = endpoint.requests[0].json
        assert len(str(asked["messages"])) < 100  # a tiny request
        endpoint.fails(401, "Incorrect API key provided")
        refused = await sent(http, model="mine:fake-model")
        assert not refused["ok"]
        assert refused["error"]["code"] == "model_rejected"
        assert "Incorrect API key provided" in refused["error"]["message"]
        assert "--model" not in refused["error"]["message"]
        assert KEY not in str(refused)
        assert len(endpoint.requests) == 2


@pytest.mark.requirement("model-tests")
async def test_an_unknown_model_is_told_and_the_built_in_analyst_calls_nobody(tmp_path: Path) -> None:
    async with FakeOpenAI() as endpoint, client(tmp_path, catalogue(endpoint)) as http:
        unknown = await sent(http, model="nobody:x")
        assert not unknown["ok"]
        assert unknown["error"]["code"] == "model_unknown"
        assert await sent(http) == {"ok": True, "model": BUILTIN, "elapsed_ms": 0, "error": None}
        assert endpoint.requests == []


@pytest.mark.requirement("model-tests")
async def test_a_model_that_does_not_answer_is_given_up_in_time() -> None:
    async with FakeOpenAI() as endpoint:
        endpoint.respond(*[Response(steps=(Hang(),))] * 4)
        models = catalogue(endpoint)
        came = await run_model_test(models, "mine:fake-model", timeout_s=0.2)
        assert isinstance(came.error, ModelTimeout)
        await models.aclose()


@pytest.mark.requirement("model-tests")
async def test_a_model_that_says_nothing_does_not_work() -> None:
    async with FakeOpenAI() as endpoint:
        endpoint.says()
        models = catalogue(endpoint)
        came = await run_model_test(models, "mine:fake-model")
        assert came.error is not None
        assert came.error.code == "model_silent"
        await models.aclose()
