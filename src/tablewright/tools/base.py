"""The interface of tools, their context and their results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from tablewright.data.base import ContentOptions, FileContent, FileProfile
from tablewright.data.sql.base import Databases
from tablewright.domain.artifact import ArtifactSink
from tablewright.domain.events import EventBody
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.language import Language
from tablewright.models.base import Model, ToolSpec
from tablewright.sandbox.base import Input, Sandbox

Emit = Callable[[EventBody], None]
"""Takes what happens during a call."""

ResponseFormat = Literal["brief", "standard", "full"]
"""How much of its result a tool tells: the first rows or characters, more of them, or all up to the tool's cap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFile:
    """A file of the conversation: the name that the conversation calls it, and where its content lies.

    `input_name` is its name among the inputs of a sandbox session, where it is one of them. `made` says that a run has
    made it: it tells what was found before, and is no source of its own.
    """

    name: str
    path: Path
    input_name: str | None = None
    made: bool = False


class ToolFiles(Protocol):
    """The files of one conversation, by name. `sales.csv`, `data/sales.csv` and `/data/shared/sales.csv` are one file.

    A name is looked up among the conversation's files and nowhere else. Files are read in processes that may be killed;
    reading raises `FileUnreadable` and its subclasses, `FileTooLarge`, `InvalidInput`, `ReadersUnavailable`.
    """

    async def all(self) -> Sequence[ToolFile]:
        """Return the files, the one that came first before the others."""
        ...

    async def find(self, name: str) -> ToolFile:
        """Return the file that `name` names. Raises `FileNotNamed`, which tells near names and all names."""
        ...

    async def read(self, file: ToolFile, options: ContentOptions) -> FileContent:
        """Return the first rows or characters of a file."""
        ...

    async def profile(self, file: ToolFile) -> FileProfile:
        """Return the facts of the tables in a file."""
        ...


class KeptNotes(Protocol):
    """The notes of the owner of a run."""

    async def keep(self, text: str) -> str:
        """Keep a note and return it as it is kept; the same again changes nothing.

        Raises `InvalidInput` for one that cannot be kept, and `Conflict` where there are too many.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """The run that a tool works for, and what the run lets it use. A call that is no longer wanted is cancelled.

    `inputs` are the run's files as a session reads them, `files` those of the conversation by name; what is None the
    tool does not have.
    """

    run_id: str
    language: Language
    artifacts: ArtifactSink
    clock: Clock
    ids: Ids
    sandbox: Sandbox | None = None
    inputs: tuple[Input, ...] = ()
    model: Model | None = None
    files: ToolFiles | None = None
    databases: Databases | None = None
    notes: KeptNotes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRows:
    """Rows that a call left in the file `name` of the conversation; `truncated`: there were more."""

    name: str
    rows: int
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """The result of a call: `text` for the model, `shown` for the person (None: nothing), `detail` for diagnosis.

    `failed`: the tool could not do it, and `text` says why.
    """

    text: str
    shown: str | None = None
    detail: str | None = None
    failed: bool = False
    kept: KeptRows | None = None


class Tool(Protocol):
    """Something a model can call."""

    @property
    def spec(self) -> ToolSpec:
        """The tool's description for the model."""
        ...

    def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        """Execute the call: yield what happens meanwhile, and last the result.

        Failures are failed results, not raised. Closing the iterator stops the call.
        """
        ...


@runtime_checkable
class TranslatedTool(Protocol):
    """A tool whose description exists in several languages; `spec` is the English one."""

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        ...


@runtime_checkable
class TimedTool(Protocol):
    """A tool that ends its calls by itself, within `limit_s` seconds."""

    @property
    def limit_s(self) -> float:
        """The longest that a call may take, with what it waits for."""
        ...


@runtime_checkable
class ConsentTool(Protocol):
    """A tool each of whose calls a person has to allow. Where nobody is asked, it cannot be called."""

    def consent(self, arguments: Mapping[str, Any], language: Language) -> str:
        """Return what the person is asked before a call; raise a `TablewrightError` if it could not be made anyway."""
        ...


@runtime_checkable
class SessionTool(Protocol):
    """A tool that holds something between the calls of a run."""

    async def close(self) -> None:
        """Let go of it."""
        ...


class ToolProvider(Protocol):
    """A source of tools that may not always be available."""

    async def tools(self) -> tuple[Tool, ...]:
        """Return the tools available now; a source that fails contributes none."""
        ...
