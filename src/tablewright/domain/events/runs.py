"""A run's own life: its start, what it uses, its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.events.base import Body
from tablewright.domain.run import RequestAnswer, RunFailure
from tablewright.errors import Parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Body):
    """Always first, once."""

    conversation_id: str
    question: str
    model: str
    mode: str
    type: Literal["run.started"] = "run.started"


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteChosen(Body):
    """Which agent takes the question; after `run.started`, before the agent's first event."""

    agent: str
    reason: str
    type: Literal["route.chosen"] = "route.chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageAdded(Body):
    """A message joined the conversation's history."""

    message_id: str
    author: Literal["user", "assistant"]
    text: str
    type: Literal["message.added"] = "message.added"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReported(Body):
    """Tokens of one model call, after its last delta; `method` says who counted."""

    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    method: Literal["provider", "estimate"] = "provider"
    type: Literal["usage.reported"] = "usage.reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class WarningRaised(Body):
    """Something the person should know, which does not end the run; words by `code` from the catalogue."""

    code: str
    params: dict[str, Parameter] = field(default_factory=dict[str, Parameter])
    type: Literal["warning.raised"] = "warning.raised"


RESUMED = "resumed"
"""The run goes on after a person's answer: its own steps are run again next, and their events are shown again."""
REPLAY_FAILED = "replay_failed"
"""A cell of an earlier run, run again, did not end well."""
REPLAY_TOO_LONG = "replay_too_long"
"""The cells of earlier runs take too long to be run again."""
FILES_GONE = "files_gone"
"""A file that earlier runs read is no longer there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLost(Body):
    """The sandbox session is gone with its variables. `resumed`: the run's own steps follow once more. Any other reason:
    what the earlier runs of the conversation left cannot be made again, and the run goes on without it."""

    reason: str
    type: Literal["session.lost"] = "session.lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOpened(Body):
    """Fields shared by what asks a person; the run waits when nothing else can go on."""

    request_id: str
    prompt: str
    schema: dict[str, Any] | None = None
    options: tuple[str, ...] = ()
    default: str | None = None
    subject_kind: str | None = None
    subject_ref: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequested(RequestOpened):
    """May this be done?"""

    type: Literal["approval.requested"] = "approval.requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(RequestOpened):
    """Something only the person knows."""

    type: Literal["question.asked"] = "question.asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinueAsked(RequestOpened):
    """A round has ended and more is to be done (failed steps tried again, the next batch): go on?"""

    type: Literal["continue.asked"] = "continue.asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestAnswered(Body):
    """The stored answer, once per request."""

    request_id: str
    answer: RequestAnswer
    type: Literal["request.answered"] = "request.answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionsOffered(Body):
    """Questions the person might ask next; after the answer's text."""

    questions: tuple[str, ...]
    type: Literal["suggestions.offered"] = "suggestions.offered"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCompleted(Body):
    """The whole answer, at most once, before `run.finished`."""

    answer: Answer
    type: Literal["answer.completed"] = "answer.completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinished(Body):
    """Always last, once. `failure` says why the outcome is `failed` or `limit`; `stopped_by` names a limit that
    ended a completed run early."""

    outcome: Outcome
    failure: RunFailure | None = None
    stopped_by: str | None = None
    type: Literal["run.finished"] = "run.finished"
