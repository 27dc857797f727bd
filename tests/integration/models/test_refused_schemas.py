"""An endpoint that refuses the schema of an answer is asked once more without it, and no other refusal is repeated."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.support.gateways import PROVIDERS, Provider, Wired, wired
from tests.support.model_requests import all_parts, request, said, until_error
from tests.support.scripted_http import Response, json_response
from tests.support.wire import Say

from tablewright.errors import ModelOverloaded, ModelRejected
from tablewright.models.base import ModelRequest, StreamEnded
from tablewright.models.structured_schema import answer_schema

both = pytest.mark.parametrize("kind", PROVIDERS)

ASKED = replace(request(said("user", "report")), output_schema=answer_schema(()))
SCHEMA_FIELDS = {"response_format", "output_config", "output_format"}


def held(wire: Wired) -> list[bool]:
    """Return for each request whether it was sent a schema."""
    return [bool(SCHEMA_FIELDS & received.json.keys()) for received in wire.endpoint.requests]


async def answered(wire: Wired, asked: ModelRequest = ASKED) -> str:
    ended = (await all_parts(wire.model.stream(asked)))[-1]
    assert isinstance(ended, StreamEnded)
    return ended.message.text


def refusal(error: dict[str, Any], *, status: int = 400) -> Response:
    return json_response(error, status=status)


REFUSALS = {
    "a parameter that is not supported": refusal(
        {"error": {"message": "This response_format type is unavailable now", "type": "invalid_request_error"}}
    ),
    "a parameter that is named beside the words": refusal(
        {
            "error": {
                "message": "Invalid value: 'json_schema'.",
                "param": "response_format.type",
                "code": "invalid_value",
            }
        }
    ),
    "a field that a validator does not know": refusal(
        {"detail": [{"loc": ["body", "response_format", "type"], "msg": "unexpected value", "input": "json_schema"}]},
        status=422,
    ),
    "a field of the other provider": refusal(
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "output_config.format: Extra inputs are not permitted",
            },
        }
    ),
    "a schema that the server cannot follow": refusal({"error": {"code": 400, "message": "Failed to parse grammar"}}),
    "a refusal in plain words": refusal({"error": "This model does not support structured outputs."}),
    "an error that a gateway wraps": refusal(
        {"error": {"message": "Provider returned error", "metadata": {"raw": '{"message":"response_format: no"}'}}}
    ),
}


@pytest.mark.requirement("models-refused-schemas")
@both
@pytest.mark.parametrize("refused", REFUSALS.values(), ids=REFUSALS)
async def test_a_refused_schema_is_left_out_at_once(kind: Provider, refused: Response) -> None:
    async with wired(kind, structured=True) as wire:
        wire.endpoint.respond(refused)
        wire.endpoint.says(Say(text="{}"))

        assert await answered(wire) == "{}"
        assert held(wire) == [True, False]


@both
async def test_a_model_whose_schema_was_refused_is_sent_none_again(kind: Provider) -> None:
    async with wired(kind, structured=True) as wire:
        wire.endpoint.respond(REFUSALS["a parameter that is not supported"])
        for text in ("one", "two", "three"):
            wire.endpoint.says(Say(text=text))

        assert await answered(wire) == "one"
        assert await answered(wire) == "two"
        await wire.model.aclose()
        assert await answered(wire) == "three"
        assert held(wire) == [True, False, False, False]


@both
async def test_a_refusal_for_another_reason_is_not_repeated(kind: Provider) -> None:
    async with wired(kind, structured=True) as wire:
        wire.endpoint.fails(400, "max_tokens is too large")

        parts, raised = await until_error(wire.model.stream(ASKED))

    assert (parts, type(raised)) == ([], ModelRejected)
    assert held(wire) == [True]


async def test_a_request_that_an_error_repeats_is_no_reason() -> None:
    echoed = {"loc": ["body", "messages"], "msg": "too many", "input": {"response_format": {"type": "json_schema"}}}
    async with wired("openai", structured=True) as wire:
        wire.endpoint.respond(refusal({"detail": [echoed]}, status=422))

        _, raised = await until_error(wire.model.stream(ASKED))

    assert type(raised) is ModelRejected
    assert held(wire) == [True]


@both
async def test_what_fails_without_the_schema_too_is_told_and_nothing_is_remembered(kind: Provider) -> None:
    async with wired(kind, structured=True) as wire:
        wire.endpoint.respond(REFUSALS["a refusal in plain words"])
        wire.endpoint.fails(503, "busy")
        wire.endpoint.says(Say(text="{}"))

        _, raised = await until_error(wire.model.stream(ASKED))
        assert isinstance(raised, ModelOverloaded)
        assert await answered(wire) == "{}"
        assert held(wire) == [True, False, True]


@both
async def test_a_request_without_a_schema_is_never_repeated(kind: Provider) -> None:
    async with wired(kind, structured=True) as wire:
        wire.endpoint.fails(400, "response_format is not supported")

        _, raised = await until_error(wire.model.stream(request(said("user", "hello"))))

    assert type(raised) is ModelRejected
    assert held(wire) == [False]


@both
async def test_an_overloaded_endpoint_that_names_the_schema_is_no_refusal(kind: Provider) -> None:
    async with wired(kind, structured=True) as wire:
        wire.endpoint.fails(503, "response_format is busy")

        _, raised = await until_error(wire.model.stream(ASKED))

    assert isinstance(raised, ModelOverloaded)
    assert held(wire) == [True]
