"""What reaches a run from outside while it exists: each item is stored, and wakes the run's agent.

A request to cancel is not an item: it stops the agent itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from tablewright.domain.answer import Outcome
from tablewright.domain.events import PlanEdited
from tablewright.domain.run import RequestAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGiven:
    """A person, or policy, has answered a request of the run."""

    request_id: str
    answer: RequestAnswer
    type: Literal["answer.given"] = "answer.given"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildFinished:
    """A child of the run has ended."""

    run_id: str
    task_id: str
    outcome: Outcome
    type: Literal["child.finished"] = "child.finished"


InboxItem = AnswerGiven | PlanEdited | ChildFinished


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxEntry:
    """An item and its place in the run's inbox, which counts from 1."""

    place: int
    at: datetime
    item: Annotated[InboxItem, Field(discriminator="type")]
