"""Replace tool calls that cannot be sent as calls by text.

Providers refuse a call without its result, a result without its call, and either of them in a request that offers no
tools.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from tablewright.domain.message import Message, Part, TextPart, ToolCallPart, ToolResultPart


def settled_calls(messages: Sequence[Message], *, tools: bool) -> tuple[Message, ...]:
    """Return `messages` with every call that cannot be sent described in words; without `tools`, that is every call."""
    paired = _paired(messages) if tools else frozenset[str]()
    return tuple(_told(message, paired) for message in messages)


def _paired(messages: Sequence[Message]) -> frozenset[str]:
    """Return the ids of calls whose results come before the assistant's next turn."""
    paired: set[str] = set()
    open_calls: set[str] = set()
    for message in messages:
        if message.role == "assistant":
            open_calls = {part.call_id for part in message.parts if isinstance(part, ToolCallPart)}
        else:
            answered = {part.call_id for part in message.parts if isinstance(part, ToolResultPart)}
            paired |= open_calls & answered
    return frozenset(paired)


def _told(message: Message, paired: frozenset[str]) -> Message:
    parts = tuple(_in_words(part, paired) for part in message.parts)
    if parts == message.parts:
        return message
    calls = any(isinstance(part, ToolCallPart | ToolResultPart) for part in parts)
    role = "user" if message.role == "tool" and not calls else message.role
    return Message(role=role, parts=parts)


def _in_words(part: Part, paired: frozenset[str]) -> Part:
    if isinstance(part, ToolCallPart) and part.call_id not in paired:
        arguments = json.dumps(part.arguments, ensure_ascii=False)
        return TextPart(text=f"[{part.name}({arguments})]", origin=part.origin)
    if isinstance(part, ToolResultPart) and part.call_id not in paired:
        return TextPart(text=f"[{part.name}: {part.text}]", origin=part.origin)
    return part
