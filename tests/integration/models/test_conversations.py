"""One table of conversations through every provider: the HTTP body that goes out, and the parts that come back."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from tests.support.fake_anthropic import FakeAnthropic
from tests.support.fake_openai import FakeOpenAI
from tests.support.model_requests import WEATHER_TOOL, all_parts, request, said
from tests.support.wire import DEFAULT_COUNT, Call, Counted, Say, Saying, Think

from tablewright.domain.message import ImagePart, Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from tablewright.models.base import (
    EndReason,
    ModelRequest,
    ModelSettings,
    StreamEnded,
    TextPiece,
    ThinkingPiece,
    ToolCalled,
    UsageSeen,
)
from tablewright.models.gateway.config import Kind, ProviderConfig
from tablewright.models.gateway.model import GatewayModel

PIXEL = "iVBORw0KGgo="
CALL = ToolCallPart(call_id="call_1", name="weather", arguments={"city": "Oslo"})
RESULT = ToolResultPart(call_id="call_1", name="weather", text="rain", failed=False)
FAILED = ToolResultPart(call_id="call_2", name="weather", text="no such city", failed=True)
OPENAI_TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Tell the weather.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city"],
        },
    },
}
ANTHROPIC_TOOL = {
    "name": "weather",
    "description": "Tell the weather.",
    "input_schema": OPENAI_TOOL["function"]["parameters"],  # type: ignore[index]  # written above
}


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """A request, what each provider must be sent for it, what it says, and what must come of that."""

    name: str
    request: ModelRequest
    openai: dict[str, Any]
    anthropic: dict[str, Any]
    says: Sequence[Saying]
    reason: EndReason
    parts: Sequence[object]
    count: Counted = DEFAULT_COUNT


def openai_text(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def anthropic_text(role: str, *texts: str) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": text} for text in texts]}


CONVERSATIONS = [
    Conversation(
        name="words with a system prompt and settings",
        request=request(
            said("system", "Be brief."),
            said("user", "1 + 1?"),
            settings=ModelSettings(temperature=0.5, max_output_tokens=100),
        ),
        openai={
            "messages": [openai_text("system", "Be brief."), openai_text("user", "1 + 1?")],
            "temperature": 0.5,
            "max_tokens": 100,
        },
        anthropic={
            "system": "Be brief.",
            "messages": [anthropic_text("user", "1 + 1?")],
            "temperature": 0.5,
            "max_tokens": 100,
        },
        says=[Say(text="It "), Say(text="is 2.")],
        reason="stop",
        parts=[TextPiece(text="It "), TextPiece(text="is 2.")],
    ),
    Conversation(
        name="a longer talk with several parts in a turn",
        request=request(
            Message(
                role="user",
                parts=(TextPart(text="<|code_output|>\n", origin="system"), TextPart(text="41", origin="output")),
            ),
            said("assistant", "Hm.", "output"),
            said("user", "And now?"),
        ),
        openai={
            "messages": [
                openai_text("user", "<|code_output|>\n41"),
                openai_text("assistant", "Hm."),
                openai_text("user", "And now?"),
            ]
        },
        anthropic={
            "messages": [
                anthropic_text("user", "<|code_output|>\n41"),
                anthropic_text("assistant", "Hm."),
                anthropic_text("user", "And now?"),
            ]
        },
        says=[Think(text="Well", signature="s1"), Say(text="<|begin_code|>\nx")],
        reason="length",
        parts=[ThinkingPiece(text="Well"), TextPiece(text="<|begin_code|>\nx")],
        count=Counted(input_tokens=100, output_tokens=20, cached_tokens=64),
    ),
    Conversation(
        name="an image among words",
        request=request(
            Message(
                role="user",
                parts=(
                    TextPart(text="What is this?", origin="user"),
                    ImagePart(mime="image/png", data_base64=PIXEL, origin="output"),
                ),
            )
        ),
        openai={
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "What is this?"},
                        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
                    ],
                }
            ]
        },
        anthropic={
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "What is this?"},
                        {
                            "type": "image",
                            "source": {"type": "base64", "media_type": "image/png", "data": PIXEL},
                        },
                    ],
                }
            ]
        },
        says=[Say(text="A dot.")],
        reason="stop",
        parts=[TextPiece(text="A dot.")],
    ),
    Conversation(
        name="tools that are called, one after the other",
        request=request(said("user", "Weather?"), tools=(WEATHER_TOOL,), tool_choice="required"),
        openai={"messages": [openai_text("user", "Weather?")], "tools": [OPENAI_TOOL], "tool_choice": "required"},
        anthropic={
            "messages": [anthropic_text("user", "Weather?")],
            "tools": [ANTHROPIC_TOOL],
            "tool_choice": {"type": "any"},
        },
        says=[
            Say(text="Let me see."),
            Call(call_id="a", name="weather", fragments=('{"ci', 'ty": "Os', 'lo"}')),
            Call(call_id="b", name="weather", fragments=("{}",)),
        ],
        reason="tool_calls",
        parts=[
            TextPiece(text="Let me see."),
            ToolCalled(call_id="a", name="weather", arguments={"city": "Oslo"}),
            ToolCalled(call_id="b", name="weather", arguments={}),
        ],
    ),
    Conversation(
        name="the results of tools",
        request=request(
            said("user", "Weather?"),
            Message(
                role="assistant",
                parts=(
                    ThinkingPart(text="unsigned"),
                    TextPart(text="Let me see.", origin="output"),
                    CALL,
                    ToolCallPart(call_id="call_2", name="weather", arguments={}),
                ),
            ),
            Message(role="tool", parts=(RESULT, FAILED)),
            said("user", "Quick!"),
            tools=(WEATHER_TOOL,),
        ),
        openai={
            "messages": [
                openai_text("user", "Weather?"),
                {
                    "role": "assistant",
                    "content": "Let me see.",
                    "tool_calls": [
                        {
                            "id": "call_1",
                            "type": "function",
                            "function": {"name": "weather", "arguments": '{"city":"Oslo"}'},
                        },
                        {"id": "call_2", "type": "function", "function": {"name": "weather", "arguments": "{}"}},
                    ],
                },
                {"role": "tool", "tool_call_id": "call_1", "content": "rain"},
                {"role": "tool", "tool_call_id": "call_2", "content": '{"error":"no such city"}'},
                openai_text("user", "Quick!"),
            ],
            "tools": [OPENAI_TOOL],
            "tool_choice": "auto",
        },
        anthropic={
            "messages": [
                anthropic_text("user", "Weather?"),
                {
                    "role": "assistant",
                    "content": [
                        {"type": "text", "text": "Let me see."},
                        {"type": "tool_use", "id": "call_1", "name": "weather", "input": {"city": "Oslo"}},
                        {"type": "tool_use", "id": "call_2", "name": "weather", "input": {}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "call_1",
                            "content": [{"type": "text", "text": "rain"}],
                            "is_error": False,
                        },
                        {
                            "type": "tool_result",
                            "tool_use_id": "call_2",
                            "content": [{"type": "text", "text": "no such city"}],
                            "is_error": True,
                        },
                        {"type": "text", "text": "Quick!"},
                    ],
                },
            ],
            "tools": [ANTHROPIC_TOOL],
            "tool_choice": {"type": "auto"},
        },
        says=[Say(text="Rain.")],
        reason="stop",
        parts=[TextPiece(text="Rain.")],
    ),
]

FRAME: dict[str, dict[str, Any]] = {
    "openai": {"model": "fake-model", "stream": True, "stream_options": {"include_usage": True}},
    "anthropic": {"model": "fake-model", "stream": True, "max_tokens": 16_384},
}
FRAME |= {"vllm": FRAME["openai"], "ollama": FRAME["openai"]}
PROVIDERS: list[Kind] = ["openai", "vllm", "ollama", "anthropic"]


KEPT = {"type": "ephemeral", "ttl": "5m"}


def marked(body: dict[str, Any]) -> dict[str, Any]:
    """Return what Anthropic is sent with the marks up to which it keeps it: the tools, the prompt, the last block."""
    made = copy.deepcopy(body)
    if "system" in made:
        made["system"] = [{"type": "text", "text": made["system"], "cache_control": KEPT}]
    for end in (made["messages"][-1]["content"], made.get("tools", [])):
        if end:
            end[-1]["cache_control"] = KEPT
    return made


@pytest.mark.requirement("models-alike-through-every-provider")
@pytest.mark.parametrize("kind", PROVIDERS)
@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda conversation: conversation.name)
async def test_a_conversation_goes_out_and_comes_back_alike_through_every_provider(
    conversation: Conversation, kind: Kind
) -> None:
    async with FakeAnthropic() if kind == "anthropic" else FakeOpenAI() as endpoint:
        endpoint.says(*conversation.says, reason=conversation.reason, count=conversation.count)
        config = ProviderConfig(name="mine", kind=kind, base_url=endpoint.base_url, api_key="k", images=True)
        model = GatewayModel(config, "fake-model")

        *pieces, usage, end = await all_parts(model.stream(conversation.request))
        await model.aclose()

    wanted = marked(conversation.anthropic) if kind == "anthropic" else conversation.openai
    assert endpoint.requests[0].json == {**FRAME[kind], **wanted}
    assert pieces == list(conversation.parts)
    assert usage == UsageSeen(
        input_tokens=conversation.count.input_tokens,
        output_tokens=conversation.count.output_tokens,
        cached_tokens=conversation.count.cached_tokens,
    )
    assert isinstance(end, StreamEnded)
    assert end.reason == conversation.reason
    assert end.message.text == "".join(part.text for part in pieces if isinstance(part, TextPiece))
