"""Shorten a conversation to fit a model's context: oldest output first, but never the question and its data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablewright.domain.language import Language
from tablewright.domain.message import ImagePart, Message, Origin, Part, TextPart, ToolResultPart
from tablewright.models.base import ToolSpec
from tablewright.models.prompt_files import phrase
from tablewright.models.tokens import TokenCounter

KEPT_TURNS = 2
"""The number of last turns whose output is kept completely."""
NOTE_CHARS = 400
"""Output shorter than this is not worth replacing by a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The messages for a call, and their size.

    `fits` is False if even the minimum that must be kept is too large.
    """

    messages: tuple[Message, ...]
    tokens: int
    method: str
    fits: bool


def fit(
    messages: Sequence[Message],
    tools: Sequence[ToolSpec] = (),
    *,
    limit_tokens: int,
    counter: TokenCounter,
    model: str,
    language: Language,
) -> Fitted:
    """Return `messages`, shortened until they take at most `limit_tokens`.

    First, old output is replaced by a note of its length; then old exchanges are left out, a tool call always together
    with its result. Both proceed from the oldest on. The system prompt, the turn with the data and the last turns are
    kept.
    """
    kept = list(messages)
    count = counter.count(kept, tools, model=model)
    for index in range(max(len(kept) - KEPT_TURNS, 0)):
        if count.tokens <= limit_tokens:
            break
        shortened = _shortened(kept[index], language)
        if shortened is not kept[index]:
            kept[index] = shortened
            count = counter.count(kept, tools, model=model)
    while count.tokens > limit_tokens and (oldest := _oldest(kept)):
        del kept[oldest.start : oldest.stop]
        count = counter.count(kept, tools, model=model)
    return Fitted(messages=tuple(kept), tokens=count.tokens, method=count.method, fits=count.tokens <= limit_tokens)


def _shortened(message: Message, language: Language) -> Message:
    if message.role in {"system", "assistant"}:
        return message
    parts = tuple(_noted(part, language) for part in message.parts)
    return message if parts == message.parts else Message(role=message.role, parts=parts)


def _noted(part: Part, language: Language) -> Part:
    if isinstance(part, ImagePart):
        return TextPart(text=phrase("image_left_out", language), origin="system")
    is_output = isinstance(part, ToolResultPart) or (isinstance(part, TextPart) and part.origin in {"output", "tool"})
    if is_output and isinstance(part, TextPart | ToolResultPart) and len(part.text) > NOTE_CHARS:
        return replace(part, text=phrase("trimmed", language, count=len(part.text)))
    return part


def _oldest(messages: Sequence[Message]) -> range | None:
    """Return the first exchange that may be left out, or None.

    That is an earlier question with everything that answered it; or, after the current question, a turn of the
    assistant with the response to it.
    """
    anchor = _anchor(messages)
    starts = [
        index
        for index, message in enumerate(messages)
        if (index < anchor and _asks(message)) or (index > anchor and message.role == "assistant")
    ]
    ends = sorted({*starts, anchor, len(messages)})
    for start in starts:
        stop = next(end for end in ends if end > start)
        if stop <= len(messages) - KEPT_TURNS:
            return range(start, stop)
    return None


def _anchor(messages: Sequence[Message]) -> int:
    """Return the index of the current question: the turn with the data, else the last question."""
    with_data = [index for index, message in enumerate(messages) if _of_origin(message, "schema")]
    return (with_data or [index for index, message in enumerate(messages) if _asks(message)] or [-1])[-1]


def _asks(message: Message) -> bool:
    return _of_origin(message, "user")


def _of_origin(message: Message, origin: Origin) -> bool:
    return message.role == "user" and any(part.origin == origin for part in message.parts)
