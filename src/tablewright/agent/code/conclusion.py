"""The end of a question: its answer with the numbers' origins, or what the person is asked or told instead."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code import control
from tablewright.agent.code.answer import answer_of, with_guarded
from tablewright.agent.code.progress import Progress
from tablewright.agent.code.step_runner import StepRunner
from tablewright.agent.code.turn import TurnRecord
from tablewright.agent.emission import Emit
from tablewright.agent.steps import StepRecord
from tablewright.domain.events import AnswerCompleted, SuggestionsOffered
from tablewright.errors import ModelSilent
from tablewright.models.base import ToolCalled
from tablewright.models.control import DECLINE
from tablewright.texts.catalogue import text


class Conclusion:
    """Ends the work on one question."""

    def __init__(
        self, given: AgentInput, context: AgentContext, progress: Progress, runner: StepRunner, emit: Emit
    ) -> None:
        self._given = given
        self._context = context
        self._progress = progress
        self._runner = runner
        self._emit = emit

    def words_of(self, turn: TurnRecord) -> str:
        """Return the conclusion; if none was written, what the last step printed. Raises `ModelSilent`."""
        if not turn.records and not turn.words:
            raise ModelSilent(model=self._context.model.name)
        written = turn.conclusion if turn.records else turn.words
        printed = turn.records[-1].facts.text.strip() if turn.records else ""
        return written or printed or text("agent.done", self._given.language)

    async def answer(self, words: str, stopped_by: str | None = None, *, delivered: Sequence[StepRecord] = ()) -> None:
        """Hand over the files that are left, and answer with `words`; `delivered` are steps that wrote the result."""
        records = self._progress.succeeded
        files = self._runner.files
        await files.rest([record.step.id for record in records])
        queried = [record for record in self._progress.queries if record.facts.error is None]
        answer = answer_of(
            words, [*queried, *records], question=self._progress.question, files=files.kept, stopped_by=stopped_by
        )
        self._emit(AnswerCompleted(answer=with_guarded(answer, (*records, *delivered), self._given.language)))

    def hand_to_person(self, call: ToolCalled) -> None:
        """Ask what the control tool asks, or decline as it says."""
        if call.name != DECLINE:
            self._emit(control.question_or_offer(call, self._given, self._context.ids))
            return
        answer = control.declined(call.arguments, self._given.language)
        if answer.suggestions:
            self._emit(SuggestionsOffered(questions=answer.suggestions))
        self._emit(AnswerCompleted(answer=answer))
