"""Everything that goes wrong at an endpoint is one family of errors, tells no secret, and is never retried beneath
us."""

from __future__ import annotations

import asyncio
import json
import socket

import pytest
from tests.support.gateways import KEY, PROVIDERS, Provider, wired
from tests.support.model_requests import all_parts, request, until_error
from tests.support.patience import PATIENCE_S, slow
from tests.support.scripted_http import Cut, Hang, Response, json_response
from tests.support.wire import Raw, Say

from tablewright.errors import (
    ModelError,
    ModelNotSetUp,
    ModelOverloaded,
    ModelRejected,
    ModelStreamCut,
    ModelTimeout,
    ModelUnknown,
    ModelUnreachable,
)
from tablewright.models.base import TextPiece
from tablewright.models.gateway.config import ProviderConfig
from tablewright.models.gateway.model import GatewayModel
from tablewright.models.wrappers import RetryingModel, RetryPolicy
from tablewright.texts.errors import describe

both = pytest.mark.parametrize("kind", PROVIDERS)


@pytest.mark.requirement("models-failures-told-apart")
@both
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, ModelRejected),
        (401, ModelRejected),
        (403, ModelRejected),
        (404, ModelUnknown),
        (408, ModelTimeout),
        (413, ModelRejected),
        (429, ModelOverloaded),
        (500, ModelOverloaded),
        (503, ModelOverloaded),
        (529, ModelOverloaded),
    ],
)
async def test_a_status_says_what_kind_of_failure_it_is(kind: Provider, status: int, error: type[ModelError]) -> None:
    async with wired(kind) as wire:
        wire.endpoint.fails(status, "Something is wrong")

        parts, raised = await until_error(wire.model.stream(request()))

    assert parts == []
    assert type(raised) is error
    assert raised.params["model"] == "mine:fake-model"
    assert (raised.detail, raised.params["words"]) == ("", f"{status} Something is wrong")
    assert len(wire.endpoint.requests) == 1


@both
async def test_the_time_to_wait_is_handed_on(kind: Provider) -> None:
    async with wired(kind) as wire:
        wire.endpoint.fails(429, "slow down", headers={"retry-after": "7"})

        _, raised = await until_error(wire.model.stream(request()))

    assert raised.params["retry_after_s"] == 7.0


async def test_an_empty_account_is_not_a_reason_to_try_again() -> None:
    async with wired("openai") as wire:
        wire.endpoint.fails(429, "You exceeded your current quota", code="insufficient_quota")

        _, raised = await until_error(wire.model.stream(request()))

    assert isinstance(raised, ModelRejected)


@pytest.mark.requirement("models-keys-never-repeated")
@both
async def test_no_key_and_no_header_is_ever_repeated(kind: Provider) -> None:
    said = f"Incorrect API key provided: {KEY}, or sk-other12345678, header tables-secret"
    async with wired(kind, headers={"x-team": "tables-secret"}) as wire:
        wire.endpoint.fails(401, said)

        _, raised = await until_error(wire.model.stream(request()))

    assert raised.params["words"] == "401 Incorrect API key provided: ***, or ***, header ***"
    assert raised.__suppress_context__


@both
async def test_a_long_answer_of_a_proxy_is_shortened(kind: Provider) -> None:
    async with wired(kind) as wire:
        page = Response(steps=(b"<html>" + b"x" * 5_000,), status=502, headers={"content-type": "text/html"})
        wire.endpoint.respond(page)

        _, raised = await until_error(wire.model.stream(request()))

    assert isinstance(raised, ModelOverloaded)
    assert len(str(raised.params["words"])) < 320


@pytest.mark.requirement("models-cut-streams-told")
@both
async def test_a_stream_that_ends_without_the_models_finish_was_cut(kind: Provider) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(Say(text="half"), reason=None)

        parts, raised = await until_error(wire.model.stream(request()))

    assert parts == [TextPiece(text="half")]
    assert isinstance(raised, ModelStreamCut)


@both
@pytest.mark.parametrize("clean", [True, False], ids=["cleanly", "by a reset"])
async def test_a_connection_that_breaks_in_the_middle_was_cut(kind: Provider, clean: bool) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(Say(text="half"), Cut(clean=clean))

        parts, raised = await until_error(wire.model.stream(request()))

    assert parts in ([TextPiece(text="half")], [])
    assert isinstance(raised, ModelStreamCut | ModelUnreachable)
    assert raised.retryable


@both
async def test_a_connection_that_breaks_before_the_answer_is_not_reached(kind: Provider) -> None:
    async with wired(kind) as wire:
        wire.endpoint.respond(Response(steps=(Cut(),)))

        parts, raised = await until_error(wire.model.stream(request()))

    assert parts == []
    assert isinstance(raised, ModelUnreachable | ModelStreamCut)


@both
async def test_a_malformed_chunk_breaks_the_stream(kind: Provider) -> None:
    name = "" if kind == "openai" else "event: content_block_delta\n"
    async with wired(kind) as wire:
        wire.endpoint.says(Say(text="half"), Raw(content=f"{name}data: {{not json\n\n".encode()))

        parts, raised = await until_error(wire.model.stream(request()))

    assert parts == [TextPiece(text="half")]
    assert isinstance(raised, ModelStreamCut)


@both
async def test_an_error_inside_the_stream_is_the_error_it_says(kind: Provider) -> None:
    error = {"type": "overloaded_error", "message": "Overloaded", "code": 529}
    name = "" if kind == "openai" else "event: error\n"
    body = json.dumps({"type": "error", "error": error})
    async with wired(kind) as wire:
        wire.endpoint.says(Say(text="half"), Raw(content=f"{name}data: {body}\n\n".encode()))

        parts, raised = await until_error(wire.model.stream(request()))

    assert parts == [TextPiece(text="half")]
    assert isinstance(raised, ModelOverloaded)


@both
async def test_a_web_page_in_place_of_an_answer_points_at_the_base_url(kind: Provider) -> None:
    async with wired(kind) as wire:
        wire.endpoint.respond(Response(steps=(b"<html>Sign in</html>",), headers={"content-type": "text/html"}))

        parts, raised = await until_error(wire.model.stream(request()))

    assert parts == []
    assert isinstance(raised, ModelRejected)
    assert "a web page answered" in describe(raised, "en")
    assert "providers.mine.base_url" in describe(raised, "zh")
    assert raised.params["model"] == "mine:fake-model"


@both
async def test_a_document_in_place_of_a_stream_is_not_taken_for_an_answer(kind: Provider) -> None:
    async with wired(kind) as wire:
        wire.endpoint.respond(json_response({"ok": True}))

        parts, raised = await until_error(wire.model.stream(request()))

    assert parts == []
    assert isinstance(raised, ModelStreamCut)


@both
async def test_an_endpoint_that_falls_silent_times_out(kind: Provider) -> None:
    async with wired(kind, timeout_s=slow(0.2)) as wire:
        wire.endpoint.says(Say(text="half"), Hang())

        parts, raised = await until_error(wire.model.stream(request()))

    assert parts == [TextPiece(text="half")]
    assert isinstance(raised, ModelTimeout)


@both
async def test_an_endpoint_that_never_answers_times_out(kind: Provider) -> None:
    async with wired(kind, timeout_s=slow(0.2)) as wire:
        wire.endpoint.respond(Response(steps=(Hang(),)))

        _, raised = await until_error(wire.model.stream(request()))

    assert isinstance(raised, ModelTimeout)


@both
async def test_a_port_where_nothing_listens_is_not_reached(kind: Provider) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    config = ProviderConfig(name="mine", kind=kind, base_url=f"http://127.0.0.1:{port}/v1", api_key=KEY)
    model = GatewayModel(config, "fake-model")

    _, raised = await until_error(model.stream(request()))
    await model.aclose()

    assert isinstance(raised, ModelUnreachable)


@both
async def test_our_own_retry_reaches_the_answer_after_failures(kind: Provider) -> None:
    async with wired(kind) as wire, asyncio.timeout(PATIENCE_S):
        wire.endpoint.fails(429, "slow down", headers={"retry-after": "0"})
        wire.endpoint.fails(500, "oops", headers={"retry-after": "0"})
        wire.endpoint.says(Say(text="at last"))
        model = RetryingModel(wire.model, policy=RetryPolicy(first_s=0.0))

        assert (await all_parts(model.stream(request())))[0] == TextPiece(text="at last")
        assert len(wire.endpoint.requests) == 3


@pytest.mark.requirement("models-missing-key-named")
@both
async def test_a_provider_of_the_vendors_own_without_a_key_is_refused_before_anything_is_sent(kind: Provider) -> None:
    with pytest.raises(ModelNotSetUp) as raised:
        await all_parts(GatewayModel(ProviderConfig(name="mine", kind=kind), "fake-model").stream(request()))

    assert raised.value.params["setting"] == "providers.mine.api_key"
    assert "providers.mine.api_key" in describe(raised.value, "zh")
