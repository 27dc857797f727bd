"""What nodes work with: the port to all that is outside a workflow, and what a node does with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from tablewright.data.base import WebRequest, WebResponse
from tablewright.domain.events import EventBody
from tablewright.domain.language import Language
from tablewright.domain.plan_file import SheetShape
from tablewright.domain.run import RequestAnswer, Run
from tablewright.domain.task import Chat
from tablewright.domain.workflow import Workflow
from tablewright.domain.workflow.forms import TableForm

Emit = Callable[[EventBody], None]
"""Takes what happens meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeOutcome:
    """What code gave: the value of its variable `result` as JSON, and what it printed."""

    result: Any
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenOutcome:
    """What a model wrote; `values` is the object that was asked for, if one was."""

    text: str
    values: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryOutcome:
    """The rows of a query as JSON; `total` counts also those left out, or is None where they cannot be counted."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    total: int | None

    @property
    def truncated(self) -> bool:
        """Whether the query has more rows than these."""
        return self.total != len(self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOutcome:
    """What stands at an address."""

    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookOutcome:
    """What operations did: the version that they made, the number of changed cells, the workbook as a file, and the
    round that can be undone."""

    version: int
    changed: int
    file: dict[str, Any]
    round_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeFiles:
    """How code knows the run's first files: by the names `reads`, in order, with tables as they are in `made_for`."""

    reads: tuple[str, ...]
    made_for: tuple[TableForm, ...] = ()


class NodeServices(Protocol):
    """What nodes may use. Everything raises `TablewrightError` where it cannot be done; `NodeFailed` says why in words.

    `key` is the idempotency key of the attempt: an effect that is asked for again under the same key is the same one.
    """

    async def call_tool(self, name: str, arguments: Mapping[str, Any], *, key: str, emit: Emit) -> str:
        """Call a tool and return its text."""
        ...

    async def run_code(
        self, code: str, variables: Mapping[str, Any], *, key: str, emit: Emit, files: CodeFiles | None = None
    ) -> CodeOutcome:
        """Run Python in the sandbox, in a session of its own, with `variables`; the run's first files are there as
        `files` says. Raises `NodeFailed` where they are too few or of another form."""
        ...

    async def write(self, task: Chat, *, emit: Emit, chunk: Callable[[str], None]) -> WrittenOutcome:
        """Have the run's model write; `chunk` takes each piece as it comes. What it used is emitted."""
        ...

    async def query(self, database: str, statement: str, parameters: Mapping[str, Any], *, rows: int) -> QueryOutcome:
        """Run a read-only statement."""
        ...

    async def fetch(self, url: str) -> PageOutcome:
        """Read what stands at an address, which must be one that may be reached."""
        ...

    async def send(self, request: WebRequest, *, key: str) -> WebResponse:
        """Send a request to an address that may be reached, under the attempt's key if it may change something."""
        ...

    async def change_workbook(
        self, steps: Sequence[Mapping[str, Any]], *, key: str, made_for: Sequence[SheetShape] = ()
    ) -> WorkbookOutcome:
        """Execute operations on the run's workbook as one version, fitted to it if they were `made_for` another."""
        ...

    def require_files(self) -> None:
        """Raise `NodeFailed` if a file that the run was given has been deleted meanwhile."""
        ...

    async def workflow(self, name: str) -> Workflow:
        """Return the workflow that a name stands for. Raises `WorkflowUnknown`."""
        ...

    async def close(self) -> None:
        """Let go of what is held between calls."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeCall:
    """One attempt of a node: the variables of its expressions, its idempotency key, and what it may use.

    `before` are the outputs of the nodes right before it that were not skipped. `turn` is the place in the run, as
    people read it.
    """

    variables: Mapping[str, Any]
    key: str
    language: Language
    services: NodeServices
    emit: Emit
    chunk: Callable[[str], None]
    now: Callable[[], str]
    before: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The node has ended with an output and, if it chooses, a way. `answer` is for people, of an end."""

    output: Any
    port: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The node asks a person; the answer comes to `resumed`."""

    prompt: str
    schema: dict[str, Any] | None = None
    options: tuple[str, ...] = ()
    default: str | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """The node's work is a child run: of an agent, or of another workflow on `inputs`. Its end comes to `ended`."""

    agent: str
    question: str
    workflow: Workflow | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """The node is a loop over `items`, or as long as its condition demands."""

    items: Sequence[Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Until:
    """The node waits until a time (ISO 8601), and then ends with it as its output `until`."""

    time: str


Result = Done | Question | Delegation | Turns | Until


class NodeKind(Protocol):
    """What nodes of one kind do. An instance has no state."""

    @property
    def acts(self) -> bool:
        """Whether it has an effect outside, so that its beginning must be stored first."""
        ...

    def prepare(self, node: Any, call: NodeCall) -> dict[str, Any]:
        """Evaluate what the node works on: its `node.input`. Raises `ExpressionFailed`."""
        ...

    async def run(self, node: Any, given: Mapping[str, Any], call: NodeCall) -> Result:
        """Work on `given`, what `prepare` returned."""
        ...


class AskingKind(NodeKind, Protocol):
    """A kind that asks people."""

    def resumed(self, node: Any, given: Mapping[str, Any], answer: RequestAnswer, call: NodeCall) -> Result:
        """Return what follows from an answer: the end, or another question."""
        ...


@runtime_checkable
class ConsentingKind(NodeKind, Protocol):
    """A kind that may change something outside, and asks before it does."""

    def consent(self, node: Any, given: Mapping[str, Any], call: NodeCall) -> str | None:
        """Return what a person is asked to agree to, or None if there is nothing to agree to."""
        ...


class DelegatingKind(NodeKind, Protocol):
    """A kind whose work is a child run."""

    def ended(self, node: Any, child: Run, call: NodeCall) -> Result:
        """Return the output of a child that has ended well, or of an agent that has declined in words."""
        ...


__all__ = [
    "AskingKind",
    "CodeOutcome",
    "ConsentingKind",
    "DelegatingKind",
    "Delegation",
    "Done",
    "Emit",
    "NodeCall",
    "NodeKind",
    "NodeServices",
    "PageOutcome",
    "QueryOutcome",
    "Question",
    "Result",
    "Turns",
    "Until",
    "WorkbookOutcome",
    "WrittenOutcome",
]
