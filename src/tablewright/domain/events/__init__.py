"""Everything that can happen in a run: one discriminated union of events, and the only stream.

Every event has a `run_id`, a `seq` that counts from 1 without gaps (the ranges of merged events are adjacent), and
`at`. `run.started` comes first, `run.finished` last. The `type` literals are the names used in JSON; they never change.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from tablewright.domain.events.base import Body
from tablewright.domain.events.nodes import (
    NodeChunk,
    NodeEvent,
    NodeFinished,
    NodeInput,
    NodeOutput,
    NodeStarted,
    NodeStatus,
    NodeWaiting,
)
from tablewright.domain.events.runs import (
    AnswerCompleted,
    AnswerEvent,
    ApprovalRequested,
    ContinueAsked,
    MessageAdded,
    PlanEdited,
    QuestionAsked,
    RequestAnswered,
    RequestEvent,
    RouteChosen,
    RunEvent,
    RunFinished,
    RunStarted,
    SessionLost,
    SuggestionsOffered,
    UsageReported,
    WarningRaised,
    WorkflowChosen,
    WorkflowScore,
)
from tablewright.domain.events.steps import (
    ArtifactCreated,
    OutputChart,
    OutputError,
    OutputEvent,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
    ProgressReported,
    RepairStarted,
    StepAnnounced,
    StepEvent,
    StepFinished,
    StepStarted,
    StepStatus,
)
from tablewright.domain.events.structured import (
    CodeRetrieved,
    CodeSaved,
    ContextCleaned,
    RoundAnswered,
    StructuredEvent,
    ToolFinished,
    ToolStarted,
)
from tablewright.domain.events.tasks import ContextMeasured, PlanUpdated, TaskEvent
from tablewright.domain.events.workbooks import (
    IntentRecognized,
    PlanProposed,
    RoundExecuted,
    WorkbookCommitted,
    WorkbookEvent,
)
from tablewright.domain.events.writing import (
    DELTAS,
    CodeDelta,
    CodeFinished,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    WritingEvent,
)

EventBody = (
    RunEvent
    | AnswerEvent
    | RequestEvent
    | WritingEvent
    | StepEvent
    | OutputEvent
    | WorkbookEvent
    | StructuredEvent
    | NodeEvent
    | TaskEvent
)
"""A new event joins one of the groups. Every consumer ends in `assert_never`, so the type checker names those that must
decide what to do with it, unless they pass over its whole group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A body and its position.

    `seq` counts from 1 within the run, without gaps; `at` is UTC. An event merged from several, long after the end of
    the run, has the `seq` of the last and as `from_seq` that of the first.
    """

    run_id: str
    seq: int
    at: datetime
    body: Annotated[EventBody, Field(discriminator="type")]
    from_seq: Annotated[int | None, Field(exclude_if=lambda seq: seq is None)] = None

    def ends(self, run_id: str) -> bool:
        """Return whether this is the last event of that run; its stream also has the ends of the runs below it."""
        return self.run_id == run_id and isinstance(self.body, RunFinished)


__all__ = [
    "DELTAS",
    "AnswerCompleted",
    "AnswerEvent",
    "ApprovalRequested",
    "ArtifactCreated",
    "Body",
    "CodeDelta",
    "CodeFinished",
    "CodeRetrieved",
    "CodeSaved",
    "ContextCleaned",
    "ContextMeasured",
    "ContinueAsked",
    "Event",
    "EventBody",
    "IntentRecognized",
    "MessageAdded",
    "NodeChunk",
    "NodeEvent",
    "NodeFinished",
    "NodeInput",
    "NodeOutput",
    "NodeStarted",
    "NodeStatus",
    "NodeWaiting",
    "OutputChart",
    "OutputError",
    "OutputEvent",
    "OutputHtml",
    "OutputImage",
    "OutputTable",
    "OutputText",
    "PlanEdited",
    "PlanProposed",
    "PlanUpdated",
    "ProgressReported",
    "QuestionAsked",
    "RepairStarted",
    "RequestAnswered",
    "RequestEvent",
    "RoundAnswered",
    "RoundExecuted",
    "RouteChosen",
    "RunEvent",
    "RunFinished",
    "RunStarted",
    "SessionLost",
    "StepAnnounced",
    "StepEvent",
    "StepFinished",
    "StepStarted",
    "StepStatus",
    "StructuredEvent",
    "SuggestionsOffered",
    "TaskEvent",
    "TextDelta",
    "TextFinished",
    "ThinkingDelta",
    "ToolFinished",
    "ToolStarted",
    "UsageReported",
    "WarningRaised",
    "WorkbookCommitted",
    "WorkbookEvent",
    "WorkflowChosen",
    "WorkflowScore",
    "WritingEvent",
]
