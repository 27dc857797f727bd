"""Has a model answer a structured round, asking once more if the answer cannot be used."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from tablewright.agent.emission import Emit
from tablewright.agent.replies import Replies
from tablewright.agent.structured.report_stream import ReportStream
from tablewright.agent.structured.transcript import MAIN, call_scope
from tablewright.domain.events import WarningRaised
from tablewright.domain.message import Message, TextPart
from tablewright.domain.structured import StructuredAnswer
from tablewright.domain.task import StructuredRound
from tablewright.errors import AnswerUnreadable
from tablewright.models.base import Model, ModelRequest
from tablewright.models.render import render
from tablewright.models.structured_reading import UnreadableAnswer, read_answer
from tablewright.models.structured_schema import answer_schema
from tablewright.models.structured_system import SystemPrompts
from tablewright.texts.catalogue import text


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Has rounds answered by `model`, whose report is shown by `shown` while it is written.

    `keep` takes what was asked and written, with the scope of its transcript; it is not shown to the person. `clean`
    makes shorter what a language model reads; the task itself stays whole, for a program reads results to their end.
    """

    model: Model
    emit: Emit
    shown: ReportStream
    keep: Callable[[Message, str], None]
    clean: Callable[[StructuredRound], StructuredRound]
    prompts: SystemPrompts | None = None

    async def answer(self, task: StructuredRound, *, taken: Collection[str]) -> StructuredAnswer:
        """Return the model's answer, in which no call has one of the ids `taken`.

        In the last round, calls are no answer. Raises `AnswerUnreadable` after the second try, and whatever the model
        raises.
        """
        try:
            answer = await self._answer(task, taken)
        except AnswerUnreadable:
            self.shown.drop()
            raise
        if answer.report is None:
            self.shown.drop()
        return answer

    async def _answer(self, task: StructuredRound, taken: Collection[str]) -> StructuredAnswer:
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
        messages = render(self.clean(task), prompts=self.prompts)
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
        said = await Replies(model=self.model, emit=self.emit, listener=self.shown).text(request)
        written = Message(role="assistant", parts=(TextPart(text=said, origin="output"),))
        self.keep(written, scope)
        self.keep(written, MAIN)
        return said
