"""One execution of one cell: its outputs, its supervision, and how it ended."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator

from tablewright.domain.ids import Clock
from tablewright.sandbox import frames
from tablewright.sandbox.base import (
    Done,
    ErrorOutput,
    ImageOutput,
    Limits,
    Output,
    ProgressOutput,
    Status,
    TextOutput,
    Usage,
)
from tablewright.sandbox.frame_budget import FrameBudget
from tablewright.sandbox.process import ProcessExit, SessionPaths, WorkerProcess
from tablewright.sandbox.watch import GRACE_S, TICK_S, Pace, Watch

QUIET_S = 10.0
"""Seconds without output after which a progress output says that the code is still running."""
_KEPT: dict[str, Status] = {"ok": "ok", "error": "error", "interrupted": "interrupted", "oom": "oom"}
_NOISE = ("Extension modules:", "/IPython/core/", "/sandbox/worker/")
_NAMES: dict[str, str] = {
    "timeout_killed": "TimeoutError",
    "interrupted": "KeyboardInterrupt",
    "oom_killed": "MemoryError",
    "disk_quota": "DiskQuotaExceeded",
    "cpu_limit": "CpuLimitExceeded",
    "crashed": "ProcessCrashed",
    "exited": "ProcessExited",
}


class Execution:
    """One execution, which runs once. `stop` may be called while it runs."""

    def __init__(self, worker: WorkerProcess, room: SessionPaths, limits: Limits, clock: Clock, pace: Pace) -> None:
        self._worker = worker
        self._limits = limits
        self._clock = clock
        self._watch = Watch(worker, room, limits, clock, pace)
        self._text_left = limits.text_chars
        self._images_left = limits.images
        self._cut = 0
        self._budget = FrameBudget(clock)
        self._number = 0
        self.finished = False
        self.lost = False

    def stop(self) -> None:
        """Interrupt the code, and kill the process if it does not react."""
        self._watch.stop()

    def end(self, message: str) -> None:
        """Record why the session is about to be ended from outside."""
        self._watch.give("backend_lost", message)

    async def run(self, code: str, timeout_s: float, number: int) -> AsyncGenerator[Output, None]:
        """Yield the outputs, `Done` last. `number` distinguishes this execution from others of the session."""
        self._number = number
        started = self._clock.monotonic()
        self._worker.take_stray()
        self._watch.begin(timeout_s)
        try:
            self._worker.writer.write(
                frames.encode(
                    "exec", id=number, code=code, text_chars=self._limits.text_chars, images=self._limits.images
                )
            )
            # Only now: otherwise it would wake, find nothing to read, and sleep until the frame wakes it again.
            self._worker.resume()
            async for output in self._outputs(started):
                yield output
        finally:
            if not self.finished:
                await self._settle()
            await self._watch.end()
            if not self.lost:
                self._worker.pause()

    async def _outputs(self, started: float) -> AsyncGenerator[Output, None]:
        try:
            while (item := await self._next(started)) is not None:
                if isinstance(item, ProgressOutput):
                    yield item
                elif item.kind != "done":
                    for output in self._accepted(item):
                        yield output
                elif (done := await self._concluded(item, started)) is not None:
                    for output in self._stray():
                        yield output
                    self.finished = True
                    yield done
                    return
        except frames.ProtocolViolation as violation:
            self._watch.give("protocol_violation", str(violation))
            self._worker.kill()
        async for output in self._death(started):
            yield output

    async def _next(self, started: float) -> frames.WorkerFrame | ProgressOutput | None:
        """Return the next frame, a progress output after a long silence, or None when the process is gone."""
        while True:
            try:
                frame = await frames.read(self._worker.reader, QUIET_S)
            except TimeoutError:
                return ProgressOutput(elapsed_s=self._clock.monotonic() - started)
            if frame is not None:
                self._budget.admit(frame)
            if frame is None or frame.kind != "done" or frame.header.get("id") == self._number:
                return frame

    async def _concluded(self, frame: frames.WorkerFrame, started: float) -> Done | None:
        """Return how the execution ended, or None if the process is being killed for exceeding a limit."""
        done = self._done(frame)
        if self._clock.monotonic() - started >= TICK_S:
            # It may have written a lot since the last check.
            await self._watch.look_at_disk()
        return done if self._watch.cause is None else None

    def _accepted(self, frame: frames.WorkerFrame) -> list[Output]:
        output = frames.output(frame)
        if isinstance(output, TextOutput):
            return self._within(output)
        if isinstance(output, ImageOutput):
            self._images_left -= 1
            return [output] if self._images_left >= 0 else []
        if isinstance(output, ErrorOutput) and output.name == "KeyboardInterrupt" and self._watch.timed_out:
            return [self._watch.timeout_error(output.traceback)]
        return [output]

    def _within(self, output: TextOutput) -> list[Output]:
        text = output.text[: self._text_left]
        self._cut += len(output.text) - len(text)
        self._text_left -= len(text)
        return [TextOutput(text=text, stream=output.stream)] if text else []

    def _stray(self) -> list[Output]:
        text = self._worker.take_stray()
        return self._within(TextOutput(text=text, stream="stderr")) if text else []

    def _done(self, frame: frames.WorkerFrame) -> Done:
        status = _KEPT.get(frame.text("status"))
        if status is None:
            raise frames.ProtocolViolation("a status that no worker has")
        usage = Usage(
            elapsed_s=frame.number("elapsed_s"),
            cpu_s=frame.number("cpu_s"),
            peak_memory_bytes=int(frame.number("peak_memory_bytes")),
            threads=int(frame.number("threads")),
        )
        cut = self._cut + int(frame.number("cut_chars"))
        return Done(status=status, session_lost=False, usage=usage, cut_chars=cut)

    async def _death(self, started: float) -> AsyncGenerator[Output, None]:
        """Report how the process ended."""
        self.lost = True
        ending = await self._worker.ended()
        status, message = self._cause(ending)
        trace = _crash_trace(self._worker.take_stray())
        self.finished = True
        yield ErrorOutput(name=_NAMES.get(status, "SessionLost"), message=message, traceback=trace or message)
        usage = Usage(elapsed_s=self._clock.monotonic() - started, peak_memory_bytes=self._watch.peak_bytes)
        yield Done(status=status, session_lost=True, usage=usage, cut_chars=self._cut)

    def _cause(self, ending: ProcessExit) -> tuple[Status, str]:
        if self._watch.cause is not None:
            return self._watch.cause
        code = ending.code
        if code is None:
            return "backend_lost", "The sandbox's backend ended."
        if code >= 0:
            return "exited", f"The process exited with code {code}."
        name = signal.Signals(-code).name if -code in signal.Signals.__members__.values() else str(-code)
        if -code == signal.SIGXCPU:
            return "cpu_limit", "The session used up its processor time."
        if -code == signal.SIGKILL and self._watch.peak_bytes > self._limits.memory_bytes // 2:
            return "oom_killed", "The system killed the process for its memory."
        return "crashed", f"The process crashed with {name}."

    async def _settle(self) -> None:
        """Handle a reader that went away: stop the code and drain its frames, so that another execution can start."""
        self.lost = True
        self.stop()
        try:
            async with asyncio.timeout(GRACE_S + 1):
                while (frame := await frames.read(self._worker.reader)) is not None:
                    if frame.kind == "done" and frame.header.get("id") == self._number:
                        self.finished, self.lost = True, False
                        return
        except (TimeoutError, frames.ProtocolViolation):
            pass
        finally:
            if self.lost:
                self._worker.kill()


def _crash_trace(text: str) -> str:
    """Reduce a crash report to the user's own code, without the frames of the shell and the list of loaded modules."""
    kept = (line for line in text.splitlines() if not any(words in line for words in _NOISE))
    return "\n".join(kept).strip()
