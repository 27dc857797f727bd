"""Has a model answer a structured round, asking once more if the answer cannot be used."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from tablewright.agent.emission import Emit, closing
from tablewright.agent.stream.echo import Echo, may_begin_again
from tablewright.agent.structured.transcript import MAIN, call_scope
from tablewright.domain.events import ThinkingDelta, UsageReported, WarningRaised
from tablewright.domain.message import Message, TextPart
from tablewright.domain.structured import StructuredAnswer
from tablewright.domain.task import StructuredRound
from tablewright.errors import AnswerUnreadable, ModelStreamCut
from tablewright.models.base import Model, ModelRequest, TextPiece, ThinkingPiece, UsageSeen
from tablewright.models.render import render
from tablewright.models.structured_reading import UnreadableAnswer, read_answer
from tablewright.models.structured_schema import answer_schema
from tablewright.models.structured_system import SystemPrompts
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
class Asking:
    """Has rounds answered by `model`.

    `keep` takes what was asked and written, with the scope of its transcript; it is not shown to the person. `clean`
    makes shorter what the model reads.
    """

    model: Model
    emit: Emit
    keep: Callable[[Message, str], None]
    clean: Callable[[StructuredRound], StructuredRound]
    prompts: SystemPrompts | None = None

    async def answer(self, task: StructuredRound, *, taken: Collection[str]) -> StructuredAnswer:
        """Return the model's answer, in which no call has one of the ids `taken`.

        In the last round, calls are no answer. Raises `AnswerUnreadable` after the second try, and whatever the model
        raises.
        """
        first = self._read(await self._written(task), task, taken, salvage=False)
        if isinstance(first, StructuredAnswer):
            return first
        problem = text(first.problem, task.language, **first.params)
        again = await self._written(replace(task, unreadable=problem))
        second = self._read(again, task, taken, salvage=True)
        if isinstance(second, StructuredAnswer):
            return second
        params = {name: str(value) for name, value in second.params.items()}
        raise AnswerUnreadable(model=self.model.name, problem=second.problem, **params)

    def _read(
        self, written: str, task: StructuredRound, taken: Collection[str], *, salvage: bool
    ) -> StructuredAnswer | UnreadableAnswer:
        answer = read_answer(written, number=task.round, taken=taken)
        if isinstance(answer, UnreadableAnswer) and salvage:
            rest = read_answer(written, number=task.round, taken=taken, salvage=True)
            if isinstance(rest, StructuredAnswer):
                self.emit(WarningRaised(code="answer_cut"))
                answer = rest
        if isinstance(answer, StructuredAnswer) and answer.calls and task.round >= task.max_rounds:
            return UnreadableAnswer(problem="structured.calls_in_last_round")
        return answer

    async def _written(self, task: StructuredRound) -> str:
        task = self.clean(task)
        messages = render(task, prompts=self.prompts)
        request = ModelRequest(
            messages=messages,
            task=task,
            purpose="repair" if task.unreadable else "analyze",
            tool_choice="none",
            output_schema=answer_schema(task.tools if task.round < task.max_rounds else ()),
        )
        scope = call_scope(task.round, 1 if task.unreadable is None else 2)
        begins = task.round == 1 and task.unreadable is None
        for message in messages if begins else messages[-1:]:
            self.keep(message, scope)
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
        written = Message(role="assistant", parts=(TextPart(text=said, origin="output"),))
        self.keep(written, scope)
        self.keep(written, MAIN)
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
