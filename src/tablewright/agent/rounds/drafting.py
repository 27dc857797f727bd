"""Drafts a plan: builds the task from what has happened, has the model write the plan, and finds its known problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablewright.agent.base import AgentInput, WorkbookDesk
from tablewright.agent.rounds.ledger import Ledger
from tablewright.agent.rounds.planner import Planner
from tablewright.agent.rounds.reading import WrittenPlan
from tablewright.agent.rounds.rules import RoundRules, next_number, reads, retrying, standing
from tablewright.agent.rounds.scoping import plan_scope
from tablewright.domain.events.workbooks import Intent
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.rounds import OperationPlan, PlanStep, Round
from tablewright.domain.task import PlanOperations


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """What the model wrote, and the plan in it, or None if it has no steps."""

    written: WrittenPlan
    plan: OperationPlan | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafting:
    """Drafts plans for one run."""

    given: AgentInput
    desk: WorkbookDesk
    planner: Planner
    ledger: Ledger
    rules: RoundRules

    async def draft(self, rounds: Sequence[Round]) -> Drafted:
        """Have a plan written for the newest state, as the next of `rounds`; the model is not told of undone rounds.

        A plan of which no step can be done is written again, once.
        """
        version = await self.desk.version()
        outline = await self.desk.outline(tokens=self.rules.outline_tokens)
        task = self._task(outline, rounds)
        drafted = await self._drafted(task, version, rounds)
        if drafted.plan is None or not all(drafted.plan.problems):
            return drafted
        return await self._drafted(replace(task, impossible=drafted.plan), version, rounds)

    async def _drafted(self, task: PlanOperations, version: int, rounds: Sequence[Round]) -> Drafted:
        written = await self.planner.plan(task)
        done = standing(rounds)
        steps = retrying(written.steps, done[-1] if done else None)
        first = not (done or self.ledger.before.steps)
        if not _counts(written, first=first) or not steps:
            return Drafted(written=written, plan=None)
        return Drafted(written=written, plan=await self._planned(steps, written, task.outline, version, rounds))

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
            problems=await self.desk.check(steps),
        )

    def _task(self, outline: WorkbookOutline, rounds: Sequence[Round]) -> PlanOperations:
        given = self.given
        return PlanOperations(
            question=given.question,
            language=given.language,
            datasets=given.datasets,
            history=given.history,
            outline=outline,
            rounds=standing(rounds),
            told=self.ledger.before.steps,
            rejected=self.ledger.rejected,
            asked=self.ledger.asked,
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
