"""The interface that commands use to reach the service, wherever it runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from tablewright.cli.clients.notes import NoteClient
    from tablewright.cli.clients.routing import RoutingClient
    from tablewright.cli.clients.schedules import ScheduleClient
    from tablewright.cli.clients.shares import ShareClient
    from tablewright.cli.clients.waiting import QuestionClient
    from tablewright.cli.clients.words import WordClient
    from tablewright.domain.connection import AttachedTables
    from tablewright.domain.conversation import Conversation
    from tablewright.domain.dataset import StoredFile
    from tablewright.domain.events import Event
    from tablewright.domain.formats import Format, Shown
    from tablewright.domain.language import Language
    from tablewright.domain.message import Message
    from tablewright.domain.plan_file import FittedPlan, PlanFile
    from tablewright.domain.rounds.plan import PlanStep
    from tablewright.domain.rounds.round import Round
    from tablewright.domain.run import Approvals, Mode, RequestAnswer


ExportKind = Literal[
    "export.ipynb",
    "export.py",
    "export.html",
    "report.md",
    "report.html",
    "report.slides.html",
    "report.docx",
    "report.xlsx",
    "report.pdf",
]
"""A run as a notebook, a script or a page; its answer as a document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about files of the conversation; with `model` None, the configured model answers.

    `agent` and `opening` (what its transcript begins with) are those of a run within the command's own process.
    """

    text: str
    file_ids: tuple[str, ...]
    language: Language
    model: str | None = None
    approvals: Approvals = "ask"
    mode: Mode = "auto"
    agent: str | None = None
    opening: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """A workbook in another format, values only: as `csv` the table of `sheet`, as `ods` all sheets.

    `guard`: texts of csv that begin like formulas get an apostrophe.
    """

    kind: Format
    sheet: str | None = None
    rows: Shown = "all"
    guard: bool = True


class DatabaseClient(Protocol):
    """Databases as used by commands."""

    async def attach(self, database: str, question: str, conversation_id: str) -> AttachedTables:
        """Read the tables that a question names into the conversation, of the database at an address or of that name.

        Raises the errors of databases, `ConnectionInvalid`, and what `upload` raises.
        """
        ...

    async def known(self, name: str) -> bool:
        """Return whether there is a connection of that name."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeEntry:
    """Kept code in a list."""

    code_id: str
    description: str
    chars: int


class CodeClient(Protocol):
    """Kept code as used by commands. Unknown code raises `NotFound`."""

    async def list(self) -> tuple[CodeEntry, ...]:
        """List kept code, newest first."""
        ...

    async def content(self, code_id: str) -> str:
        """Return all of the code."""
        ...

    async def run(self, code_id: str) -> str:
        """Start a run that executes the code in its conversation; return its id. Raises `RunInProgress`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowLine:
    """A stored workflow in a list; `published` is the number of its version, None before the first."""

    id: str
    name: str
    description: str
    visibility: str
    mine: bool
    published: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowDraft:
    """A draft as it was kept, with its faults in words and what it says `about` itself."""

    id: str
    revision: int
    faults: tuple[str, ...]
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowStart:
    """What a run of a stored workflow or a template is started with."""

    inputs: Mapping[str, Any]
    conversation_id: str
    file_ids: tuple[str, ...]
    language: Language
    model: str | None = None
    approvals: Approvals = "ask"


class WorkflowClient(Protocol):
    """Stored workflows as used by commands, by id or by what an own one calls itself. Others raise `NotFound`."""

    async def list(self) -> tuple[WorkflowLine, ...]:
        """List the caller's own workflows and the public ones, newest first."""
        ...

    async def file(self, name: str) -> dict[str, Any]:
        """Return the definition that is published, an own draft where nothing is, or a template."""
        ...

    async def check(self, definition: Mapping[str, Any], language: Language) -> tuple[str, ...]:
        """Return the faults of a definition, in words."""
        ...

    async def keep(self, definition: Mapping[str, Any], language: Language, *, public: bool) -> WorkflowDraft:
        """Keep a definition as the draft of the own workflow that calls itself so, or as that of a new one."""
        ...

    async def draft(self, conversation_id: str, name: str, language: Language, *, public: bool) -> WorkflowDraft:
        """Keep a draft that does again what was done in a conversation. Raises `ConversationUnusable`."""
        ...

    async def withdraw(self, name: str) -> None:
        """Take back what is published of an own workflow."""
        ...

    async def publish(self, name: str, language: Language) -> int:
        """Publish the draft and return the number of its version. Raises `WorkflowInvalid`."""
        ...

    async def run(self, name: str, start: WorkflowStart) -> str:
        """Start a run of a published workflow or a template and return its id."""
        ...


class Client(Protocol):
    """The service as used by commands. Every method raises the errors of `tablewright.errors`."""

    databases: DatabaseClient
    code: CodeClient
    workflows: WorkflowClient
    schedules: ScheduleClient
    routing: RoutingClient
    words: WordClient
    notes: NoteClient
    shares: ShareClient
    questions: QuestionClient

    async def check_model(self, name: str | None) -> None:
        """Raise `ModelUnknown` if there is no model called `name`; None stands for the configured one."""
        ...

    async def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation. Raises `NotFound`."""
        ...

    async def start_conversation(self, title: str, language: Language) -> Conversation:
        """Create a conversation."""
        ...

    async def upload(self, path: Path, conversation_id: str, *, tables_needed: bool = True) -> StoredFile:
        """Upload the file at `path` to a conversation. Raises `FileUnreadable` or a subclass."""
        ...

    async def files(self) -> tuple[StoredFile, ...]:
        """List the caller's files, newest first."""
        ...

    async def delete_file(self, file_id: str) -> None:
        """Delete a file. Raises `NotFound`."""
        ...

    def download(self, file_id: str, conversion: Conversion | None = None) -> AsyncIterator[bytes]:
        """Yield a file's bytes, or those of the workbook that it is in another format."""
        ...

    async def ask(self, conversation_id: str, question: Question) -> str:
        """Start a run and return its id."""
        ...

    def follow(self, run_id: str) -> AsyncIterator[Event]:
        """Yield the run's events from the first to `run.finished`."""
        ...

    async def cancel(self, run_id: str) -> bool:
        """Stop a run. Returns whether it has ended; if not, its end is under way."""
        ...

    async def answer(self, run_id: str, request_id: str, answer: RequestAnswer) -> None:
        """Answer a request of a run. Raises `PlanInvalid` for an edited plan that cannot be executed."""
        ...

    async def export(self, own_id: str, kind: ExportKind) -> bytes:
        """Return a run as a file of that kind; a conversation's id stands for its last run.

        Raises `NotFound`, and for PDF `PdfUnavailable` and `PdfFailed`.
        """
        ...

    async def plan_file(self, file_id: str, steps: Sequence[PlanStep], *, version: int, request: str) -> PlanFile:
        """Return the steps as a plan file with the workbook's structure at `version`."""
        ...

    async def fit(self, file_id: str, plan: PlanFile) -> FittedPlan:
        """Return what a saved plan would do to a workbook, or why it cannot be applied."""
        ...

    async def apply(self, file_id: str, plan: PlanFile, *, base_version: int) -> Round:
        """Execute a saved plan. Raises `WorkbookDiffers` or `WorkbookChanged`."""
        ...


ClientContext = AbstractAsyncContextManager[Client]
"""A context manager that yields a client while it is open."""
