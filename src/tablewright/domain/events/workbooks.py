"""Workbooks in a run: what was understood, planned, executed and committed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.events.base import Body
from tablewright.domain.rounds import OperationPlan, Round

Intent = Literal["conversation", "operation", "analysis"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentRecognized(Body):
    """What the person wants of a workbook; before a plan or an answer."""

    intent: Intent
    type: Literal["intent.recognized"] = "intent.recognized"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProposed(Body):
    """A plan, before anybody is asked about it; the `approval.requested` with this `request_id` follows where one is
    needed, `round.executed` with it as `plan_id` once it was executed."""

    request_id: str
    plan: OperationPlan
    type: Literal["plan.proposed"] = "plan.proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundExecuted(Body):
    """A batch of steps was executed on the workbook; `workbook.committed` came before it where something was written."""

    round: Round
    type: Literal["round.executed"] = "round.executed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookCommitted(Body):
    """The workbook has a new head."""

    workbook_id: str
    version: int
    request_id: str
    type: Literal["workbook.committed"] = "workbook.committed"
