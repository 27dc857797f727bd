"""One turn of a model: what it reads is fitted into its window, what it writes is shown while it writes it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tablewright.agent.emission import Emit, closing
from tablewright.agent.stream.echo import may_begin_again
from tablewright.domain.events import (
    ContextMeasured,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    UsageReported,
    WarningRaised,
)
from tablewright.domain.message import Message, TextPart
from tablewright.domain.naming import storable
from tablewright.domain.task import PlanTasks, SumUp, UseTools
from tablewright.errors import ModelStreamCut
from tablewright.models.base import (
    Model,
    ModelRequest,
    ModelSettings,
    Purpose,
    StreamEnded,
    TextPiece,
    ThinkingPiece,
    ToolChoice,
    ToolSpec,
    UsageSeen,
)
from tablewright.models.render import render
from tablewright.models.tokens import TokenCounter, estimated
from tablewright.models.window import WindowRules, windowed

BEGAN_ANEW = "model_began_anew"
REPLY_CUT = "reply_cut"


def _same(piece: str) -> str:
    return piece


@dataclass(slots=True, kw_only=True)
class _Reply:
    """What a model has written in one try; `shown` of it stands before the person. Pieces are joined in the end."""

    all: list[str] = field(default_factory=list[str])
    text: list[str] = field(default_factory=list[str])
    shown: list[str] = field(default_factory=list[str])
    chars: int = 0
    counted: bool = False
    message: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTurns:
    """Has `model` take turns. Calls take at most `max_input_tokens`, and a reply is read up to `reply_chars`."""

    model: Model
    emit: Emit
    counter: TokenCounter
    max_input_tokens: int
    reply_chars: int = 200_000
    settings: ModelSettings = field(default_factory=ModelSettings)

    async def take(
        self,
        task: UseTools | PlanTasks | SumUp,
        transcript: Sequence[Message] = (),
        *,
        tools: tuple[ToolSpec, ...] = (),
        tool_choice: ToolChoice = "auto",
        purpose: Purpose = "analyze",
        shown: Callable[[str], str] = _same,
    ) -> Message:
        """Return what the model says. Of each piece, `shown` is what a person is shown.

        Raises whatever the model raises, and `TokenLimitExceeded`. Tokens are also reported of turns that are stopped.
        """
        messages = self._fitted(render(task, transcript), tools, task)
        request = ModelRequest(
            messages=messages,
            task=task,
            purpose=purpose,
            tools=tools,
            tool_choice=tool_choice if tools else "none",
            settings=self.settings,
        )
        attempt = 1
        while True:
            reply = _Reply()
            try:
                return await self._followed(request, reply, shown)
            except asyncio.CancelledError:
                self._estimate(request, reply)
                raise
            except ModelStreamCut as cut:
                if not may_begin_again(cut, attempt, begun=bool(reply.all), ran=False):
                    raise
                self._estimate(request, reply)
                began_anew(self.emit, "".join(reply.shown))
                attempt += 1

    def _fitted(
        self, messages: tuple[Message, ...], tools: tuple[ToolSpec, ...], task: UseTools | PlanTasks | SumUp
    ) -> tuple[Message, ...]:
        rules = WindowRules(
            limit_tokens=self.max_input_tokens,
            counter=self.counter,
            model=self.model.name,
            language=task.language,
            tools=tools,
        )
        window = windowed(messages, rules)
        self.emit(
            ContextMeasured(
                tokens=window.tokens,
                limit_tokens=self.max_input_tokens,
                method=window.method,
                left_out=window.left_out,
                shortened=window.shortened,
            )
        )
        return window.messages

    async def _followed(self, request: ModelRequest, reply: _Reply, shown: Callable[[str], str]) -> Message:
        async with closing(self.model.stream(request)) as parts:
            async for part in parts:
                match part:
                    case TextPiece() | ThinkingPiece():
                        self._written(part, reply, shown)
                    case UsageSeen():
                        reply.counted = True
                        self._report(part, request)
                    case StreamEnded(message=message):
                        reply.message = message
                    case _:
                        pass
                if reply.chars > self.reply_chars:
                    break
        if reply.message is None or reply.chars > self.reply_chars:
            self.emit(WarningRaised(code=REPLY_CUT))
            self._estimate(request, reply)
            words = "".join(reply.text)[: self.reply_chars]
            reply.message = Message(role="assistant", parts=(TextPart(text=words, origin="output"),))
        if (whole := "".join(reply.shown)).strip():
            self.emit(TextFinished(text=whole))
        return reply.message

    def _written(self, part: TextPiece | ThinkingPiece, reply: _Reply, shown: Callable[[str], str]) -> None:
        words = part.text[: max(0, self.reply_chars - reply.chars)]
        reply.chars += len(part.text)
        reply.all.append(words)
        if isinstance(part, ThinkingPiece):
            if words:
                self.emit(ThinkingDelta(text=storable(words)))
            return
        reply.text.append(words)
        if new := shown(storable(words)):
            reply.shown.append(new)
            self.emit(TextDelta(text=new))

    def _estimate(self, request: ModelRequest, reply: _Reply) -> None:
        usage = None if reply.counted else estimated(self.model.name, request, "".join(reply.all))
        if usage is not None:
            reply.counted = True
            self._report(usage, request)

    def _report(self, usage: UsageSeen, request: ModelRequest) -> None:
        if usage.method == "provider":
            self.counter.observe(
                request.messages, request.tools, model=self.model.name, input_tokens=usage.input_tokens
            )
        self.emit(
            UsageReported(
                model=self.model.name,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cached_tokens=usage.cached_tokens,
                method=usage.method,
            )
        )


def began_anew(emit: Emit, shown: str) -> None:
    """Say that what stands there, if anything, counts no more, and is written again."""
    if shown:
        emit(TextFinished(text=shown))
        emit(WarningRaised(code=BEGAN_ANEW))
