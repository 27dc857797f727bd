"""The outcome of one stretch of a run: from where it starts or resumes to where it rests or ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from tablewright.domain.answer import Answer
from tablewright.domain.events import (
    AnswerCompleted,
    ApprovalRequested,
    ContinueAsked,
    Event,
    IntentRecognized,
    MessageAdded,
    NodeEvent,
    OutputEvent,
    PlanEdited,
    PlanProposed,
    QuestionAsked,
    RequestAnswered,
    RoundExecuted,
    RouteChosen,
    RunFinished,
    RunStarted,
    SessionLost,
    StepEvent,
    StructuredEvent,
    SuggestionsOffered,
    TaskEvent,
    UsageReported,
    WarningRaised,
    WorkbookCommitted,
    WorkflowChosen,
    WritingEvent,
)
from tablewright.domain.events.workbooks import Intent
from tablewright.domain.rounds.round import Round

_Noted = (
    IntentRecognized
    | RouteChosen
    | PlanProposed
    | ApprovalRequested
    | QuestionAsked
    | ContinueAsked
    | RoundExecuted
    | AnswerCompleted
    | RunFinished
)
_PASSED_OVER = (
    RunStarted
    | MessageAdded
    | WorkflowChosen
    | UsageReported
    | SessionLost
    | SuggestionsOffered
    | WorkbookCommitted
    | RequestAnswered
    | PlanEdited
    | WritingEvent
    | StepEvent
    | OutputEvent
    | StructuredEvent
    | NodeEvent
    | TaskEvent
)
"""What a client of the workbook face is not told, or is told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The outcome of a stretch.

    `asked` is the last request to a person after anything that was executed; `proposed` is the plan it is about.
    """

    intent: Intent | None = None
    proposed: PlanProposed | None = None
    asked: ApprovalRequested | QuestionAsked | ContinueAsked | None = None
    executed: Round | None = None
    answer: Answer | None = None
    finished: RunFinished | None = None
    warnings: tuple[WarningRaised, ...] = ()

    @property
    def plan(self) -> PlanProposed | None:
        """The plan that waits to be confirmed, or None."""
        wanted = isinstance(self.asked, ApprovalRequested) and self.proposed is not None
        return self.proposed if wanted else None


def stretch_of(events: Iterable[Event]) -> Stretch:
    """Return the outcome of one stretch from its events."""
    found: dict[str, object] = {}
    warnings: list[WarningRaised] = []
    for body in (event.body for event in events):
        if isinstance(body, WarningRaised):
            warnings.append(body)
        elif not isinstance(body, _PASSED_OVER):
            _note(found, body)
    return Stretch(**found, warnings=tuple(warnings))  # type: ignore[arg-type]  # each set by its own case


def _note(found: dict[str, object], body: _Noted) -> None:
    match body:
        case IntentRecognized(intent=intent):
            found["intent"] = intent
        case RouteChosen(agent=agent):
            found |= {"intent": "conversation"} if agent == "chat" else {}
        case PlanProposed():
            found["proposed"] = body
        case ApprovalRequested() | QuestionAsked() | ContinueAsked():
            found["asked"] = body
        case RoundExecuted(round=executed):
            found["executed"] = executed
            found.pop("asked", None)
        case AnswerCompleted(answer=answer):
            found["answer"] = answer
        case RunFinished():
            found["finished"] = body
        case _:
            assert_never(body)
