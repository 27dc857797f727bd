"""Convert the events streamed by pydantic-ai to stream parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic_ai import messages as wire
from pydantic_ai.models import StreamedResponse
from pydantic_core import to_jsonable_python

from tablewright.domain.message import Message, Part, TextPart, ThinkingPart, ToolCallPart
from tablewright.models.base import EndReason, TextPiece, ThinkingPiece, ToolCalled
from tablewright.models.lenient_json import read_object
from tablewright.models.think_tags import ThinkSplitter

_REASONS: dict[str | None, EndReason] = {
    "stop": "stop",
    "length": "length",
    "tool_call": "tool_calls",
    "content_filter": "content_filter",
}

_REASON_WITHOUT_DETAILS = frozenset({"google", "google-gla", "google-vertex", "bedrock"})
"""Providers whose finish reason pydantic-ai reports without repeating it in the details."""

Piece = TextPiece | ThinkingPiece | ToolCalled


class IncomingStream:
    """Follows one stream: yields its pieces as they arrive, and provides the complete message at the end.

    A tool call is yielded once the next part begins, or at the confirmed end of the stream: a call whose arguments were
    cut off with the connection is never yielded.
    """

    def __init__(self) -> None:
        self.began = False
        self._splitters: dict[int, ThinkSplitter] = {}
        self._pending: list[ToolCalled] = []

    def pieces(self, event: wire.ModelResponseStreamEvent) -> Iterator[Piece]:
        """Yield the pieces that `event` contains."""
        self.began = True
        if isinstance(event, wire.PartStartEvent):
            yield from self._settled()
            yield from self._text(event.index, event.part)
        elif isinstance(event, wire.PartDeltaEvent):
            yield from self._delta(event)
        elif isinstance(event, wire.PartEndEvent):
            if isinstance(event.part, wire.ToolCallPart):
                self._pending.append(_called(event.part))
            elif (splitter := self._splitters.get(event.index)) is not None:
                yield from splitter.end()

    def ending(self) -> Iterator[ToolCalled]:
        """Yield the calls that were held back until the end."""
        yield from self._settled()

    def _settled(self) -> Iterator[ToolCalled]:
        settled, self._pending = self._pending, []
        yield from settled

    def _text(self, index: int, part: wire.ModelResponsePart) -> Iterator[Piece]:
        if isinstance(part, wire.TextPart):
            self._splitters[index] = ThinkSplitter()
            yield from self._splitters[index].feed(part.content)
        elif isinstance(part, wire.ThinkingPart) and part.content:
            yield ThinkingPiece(text=part.content)

    def _delta(self, event: wire.PartDeltaEvent) -> Iterator[Piece]:
        delta = event.delta
        if isinstance(delta, wire.TextPartDelta) and delta.content_delta:
            yield from self._splitters.setdefault(event.index, ThinkSplitter()).feed(delta.content_delta)
        elif isinstance(delta, wire.ThinkingPartDelta) and delta.content_delta:
            yield ThinkingPiece(text=delta.content_delta)


def end_reason(stream: StreamedResponse) -> EndReason | None:
    """Return why the model ended, or None if it never said so, which means that the stream was cut.

    pydantic-ai reports the reason "stop" for an OpenAI stream that simply ends, so only what the provider itself sent
    counts.
    """
    reason = stream.finish_reason
    sent = (stream.provider_details or {}).get("finish_reason")
    if reason == "content_filter":
        return "content_filter"
    if sent is None and stream.provider_name not in _REASON_WITHOUT_DETAILS:
        return None
    return _REASONS.get(reason, "stop") if reason is not None or sent is not None else None


def whole(response: wire.ModelResponse) -> Message:
    """Return the complete streamed message, with each part's state for its provider."""
    parts: list[Part] = []
    for part in response.parts:
        if isinstance(part, wire.TextPart):
            parts.extend(_split(part))
        elif isinstance(part, wire.ThinkingPart):
            parts.append(ThinkingPart(text=part.content, provider_state=_state(part, response)))
        elif isinstance(part, wire.ToolCallPart):
            called = _called(part)
            parts.append(
                ToolCallPart(
                    call_id=called.call_id,
                    name=called.name,
                    arguments=called.arguments,
                    provider_state=called.provider_state,
                )
            )
    return Message(role="assistant", parts=tuple(parts))


def _split(part: wire.TextPart) -> Iterator[Part]:
    splitter = ThinkSplitter()
    thought, said = "", ""
    for piece in (*splitter.feed(part.content), *splitter.end()):
        if isinstance(piece, ThinkingPiece):
            thought += piece.text
        else:
            said += piece.text
    if thought:
        yield ThinkingPart(text=thought)
    if said:
        yield TextPart(text=said, origin="output", provider_state=_state(part, None))


def _called(part: wire.ToolCallPart) -> ToolCalled:
    arguments = part.args if isinstance(part.args, dict) else read_object(part.args or "{}")
    return ToolCalled(
        call_id=part.tool_call_id,
        name=part.tool_name,
        arguments=arguments or {},
        provider_state=_state(part, None),
    )


def _state(part: Any, response: wire.ModelResponse | None) -> dict[str, Any] | None:
    """Return what the provider needs back with this part: its id, signature and details."""
    state = {
        name: to_jsonable_python(value)
        for name in ("id", "signature", "provider_name", "provider_details")
        if (value := getattr(part, name, None)) is not None
    }
    if set(state) - {"provider_name"} and "provider_name" not in state and response is not None:
        state["provider_name"] = response.provider_name
    return state if set(state) - {"provider_name"} else None
