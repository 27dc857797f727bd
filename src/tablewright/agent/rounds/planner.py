"""Has the model write a plan, asking once more if the reply cannot be read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tablewright.agent.emission import Emit, closing
from tablewright.agent.rounds.plan_text import read_plan
from tablewright.agent.stream.echo import Echo, may_begin_again
from tablewright.domain.events import ThinkingDelta, UsageReported
from tablewright.domain.message import Message, TextPart
from tablewright.domain.rounds.written_plan import Unreadable, WrittenPlan
from tablewright.domain.task import PlanOperations
from tablewright.errors import ModelStreamCut, PlanUnreadable
from tablewright.models.base import Model, ModelRequest, TextPiece, ThinkingPiece, UsageSeen
from tablewright.models.render import render
from tablewright.models.tokens import estimated
from tablewright.texts.catalogue import text


@dataclass(slots=True, kw_only=True)
class _Reply:
    """What a model has written so far; `all` includes its reasoning.

    `counted` once the provider has reported the usage.
    """

    written: list[str] = field(default_factory=list[str])
    all: list[str] = field(default_factory=list[str])
    counted: bool = False
    thoughts: Echo = field(default_factory=Echo)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Has plans written by `model`.

    `keep` takes what was asked and written, for the transcript; it is not shown to the person.
    """

    model: Model
    emit: Emit
    keep: Callable[[Message], None]

    async def plan(self, task: PlanOperations) -> WrittenPlan:
        """Return the model's plan. Raises `PlanUnreadable` after the second try, and whatever the model raises."""
        try:
            return read_plan(await self._written(task))
        except Unreadable as unreadable:
            problem = text(unreadable.problem, task.language, **unreadable.params)
        try:
            return read_plan(await self._written(replace(task, unreadable=problem)))
        except Unreadable as unreadable:
            params = {name: str(value) for name, value in unreadable.params.items()}
            raise PlanUnreadable(model=self.model.name, problem=unreadable.problem, **params) from unreadable

    async def _written(self, task: PlanOperations) -> str:
        messages = render(task)
        request = ModelRequest(messages=messages, task=task, purpose="plan", tool_choice="none")
        self.keep(messages[-1])
        reply, attempt = _Reply(), 1
        while True:
            try:
                await self._follow(request, reply)
                break
            except asyncio.CancelledError:
                self._estimate(request, reply)
                raise
            except ModelStreamCut as cut:
                if not may_begin_again(cut, attempt, begun=bool(reply.all), ran=False):
                    raise
                self._estimate(request, reply)
                reply, attempt = _Reply(thoughts=Echo(reply.thoughts.written)), attempt + 1
        said = "".join(reply.written)
        self.keep(Message(role="assistant", parts=(TextPart(text=said, origin="output"),)))
        return said

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
                elif isinstance(part, ThinkingPiece):
                    reply.all.append(part.text)
                    if new := reply.thoughts.new(part.text):
                        self.emit(ThinkingDelta(text=new))
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
