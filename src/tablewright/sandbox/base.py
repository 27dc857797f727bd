"""The port to places that execute untrusted Python: leases, executions, outputs.

A lease belongs to one scope of one run and is a fresh process with its own folders: `/data/shared` holds exactly
the lease's inputs, read-only, and `/data/sessions/<session id>` is the working folder. State persists between executions
of a lease. Nothing ever runs on the host in place of a sandbox: without one, `acquire` raises `SandboxUnavailable`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Literal, Protocol

from tablewright.domain.chart import Chart
from tablewright.domain.table import Table

SHARED_FOLDER = "/data/shared"
SESSIONS_FOLDER = "/data/sessions"


class Level(IntEnum):
    """How strongly code is isolated, weakest first."""

    NONE = 0
    """Nothing that may be relied on: refused."""
    L1 = 1
    """Landlock, seccomp and resource limits."""
    L2B = 2
    """As L2, where the host masks /proc."""
    L2 = 3
    """Own user, mount, pid and network namespaces over L1."""
    L3 = 4
    """L2 within a control group of its own."""
    GVISOR = 5
    """A kernel of its own."""


Status = Literal[
    "ok",
    "error",
    "interrupted",
    "timeout_killed",
    "oom",
    "oom_killed",
    "disk_quota",
    "cpu_limit",
    "crashed",
    "exited",
    "protocol_violation",
    "backend_lost",
]
"""How an execution ended; `ok`, `error`, `interrupted` and `oom` keep the session."""
Verdict = Literal["complete", "incomplete", "invalid"]
"""What code is as a cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseScope:
    """Whose session it is: a run, and the part of the run that uses it."""

    run_id: str
    scope: str = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A file that the session may read at `/data/shared/<name>`; `path` is where the service keeps it."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one session may use."""

    memory_bytes: int = 2 * 1024**3
    cpus: float = 1.0
    disk_bytes: int = 512 * 1024**2
    files: int = 5_000
    text_chars: int = 1_000_000
    images: int = 10
    step_timeout_s: float = 60.0
    execution_timeout_s: float = 300.0
    idle_s: float = 1_800.0
    lifetime_s: float = 7_200.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What an execution used."""

    elapsed_s: float
    cpu_s: float = 0.0
    peak_memory_bytes: int = 0
    threads: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOutput:
    """Printed text, or the representation of a last expression's value (`value`)."""

    text: str
    stream: Literal["stdout", "stderr", "value"] = "stdout"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorOutput:
    """The exception that ended the execution."""

    name: str
    message: str
    traceback: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageOutput:
    """A figure."""

    mime: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlOutput:
    """HTML written by untrusted code."""

    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOutput:
    """A table: shown with `tw.table` or as a last expression (`shown`), or the name `result` after the cell that
    bound it (`result`; a scalar is one row and one column)."""

    table: Table
    role: Literal["shown", "result"] = "shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartOutput:
    """What `tw.chart` drew, as data; an `ImageOutput` of it follows where it could be rendered."""

    chart: Chart
    option: Mapping[str, object] | None = None
    """What the code passed on to whatever draws the chart for people; written by untrusted code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOutput:
    """A file named with `tw.file`, or the name `result` in full where the table of it was cut; its path is relative to
    the session's working folder."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressOutput:
    """How far a long execution has come: as its code says with `tw.progress`, or, without words, that it still runs."""

    elapsed_s: float
    message: str = ""
    fraction: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Always last, once. `cut_chars` of text were left out."""

    status: Status
    session_lost: bool
    usage: Usage
    cut_chars: int = 0


Output = (
    TextOutput | ErrorOutput | ImageOutput | HtmlOutput | TableOutput | ChartOutput | FileOutput | ProgressOutput | Done
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFile:
    """A regular file in the session's working folder; `path` is relative to it. `modified_ns` is when the session's code
    last wrote it (since 1970), as far as the code can be believed; `earlier` what whoever shares the session knows to
    be of earlier work."""

    path: str
    size_bytes: int
    modified_ns: int = field(default=0, compare=False)
    earlier: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """A lease as it stands."""

    id: str
    scope: LeaseScope
    level: Level
    executions: int
    age_s: float
    lost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolStats:
    """Workers by state, and acquisitions that wait."""

    idle: int
    leased: int
    waiting: int
    limit: int


class Session(Protocol):
    """A lease. One execution at a time; release is idempotent and ends the process."""

    def execute(self, code: str, *, step_id: str, timeout_s: float | None = None) -> AsyncGenerator[Output]:
        """Run `code` as one cell and yield its outputs as they come, then `Done`.

        Closing it early interrupts the execution. A dead session yields `Done(session_lost=True)`."""
        ...

    async def check(self, code: str) -> Verdict:
        """Tell whether `code` parses as a whole cell."""
        ...

    async def interrupt(self) -> None:
        """Stop the running execution, if any; the session is kept where the code yields to it."""
        ...

    async def files(self) -> tuple[SessionFile, ...]:
        """List regular files of the working folder; links and special files are not listed."""
        ...

    def read(self, path: str) -> AsyncIterator[bytes]:
        """Yield a file's bytes; refuses whatever is not a regular file beneath the working folder."""
        ...

    async def info(self) -> SessionInfo:
        """Describe the lease."""
        ...

    async def park(self) -> None:
        """Put the session aside with its variables, for `unpark`. From now on it may be released at any time, and is as
        soon as somebody waits for a worker."""
        ...

    async def unpark(self, inputs: Sequence[Input] = (), *, for_s: float = 0.0) -> bool:
        """Take a parked session up again, to read `inputs`, of which some may be new to it.

        False where it has been released or lost, has not `for_s` seconds to live, or holds a file that `inputs` does
        not have: it is good for nothing then but `release`."""
        ...

    async def release(self) -> None:
        """End the process and remove its folders."""
        ...


class Sandbox(Protocol):
    """A pool of workers behind leases."""

    async def start(self) -> None:
        """Find the isolation level and warm the pool; raises `SandboxUnavailable` with the reason."""
        ...

    async def stop(self) -> None:
        """End every session and worker."""
        ...

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        """Lease a session; waits in a bounded first-come queue, then raises `Busy`."""
        ...

    def level(self) -> Level:
        """The isolation that sessions get."""
        ...

    def stats(self) -> PoolStats:
        """Count workers."""
        ...
