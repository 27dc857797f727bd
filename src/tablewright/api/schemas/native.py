"""The native face: requests and responses."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.column_shape import ColumnShape
from tablewright.domain.conversation import Author, Stage
from tablewright.domain.dataset import DatasetFacts, FileKind
from tablewright.domain.language import Language
from tablewright.domain.run import Approvals, Mode, RequestAnswer, RunState

T = TypeVar("T")
Text = Annotated[str, Field(max_length=100_000)]
Title = Annotated[str, Field(max_length=500)]
Id = Annotated[str, Field(min_length=1, max_length=200)]


class WireModel(BaseModel):
    """Reads from domain values by attribute; refuses names it does not know."""

    model_config = ConfigDict(from_attributes=True, extra="forbid")


class Fault(WireModel):
    """`code` is stable; `message` says what is wrong and what to do, in the caller's language; `field` names the
    part of the request."""

    code: str
    message: str
    hint: str | None = None
    field: str | None = None


class ErrorBody(WireModel):
    """The body of every response that is not a success."""

    error: Fault


class PageOf(WireModel, Generic[T]):
    """Some of a list; `next_cursor` gets those that follow, null at the end."""

    items: list[T]
    next_cursor: str | None = None


class Health(WireModel):
    """The process is alive."""

    status: Literal["ok"] = "ok"
    version: str


class ReadinessPart(WireModel):
    """One thing that readiness needs."""

    ok: bool
    detail: str


class Isolation(ReadinessPart):
    """The sandbox: its isolation level as detail, and the means of isolation that are in force."""

    layers: list[str]


class Disk(ReadinessPart):
    """Whether the disk has room for more, with its free and total space."""

    free_bytes: int
    total_bytes: int


class Readiness(WireModel):
    """Whether questions can be answered: the isolation level of the sandbox, the database, the disk, the models."""

    ready: bool
    sandbox: Isolation
    database: ReadinessPart
    disk: Disk
    model: str
    models: list[str]


class SignIn(WireModel):
    """A key, exchanged for the page's session cookie."""

    key: Annotated[str, Field(max_length=200)]


class NewConversation(WireModel):
    """All of it may be left out; `files` are files that are there, which it shall be about."""

    title: Title = ""
    language: Language | None = None
    files: Annotated[list[Id], Field(max_length=100)] = []


class ConversationTitle(WireModel):
    """A new title."""

    title: Title


class ConversationOut(WireModel):
    """A thread of messages."""

    id: str
    title: str
    language: Language
    created_at: datetime
    updated_at: datetime


class WorkflowStandingOut(WireModel):
    """How the workflow of a conversation stands. Nothing of a conversation that is `IDLE` is told.

    `began_at` is when the run `run_id` began, `resumed` how many answers it has gone on with. While it waits for input,
    the next message answers `request_id`, which the node `node_id` asked by `prompt` at `since`."""

    state: Stage
    workflow_id: str | None
    run_id: str | None
    began_at: datetime | None
    resumed: int
    request_id: str | None
    node_id: str | None
    prompt: str | None
    since: datetime | None


class ConversationDetail(ConversationOut):
    """A thread of messages, and how its workflow stands."""

    workflow: WorkflowStandingOut


class MessageOut(WireModel):
    """An entry of the history, in the order of `ordinal`; the names say what wrote an answer of a workflow."""

    id: str
    ordinal: int
    author: Author
    text: str
    created_at: datetime
    run_id: str | None
    file_ids: list[str]
    answer: Answer | None
    provider_name: str | None
    base_name: str | None


class NewMessage(WireModel):
    """A question. Without `files` the conversation's own are used; `approvals: auto` asks nobody; `agent` names one of
    those that packages of others have registered, instead of a mode."""

    text: Text
    files: Annotated[list[Id], Field(max_length=100)] = []
    model: Annotated[str, Field(max_length=200)] | None = None
    mode: Mode = "auto"
    approvals: Approvals = "ask"
    agent: Annotated[str, Field(max_length=100)] | None = None


class PlanEditIn(WireModel):
    """What is changed of a plan of tasks while it is carried out: `add` puts a step with `text` before the step
    `before`, or last; `drop` takes the step `step_id` out; `reword` gives it `text`."""

    action: Literal["add", "drop", "reword"]
    text: Annotated[str, Field(max_length=4_000)] = ""
    step_id: int | None = None
    before: int | None = None


class RunAccepted(WireModel):
    """The run that a message set in motion."""

    run_id: str


class FailureOut(WireModel):
    """Why a run ended without an answer, in words."""

    code: str
    message: str


class RequestOut(WireModel):
    """Something a person is asked. `schema` is a JSON schema of the values wanted."""

    model_config = ConfigDict(from_attributes=True, extra="forbid", serialize_by_alias=True, validate_by_name=True)

    id: str
    run_id: str
    kind: Literal["approval", "question", "continue"]
    prompt: str
    created_at: datetime
    subject_kind: str | None
    subject_ref: str | None
    wanted: Annotated[dict[str, Any] | None, Field(alias="schema")]
    options: list[str]
    default: str | None
    expires_at: datetime | None
    answered_at: datetime | None
    answered_by: str | None
    answer: RequestAnswer | None


class RunOut(WireModel):
    """A run as it stands; `answer` and `failure` once it has finished.

    `cancelling`: its cancellation was requested and is under way; `state` is what it is until then."""

    id: str
    conversation_id: str
    question: str
    language: Language
    mode: Mode
    approvals: Approvals
    model: str
    state: RunState
    cancelling: bool
    outcome: Outcome | None
    last_seq: int
    created_at: datetime
    finished_at: datetime | None
    answer: Answer | None
    failure: FailureOut | None
    requests: list[RequestOut]


class Decision(WireModel):
    """What a person decides about a request."""

    decision: Literal["approve", "reject", "answer"]
    text: Text | None = None
    values: dict[str, Any] | None = None
    plan: dict[str, Any] | None = None


class FileTable(WireModel):
    """A table of a file, in short."""

    name: str
    rows: int
    columns: list[str]


class FileOut(WireModel):
    """A file, uploaded or made by the run `run_id`; `sheets` are the tables found in it."""

    id: str
    name: str
    mime: str
    kind: FileKind | Literal["other"]
    size_bytes: int
    run_id: str | None
    sheets: list[FileTable]


class ProfileOut(WireModel):
    """Every table of a file with its facts."""

    datasets: list[DatasetFacts]


class QuestionsOut(WireModel):
    """Questions that a file answers."""

    questions: list[str]


class ShapesOut(WireModel):
    """How the columns of a table are distributed."""

    columns: list[ColumnShape]


class SamplesOut(WireModel):
    """The sample files that come along, and questions that they answer, in the caller's language."""

    files: list[str]
    questions: list[str]


class SamplesWanted(WireModel):
    """The conversation that shall get the sample files."""

    conversation_id: Id
