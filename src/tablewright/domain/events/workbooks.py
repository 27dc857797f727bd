"""Events of runs on workbooks: intent, plan, execution, commit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.events.base import Body
from tablewright.domain.rounds.plan import OperationPlan
from tablewright.domain.rounds.round import Round

Intent = Literal["conversation", "operation", "analysis"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentRecognized(Body):
    """What the person wants done with a workbook; before a plan or an answer."""

    intent: Intent
    type: Literal["intent.recognized"] = "intent.recognized"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProposed(Body):
    """A plan, before anybody is asked about it.

    The `approval.requested` with this `request_id` follows if approval is needed; `round.executed`, with it as the
    `plan_id`, follows once the plan was executed.
    """

    request_id: str
    plan: OperationPlan
    type: Literal["plan.proposed"] = "plan.proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundExecuted(Body):
    """A batch of steps was executed on the workbook; if it wrote anything, `workbook.committed` came before."""

    round: Round
    type: Literal["round.executed"] = "round.executed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookCommitted(Body):
    """The workbook has a new head."""

    workbook_id: str
    version: int
    request_id: str
    type: Literal["workbook.committed"] = "workbook.committed"


WorkbookEvent = IntentRecognized | PlanProposed | RoundExecuted | WorkbookCommitted
"""What happens to a workbook."""
