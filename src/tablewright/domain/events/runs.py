"""Events of a run as a whole: its start, its resources, its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.events.base import Body
from tablewright.domain.offer import OfferedReading
from tablewright.domain.run import RequestAnswer, RunFailure
from tablewright.errors import Parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Body):
    """The run has started: always the first event, exactly once."""

    conversation_id: str
    question: str
    model: str
    mode: str
    type: Literal["run.started"] = "run.started"


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteChosen(Body):
    """An agent was chosen for the question; after `run.started`, before the agent's first event."""

    agent: str
    reason: str
    type: Literal["route.chosen"] = "route.chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowScore:
    """A workflow that came into question; `score`, 0 to 1, is the probability that the message is for it."""

    workflow_id: str
    name: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowChosen(Body):
    """A published workflow was chosen for the message, or none (`workflow_id` is None), and why; before
    `route.chosen`.

    `reason` is `match`, `no_match`, `no_candidates`, `correction` or `model`. The best come first; from `threshold`
    on a score is enough.
    """

    workflow_id: str | None
    reason: str
    shortlist: tuple[WorkflowScore, ...] = ()
    threshold: float = 0.0
    type: Literal["workflow.chosen"] = "workflow.chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageAdded(Body):
    """A message was added to the conversation's history."""

    message_id: str
    author: Literal["user", "assistant"]
    text: str
    type: Literal["message.added"] = "message.added"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReported(Body):
    """Tokens of one model call, after its last delta; `method` says how they were counted."""

    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    method: Literal["provider", "estimate"] = "provider"
    type: Literal["usage.reported"] = "usage.reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class WarningRaised(Body):
    """Something that the person should know but that does not end the run; `code` refers to a text in the catalogue."""

    code: str
    params: dict[str, Parameter] = field(default_factory=dict[str, Parameter])
    type: Literal["warning.raised"] = "warning.raised"


RESUMED = "resumed"
"""The run continues after a person's answer: its own steps are executed again next, repeating their events."""
REPLAY_FAILED = "replay_failed"
"""A cell of an earlier run failed when it was executed again."""
REPLAY_TOO_LONG = "replay_too_long"
"""Executing the cells of earlier runs again takes too long."""
FILES_GONE = "files_gone"
"""A file that earlier runs read no longer exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLost(Body):
    """The sandbox session is gone, along with its variables.

    With the reason `resumed`, the run's own steps follow once more. With any other reason, the state left by earlier
    runs of the conversation cannot be restored, and the run continues without it.
    """

    reason: str
    type: Literal["session.lost"] = "session.lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOpened(Body):
    """Fields shared by requests to a person; the run waits when it cannot continue otherwise."""

    request_id: str
    prompt: str
    schema: dict[str, Any] | None = None
    options: tuple[str, ...] = ()
    default: str | None = None
    subject_kind: str | None = None
    subject_ref: str | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequested(RequestOpened):
    """Asks for permission to do something."""

    type: Literal["approval.requested"] = "approval.requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(RequestOpened):
    """Asks for something that only the person knows.

    Where it asks which of several `readings` of the question is meant, `options` are these with their results in short.
    """

    readings: Annotated[tuple[OfferedReading, ...], Field(exclude_if=lambda readings: not readings)] = ()
    type: Literal["question.asked"] = "question.asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinueAsked(RequestOpened):
    """A round has ended and there is more to do (retrying failed steps, the next batch): asks whether to continue."""

    type: Literal["continue.asked"] = "continue.asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestAnswered(Body):
    """The stored answer to a request, once per request."""

    request_id: str
    answer: RequestAnswer
    type: Literal["request.answered"] = "request.answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEdited(Body):
    """A person has changed the plan that the run is carrying out; `edit` is in the form that its agent knows."""

    edit: dict[str, Any]
    type: Literal["plan.edited"] = "plan.edited"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionsOffered(Body):
    """Questions that the person might ask next; after the answer's text."""

    questions: tuple[str, ...]
    type: Literal["suggestions.offered"] = "suggestions.offered"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCompleted(Body):
    """The complete answer, at most once, before `run.finished`."""

    answer: Answer
    type: Literal["answer.completed"] = "answer.completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinished(Body):
    """The run has ended: always the last event, exactly once.

    `failure` gives the reason if the outcome is `failed` or `limit`; `stopped_by` names a limit that ended a completed
    run early.
    """

    outcome: Outcome
    failure: RunFailure | None = None
    stopped_by: str | None = None
    type: Literal["run.finished"] = "run.finished"


RunEvent = (
    RunStarted | MessageAdded | WorkflowChosen | RouteChosen | UsageReported | WarningRaised | SessionLost | RunFinished
)
"""What happens to a run as a whole."""
AnswerEvent = SuggestionsOffered | AnswerCompleted
"""How a run answers."""
RequestEvent = ApprovalRequested | QuestionAsked | ContinueAsked | RequestAnswered | PlanEdited
"""What passes between a run and a person."""
