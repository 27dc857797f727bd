"""Google and Bedrock as far as a machine of ours can tell: against fakes of their wire, never their endpoints."""

from __future__ import annotations

import asyncio
import sys
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

import pytest
from tests.support.fake_bedrock import FakeBedrock
from tests.support.fake_google import FakeGoogle
from tests.support.model_requests import WEATHER_TOOL, all_parts, request, said, until_error
from tests.support.patience import PATIENCE_S
from tests.support.scripted_http import Hang
from tests.support.wire import Call, Counted, Say, Think

from tablewright.domain.message import ImagePart, Message, TextPart, ToolCallPart, ToolResultPart
from tablewright.errors import ModelNotSetUp, ModelOverloaded, ModelRejected, ModelStreamCut
from tablewright.models.base import (
    ModelRequest,
    ModelSettings,
    StreamEnded,
    TextPiece,
    ThinkingPiece,
    ToolCalled,
    UsageSeen,
)
from tablewright.models.gateway.config import ProviderConfig
from tablewright.models.gateway.model import GatewayModel
from tablewright.models.streams import closing
from tablewright.texts.errors import describe

NO_SIGNATURE = b64encode(b"skip_thought_signature_validator").decode()
"""What Google asks for in a call that it did not sign itself."""
SECRET = "never-to-be-told"
Cloud = Literal["google", "bedrock"]
both = pytest.mark.parametrize("kind", ["google", "bedrock"])
ASKED = request(
    said("system", "Be brief."),
    Message(
        role="user",
        parts=(
            TextPart(text="What is this?", origin="user"),
            ImagePart(mime="image/png", data_base64="iVBORw0KGgo=", origin="output"),
        ),
    ),
    Message(role="assistant", parts=(ToolCallPart(call_id="c1", name="weather", arguments={"city": "Oslo"}),)),
    Message(role="tool", parts=(ToolResultPart(call_id="c1", name="weather", text="rain"),)),
    tools=(WEATHER_TOOL,),
    settings=ModelSettings(max_output_tokens=100, temperature=0.5),
)


@dataclass(frozen=True, kw_only=True)
class CloudWire:
    """A fake endpoint and a model that speaks to it."""

    endpoint: FakeGoogle | FakeBedrock
    model: GatewayModel

    async def sent(self, asked: ModelRequest) -> tuple[str, dict[str, object]]:
        """Ask, and return the path and the body that were sent."""
        self.endpoint.says(Say(text="ok"))
        await all_parts(self.model.stream(asked))
        return self.endpoint.requests[0].path, self.endpoint.requests[0].json


@asynccontextmanager
async def wired(kind: Cloud, name: str = "fake-model") -> AsyncIterator[CloudWire]:
    async with FakeGoogle() if kind == "google" else FakeBedrock() as endpoint:
        config = ProviderConfig(
            name="mine",
            kind=kind,
            base_url=endpoint.base_url,
            api_key=SECRET if kind == "google" else None,
            region="eu-west-1",
            access_key="AKIATEST",
            secret_key=SECRET,
            images=True,
        )
        model = GatewayModel(config, name)
        try:
            yield CloudWire(endpoint=endpoint, model=model)
        finally:
            await model.aclose()


async def test_bedrock_keeps_what_is_marked_and_what_it_has_read_of_that_is_counted() -> None:
    async with wired("bedrock", "anthropic.claude-sonnet-4-20250514-v1:0") as wire:
        count = Counted(input_tokens=100, output_tokens=7, cached_tokens=64)
        wire.endpoint.says(Say(text="ok"), count=count)
        *_, usage, _end = await all_parts(wire.model.stream(ASKED))
        body = wire.endpoint.requests[0].json

    assert usage == UsageSeen(input_tokens=100, output_tokens=7, cached_tokens=64)
    point = {"cachePoint": {"type": "default"}}
    assert body["system"] == [{"text": "Be brief."}, point]
    assert body["toolConfig"]["tools"][1:] == [point]
    assert [message["content"].count(point) for message in body["messages"]] == [0, 0, 1]
    assert body["messages"][-1]["content"][-1] == point


@both
async def test_words_reasoning_and_calls_come_back_as_everywhere(kind: Cloud) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(
            Think(text="hm", signature="c2ln"),
            Say(text="Let me see."),
            Call(call_id="a", name="weather", fragments=('{"city": ', '"Oslo"}')),
            reason="tool_calls",
        )

        *pieces, usage, end = await all_parts(wire.model.stream(request(tools=(WEATHER_TOOL,))))

    assert pieces[:2] == [ThinkingPiece(text="hm"), TextPiece(text="Let me see.")]
    assert isinstance(pieces[2], ToolCalled)
    assert pieces[2].arguments == {"city": "Oslo"}
    assert usage == UsageSeen(input_tokens=11, output_tokens=7)
    assert isinstance(end, StreamEnded)
    assert end.message.text == "Let me see."


async def test_what_goes_out_to_google() -> None:
    async with wired("google") as wire:
        path, body = await wire.sent(ASKED)

    assert path == "/v1beta/models/fake-model:streamGenerateContent?alt=sse"
    assert body["systemInstruction"] == {"parts": [{"text": "Be brief."}], "role": "user"}
    assert body["contents"] == [
        {
            "role": "user",
            "parts": [
                {"text": "What is this?"},
                {"inlineData": {"data": "iVBORw0KGgo=", "mime_type": "image/png"}},
            ],
        },
        {
            "role": "model",
            "parts": [
                {
                    "functionCall": {"id": "c1", "name": "weather", "args": {"city": "Oslo"}},
                    "thoughtSignature": NO_SIGNATURE,
                }
            ],
        },
        {
            "role": "user",
            "parts": [{"functionResponse": {"id": "c1", "name": "weather", "response": {"return_value": "rain"}}}],
        },
    ]


async def test_what_goes_out_to_bedrock() -> None:
    async with wired("bedrock") as wire:
        path, body = await wire.sent(ASKED)

    assert path == "/model/fake-model/converse-stream"
    assert body["system"] == [{"text": "Be brief."}]
    assert body["inferenceConfig"] == {"maxTokens": 100, "temperature": 0.5}
    assert body["messages"] == [
        {
            "role": "user",
            "content": [{"text": "What is this?"}, {"image": {"format": "png", "source": {"bytes": "iVBORw0KGgo="}}}],
        },
        {
            "role": "assistant",
            "content": [{"toolUse": {"toolUseId": "c1", "name": "weather", "input": {"city": "Oslo"}}}],
        },
        {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": "c1", "content": [{"text": "rain"}], "status": "success"}}],
        },
    ]


@both
async def test_a_stream_without_the_models_finish_was_cut(kind: Cloud) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(Say(text="half"), reason=None)

        parts, raised = await until_error(wire.model.stream(request()))

    assert parts == [TextPiece(text="half")]
    assert isinstance(raised, ModelStreamCut)


@both
async def test_refusals_and_overload_are_told_apart(kind: Cloud) -> None:
    async with wired(kind) as wire:
        wire.endpoint.fails(403, f"not yours: {SECRET}")
        wire.endpoint.fails(503, "later")

        refused = (await until_error(wire.model.stream(request())))[1]
        overloaded = (await until_error(wire.model.stream(request())))[1]

    assert isinstance(refused, ModelRejected)
    assert refused.params["words"] == "403 not yours: ***"
    assert isinstance(overloaded, ModelOverloaded)
    assert len(wire.endpoint.requests) == 2


@both
async def test_leaving_a_stream_closes_its_connection(kind: Cloud) -> None:
    async with wired(kind) as wire, asyncio.timeout(PATIENCE_S):
        wire.endpoint.says(Say(text="one"), Hang())
        async with closing(wire.model.stream(request())) as parts:
            assert await anext(parts) == TextPiece(text="one")

        await wire.endpoint.requests[0].left.wait()


@both
async def test_cancelling_a_call_closes_its_connection(kind: Cloud) -> None:
    async with wired(kind) as wire, asyncio.timeout(PATIENCE_S):
        wire.endpoint.says(Hang())
        reading = asyncio.create_task(all_parts(wire.model.stream(request())))
        received = await wire.endpoint.arrived()

        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

        await received.left.wait()


@pytest.mark.parametrize(("kind", "module"), [("google", "google.genai"), ("bedrock", "boto3")])
async def test_without_the_extra_the_error_names_it(kind: Cloud, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith((module, f"pydantic_ai.models.{kind}"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, f"pydantic_ai.providers.{kind}", raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    model = GatewayModel(ProviderConfig(name="mine", kind=kind, api_key="k", region="eu-west-1"), "fake-model")

    with pytest.raises(ModelNotSetUp) as raised:
        await all_parts(model.stream(request()))

    assert f"pip install 'tablewright[{kind}]'" in describe(raised.value, "en")
