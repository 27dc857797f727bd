"""The outcome of one stretch of a run: from where it starts or resumes to where it rests or ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tablewright.domain.answer import Answer
from tablewright.domain.events import (
    AnswerCompleted,
    ApprovalRequested,
    ContinueAsked,
    Event,
    IntentRecognized,
    PlanProposed,
    QuestionAsked,
    RoundExecuted,
    RouteChosen,
    RunFinished,
    WarningRaised,
)
from tablewright.domain.events.workbooks import Intent
from tablewright.domain.rounds import Round


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
    for event in events:
        match event.body:
            case IntentRecognized(intent=intent):
                found["intent"] = intent
            case RouteChosen(agent="chat"):
                found["intent"] = "conversation"
            case PlanProposed() as body:
                found["proposed"] = body
            case ApprovalRequested() | QuestionAsked() | ContinueAsked() as body:
                found["asked"] = body
            case RoundExecuted(round=executed):
                found["executed"] = executed
                found.pop("asked", None)
            case AnswerCompleted(answer=answer):
                found["answer"] = answer
            case RunFinished() as body:
                found["finished"] = body
            case WarningRaised() as body:
                warnings.append(body)
            case _:
                continue
    return Stretch(**found, warnings=tuple(warnings))  # type: ignore[arg-type]  # each set by its own case
