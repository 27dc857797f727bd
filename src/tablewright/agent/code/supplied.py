"""The agent that executes code which a person supplies, as it stands: one step, without a model."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.answer import answer_of, with_guarded
from tablewright.agent.code.handover import handed_over
from tablewright.agent.code.result_delivery import run_unwritten
from tablewright.agent.code.rules import LoopRules
from tablewright.agent.code.step_runner import StepRunner
from tablewright.agent.emission import Emit, Item, closing, emitted
from tablewright.agent.steps import CodeStep, StepRecord
from tablewright.domain.events import AnswerCompleted
from tablewright.domain.supplied_code import supplied_code
from tablewright.errors import SuppliedCodeFailed
from tablewright.sandbox.base import LeaseScope
from tablewright.texts.catalogue import text
from tablewright.tools.execution.workspace import Workspace

REASON_CHARS = 300


class SuppliedCode:
    """An `Agent` for the code that opens the run's transcript (`domain.supplied_code`).

    It is executed once, in the session of the conversation; its printed text is the answer's. Code that fails is not
    written anew: nobody asked for other code. Raises `SuppliedCodeFailed` then.
    """

    def __init__(self, rules: LoopRules | None = None) -> None:
        self._rules = rules or LoopRules()

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        items = emitted(lambda emit: _execute(given, context, self._rules, emit), context.late)
        async with closing(items):
            async for item in items:
                yield item


async def _execute(given: AgentInput, context: AgentContext, rules: LoopRules, emit: Emit) -> None:
    workspace = Workspace(context.sandbox, LeaseScope(run_id=given.run_id), given.inputs)
    runner = StepRunner(given, context, workspace, emit, step_timeout_s=rules.step_timeout_s)
    step = CodeStep(id=context.ids.new(), name=given.question, code=supplied_code(given.transcript))
    async with handed_over(workspace, runner.files):
        record = await run_unwritten(step, runner, emit)
        if record.error is not None:
            raise SuppliedCodeFailed(words=_reason(record))
        await runner.files.rest((step.id,))
        words = record.facts.text.strip() or text("agent.supplied_done", given.language)
        answer = answer_of(words, (record,), question=given.question, files=runner.files.kept)
        emit(AnswerCompleted(answer=with_guarded(answer, (record,), given.language)))


def _reason(failed: StepRecord) -> str:
    return (failed.facts.error or "").partition("\n")[0][:REASON_CHARS]
