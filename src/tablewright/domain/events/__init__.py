"""Everything that can happen in a run: one discriminated union, the only stream there is.

Every event has `run_id`, a `seq` without gaps from 1 (the ranges of joined events touch), and `at`. `run.started` comes
first, `run.finished` last. Wire words are the `type` literals, spelled once and never changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from tablewright.domain.events.base import Body
from tablewright.domain.events.runs import (
    AnswerCompleted,
    ApprovalRequested,
    ContinueAsked,
    MessageAdded,
    QuestionAsked,
    RequestAnswered,
    RouteChosen,
    RunFinished,
    RunStarted,
    SessionLost,
    SuggestionsOffered,
    UsageReported,
    WarningRaised,
)
from tablewright.domain.events.steps import (
    ArtifactCreated,
    OutputChart,
    OutputError,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
    ProgressReported,
    RepairStarted,
    StepAnnounced,
    StepFinished,
    StepStarted,
    StepStatus,
)
from tablewright.domain.events.workbooks import IntentRecognized, PlanProposed, RoundExecuted, WorkbookCommitted
from tablewright.domain.events.writing import (
    DELTAS,
    CodeDelta,
    CodeFinished,
    TextDelta,
    TextFinished,
    ThinkingDelta,
)

EventBody = (
    RunStarted
    | RouteChosen
    | MessageAdded
    | UsageReported
    | WarningRaised
    | SessionLost
    | ApprovalRequested
    | QuestionAsked
    | RequestAnswered
    | SuggestionsOffered
    | AnswerCompleted
    | RunFinished
    | ThinkingDelta
    | TextDelta
    | TextFinished
    | CodeDelta
    | CodeFinished
    | StepAnnounced
    | StepStarted
    | StepFinished
    | RepairStarted
    | ProgressReported
    | OutputText
    | OutputError
    | OutputImage
    | OutputTable
    | OutputHtml
    | OutputChart
    | ArtifactCreated
    | IntentRecognized
    | PlanProposed
    | RoundExecuted
    | WorkbookCommitted
    | ContinueAsked
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A body with its place: `seq` counts from 1 within the run and has no gaps; `at` is UTC. An event that stands for
    several, joined long after the run's end, has the `seq` of the last; `from_seq` is that of the first."""

    run_id: str
    seq: int
    at: datetime
    body: Annotated[EventBody, Field(discriminator="type")]
    from_seq: Annotated[int | None, Field(exclude_if=lambda seq: seq is None)] = None


__all__ = [
    "DELTAS",
    "AnswerCompleted",
    "ApprovalRequested",
    "ArtifactCreated",
    "Body",
    "CodeDelta",
    "CodeFinished",
    "ContinueAsked",
    "Event",
    "EventBody",
    "IntentRecognized",
    "MessageAdded",
    "OutputChart",
    "OutputError",
    "OutputHtml",
    "OutputImage",
    "OutputTable",
    "OutputText",
    "PlanProposed",
    "ProgressReported",
    "QuestionAsked",
    "RepairStarted",
    "RequestAnswered",
    "RoundExecuted",
    "RouteChosen",
    "RunFinished",
    "RunStarted",
    "SessionLost",
    "StepAnnounced",
    "StepFinished",
    "StepStarted",
    "StepStatus",
    "SuggestionsOffered",
    "TextDelta",
    "TextFinished",
    "ThinkingDelta",
    "UsageReported",
    "WarningRaised",
    "WorkbookCommitted",
]
