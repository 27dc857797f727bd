"""Workflows that wait until a time: they hold nothing meanwhile, and go on once, whatever happens to processes and
clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.databases import sqlite_url
from tests.support.patience import found
from tests.support.workflow_bench import Gate, WorkflowBench, node, workflow

from tablewright.domain.ids import ManualClock
from tablewright.domain.run import Run
from tablewright.errors import NodeFailed
from tablewright.store.base import Store
from tablewright.store.sql import SqlStore
from tablewright.texts.errors import error_text

T0 = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = timedelta(days=3)


class SetClock(ManualClock):
    """A clock that somebody sets."""

    def set(self, now: datetime) -> None:
        self._now = now


def nap(**until: Any) -> Any:
    return workflow(
        [node("start", "start"), node("nap", "wait", **until), node("end", "end", text="up at {{ nap.until }}")],
        "start > nap > end",
    )


async def wake(bench: WorkflowBench) -> None:
    await bench.bench.leases.wake_due()


async def once(bench: WorkflowBench, run: Run) -> None:
    """Assert that the run ends, and that every node of it has ended once."""
    ended = await bench.state(run, "finished")
    assert ended.outcome == "completed", ended.failure
    places = await bench.places(run)
    assert sorted(places) == sorted(set(places))


@pytest.fixture
async def store(tmp_path: Path) -> Any:
    opened = SqlStore(sqlite_url(tmp_path / "store.db"))
    await opened.open()
    yield opened
    await opened.close()


async def test_a_run_that_waits_holds_nothing_and_is_woken_after_a_restart_by_one_of_several(
    tmp_path: Path, store: Store
) -> None:
    clock = SetClock(T0)
    first = WorkflowBench(tmp_path, store=store, clock=clock)
    run = await first.start(nap(seconds=DAYS.total_seconds()))
    resting = await first.state(run, "waiting")
    assert (resting.wake_at, resting.owner_instance) == (T0 + DAYS, None)
    await first.bench.settled(run)
    assert first.bench.engine.live == ()
    assert not [task for task in asyncio.all_tasks() if "node" in task.get_name() or run.id in task.get_name()]
    await first.close()
    others = [WorkflowBench(tmp_path, store=store, clock=clock) for _ in range(3)]
    await clock.advance(DAYS.total_seconds() - 1)
    await wake(others[0])
    assert (await others[0].state(run, "waiting")).attempt == 1
    await clock.advance(1)
    await asyncio.gather(*map(wake, others))
    await once(others[0], run)
    assert (await others[0].bench.runs.get(others[0].bench.scope, run.id)).attempt == 2
    for other in others:
        await other.close()


async def test_a_service_wakes_runs_by_itself(tmp_path: Path, store: Store) -> None:
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, store=store, clock=clock)
    await bench.bench.runs.open_up()
    run = await bench.start(nap(until="2026-01-01T08:00+08:00"))  # which is past
    assert (await bench.state(run, "finished")).outcome == "completed"
    run = await bench.start(nap(until="2026-01-01T08:00"))
    await bench.state(run, "waiting")
    await clock.advance(8 * 3_600)
    await once(bench, run)
    await bench.close()


async def test_of_several_times_the_earliest_wakes_a_run(tmp_path: Path, store: Store) -> None:
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, store=store, clock=clock)
    flow = workflow(
        [
            node("start", "start"),
            node("long", "wait", seconds=7_200),
            node("short", "wait", seconds=3_600),
            node("beside", "ask_user", prompt="?"),
            node("end", "end", text="{{ beside.text }}"),
        ],
        "start > long > end",
        "start > short > end",
        "start > beside > end",
    )
    run = await bench.start(flow)
    assert (await bench.state(run, "waiting")).wake_at == T0 + timedelta(hours=1)
    (asked,) = await bench.open_requests(run, 1)
    await bench.answer(asked, "x")
    await bench.bench.settled(run)
    resting = await bench.state(run, "waiting")
    assert (resting.attempt, resting.wake_at) == (2, T0 + timedelta(hours=1))
    await clock.advance(3_600)
    await wake(bench)
    await bench.bench.settled(run)
    resting = await bench.state(run, "waiting")
    assert (resting.attempt, resting.wake_at) == (3, T0 + timedelta(hours=2))
    await clock.advance(3_600)
    await wake(bench)
    await once(bench, run)
    await bench.close()


async def test_a_clock_that_is_set_back_while_a_run_is_woken_loses_and_doubles_nothing(
    tmp_path: Path, store: Store
) -> None:
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, store=store, clock=clock)
    run = await bench.start(nap(seconds=600))
    waiting = await bench.state(run, "waiting")
    clock.set(T0 - timedelta(hours=5))
    await bench.bench.leases.resume(bench.bench.scope, waiting)  # as who found it due before
    await bench.bench.settled(run)
    again = await bench.state(run, "waiting")
    assert (again.attempt, again.wake_at) == (2, T0 + timedelta(seconds=600))
    clock.set(T0 + timedelta(days=365))
    await wake(bench)
    await once(bench, run)
    await bench.close()


async def test_who_dies_between_waking_a_run_and_its_end_is_followed_by_another(tmp_path: Path, store: Store) -> None:
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, store=store, clock=clock)
    run = await bench.start(nap(seconds=600))
    waiting = await bench.state(run, "waiting")
    await clock.advance(600)
    claimed = await store.runs.claim(
        bench.bench.scope,
        run.id,
        attempt=waiting.attempt,
        instance_id="dead",
        at=clock.now(),
        lease_until=clock.now() + timedelta(seconds=15),
    )
    assert claimed is not None
    await wake(bench)
    assert (await bench.bench.runs.get(bench.bench.scope, run.id)).owner_instance == "dead"
    await clock.advance(16)
    await bench.bench.leases.reap()
    await once(bench, run)
    await bench.close()


async def test_the_pause_before_another_attempt_of_a_node_holds_nothing(tmp_path: Path, store: Store) -> None:
    calls: list[str] = []

    async def fails_once(given: Mapping[str, Any], key: str) -> str:
        calls.append(key)
        if len(calls) < 3:
            raise NodeFailed(words="no")
        return "yes"

    flow = workflow(
        [
            node("start", "start"),
            node("act", "tool", tool="act", retry={"attempts": 3, "backoff_s": 60}),
            node("end", "end", text="{{ act.text }}"),
        ],
        "start > act > end",
    )
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, {"act": fails_once}, store=store, clock=clock)
    run = await bench.start(flow)
    for pause_s in (60, 120):
        await bench.bench.settled(run)
        assert (await bench.state(run, "waiting")).wake_at == clock.now() + timedelta(seconds=pause_s)
        await clock.advance(pause_s)
        await wake(bench)
    ended = await bench.state(run, "finished")
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "yes"
    assert calls == ["act#1", "act#2", "act#3"]
    await bench.close()


async def test_a_wait_in_a_workflow_within_another_wakes_the_inner_run(tmp_path: Path, store: Store) -> None:
    clock = SetClock(T0)
    flow = workflow(
        [node("start", "start"), node("sub", "sub_workflow", workflow="inner"), node("end", "end", text="done")],
        "start > sub > end",
    )
    inner = workflow(
        [node("start", "start"), node("nap", "wait", seconds=60), node("end", "end", text="up")],
        "start > nap > end",
        name="inner",
    )
    bench = WorkflowBench(tmp_path, workflows=[inner], store=store, clock=clock)
    run = await bench.start(flow)
    await bench.state(run, "waiting")
    (child,) = await store.runs.children(bench.bench.scope, run.id)
    await bench.state(child, "waiting")
    await clock.advance(60)
    await wake(bench)
    await once(bench, run)
    await bench.close()


async def test_a_workflow_within_another_works_no_longer_than_its_node_may(tmp_path: Path, store: Store) -> None:
    gate, clock = Gate(), SetClock(T0)
    sub = node("sub", "sub_workflow", workflow="inner", timeout_s=30, on_error="continue")
    end = node("end", "end", text="{{ sub.error.params.detail }}")
    flow = workflow([node("start", "start"), sub, end], "start > sub > end")
    inner = workflow(
        [node("start", "start"), node("slow", "tool", tool="slow"), node("end", "end", text="x")],
        "start > slow > end",
        name="inner",
    )
    bench = WorkflowBench(tmp_path, {"slow": gate}, workflows=[inner], store=store, clock=clock)
    run = await bench.start(flow)
    await gate.begun.wait()

    async def later() -> Run | None:
        await clock.advance(10)
        now = await bench.bench.runs.get(bench.bench.scope, run.id)
        return now if now.state == "finished" else None

    ended = await found(later)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "workflow_node_slow"
    assert clock.now() < T0 + timedelta(seconds=300)
    await bench.close()


async def test_a_run_in_which_nothing_happens_while_a_node_works_is_cancelled_and_says_so(
    tmp_path: Path, store: Store
) -> None:
    gate, clock = Gate(), SetClock(T0)
    flow = workflow(
        [
            node("start", "start"),
            node("slow", "tool", tool="slow"),
            node("ask", "ask_user", prompt="?"),
            node("end", "end", text="x"),
        ],
        "start > slow > end",
        "start > ask > end",
    )
    bench = WorkflowBench(tmp_path, {"slow": gate}, store=store, clock=clock)
    run = await bench.start(flow)
    await gate.begun.wait()
    await bench.open_requests(run, 1)
    for _ in range(29):
        await clock.advance(60)
    assert (await bench.bench.runs.get(bench.bench.scope, run.id)).state == "running"

    async def later() -> Run | None:
        await clock.advance(60)
        now = await bench.bench.runs.get(bench.bench.scope, run.id)
        return now if now.state == "finished" else None

    ended = await found(later)
    assert ended.failure is not None
    assert (ended.outcome, ended.failure.code) == ("limit", "workflow_silent")
    assert error_text(ended.failure.code, "zh", ended.failure.params) == "工作流执行超时，已自动取消"
    await bench.close()


async def test_a_run_that_only_waits_is_never_cancelled_for_its_silence(tmp_path: Path, store: Store) -> None:
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, store=store, clock=clock)
    flow = workflow(
        [node("start", "start"), node("ask", "ask_user", prompt="?"), node("end", "end", text="{{ ask.text }}")],
        "start > ask > end",
    )
    run = await bench.start(flow)
    (asked,) = await bench.open_requests(run, 1)
    await bench.state(run, "waiting")
    await clock.advance(10_000_000)
    await bench.answer(asked, "late")
    await once(bench, run)
    await bench.close()
