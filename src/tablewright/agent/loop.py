"""The loop: think, write a step, run it while still writing, read its output, and repeat until there is an answer."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from tablewright.agent import control
from tablewright.agent.answering import answer_of
from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.delivering import delivered_path, delivering_code
from tablewright.agent.emitting import Emit
from tablewright.agent.progress import Progress
from tablewright.agent.replay import executed
from tablewright.agent.running import StepRunner
from tablewright.agent.steps import Step, StepRecord, nothing_to_run
from tablewright.agent.tool_use import ToolUse
from tablewright.agent.turn import Turn, TurnTaken, called
from tablewright.agent.workspace import Workspace
from tablewright.agent.writing import Mode, WritingRules
from tablewright.domain.events import (
    AnswerCompleted,
    CodeFinished,
    RepairStarted,
    SessionLost,
    StepAnnounced,
    SuggestionsOffered,
    WarningRaised,
)
from tablewright.domain.events.runs import RESUMED
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.task import Task
from tablewright.errors import ModelSilent, SandboxLost, TablewrightError
from tablewright.models.base import ModelRequest, Purpose, ToolCalled
from tablewright.models.control import DECLINE, control_tools
from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags, error_turn, first_turn, output_turn
from tablewright.models.render import render
from tablewright.texts.catalogue import text
from tablewright.tools.base import ToolProvider


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopRules:
    """Rules of the loop; the number of steps is in the run's limits.

    `deliver` names the file in which the run must leave its `result`, if any.
    """

    mode: Mode = "pre_execute"
    max_step_retry: int = 3
    max_total_retry: int = 5
    step_timeout_s: float = 60.0
    tags: CodeTags = DEFAULT_TAGS
    deliver: str | None = None


class Loop:
    """Works on one question. Use an instance only once."""

    def __init__(
        self,
        given: AgentInput,
        context: AgentContext,
        rules: LoopRules,
        emit: Emit,
        tools: ToolProvider | None = None,
    ) -> None:
        self._given = given
        self._context = context
        self._rules = rules
        self._emit = emit
        self._workspace = Workspace(context.sandbox, given)
        self._runner = StepRunner(given, context, self._workspace, emit, step_timeout_s=rules.step_timeout_s)
        self._progress = Progress(given, max_step_retry=rules.max_step_retry, max_total_retry=rules.max_total_retry)
        self._tools = ToolUse(tools)
        self._transcript: list[Message] = list(given.transcript)

    async def run(self) -> None:
        """Work until there is an answer, a question to the person, or an error. The session is always released."""
        try:
            await self._tools.open()
            await self._open()
            while not await self._after(await self._take(self._progress.task())):
                pass
        except TablewrightError:
            # What was written before the error still belongs to the person.
            if self._workspace.leased:
                with suppress(TablewrightError, OSError):
                    await self._runner.files.rest()
            raise
        except asyncio.CancelledError:
            await self._runner.files.finished()
            raise
        finally:
            await self._workspace.release()

    async def _open(self) -> None:
        """Begin the transcript, or resume it: what was run before is run again in a new session."""
        if not self._transcript:
            self._keep(first_turn(self._progress.task(), tags=self._rules.tags))
            return
        for message in control.answers(self._transcript, self._given.answered):
            self._keep(message)
        self._progress.question = control.question_with_answers(self._given.question, self._transcript)
        if done := executed(self._transcript, self._rules.tags):
            self._emit(SessionLost(reason=RESUMED))
        for segment in done:
            name = segment.name or text("agent.step_unnamed", self._given.language)
            step = Step(id=self._context.ids.new(), name=name, code=segment.code, named=segment.name is not None)
            self._emit(StepAnnounced(name=name, step_id=step.id))
            self._emit(CodeFinished(code=step.code, step_id=step.id))
            record = await self._runner.run(step)
            if record.error is not None:
                raise SandboxLost("lost_error", step=name, status="error")
            self._progress.add((record,))

    async def _take(self, task: Task, *, may_run: bool = True) -> TurnTaken:
        purposes: dict[str, Purpose] = {"repair_step": "repair", "summarize": "conclude"}
        request = ModelRequest(
            messages=render(task, self._transcript, tags=self._rules.tags),
            task=task,
            purpose=purposes.get(task.type, "analyze"),
            tools=(*control_tools(task.language), *self._tools.toolset.specs) if may_run else (),
            tool_choice="auto" if may_run else "none",
        )
        rules = WritingRules(
            tags=self._rules.tags,
            mode=self._rules.mode,
            unnamed=text("agent.step_unnamed", task.language),
            steps_left=self._progress.steps_left,
            may_run=may_run,
        )
        turn = Turn(ids=self._context.ids, emit=self._emit, runner=self._runner, workspace=self._workspace)
        taken = await turn.take(self._context.model, request, rules)
        if taken.cut_short:
            self._emit(WarningRaised(code="answer_cut"))
        return taken

    async def _after(self, turn: TurnTaken) -> bool:
        """Act on a turn; return True when the work is done."""
        call = control.control_call(turn.calls)
        uses = self._tools.calls_of(turn.calls)
        if turn.message.text.strip() and (turn.records or not (call or uses)):
            self._keep(turn.message)
        if turn.records:
            self._keep(self._outputs(turn))
        self._progress.add(turn.records)
        if turn.failed is not None:
            self._repair(turn.failed)
        elif call is not None:
            self._keep(called(turn, call))
            self._hand_to_person(call)
            return True
        elif uses:
            self._keep(called(turn, *uses))
            self._keep(await self._tools.make(uses, self._given, self._context, self._emit))
        elif turn.hollow:
            self._fail(nothing_to_run(self._context.ids.new(), self._given.language))
        elif self._concluded(turn):
            if (undelivered := await self._deliver()) is not None:
                self._fail(undelivered)
                return False
            await self._answer(self._words_of(turn))
            return True
        elif turn.out_of_steps or self._progress.steps_left <= 0:
            await self._conclude()
            return True
        return False

    def _concluded(self, turn: TurnTaken) -> bool:
        if not turn.records:
            return not turn.out_of_steps
        named = self._rules.tags.concludes(turn.records[-1].step.name)
        return not turn.out_of_steps and (named or bool(turn.conclusion))

    async def _deliver(self) -> StepRecord | None:
        """Write the file that the run must deliver; return the step if it failed, otherwise None."""
        name, language = self._rules.deliver, self._given.language
        if name is None:
            return None
        step = Step(
            id=self._context.ids.new(),
            name=text("agent.step_delivering", language, name=name),
            code=delivering_code(name),
            named=False,
        )
        self._emit(StepAnnounced(name=step.name, step_id=step.id))
        self._emit(CodeFinished(code=step.code, step_id=step.id))
        record = await self._runner.run(step)
        if record.error is None:
            await self._runner.files.hand_over(delivered_path(name), step.id)
            return None
        return record

    def _fail(self, record: StepRecord) -> None:
        """Tell the model of a failed step that it did not write itself, so that it corrects what that step needs."""
        self._keep(self._told([], record))
        self._progress.add((record,))
        self._repair(record)

    def _outputs(self, turn: TurnTaken) -> Message:
        return self._told([record.told for record in turn.succeeded], turn.failed)

    def _told(self, told: list[str], failed: StepRecord | None) -> Message:
        language, tags = self._given.language, self._rules.tags
        if failed is None or (error := failed.error) is None:
            return output_turn(told, language, tags=tags)
        return error_turn(told, language, kind=error.name, message=error.message, traceback=error.traceback, tags=tags)

    def _repair(self, failed: StepRecord) -> None:
        attempt = self._progress.attempt()
        error = failed.facts.error or ""
        self._emit(RepairStarted(step_id=failed.step.id, attempt=attempt, error=error.partition("\n")[0]))

    async def _conclude(self) -> None:
        """Ask the model once more, for text only."""
        turn = await self._take(self._progress.summary(), may_run=False)
        if turn.words:
            self._keep(turn.message)
        await self._deliver()
        await self._answer(turn.words or text("agent.stopped_at_max_steps", self._given.language), "max_steps")

    def _words_of(self, turn: TurnTaken) -> str:
        """Return the conclusion; if none was written, what the last step printed."""
        if not turn.records and not turn.words:
            raise ModelSilent(model=self._context.model.name)
        written = turn.conclusion if turn.records else turn.words
        printed = turn.records[-1].facts.text.strip() if turn.records else ""
        return written or printed or text("agent.done", self._given.language)

    async def _answer(self, words: str, stopped_by: str | None = None) -> None:
        records = self._progress.succeeded
        await self._runner.files.rest([record.step.id for record in records])
        answer = answer_of(
            words, records, question=self._progress.question, files=self._runner.files.kept, stopped_by=stopped_by
        )
        self._emit(AnswerCompleted(answer=answer))

    def _hand_to_person(self, call: ToolCalled) -> None:
        if call.name != DECLINE:
            self._emit(control.asked(call, self._context.ids))
            return
        answer = control.declined(call.arguments, self._given.language)
        if answer.suggestions:
            self._emit(SuggestionsOffered(questions=answer.suggestions))
        self._emit(AnswerCompleted(answer=answer))

    def _keep(self, message: Message) -> None:
        self._transcript.append(message)
        self._emit(TranscriptEntry(message=message))
