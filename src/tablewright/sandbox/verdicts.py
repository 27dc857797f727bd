"""Asking a worker whether code is complete. What answers may be the session's own code, so it is watched like any."""

from __future__ import annotations

import asyncio

from tablewright.domain.ids import Clock
from tablewright.sandbox import frames
from tablewright.sandbox.base import Verdict
from tablewright.sandbox.frame_budget import FrameBudget
from tablewright.sandbox.process import WorkerProcess
from tablewright.sandbox.watch import GRACE_S, TICK_S, Watch

_CHECK_S = 10.0
_VERDICTS: dict[str, Verdict] = {"complete": "complete", "incomplete": "incomplete", "invalid": "invalid"}


async def verdict(worker: WorkerProcess, watch: Watch, clock: Clock, code: str) -> Verdict | None:
    """Return the verdict on `code`, or None if the worker gave none or exceeded a limit; it must then be killed."""
    started = clock.monotonic()
    watch.begin(_CHECK_S - GRACE_S)
    try:
        worker.writer.write(frames.encode("check", code=code))
        worker.resume()
        async with asyncio.timeout(_CHECK_S):
            found = await _answer(worker, FrameBudget(clock))
        if clock.monotonic() - started >= TICK_S:
            await watch.look_at_disk()
    except (TimeoutError, frames.ProtocolViolation):
        return None
    finally:
        await watch.end()
    return found if watch.cause is None else None


async def _answer(worker: WorkerProcess, budget: FrameBudget) -> Verdict | None:
    while (frame := await frames.read(worker.reader)) is not None:
        budget.admit(frame)
        # A thread left behind may have printed earlier; that output is discarded.
        if frame.kind == "checked":
            return _VERDICTS.get(frame.text("verdict"))
    return None
