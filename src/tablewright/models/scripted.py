r"""A model that answers from a script: for our tests and for those of programs built on us.

    model = ScriptedModel([
        Reply.of("Reading the file.\n", "<|begin_code|>\n# @step: Read\nprint(1)\n<|end_code|>"),
        Reply.of("The answer is 1."),
    ])

Every call takes the next reply; a callable decides by the request instead. Requests are recorded, and so is every
stream that its reader closed before the end.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass

from tablewright.domain.ids import Clock, SystemClock
from tablewright.domain.message import Message, Part, TextPart, ThinkingPart, ToolCallPart
from tablewright.errors import ModelError, ModelRejected, ModelStreamCut
from tablewright.models.base import (
    EndReason,
    ModelRequest,
    StreamEnded,
    StreamPart,
    TextPiece,
    ThinkingPiece,
    ToolCalled,
    UsageSeen,
)
from tablewright.models.streams import closing


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    """Wait for a while, on the model's clock, before the next piece."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fail:
    """End the stream with this error."""

    error: ModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamCut:
    """End the stream like a broken connection."""


ReplyPart = TextPiece | ThinkingPiece | ToolCalled | UsageSeen | Delay | Fail | StreamCut


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer, piece by piece.

    If `reason` is None, it follows from the pieces: `tool_calls` if there is a call.
    """

    parts: tuple[ReplyPart, ...]
    reason: EndReason | None = None

    @classmethod
    def of(cls, *parts: str | ReplyPart, reason: EndReason | None = None) -> Reply:
        """Make a reply of `parts`; a string becomes a piece of text."""
        return cls(
            parts=tuple(TextPiece(text=part) if isinstance(part, str) else part for part in parts), reason=reason
        )


Script = Iterable[Reply | str] | Callable[[ModelRequest], Reply | str]


class ScriptedModel:
    """Answers from a script.

    `requests` are the calls so far; `closed_early` counts the streams that were closed before their end.
    """

    def __init__(self, script: Script, *, name: str = "scripted:model", clock: Clock | None = None) -> None:
        self._name = name
        self._clock = clock or SystemClock()
        self._script = script if callable(script) else None
        self._replies = iter(()) if callable(script) else iter(tuple(script))
        self.requests: list[ModelRequest] = []
        self.closed_early = 0

    @property
    def name(self) -> str:
        return self._name

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        self.requests.append(request)
        reply = self._next(request)
        ended = False
        try:
            async with closing(self._play(reply)) as parts:
                async for part in parts:
                    yield part
            ended = True
            yield _ending(reply)
        except ModelError:
            ended = True
            raise
        finally:
            self.closed_early += not ended

    def _next(self, request: ModelRequest) -> Reply:
        reply = self._script(request) if self._script else next(self._replies, None)
        if reply is None:
            raise ModelRejected("script_ended", model=self._name)
        return Reply.of(reply) if isinstance(reply, str) else reply

    async def _play(self, reply: Reply) -> AsyncIterator[StreamPart]:
        for part in reply.parts:
            if isinstance(part, Delay):
                await self._clock.sleep(part.seconds)
            elif isinstance(part, Fail):
                raise part.error
            elif isinstance(part, StreamCut):
                raise ModelStreamCut(model=self._name)
            else:
                yield part


def _ending(reply: Reply) -> StreamEnded:
    message = Message(role="assistant", parts=gathered(reply.parts))
    called = any(isinstance(part, ToolCalled) for part in reply.parts)
    return StreamEnded(message=message, reason=reply.reason or ("tool_calls" if called else "stop"))


def gathered(pieces: Iterable[object]) -> tuple[Part, ...]:
    """Return the message parts for the pieces of a stream: consecutive pieces of one kind become one part."""
    parts: list[Part] = []
    for piece in pieces:
        last = parts[-1] if parts else None
        if isinstance(piece, TextPiece):
            if isinstance(last, TextPart):
                parts[-1] = TextPart(text=last.text + piece.text, origin="output")
            else:
                parts.append(TextPart(text=piece.text, origin="output"))
        elif isinstance(piece, ThinkingPiece):
            if isinstance(last, ThinkingPart):
                parts[-1] = ThinkingPart(text=last.text + piece.text)
            else:
                parts.append(ThinkingPart(text=piece.text))
        elif isinstance(piece, ToolCalled):
            parts.append(
                ToolCallPart(
                    call_id=piece.call_id,
                    name=piece.name,
                    arguments=piece.arguments,
                    provider_state=piece.provider_state,
                )
            )
    return tuple(parts)
