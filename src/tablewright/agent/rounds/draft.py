"""Drafts a plan: builds the task from what has happened, has the model write the plan, and finds its known problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablewright.agent.base import AgentInput, RunWorkbook
from tablewright.agent.rounds.plan_scope import plan_scope
from tablewright.agent.rounds.planner import Planner
from tablewright.domain.events.workbooks import Intent
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.rounds.ledger import Ledger, PlanExecution
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round, StepResult
from tablewright.domain.rounds.rules import RoundRules, futile, next_number, reads, retrying, standing_rounds, without
from tablewright.domain.rounds.written_plan import WrittenPlan
from tablewright.domain.task import AskedPair, PlanOperations
from tablewright.models.render import render


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What the model wrote, and the plan in it, or None if it has no steps.

    Steps that would only repeat a failure are not in the plan; `futile` are these failures. `told` is what the model
    had read of the workbook, the request and the rounds before.
    """

    written: WrittenPlan
    plan: OperationPlan | None
    told: str
    futile: tuple[StepResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDrafter:
    """Drafts plans for one run."""

    given: AgentInput
    run_workbook: RunWorkbook
    planner: Planner
    ledger: Ledger
    rules: RoundRules

    async def draft(self, rounds: Sequence[Round]) -> Draft:
        """Have a plan written for the newest state, as the next of `rounds`; the model is not told of undone rounds.

        A plan of which no step can be done, or that would only repeat what has just failed, is written again, once.
        """
        version = await self.run_workbook.version()
        outline = await self.run_workbook.outline(tokens=self.rules.outline_tokens)
        task = self._task(outline, rounds)
        drafted = await self._drafted(task, version, rounds)
        if drafted.plan is not None and (all(drafted.plan.problems) or self._left(drafted.plan, rounds)[0] is None):
            drafted = await self._drafted(replace(task, impossible=drafted.plan), version, rounds)
        if drafted.plan is None:
            return drafted
        plan, repeated = self._left(drafted.plan, rounds)
        return replace(drafted, plan=plan, futile=repeated)

    def _left(
        self, plan: OperationPlan, rounds: Sequence[Round]
    ) -> tuple[OperationPlan | None, tuple[StepResult, ...]]:
        """Return what is left of a plan without the failures that it would only repeat, and these failures."""
        done, executed = standing_rounds(rounds), self.ledger.of(PlanExecution)
        unchanged = bool(executed) and executed[-1].plan.base_version == plan.base_version
        repeated = futile(plan, done[-1] if done else None, unchanged=unchanged)
        left = without(plan, repeated)
        return (left if left.steps else None), repeated

    async def _drafted(self, task: PlanOperations, version: int, rounds: Sequence[Round]) -> Draft:
        written = await self.planner.plan(task)
        done = standing_rounds(rounds)
        steps = retrying(written.steps, done[-1] if done else None)
        first = not (done or self.ledger.before.steps)
        told = "\n".join(message.text for message in render(task) if message.role == "user")
        if not _counts(written, first=first) or not steps:
            return Draft(written=written, plan=None, told=told)
        return Draft(
            written=written, plan=await self._planned(steps, written, task.outline, version, rounds), told=told
        )

    async def _planned(
        self,
        steps: tuple[PlanStep, ...],
        written: WrittenPlan,
        outline: WorkbookOutline,
        version: int,
        rounds: Sequence[Round],
    ) -> OperationPlan:
        return OperationPlan(
            steps=steps,
            base_version=version,
            number=next_number(rounds, self.ledger.before.rounds),
            data_scope=plan_scope(steps, outline),
            covers_request=written.covers_request,
            problems=await self.run_workbook.check(steps),
        )

    def _task(self, outline: WorkbookOutline, rounds: Sequence[Round]) -> PlanOperations:
        given = self.given
        return PlanOperations(
            question=given.question,
            language=given.language,
            datasets=given.datasets,
            relations=given.relations,
            history=given.history,
            outline=outline,
            rounds=standing_rounds(rounds),
            told=self.ledger.before.steps,
            rejected=self.ledger.rejected,
            asked=tuple(AskedPair(question=asked, answer=words) for asked, words in self.ledger.asked),
            rounds_told=self.rules.max_history_rounds,
        )


def intent_of(written: WrittenPlan) -> Intent:
    """Return what the person wants, judging by the written plan: conversation, only reading, or a change."""
    if written.conversational and not written.steps:
        return "conversation"
    return "analysis" if written.steps and all(reads(step) for step in written.steps) else "operation"


def _counts(written: WrittenPlan, *, first: bool) -> bool:
    """Return whether the steps of a plan count: in the first planning always, later not alongside completion or a
    question; never alongside an error."""
    return not written.error and (first or not (written.completed or written.need_info))
