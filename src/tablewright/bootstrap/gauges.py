"""Counts what happens to runs, and reads the present state of the parts, for the metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from tablewright.agent.base import Agent
from tablewright.data.fair_queue import QueueLoad
from tablewright.domain.events import RunFinished, StepFinished
from tablewright.domain.ids import Clock
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.sandbox.lazy import LazySandbox
from tablewright.service.runs.engine import RunEngine
from tablewright.service.runs.event_bus import EventBus
from tablewright.store.reserve import DiskReserve
from tablewright.store.run_store import Batch

if TYPE_CHECKING:
    from tablewright.metrics import Gauge, Metrics

Readings = dict[tuple[str, ...], float]
"""The values of a gauge by the values of its labels."""


def counted_events(metrics: Metrics) -> Callable[[Scope, Batch], None]:
    """Return what counts the events that were appended to a log."""

    def count(_scope: Scope, batch: Batch) -> None:
        for body in (event.body for event in batch.events):
            if isinstance(body, RunFinished):
                metrics.runs.labels(body.outcome).inc()
            elif isinstance(body, StepFinished):
                metrics.steps.labels(body.status).inc()

    return count


def timed_agents(agents: Callable[[Run], Agent], metrics: Metrics, clock: Clock) -> Callable[[Run], Agent]:
    """Return `agents`, with the time noted that a run has waited for its agent. A resumed run has not waited."""

    def agent_of(run: Run) -> Agent:
        if run.attempt <= 1:
            metrics.queue_wait.observe(max((clock.now() - run.created_at).total_seconds(), 0.0))
        return agents(run)

    return agent_of


class Loaded(Protocol):
    """A pool that says how much it has to do."""

    @property
    def load(self) -> QueueLoad:
        """How much there is to do at present."""
        ...


def watch(
    metrics: Metrics,
    *,
    engine: RunEngine,
    bus: EventBus,
    sandbox: LazySandbox,
    reserve: DiskReserve,
    pools: Mapping[str, Loaded],
) -> None:
    """Have the present state of these parts read whenever the metrics are asked for."""
    from tablewright.metrics import Gauge

    def gauges() -> tuple[Gauge, ...]:
        pool, space = sandbox.stats(), reserve.measure()
        workers: Readings = {("idle",): float(pool.idle), ("leased",): float(pool.leased)}
        room: Readings = {("free",): float(space.free_bytes), ("total",): float(space.total_bytes)}
        return (
            _one("tablewright_runs_running", "Runs that this process executes.", len(engine.live)),
            _one("tablewright_event_watchers", "Readers of the events of runs.", bus.watching),
            Gauge(
                name="tablewright_sandbox_workers", help="Workers of the sandbox.", labels=("state",), values=workers
            ),
            _one("tablewright_sandbox_workers_limit", "The most workers there may be.", pool.limit),
            _one("tablewright_sandbox_waiting", "Sessions that are waited for.", pool.waiting),
            Gauge(name="tablewright_disk_bytes", help="The disk of the data folder.", labels=("kind",), values=room),
            *_reader_gauges({name: pool.load for name, pool in pools.items()}),
        )

    metrics.watch(gauges)


def _one(name: str, meaning: str, value: float) -> Gauge:
    from tablewright.metrics import Gauge

    return Gauge(name=name, help=meaning, values={(): float(value)})


def _reader_gauges(loads: Mapping[str, QueueLoad]) -> tuple[Gauge, ...]:
    """Return what the processes have to do that open files, by the pool and the size of the files."""
    from tablewright.metrics import Gauge

    by_size = ("pool", "size")
    busy: Readings = {(pool, size): float(count) for pool, load in loads.items() for size, count in load.busy.items()}
    waiting: Readings = {
        (pool, size): float(count) for pool, load in loads.items() for size, count in load.waiting.items()
    }
    limits: Readings = {(pool,): float(load.workers) for pool, load in loads.items()}
    return (
        Gauge(name="tablewright_readers_busy", help="Files that are being opened.", labels=by_size, values=busy),
        Gauge(name="tablewright_readers_waiting", help="Files that wait.", labels=by_size, values=waiting),
        Gauge(name="tablewright_readers_limit", help="The most readers.", labels=("pool",), values=limits),
    )
