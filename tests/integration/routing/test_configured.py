"""The router as bootstrap makes it of settings: alone, with the built-in model, and with a provider's embeddings."""

from __future__ import annotations

import json

import pytest
from tests.support.scripted_http import Received, Response, ScriptedServer, json_response
from tests.unit.routing.workflows.test_matching import ALL

from tablewright.analyst.model import BuiltinAnalyst
from tablewright.bootstrap.routing import workflow_router
from tablewright.domain.dataset import DistinctValues
from tablewright.errors import ModelNotSetUp
from tablewright.models.catalogue import Models
from tablewright.routing.continuation import CONTINUE_WORDS
from tablewright.settings.tree import ProviderSettings, RoutingSettings, Settings

SAID = "帮我查一下订单"


class NoValues:
    """No table has any values."""

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        return None


MODELS = Models({"builtin": BuiltinAnalyst(NoValues())}, factories={})


def embedded(request: Received) -> Response:
    texts = json.loads(request.body)["input"]
    return json_response(
        {"data": [{"index": place, "embedding": [1.0, float("leave" in text)]} for place, text in enumerate(texts)]}
    )


async def test_by_default_the_scores_decide_and_nothing_is_sent() -> None:
    decision = await workflow_router(Settings(), MODELS)().route(SAID, tenant="t", candidates=ALL)
    assert (decision.workflow_id, decision.reason) == ("orders", "match")


@pytest.mark.parametrize(("said", "workflow"), [(SAID, "orders"), ("今天天气怎么样", None)])
async def test_the_built_in_model_chooses_what_the_scores_say(said: str, workflow: str | None) -> None:
    settings = Settings(routing=RoutingSettings(model="builtin", timeout=60))
    decision = await workflow_router(settings, MODELS)().route(said, tenant="t", candidates=ALL)
    assert (decision.workflow_id, decision.reason) == (workflow, "model" if decision.shortlist else "no_match")


async def test_embeddings_of_a_configured_provider_reach_the_shortlist() -> None:
    async with ScriptedServer() as server:
        server.otherwise = embedded
        provider = ProviderSettings(base_url=f"{server.url}/v1")
        settings = Settings(providers={"mine": provider}, routing=RoutingSettings(embeddings="mine:small", timeout=60))
        decision = await workflow_router(settings, MODELS)().route("zzz leave", tenant="t", candidates=ALL)
        assert decision.shortlist[0].id == "leave"
        assert {request.path for request in server.requests} == {"/v1/embeddings"}
        assert {request.json["model"] for request in server.requests} == {"small"}


@pytest.mark.parametrize("name", ["nowhere:small", "openai"])
def test_a_provider_that_is_not_known_is_refused_at_once(name: str) -> None:
    with pytest.raises(ModelNotSetUp):
        workflow_router(Settings(routing=RoutingSettings(embeddings=name)), MODELS)


def test_the_words_that_go_on_are_those_of_the_settings_by_default() -> None:
    assert RoutingSettings().continue_words == CONTINUE_WORDS
