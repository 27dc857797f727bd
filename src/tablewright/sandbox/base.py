"""The port to sandboxes that execute untrusted Python: leases, executions, outputs.

A lease belongs to one scope of one run and is a fresh process with its own folders: `/data/shared` contains exactly the
lease's inputs, read-only, and `/data/sessions/<session id>` is the working folder. State persists between the
executions of a lease. Code never runs on the host instead of in a sandbox: if none is available, `acquire` raises
`SandboxUnavailable`.
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
TOOLS = "tools"
"""The scope of the session that tools share: that of the conversation, with what the run itself left in it."""


class Level(IntEnum):
    """The strength of the isolation, weakest first."""

    NONE = 0
    """Nothing to rely on: refused."""
    L1 = 1
    """Landlock, seccomp and resource limits."""
    L2B = 2
    """Like L2, on a host that masks /proc."""
    L2 = 3
    """L1 plus user, mount, pid and network namespaces."""
    L3 = 4
    """L2 plus a control group per session."""
    GVISOR = 5
    """A kernel of its own: gVisor."""


Layer = Literal["container", "kernel", "namespaces", "cgroup", "landlock", "seccomp", "limits"]
"""A means of isolation: a container, a kernel of its own, namespaces, control groups, rules on files, a filter of
system calls, limits of the process."""
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
"""How an execution ended. After `ok`, `error`, `interrupted` and `oom` the session can be used further."""
Verdict = Literal["complete", "incomplete", "invalid"]
"""Whether code forms a complete cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseScope:
    """The owner of a session: a run, and the part of the run that uses it.

    Those of one `turn` share a turn where sessions are waited for; an empty one is shared with nobody.
    """

    run_id: str
    scope: str = "main"
    turn: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A file that the session can read as `/data/shared/<name>`; `path` is its location on the host."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Resource limits of one session."""

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
    """Resources that an execution used."""

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
    """A figure, as an image."""

    mime: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlOutput:
    """HTML written by untrusted code."""

    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOutput:
    """A table.

    Its role is `shown` if it was displayed with `tw.table` or as a last expression, and `result` if it is the value of
    the name `result` after the cell that assigned it; a scalar is a table of one row and one column.
    """

    table: Table
    role: Literal["shown", "result"] = "shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartOutput:
    """The data of a chart drawn with `tw.chart`. An `ImageOutput` of it follows if it could be rendered."""

    chart: Chart
    option: Mapping[str, object] | None = None
    """Options passed through to the component that draws the chart for people; written by untrusted code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOutput:
    """A file passed to `tw.file`, or the complete value of `result` if its table was truncated.

    The path is relative to the session's working folder.
    """

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressOutput:
    """Progress of a long execution: as reported by the code with `tw.progress`, or, without text, a sign that
    it is still running."""

    elapsed_s: float
    message: str = ""
    fraction: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The end of an execution: always the last output, exactly once.

    `cut_chars` is the number of characters of text that were left out.
    """

    status: Status
    session_lost: bool
    usage: Usage
    cut_chars: int = 0


Output = (
    TextOutput | ErrorOutput | ImageOutput | HtmlOutput | TableOutput | ChartOutput | FileOutput | ProgressOutput | Done
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFile:
    """A regular file in the session's working folder.

    `path` is relative to that folder. `modified_ns` is the time of the last write by the session's code (nanoseconds
    since 1970), which that code can forge. `earlier` is set by whoever shares the session, for files of earlier work.
    """

    path: str
    size_bytes: int
    modified_ns: int = field(default=0, compare=False)
    earlier: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """The state of a lease."""

    id: str
    scope: LeaseScope
    level: Level
    executions: int
    age_s: float
    lost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolStats:
    """The number of workers by state, and of waiting acquisitions.

    `failure` is the code of the error for which the last worker could not be started, empty since one could.
    """

    idle: int
    leased: int
    waiting: int
    limit: int
    failure: str = ""

    @property
    def works(self) -> bool:
        """Whether a lease can be expected: there is a worker, or none has failed to start."""
        return not self.failure or self.idle + self.leased > 0


class Session(Protocol):
    """A lease. Runs one execution at a time; `release` is idempotent and ends the process."""

    def execute(self, code: str, *, step_id: str, timeout_s: float | None = None) -> AsyncGenerator[Output]:
        """Run `code` as one cell and yield its outputs as they arrive, then `Done`.

        A backend logs `step_id` when the step ends the session. Closing the generator early interrupts the execution. A
        dead session yields `Done(session_lost=True)`.
        """
        ...

    async def check(self, code: str) -> Verdict:
        """Return whether `code` parses as a complete cell."""
        ...

    async def interrupt(self) -> None:
        """Stop the running execution, if any. The session survives if the code reacts to the interrupt."""
        ...

    async def files(self) -> tuple[SessionFile, ...]:
        """List the regular files of the working folder; links and special files are left out."""
        ...

    def read(self, path: str) -> AsyncIterator[bytes]:
        """Yield a file's bytes. Anything but a regular file inside the working folder is refused."""
        ...

    async def info(self) -> SessionInfo:
        """Return the state of the lease."""
        ...

    async def add(self, inputs: Sequence[Input]) -> bool:
        """Let code of the running session read further files.

        Returns False if the session is lost or released, or has another file of such a name.
        """
        ...

    async def park(self) -> None:
        """Set the session aside, keeping its variables, until `unpark`.

        From now on it may be released at any time, and it is released as soon as somebody waits for a worker.
        """
        ...

    async def unpark(self, inputs: Sequence[Input] = (), *, for_s: float = 0.0) -> bool:
        """Resume a parked session with `inputs`, some of which may be new to it.

        Returns False if the session has been released or lost, has less than `for_s` seconds left to live, or holds a
        file that is not in `inputs`; it can then only be released.
        """
        ...

    async def release(self) -> None:
        """End the process and remove its folders."""
        ...


class Sandbox(Protocol):
    """A pool of workers behind leases."""

    async def start(self) -> None:
        """Determine the isolation level and warm up the pool. Raises `SandboxUnavailable` with the reason."""
        ...

    async def stop(self) -> None:
        """End every session and worker."""
        ...

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        """Lease a session. Waits in a bounded first-come-first-served queue, then raises `Busy`."""
        ...

    def level(self) -> Level:
        """The isolation level of sessions."""
        ...

    def layers(self) -> tuple[Layer, ...]:
        """What isolates sessions on this machine, as found by trying; nothing before the start."""
        ...

    def stats(self) -> PoolStats:
        """Return the state of the pool."""
        ...
