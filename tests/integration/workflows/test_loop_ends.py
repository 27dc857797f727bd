"""A loop has its own time and its own way with failures: what is in it ends with it, and the workflow goes on."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.patience import found
from tests.support.service_bench import Items
from tests.support.workflow_bench import Gate, WorkflowBench, edges, node, workflow

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, NodeStarted
from tablewright.domain.ids import ManualClock
from tablewright.domain.run import Run
from tablewright.domain.workflow import Workflow
from tablewright.errors import Conflict, NodeFailed
from tablewright.workflows.expressions.budget import DEADLINE
from tablewright.workflows.expressions.language import expression

SAID = "{{ each.error.code | default('fine') }} {{ each.error.params.node | default('') }}"


def looping(body: list[dict[str, Any]], *ways: str, text: str = SAID, **config: Any) -> Workflow:
    """Return a workflow with the loop `each` over two items, and an end that says how it ended."""
    loop = node("each", "loop", nodes=body, edges=edges(*ways), **{"over": "[0, 1]", **config})
    return workflow([node("start", "start"), loop, node("end", "end", text=text)], "start > each > end")


async def fails(_given: Mapping[str, Any], _key: str) -> str:
    raise NodeFailed(words="no")


async def fails_second(given: Mapping[str, Any], _key: str) -> str:
    if given["index"] == 1:
        raise NodeFailed(words="no")
    return "yes"


async def text_of(bench: WorkflowBench, run: Run) -> str:
    ended = await bench.state(run, "finished")
    assert ended.answer is not None, ended.failure
    return ended.answer.text


async def later(bench: WorkflowBench, run: Run, clock: ManualClock) -> Run:
    """Let time pass until the run has ended, and return it."""

    async def look() -> Run | None:
        await clock.advance(5)
        now = await bench.bench.runs.get(bench.bench.scope, run.id)
        return now if now.state == "finished" else None

    return await found(look)


ACT = node("act", "tool", tool="act", arguments={"index": "{{ index }}"})


async def test_a_loop_goes_on_in_spite_of_a_failure_in_it_if_it_says_so(tmp_path: Path) -> None:
    bench = WorkflowBench(tmp_path, {"act": fails_second})
    run = await bench.start(looping([ACT], on_error="continue"))
    assert await text_of(bench, run) == "node_failed each[1]/act"
    outputs = await bench.outputs(run)
    assert outputs["each"]["error"]["params"]["words"] == "no"
    assert outputs["each[0]/act"] == {"text": "yes"}
    await bench.close()


async def test_a_loop_that_says_nothing_fails_with_its_node_and_the_run_with_it(tmp_path: Path) -> None:
    bench = WorkflowBench(tmp_path, {"act": fails_second})
    ended = await bench.ended(await bench.start(looping([ACT])))
    assert (ended.outcome, ended.failure and ended.failure.params["node"]) == ("failed", "each[1]/act")
    assert (await bench.places(ended))[-2:] == ["each[1]/act", "each"]
    await bench.close()


async def test_a_failure_goes_outwards_to_the_first_loop_that_goes_on(tmp_path: Path) -> None:
    inner = node("inner", "loop", over="[0]", nodes=[ACT])
    bench = WorkflowBench(tmp_path, {"act": fails})
    run = await bench.start(looping([inner], on_error="continue"))
    assert await text_of(bench, run) == "node_failed each[0]/inner[0]/act"
    assert (await bench.places(run))[-4:] == ["each[0]/inner[0]/act", "each[0]/inner", "each", "end"]
    kept = await bench.start(looping([inner | {"on_error": "continue"}], text="{{ each.count }}"))
    assert await text_of(bench, kept) == "2"
    await bench.close()


async def test_what_still_works_or_asks_in_a_loop_ends_with_it(tmp_path: Path) -> None:
    gate, slow, stopped = Gate(), Gate(), asyncio.Event()

    async def act(given: Mapping[str, Any], key: str) -> str:
        if given["index"] == 1:
            await gate(given, key)
            raise NodeFailed(words="no")
        try:
            return str(await slow(given, key))
        except asyncio.CancelledError:
            stopped.set()
            raise

    body = [ACT, node("ask", "ask_user", prompt="?")]
    each = node("each", "loop", over="[0, 1]", concurrency=2, nodes=body, on_error="continue")
    more = node("last", "ask_user", prompt="and now?")
    flow = workflow([node("start", "start"), each, more, node("end", "end", text=SAID)], "start > each > last > end")
    bench = WorkflowBench(tmp_path, {"act": act})
    run = await bench.start(flow)
    await slow.begun.wait()
    asked = await bench.open_requests(run, 2)
    gate.free.set()
    await stopped.wait()

    async def asks_last() -> Any:
        left = [each for each in await bench.bench.runs.requests(bench.bench.scope, run.id) if each.answer is None]
        return left if [each.prompt for each in left] == ["and now?"] else None

    (last,) = await found(asks_last)
    for request in asked:
        with pytest.raises(Conflict):
            await bench.answer(request, "late")
    await bench.answer(last, "x")
    assert await text_of(bench, run) == "node_failed each[1]/act"
    await bench.close()


async def test_a_loop_whose_time_has_passed_fails_and_its_child_runs_work_no_longer(tmp_path: Path) -> None:
    began = asyncio.Event()

    async def thinks(_given: AgentInput, context: AgentContext) -> Items:
        began.set()
        await context.clock.sleep(1_000)
        yield AnswerCompleted(answer=Answer(text="done", outcome="completed"))

    clock = ManualClock()
    body = [node("think", "agent", question="?", agent="thinker", on_error="continue")]
    bench = WorkflowBench(tmp_path, agents={"thinker": thinks}, clock=clock)
    run = await bench.start(looping(body, timeout_s=60, on_error="continue"))
    begun_at = clock.now()
    await began.wait()
    ended = await later(bench, run, clock)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "node_failed each"
    assert 60 <= (clock.now() - begun_at).total_seconds() < 200
    (child,) = await bench.bench.store.runs.children(bench.bench.scope, run.id)
    assert child.outcome == "limit"
    await bench.close()


async def test_the_turns_of_a_loop_share_its_time_and_what_waits_takes_none(tmp_path: Path) -> None:
    clock = ManualClock()

    async def acts(given: Mapping[str, Any], _key: str) -> str:
        await clock.sleep(40)
        return str(given["index"])

    body = [node("ask", "ask_user", prompt="?"), ACT]
    bench = WorkflowBench(tmp_path, {"act": acts}, clock=clock)
    flow = looping(body, "ask > act", timeout_s=60, on_error="continue", text=SAID + " {{ each.error.params.detail }}")
    run = await bench.start(flow)
    ended = run
    for _ in range(2):
        (asked,) = await bench.open_requests(run, 1)
        await bench.state(run, "waiting")
        await clock.advance(10_000)
        await bench.answer(asked, "x")

        async def acting() -> Any:
            await clock.advance(5)
            places = await bench.places(run, NodeStarted)
            now = await bench.bench.runs.get(bench.bench.scope, run.id)
            return now if now.state in {"waiting", "finished"} and places[-1] != "each[0]/act" else None

        ended = await found(acting)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "node_failed each workflow_node_slow"
    places = await bench.places(run)
    assert "each[0]/act" in places
    assert "each[1]/act" not in places
    await bench.close()


SLOW = "(range(60000) | map('string') | sort | list | length) > 0"


async def test_a_condition_of_a_loop_that_takes_long_holds_up_nobody_else(tmp_path: Path) -> None:
    DEADLINE.set(60.0)  # on a busy machine it takes more than an expression may
    began = time.thread_time()
    assert expression(SLOW).evaluate({}) is True
    cost = time.thread_time() - began
    bench = WorkflowBench(tmp_path, {"act": fails_second})
    longest = 0.0

    async def turn() -> None:
        nonlocal longest
        before = time.thread_time()
        while True:
            await asyncio.sleep(0)
            longest, before = max(longest, time.thread_time() - before), time.thread_time()

    gc.collect()
    gc.disable()  # a look at all that the tests have loaded takes as long as the condition
    try:
        turning = asyncio.create_task(turn())
        run = await bench.start(looping([node("a", "parallel")], over=None, until=SLOW, text="{{ each.count }}"))
        assert await text_of(bench, run) == "1"
        turning.cancel()
    finally:
        gc.enable()
    assert longest < cost / 2
    await bench.close()


async def test_that_a_node_has_begun_is_stored_before_it_acts(tmp_path: Path) -> None:
    seen: list[str] = []

    async def act(_given: Mapping[str, Any], _key: str) -> str:
        seen.extend(await bench.places(run, NodeStarted))
        return ""

    bench = WorkflowBench(tmp_path, {"act": act})
    run = await bench.start(looping([ACT]))
    await text_of(bench, run)
    assert "each[0]/act" in seen
    await bench.close()
