"""Nodes that fail, are slow, wait, or give too much; and what a run does then."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support.workflow_bench import Gate, WorkflowBench, node, workflow

from tablewright.domain.events import NodeFinished, NodeWaiting
from tablewright.domain.run import Run
from tablewright.domain.workflow import Workflow
from tablewright.errors import NodeFailed
from tablewright.service.runs.runs import Ask


def one(tool: dict[str, Any], text: str = "{{ act.text }}") -> Workflow:
    return workflow([node("start", "start"), tool, node("end", "end", text=text)], "start > act > end")


class Failing:
    """A function that fails the first `times` times."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.keys: list[str] = []

    async def __call__(self, given: Mapping[str, Any], key: str) -> str:
        self.keys.append(key)
        if self.left:
            self.left -= 1
            raise NodeFailed(words="not yet")
        return "well"


async def statuses(bench: WorkflowBench, run: Run) -> list[str]:
    ended = [event.body for event in await bench.log(run) if isinstance(event.body, NodeFinished)]
    return [body.status for body in ended if body.node_id == "act"]


async def test_a_node_that_fails_is_tried_again_each_time_under_a_key_of_its_own(tmp_path: Path) -> None:
    act = Failing(2)
    bench = WorkflowBench(tmp_path, {"act": act})
    flow = one(node("act", "tool", tool="act", retry={"attempts": 3, "backoff_s": 0.01}))
    ended = await bench.ended(await bench.start(flow))
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "well"
    assert act.keys == ["act#1", "act#2", "act#3"]
    assert await statuses(bench, ended) == ["retried", "retried", "ok"]
    await bench.close()


async def test_a_node_that_fails_for_good_ends_the_run_with_its_reason(tmp_path: Path) -> None:
    bench = WorkflowBench(tmp_path, {"act": Failing(9)})
    ended = await bench.ended(await bench.start(one(node("act", "tool", tool="act"))))
    assert ended.outcome == "failed"
    assert ended.failure is not None
    assert ended.failure.params["node"] == "act"
    assert "not yet" in str(ended.failure.params["words"])
    await bench.close()


async def test_a_workflow_goes_on_behind_a_node_that_may_fail(tmp_path: Path) -> None:
    bench = WorkflowBench(tmp_path, {"act": Failing(9)})
    flow = one(node("act", "tool", tool="act", on_error="continue"), "{{ act.error.code }}")
    ended = await bench.ended(await bench.start(flow))
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "node_failed"
    await bench.close()


async def test_a_node_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    gate = Gate()
    bench = WorkflowBench(tmp_path, {"act": gate})
    ended = await bench.ended(await bench.start(one(node("act", "tool", tool="act", timeout_s=0.05))))
    assert ended.outcome == "failed"
    assert gate.begun.is_set()
    await bench.close()


async def test_a_failure_stops_the_other_branches(tmp_path: Path) -> None:
    gate, stopped = Gate(), asyncio.Event()

    async def hanging(given: Mapping[str, Any], key: str) -> str:
        try:
            await gate(given, key)
        except asyncio.CancelledError:
            stopped.set()
            raise
        return ""

    async def failing(_given: Mapping[str, Any], _key: str) -> str:
        await gate.begun.wait()
        raise NodeFailed(words="no")

    flow = workflow(
        [node("start", "start"), node("a", "tool", tool="hang"), node("b", "tool", tool="fail"), node("end", "end")],
        "start > a > end",
        "start > b > end",
    )
    bench = WorkflowBench(tmp_path, {"hang": hanging, "fail": failing})
    ended = await bench.ended(await bench.start(flow))
    assert ended.outcome == "failed"
    assert stopped.is_set()
    await bench.close()


async def test_a_cancelled_run_stops_its_nodes(tmp_path: Path) -> None:
    gate = Gate()
    bench = WorkflowBench(tmp_path, {"act": gate})
    run = await bench.start(one(node("act", "tool", tool="act")))
    await gate.begun.wait()
    assert (await bench.bench.runs.cancel(bench.bench.scope, run.id)).outcome == "cancelled"
    await bench.close()


async def test_a_node_that_gives_too_much_fails(tmp_path: Path) -> None:
    async def much(_given: Mapping[str, Any], _key: str) -> str:
        return "x" * 5_000_000

    bench = WorkflowBench(tmp_path, {"act": much})
    ended = await bench.ended(await bench.start(one(node("act", "tool", tool="act"))))
    assert ended.outcome == "failed"
    await bench.close()


async def test_a_large_output_reaches_the_next_node_after_a_restart(tmp_path: Path) -> None:
    async def much(_given: Mapping[str, Any], _key: str) -> str:
        return "x" * 500_000

    flow = workflow(
        [
            node("start", "start"),
            node("act", "tool", tool="act"),
            node("ask", "ask_user", prompt="?"),
            node("end", "end", text="{{ act.text | length }}"),
        ],
        "start > act > ask > end",
    )
    bench = WorkflowBench(tmp_path, {"act": much})
    run = await bench.start(flow)
    (asked,) = await bench.open_requests(run, 1)
    await bench.state(run, "waiting")
    await bench.answer(asked, "x")
    ended = await bench.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "500000"
    await bench.close()


async def test_a_workflow_waits_until_a_time(tmp_path: Path) -> None:
    until = datetime.now(UTC) + timedelta(seconds=0.2)
    bench = WorkflowBench(tmp_path)
    flow = workflow(
        [node("start", "start"), node("nap", "wait", until="{{ inputs.at }}"), node("end", "end", text="up")],
        "start > nap > end",
        inputs=[{"name": "at"}],
    )
    run = await bench.ended(await bench.start(flow, {"at": until.isoformat()}))
    assert run.finished_at is not None
    assert run.finished_at >= until
    assert [event.body.until for event in await bench.log(run) if isinstance(event.body, NodeWaiting)]
    await bench.close()


async def test_a_run_that_was_told_of_no_workflow_fails_clearly(tmp_path: Path) -> None:
    bench = WorkflowBench(tmp_path)
    conversation = await bench.bench.conversations.create(bench.bench.scope)
    ask = Ask(text="x", agent="workflow", mode="workflow")
    ended = await bench.ended(await bench.bench.runs.start(bench.bench.scope, conversation.id, ask))
    assert ended.failure is not None
    assert ended.failure.code == "workflow_unknown"
    await bench.close()


async def test_branches_work_at_the_same_time(tmp_path: Path) -> None:
    gates = {name: Gate(name) for name in ("a", "b", "c")}
    names = list(gates)
    flow = workflow(
        [
            node("start", "start"),
            *(node(name, "tool", tool=name) for name in names),
            node("all", "join"),
            node("end", "end", text="{{ all | length }}"),
        ],
        *(f"start > {name} > all" for name in names),
        "all > end",
    )
    bench = WorkflowBench(tmp_path, gates)
    run = await bench.start(flow)
    await asyncio.gather(*(gate.begun.wait() for gate in gates.values()))
    for gate in gates.values():
        gate.free.set()
    ended = await bench.ended(run)
    assert ended.answer is not None
    assert ended.answer.text == "3"
    await bench.close()
