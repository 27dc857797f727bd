"""Events of several agents at work: the plan of their tasks, and how full the context of a model is.

Of a task, the events are those of its child run: `run.started` is its beginning, `run.finished` its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.events.base import Body
from tablewright.domain.task_plan import TaskPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanUpdated(Body):
    """The plan of tasks as it is from now on. A step is in progress before the first event of its tasks."""

    plan: TaskPlan
    type: Literal["plan.updated"] = "plan.updated"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextMeasured(Body):
    """How many tokens a call of a model is about to take, of how many it may; before its first delta.

    `method` says how they were counted; `left_out` messages are left out of the call, `shortened` ones made shorter.
    """

    tokens: int
    limit_tokens: int
    method: str
    left_out: int = 0
    shortened: int = 0
    type: Literal["context.measured"] = "context.measured"


TaskEvent = PlanUpdated | ContextMeasured
"""What several agents do together."""
