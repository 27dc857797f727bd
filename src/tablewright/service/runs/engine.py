"""Executes runs. Each run is a task of this process, independent of any connection, and ends in exactly one way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tablewright.agent.base import Late
from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.events import MessageAdded, RunFinished
from tablewright.domain.naming import storable
from tablewright.domain.run import Run, RunFailure
from tablewright.domain.scope import Scope, acting_for
from tablewright.errors import MachineError, NotFound, OwnerLost, RunLimit, TablewrightError
from tablewright.service.runs.activation import Activation, Unattended
from tablewright.service.runs.parts import EngineParts
from tablewright.service.runs.preparation import Preparation
from tablewright.service.runs.recorder import Recorder
from tablewright.service.runs.unwritten import ChildOf, Recordable
from tablewright.store.rules import ending
from tablewright.store.run_store import Fenced, RunEnd
from tablewright.telemetry import log_context

STOP_GRACE_S = 0.7
CLOSE_GRACE_S = 5.0
REST_GRACE_S = 2.0
END_TRIES = 3
PROVIDER, ENGINE = "workflow", "workflow-engine"
"""What wrote the answer of a workflow, as its message says."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a run ends."""

    outcome: Outcome
    failure: RunFailure | None = None
    answer: Answer | None = None


Ending = Verdict | Literal["rests", "released"]
"""How an attempt ends: with the run, with the run at rest, or with the run given up to be taken over."""


@dataclass(slots=True, kw_only=True)
class Live:
    """A run that this process executes."""

    parent_id: str | None = None
    task: asyncio.Task[None] | None = None
    prepare: Preparation | None = None
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    activation: Activation | None = None
    stopped_because: Literal["cancelled", "closing"] = "cancelled"
    ended: bool = False


class RunEngine:
    """Executes the runs of this process."""

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts
        self._live: dict[str, Live] = {}
        self._abandoned: set[asyncio.Task[object]] = set()
        self._resume: Callable[[Scope, Run], Awaitable[None]] | None = None

    @property
    def live(self) -> tuple[str, ...]:
        """The ids of the runs that this process executes."""
        return tuple(self._live)

    def resume_by(self, resume: Callable[[Scope, Run], Awaitable[None]]) -> None:
        """Have waiting parents resumed by `resume` when a child has ended."""
        self._resume = resume

    def start(self, scope: Scope, run: Run, prepare: Preparation | None = None) -> None:
        """Execute `run`, which this process owns at its `attempt`; `prepare` is called before its agent begins."""
        live = Live(parent_id=run.parent_id, prepare=prepare)
        self._live[run.id] = live
        with log_context(run_id=run.id), acting_for(scope):
            live.task = asyncio.create_task(self._execute(scope, run, live), name=f"run {run.id}")

    def cancel(self, run_id: str) -> None:
        """Stop the run, with outcome `cancelled`, if this process executes it."""
        if (live := self._live.get(run_id)) is not None:
            live.stop.set()

    async def close(self) -> None:
        """End every run as failed because this process is ending; those that can be taken over are released.

        Runs that have asked a person and come to rest within `REST_GRACE_S` are left waiting. Returns within
        `REST_GRACE_S` plus `CLOSE_GRACE_S`.
        """
        asking = [live.task for live in self._live.values() if live.task and live.activation and live.activation.asks]
        if asking:
            await asyncio.wait(asking, timeout=REST_GRACE_S)
        for live in self._live.values():
            live.stopped_because = "closing"
            live.stop.set()
        if tasks := [live.task for live in self._live.values() if live.task is not None]:
            await asyncio.wait(tasks, timeout=CLOSE_GRACE_S)

    async def _execute(self, scope: Scope, run: Run, live: Live) -> None:
        child = ChildOf.place(run)
        recorder = Recorder(self._parts.bus, self._parts.clock, scope, run.id, run.attempt, child=child)
        try:
            verdict = await self._verdict(scope, run, live, recorder)
            if verdict == "released":
                await self._release(scope, run, recorder)
            elif verdict != "rests":
                live.ended = True
                late = live.activation.late if live.activation is not None else ()
                await self._end(scope, run, recorder, verdict, late)
        except (Fenced, NotFound):
            log.warning("run %s belongs to another attempt now, or was deleted; this one stops", run.id)
        except Exception:
            log.exception("run %s could not be ended; its lease will expire", run.id)
        finally:
            await recorder.close()
            self._stop_orphans(run.id, live)
            if self._live.get(run.id) is live:  # an answer may have started the next attempt meanwhile
                del self._live[run.id]
            self._parts.bus.wake(run.id)
            await self._tell_parent(scope, run)

    def _stop_orphans(self, run_id: str, live: Live) -> None:
        """Stop the children of a run that has ended: the store has ended them with it, whatever they wait for."""
        if live.ended:
            for child in self._live.values():
                if child.parent_id == run_id:
                    child.stop.set()

    async def _tell_parent(self, scope: Scope, run: Run) -> None:
        """Wake the parent of a run that has ended or come to rest; one that waits for its end goes on."""
        if run.parent_id is None:
            return
        self._parts.bus.wake(run.parent_id)
        try:
            if (await self._parts.store.runs.get(scope, run.id)).state == "finished" and self._resume is not None:
                await self._resume(scope, await self._parts.store.runs.get(scope, run.parent_id))
        except TablewrightError:
            log.warning("the parent of run %s could not be resumed; it is found later", run.id, exc_info=True)

    async def _release(self, scope: Scope, run: Run, recorder: Recorder) -> None:
        """Give the run up with all that it has written, to be taken over by another process."""
        await recorder.flush()
        await self._parts.store.runs.release(scope, run.id, attempt=run.attempt, at=self._parts.clock.now())

    async def _verdict(self, scope: Scope, run: Run, live: Live, recorder: Recorder) -> Ending:
        """Let the agent work until it is done, stopped or out of time, or until the run has come to rest."""
        live.activation = activation = Activation(self._parts, scope, run, recorder, self, live.prepare)
        work = asyncio.create_task(activation.work(), name=f"agent of {run.id}")
        left_s = max(0.0, run.limits.wall_clock_s - run.worked_s)
        clock = asyncio.create_task(self._parts.clock.sleep(left_s))
        stopping = asyncio.create_task(live.stop.wait())
        await asyncio.wait((work, clock, stopping, recorder.ended), return_when=asyncio.FIRST_COMPLETED)
        for timer in (clock, stopping):
            timer.cancel()
        if work.done():
            return _judged(run, activation, work)
        await self._give_up(work)
        if recorder.failure is not None:
            return _failed_by(run, recorder.failure)
        if live.stop.is_set():
            return _stopped(run, live)
        return _failed(RunLimit(limit="wall_clock_s", value=run.limits.wall_clock_s))

    async def _give_up(self, work: asyncio.Task[Literal["answered", "waiting"]]) -> None:
        """Cancel the agent. If it does not end in time it is abandoned; it can no longer write to the log."""
        work.cancel()
        await asyncio.wait((work,), timeout=STOP_GRACE_S)
        if not work.done():
            self._abandoned.add(work)
            work.add_done_callback(self._abandoned.discard)

    async def _end(self, scope: Scope, run: Run, recorder: Recorder, verdict: Verdict, late: Sequence[Late]) -> None:
        """Write the `late` items and then the end of the run.

        If writing them fails, that failure becomes the verdict, and a bare end is written instead, with retries.
        """
        try:
            await recorder.finish(*late, *self._last_words(run, verdict))
            return
        except (Fenced, NotFound):
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, it ends the run
            verdict = _failed_by(run, error)
        for left in reversed(range(END_TRIES)):
            try:
                bare = ending(run, verdict.outcome, self._parts.clock.now(), verdict.failure)
                await self._parts.bus.append(scope, bare)
                return
            except MachineError:
                if not left:
                    raise
                await self._parts.clock.sleep(1.0)

    def _last_words(self, run: Run, verdict: Verdict) -> tuple[Recordable, ...]:
        now = self._parts.clock.now()
        stopped_by = verdict.answer.stopped_by if verdict.answer else None
        finished = RunFinished(outcome=verdict.outcome, failure=verdict.failure, stopped_by=stopped_by)
        end = RunEnd(outcome=verdict.outcome, finished_at=now, answer=verdict.answer, failure=verdict.failure)
        if verdict.answer is None or run.parent_id is not None:
            return finished, end
        message = ConversationMessage(
            id=self._parts.ids.new(),
            conversation_id=run.conversation_id,
            ordinal=0,
            author="assistant",
            text=storable(verdict.answer.text),
            created_at=now,
            run_id=run.id,
            answer=verdict.answer,
            provider_name=PROVIDER if run.mode == "workflow" else None,
            base_name=ENGINE if run.mode == "workflow" else None,
        )
        added = MessageAdded(message_id=message.id, author="assistant", text=message.text)
        return added, message, finished, end


def _judged(run: Run, activation: Activation, work: asyncio.Task[Literal["answered", "waiting"]]) -> Ending:
    error = asyncio.CancelledError("by itself") if work.cancelled() else work.exception()
    if error is not None:
        return _failed_by(run, error)
    answer = activation.answer
    return "rests" if answer is None else Verdict(outcome=answer.outcome, answer=answer)


def _failed_by(run: Run, error: BaseException) -> Verdict:
    """Return the verdict for a run that ended with `error`.

    Errors that are not `TablewrightError` are logged and reported as `internal`.
    """
    if isinstance(error, Fenced):
        raise error
    if isinstance(error, Unattended):
        return Verdict(outcome="declined")
    if isinstance(error, TablewrightError):
        return _failed(error)
    log.error("run %s failed unexpectedly", run.id, exc_info=error)
    return Verdict(outcome="failed", failure=RunFailure(code=TablewrightError.code, params={}))


def _stopped(run: Run, live: Live) -> Ending:
    if live.stopped_because == "closing" and run.takeover:
        return "released"
    if live.stopped_because == "closing":
        return _failed(OwnerLost(run_id=run.id))
    return Verdict(outcome="cancelled")


def _failed(error: TablewrightError) -> Verdict:
    outcome: Outcome = "limit" if isinstance(error, RunLimit) else "failed"
    return Verdict(outcome=outcome, failure=RunFailure(code=error.code, params=dict(error.params)))
