"""Supervision of a running cell: its time, memory, disk usage and CPU."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from tablewright.domain.ids import Clock
from tablewright.sandbox import beneath
from tablewright.sandbox.base import ErrorOutput, Limits, Status
from tablewright.sandbox.process import Load, SessionPaths, WorkerProcess

TICK_S = 0.1
GRACE_S = 2.0
_CPU_SLACK_S = 1.0
_THREADS = 512
"""Each thread takes memory of the kernel, which no limit of a process counts. Where a session has a user id of its own,
the system allows it fewer."""


@dataclass(slots=True, kw_only=True)
class Pace:
    """The running time left until the next check, carried over between cells.

    Many short cells are thus checked as often as one long cell.
    """

    left_s: float = TICK_S


class Watch:
    """Interrupts at the deadline; kills after the grace period or beyond a limit, with `cause` as the reason."""

    def __init__(self, worker: WorkerProcess, room: SessionPaths, limits: Limits, clock: Clock, pace: Pace) -> None:
        self._worker = worker
        self._pace = pace
        self._room = room
        self._limits = limits
        self._clock = clock
        self._stopped = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._watching: asyncio.Task[None] | None = None
        self._began = 0.0
        self.timed_out = False
        self.timeout_s = 0.0
        self.peak_bytes = 0
        self.cause: tuple[Status, str] | None = None

    def begin(self, timeout_s: float) -> None:
        """Begin watching an execution.

        Most executions end before the first check is due, at the cost of a timer only.
        """
        self.timeout_s = timeout_s
        self._began = self._clock.monotonic()
        self._timer = asyncio.get_running_loop().call_later(min(self._pace.left_s, timeout_s), self._watch)
        if self._stopped.is_set():
            self._watch()

    def _watch(self) -> None:
        if self._timer is not None and self._watching is None:
            self._timer.cancel()
            passed = self._pass()
            self._watching = asyncio.create_task(self._run(self.timeout_s - passed))

    def _pass(self) -> float:
        """Account for the time that passed before the first check, and return it."""
        passed = self._clock.monotonic() - self._began
        self._pace.left_s = max(0.0, self._pace.left_s - passed)
        return passed

    def stop(self) -> None:
        """Interrupt now; kill after the grace period."""
        self._stopped.set()
        self._watch()

    async def end(self) -> None:
        """Stop watching."""
        if self._timer is not None and self._watching is None:
            self._timer.cancel()
            self._timer = None
            self._pass()
        elif self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching

    def give(self, status: Status, message: str) -> None:
        """Record why the process is about to die; the first cause is kept."""
        if self.cause is None:
            self.cause = (status, message)

    def timeout_error(self, traceback: str) -> ErrorOutput:
        """Return the error for an execution that was interrupted at its deadline."""
        frames = traceback.rpartition("KeyboardInterrupt")[0]
        return ErrorOutput(
            name="TimeoutError", message=self._too_long(), traceback=f"{frames}TimeoutError: {self._too_long()}\n"
        )

    def _too_long(self) -> str:
        return f"The code ran longer than {self.timeout_s:g} s and was stopped."

    async def _run(self, timeout_s: float) -> None:
        looking = asyncio.create_task(self._look())
        try:
            try:
                async with asyncio.timeout(timeout_s):
                    await self._stopped.wait()
            except TimeoutError:
                self.timed_out = True
            self._worker.interrupt()
            await self._clock.sleep(GRACE_S)
            if self.timed_out:
                self._kill("timeout_killed", self._too_long())
            else:
                self._kill("interrupted", "The code was interrupted, did not yield, and was killed.")
        finally:
            looking.cancel()

    def _kill(self, status: Status, message: str) -> None:
        self.give(status, message)
        self._worker.kill()

    async def _look(self) -> None:
        first: float | None = None
        while True:
            await self._until_due()
            started = self._clock.monotonic()
            load = self._worker.load()
            if load is not None:
                first = load.cpu_s if first is None else first
                self._look_at_process(load, first)
            await self.look_at_disk()
            # Counting a large folder takes long: check less often, so that counting remains a small share of the time.
            self._pace.left_s = max(TICK_S, 5 * (self._clock.monotonic() - started))

    async def _until_due(self) -> None:
        started = self._clock.monotonic()
        try:
            await self._clock.sleep(self._pace.left_s)
        finally:
            self._pace.left_s = max(0.0, self._pace.left_s - (self._clock.monotonic() - started))

    def _look_at_process(self, load: Load, base_cpu_s: float) -> None:
        used = load.memory_bytes
        self.peak_bytes = max(self.peak_bytes, used)
        if used > self._limits.memory_bytes:
            self._kill("oom_killed", f"The session used more than {self._limits.memory_bytes} bytes of memory.")
        if load.threads > _THREADS:
            self._kill("oom_killed", f"The session started more than {_THREADS} threads.")
        allowed = self._limits.cpus * (self.timeout_s + GRACE_S) + _CPU_SLACK_S
        if load.cpu_s - base_cpu_s > allowed:
            self._kill("cpu_limit", f"The code used more than {allowed:g} s of processor time.")

    async def look_at_disk(self) -> None:
        """Kill the process if it wrote more than it may."""
        limit = self._limits.files
        written, orphan_bytes = await asyncio.to_thread(self._written, limit)
        if sum(found.entries for found in written) > limit:
            self._kill("disk_quota", f"The session wrote more than {limit} files.")
        elif orphan_bytes is None:
            self._kill("disk_quota", "The session keeps deleted files whose size cannot be known.")
        elif sum(found.disk_bytes for found in written) + orphan_bytes > self._limits.disk_bytes:
            self._kill("disk_quota", f"The session wrote more than {self._limits.disk_bytes} bytes.")
        elif any(found.hidden for found in written):
            self._kill("disk_quota", "The session's folder cannot be counted.")

    def _written(self, limit: int) -> tuple[list[beneath.Survey], int | None]:
        room = self._room
        if room.disk is not None:
            # Its size bounds what has no name.
            return [beneath.survey(room.disk, max_entries=limit)], 0
        orphan_bytes = self._worker.orphan_bytes((room.work, room.tmp))
        return [beneath.survey(folder, max_entries=limit) for folder in (room.files, room.host / "tmp")], orphan_bytes
