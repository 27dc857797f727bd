"""The loop: think, write a step, run it while still writing, read its output, and repeat until there is an answer."""

from __future__ import annotations

from typing import assert_never

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.conclusion import Conclusion
from tablewright.agent.code.control import asked_pairs, question_with_answers
from tablewright.agent.code.decision import AskPerson, CallTools, Conclude, Finish, GoOn, RejectTurn, Repair, decide
from tablewright.agent.code.dialogue import Dialogue
from tablewright.agent.code.handover import handed_over
from tablewright.agent.code.progress import Progress
from tablewright.agent.code.queries import QuerySteps
from tablewright.agent.code.replay import replay
from tablewright.agent.code.result_delivery import ResultDelivery
from tablewright.agent.code.rules import LoopRules
from tablewright.agent.code.step_runner import StepRunner
from tablewright.agent.code.tool_calls import ToolUse
from tablewright.agent.code.turn import TurnRecord, called
from tablewright.agent.code.turns import Turns
from tablewright.agent.emission import Emit
from tablewright.agent.steps import StepRecord, nothing_to_run
from tablewright.domain.events import RepairStarted
from tablewright.domain.task import Task
from tablewright.sandbox.base import LeaseScope
from tablewright.texts.catalogue import text
from tablewright.tools.base import ToolProvider
from tablewright.tools.execution.workspace import Workspace


class Loop:
    """Works on one question. Use an instance only once."""

    def __init__(
        self, given: AgentInput, context: AgentContext, rules: LoopRules, emit: Emit, tools: ToolProvider | None = None
    ) -> None:
        self._given = given
        self._context = context
        self._rules = rules
        self._emit = emit
        self._workspace = Workspace(context.sandbox, LeaseScope(run_id=given.run_id), given.inputs)
        self._runner = StepRunner(given, context, self._workspace, emit, step_timeout_s=rules.step_timeout_s)
        self._queries = QuerySteps(given, context, self._workspace, emit)
        self._progress = Progress(
            given,
            max_step_retry=rules.max_step_retry,
            max_total_retry=rules.max_total_retry,
            queries=self._queries.records,
        )
        self._tools = ToolUse(tools, self._queries)
        self._turns = Turns(context, rules, self._runner, self._workspace, emit)
        self._dialogue = Dialogue(given, rules.tags, emit)
        self._delivery = ResultDelivery(
            given.deliver, self._runner, context.ids, given.language, emit, guard=given.guard
        )
        self._conclusion = Conclusion(given, context, self._progress, self._runner, emit)

    async def run(self) -> None:
        """Work until there is an answer, a question to the person, or an error. The session is always released."""
        async with handed_over(self._workspace, self._runner.files):
            await self._tools.open()
            await self._begin()
            while not await self._act(await self._take(self._progress.task())):
                continue

    async def _begin(self) -> None:
        """Begin the transcript, or resume it: what was run before is run again in a new session."""
        self._dialogue.begin(self._progress.task())
        if self._given.transcript:
            await self._queries.restore(self._given.transcript)
            self._progress.asked = asked_pairs(self._dialogue.transcript)
            self._progress.question = question_with_answers(self._given.question, self._progress.asked)
            async for record in replay(self._given, self._rules.tags, self._runner, self._context.ids, self._emit):
                self._progress.add((record,))

    async def _take(self, task: Task, *, may_run: bool = True) -> TurnRecord:
        request = self._dialogue.request(task, self._tools.toolset.specs, may_run=may_run)
        return await self._turns.take(request, steps_left=self._progress.steps_left, may_run=may_run)

    async def _act(self, turn: TurnRecord) -> bool:
        """Act on a turn; return True when the work is done."""
        calls = self._tools.calls_of(turn.calls)
        self._progress.add(turn.records)
        decision = decide(turn, tool_calls=calls, steps_left=self._progress.steps_left, tags=self._rules.tags)
        self._dialogue.record(turn, calls=isinstance(decision, AskPerson | CallTools))
        match decision:
            case Repair(failed=failed):
                self._repair(failed)
            case RejectTurn():
                self._fail(nothing_to_run(self._context.ids.new(), self._given.language))
            case CallTools(calls=made):
                self._dialogue.keep(called(turn, *made))
                self._dialogue.keep(await self._tools.make(made, self._given, self._context, self._emit))
            case AskPerson(call=call):
                self._dialogue.keep(called(turn, call))
                self._conclusion.hand_to_person(call)
                return True
            case Finish():
                if (undelivered := await self._delivery.deliver()) is None:
                    self._queries.warn(self._progress.succeeded)
                    await self._conclusion.answer(self._conclusion.words_of(turn), delivered=self._delivery.done)
                    return True
                self._fail(undelivered)
            case Conclude():
                await self._conclude()
                return True
            case GoOn():
                pass
            case _:
                assert_never(decision)
        return False

    async def _conclude(self) -> None:
        """Ask the model once more, for text only."""
        turn = await self._take(self._progress.summary(), may_run=False)
        if turn.words:
            self._dialogue.keep(turn.message)
        await self._delivery.deliver()
        self._queries.warn(self._progress.succeeded)
        words = turn.words or text("agent.stopped_at_max_steps", self._given.language)
        await self._conclusion.answer(words, "max_steps", delivered=self._delivery.done)

    def _fail(self, record: StepRecord) -> None:
        """Tell the model of a failed step that it did not write itself, so that it corrects what that step needs."""
        self._dialogue.report_failure(record)
        self._progress.add((record,))
        self._repair(record)

    def _repair(self, failed: StepRecord) -> None:
        attempt = self._progress.attempt()
        error = (failed.facts.error or "").partition("\n")[0]
        self._emit(RepairStarted(step_id=failed.step.id, attempt=attempt, error=error))
