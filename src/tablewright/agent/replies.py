"""The text that a model writes in one call, for agents that read it only once it is whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from tablewright.agent.emission import Emit, closing
from tablewright.agent.stream.echo import Echo, may_begin_again
from tablewright.domain.events import ThinkingDelta, UsageReported
from tablewright.errors import ModelStreamCut
from tablewright.models.base import Model, ModelRequest, TextPiece, ThinkingPiece, ToolCalled, UsageSeen
from tablewright.models.tokens import estimated


@dataclass(slots=True, kw_only=True)
class _Reply:
    """What a model has written so far; `all` includes its reasoning.

    `counted` once the provider has reported the usage.
    """

    written: list[str] = field(default_factory=list[str])
    all: list[str] = field(default_factory=list[str])
    counted: bool = False
    thoughts: Echo = field(default_factory=Echo)


class TextListener(Protocol):
    """Hears what a model writes while it writes it."""

    def begin(self) -> None:
        """A reply begins, perhaps again."""
        ...

    def feed(self, piece: str) -> None:
        """A further piece of the reply."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """Calls `model`, and emits its reasoning and the tokens that it used. `listener` hears the text as it comes,
    `called` what tools it calls."""

    model: Model
    emit: Emit
    listener: TextListener | None = None
    called: Callable[[ToolCalled], None] | None = None

    async def text(self, request: ModelRequest) -> str:
        """Return what the model writes. A stream that is cut is begun again where nothing is lost by it.

        Raises whatever the model raises. Tokens are also reported of calls that are stopped or cut.
        """
        reply, attempt = _Reply(), 1
        while True:
            if self.listener is not None:
                self.listener.begin()
            try:
                await self._follow(request, reply)
                return "".join(reply.written)
            except asyncio.CancelledError:
                self._estimate(request, reply)
                raise
            except ModelStreamCut as cut:
                if not may_begin_again(cut, attempt, begun=bool(reply.all), ran=False):
                    raise
                self._estimate(request, reply)
                reply, attempt = _Reply(thoughts=Echo(reply.thoughts.written)), attempt + 1

    def _estimate(self, request: ModelRequest, reply: _Reply) -> None:
        usage = None if reply.counted else estimated(self.model.name, request, "".join(reply.all))
        if usage is not None:
            self._report(usage)

    async def _follow(self, request: ModelRequest, reply: _Reply) -> None:
        async with closing(self.model.stream(request)) as parts:
            async for part in parts:
                if isinstance(part, TextPiece):
                    reply.all.append(part.text)
                    reply.written.append(part.text)
                    if self.listener is not None:
                        self.listener.feed(part.text)
                elif isinstance(part, ThinkingPiece):
                    reply.all.append(part.text)
                    if new := reply.thoughts.new(part.text):
                        self.emit(ThinkingDelta(text=new))
                elif isinstance(part, ToolCalled) and self.called is not None:
                    self.called(part)
                elif isinstance(part, UsageSeen):
                    reply.counted = True
                    self._report(part)

    def _report(self, usage: UsageSeen) -> None:
        self.emit(
            UsageReported(
                model=self.model.name,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cached_tokens=usage.cached_tokens,
                method=usage.method,
            )
        )
