"""Embeddings over HTTP, against a local endpoint that answers as OpenAI's does, and the fake beside it."""

from __future__ import annotations

import json

import pytest
from tests.support.scripted_http import Hang, Received, Response, ScriptedServer, json_response

from tablewright.errors import ModelNotSetUp, ModelOverloaded, ModelRejected, ModelTimeout, ModelUnreachable
from tablewright.models.embeddings import EmbeddingModel
from tablewright.models.gateway.config import ProviderConfig
from tablewright.models.gateway.embeddings import BATCH, GatewayEmbeddings
from tablewright.models.memory_embeddings import MemoryEmbeddings

KEY = "sk-never-shown-0123456789"


def embedded(request: Received) -> Response:
    """Answer with vectors, the last text first, as a server may."""
    texts = json.loads(request.body)["input"]
    rows = [{"index": place, "embedding": [float(len(text)), 1.0]} for place, text in enumerate(texts)]
    return json_response({"data": rows[::-1], "model": "m"})


def gateway(server: ScriptedServer, timeout_s: float = 10.0) -> GatewayEmbeddings:
    config = ProviderConfig(name="mine", kind="openai", base_url=f"{server.url}/v1", api_key=KEY, timeout_s=timeout_s)
    return GatewayEmbeddings(config, "small")


@pytest.mark.parametrize("kind", ["gateway", "memory"])
async def test_each_text_has_its_vector_in_order(kind: str) -> None:
    async with ScriptedServer() as server:
        server.otherwise = embedded
        over_http = gateway(server)
        model: EmbeddingModel = over_http if kind == "gateway" else MemoryEmbeddings()
        texts = [f"text {'x' * number}" for number in range(BATCH + 2)]
        together = await model.embed(texts)
        assert len(together) == len(texts)
        assert len({len(vector) for vector in together}) == 1
        assert (await model.embed([texts[-1]]))[0] == together[-1]
        assert await model.embed([]) == ()
        await over_http.aclose()


async def test_a_request_says_model_texts_and_key() -> None:
    async with ScriptedServer() as server:
        server.otherwise = embedded
        model = gateway(server)
        await model.embed(["a", "b"])
        (request,) = server.requests
        assert (request.method, request.path) == ("POST", "/v1/embeddings")
        assert request.json == {"model": "small", "input": ["a", "b"]}
        assert request.headers["authorization"] == f"Bearer {KEY}"
        await model.aclose()


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (json_response({"error": {"message": f"bad key {KEY}"}}, status=401), ModelRejected),
        (json_response({"error": {"message": "slow down"}}, status=429), ModelOverloaded),
        (json_response({"error": "down"}, status=503), ModelOverloaded),
        (json_response({"data": []}), ModelRejected),
        (json_response({"data": [{"index": 0}]}), ModelRejected),
        (json_response([1, 2]), ModelRejected),
        (json_response({"data": [{"index": 0, "embedding": ["x"]}]}), ModelRejected),
        (Response(steps=(b"<html>",), headers={"content-type": "text/html"}), ModelRejected),
    ],
)
async def test_an_answer_that_cannot_be_used_is_an_error_that_shows_no_key(
    response: Response, error: type[Exception]
) -> None:
    async with ScriptedServer() as server:
        server.respond(response)
        model = gateway(server)
        with pytest.raises(error) as caught:
            await model.embed(["a"])
        assert KEY not in str(caught.value)
        await model.aclose()


async def test_an_endpoint_that_hangs_is_left() -> None:
    async with ScriptedServer() as server:
        server.respond(Response(steps=(Hang(),)))
        model = gateway(server, timeout_s=0.05)
        with pytest.raises(ModelTimeout):
            await model.embed(["a"])
        await model.aclose()


async def test_an_endpoint_that_is_not_there_is_said() -> None:
    model = GatewayEmbeddings(ProviderConfig(name="mine", kind="openai", base_url="http://127.0.0.1:9/v1"), "small")
    with pytest.raises(ModelUnreachable):
        await model.embed(["a"])
    await model.aclose()


async def test_a_provider_without_embeddings_is_named() -> None:
    with pytest.raises(ModelNotSetUp) as caught:
        await GatewayEmbeddings(ProviderConfig(name="anthropic", kind="anthropic"), "claude").embed(["a"])
    assert caught.value.detail == "provider_no_embeddings"
