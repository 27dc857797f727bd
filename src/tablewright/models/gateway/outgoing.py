"""Convert messages to those of pydantic-ai."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from pydantic_ai import messages as wire
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from tablewright.domain.message import (
    ImagePart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from tablewright.models.base import ToolSpec
from tablewright.models.gateway.config import ProviderConfig
from tablewright.models.profiles import Abilities

OUTPUT_NAME = "structured_answer"
"""What providers that ask for a name call the schema of an answer."""
NO_IMAGE = "[an image stood here; this model does not read images]"


def outgoing(messages: Sequence[Message], abilities: Abilities, *, provider: str) -> list[wire.ModelMessage]:
    """Return `messages` for one call; everything between two turns of the assistant becomes one request.

    A part's provider state is sent only to the provider that it belongs to (`provider`, by its name in pydantic-ai).
    """
    sent: list[wire.ModelMessage] = []
    for assistant, group in groupby(messages, key=lambda message: message.role == "assistant"):
        parts = [part for message in group for part in _parts(message, abilities, provider)]
        if parts:
            sent.append(wire.ModelResponse(parts=parts) if assistant else wire.ModelRequest(parts=parts))
    return sent


def parameters(
    tools: Iterable[ToolSpec], config: ProviderConfig, output_schema: dict[str, Any] | None = None
) -> ModelRequestParameters:
    """Return the tools of a call, and the schema that its answer is held to, as request parameters."""
    held = None if output_schema is None else OutputObjectDefinition(json_schema=output_schema, name=OUTPUT_NAME)
    return ModelRequestParameters(
        output_mode="text" if held is None else "native",
        output_object=held,
        function_tools=[
            ToolDefinition(
                name=tool.name,
                description=tool.description,
                parameters_json_schema=tool.parameters,
                strict=config.strict_tools,
            )
            for tool in tools
        ],
    )


def _parts(message: Message, abilities: Abilities, provider: str) -> list[Any]:
    if message.role == "system":
        return [wire.SystemPromptPart(content=message.text)]
    if message.role == "assistant":
        calls = any(isinstance(part, ToolCallPart) for part in message.parts)
        return [said for part in message.parts for said in _said(part, provider, with_calls=calls)]
    results = [_result(part) for part in message.parts if isinstance(part, ToolResultPart)]
    content = _content((part for part in message.parts if not isinstance(part, ToolResultPart)), abilities)
    return [*results, wire.UserPromptPart(content=content)] if content else results


def _content(parts: Iterable[Part], abilities: Abilities) -> str | list[wire.UserContent]:
    """Return a user's text and images; a single string if there is only text."""
    content: list[wire.UserContent] = []
    for part in parts:
        if isinstance(part, ImagePart) and abilities.images:
            content.append(wire.BinaryContent(data=base64.b64decode(part.data_base64), media_type=part.mime))
            continue
        text = NO_IMAGE if isinstance(part, ImagePart) else getattr(part, "text", "")
        if content and isinstance(content[-1], str):
            content[-1] += text
        elif text:
            content.append(text)
    return content[0] if len(content) == 1 and isinstance(content[0], str) else content


def _said(part: Part, provider: str, *, with_calls: bool) -> list[wire.ModelResponsePart]:
    """Return a part of an assistant's turn.

    Reasoning is sent back only if its provider expects it: signed, or beside tool calls.
    """
    state: dict[str, Any] = dict(getattr(part, "provider_state", None) or {})
    if state.get("provider_name") != provider:
        state = {}
    if isinstance(part, TextPart):
        return [wire.TextPart(content=part.text, **state)] if part.text else []
    if isinstance(part, ToolCallPart):
        return [wire.ToolCallPart(tool_name=part.name, args=part.arguments, tool_call_id=part.call_id, **state)]
    if isinstance(part, ThinkingPart) and state and (with_calls or state.get("signature")):
        return [wire.ThinkingPart(content=part.text, **state)]
    return []


def _result(part: ToolResultPart) -> wire.ToolReturnPart[str]:
    return wire.ToolReturnPart(
        tool_name=part.name,
        content=part.text,
        tool_call_id=part.call_id,
        outcome="failed" if part.failed else "success",
    )
