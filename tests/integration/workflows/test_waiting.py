"""Workflows that stop to ask, several questions at a time, in branches, loops and other workflows: each is one that
others lose, double or mix up (the numbers are those of their reports)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.databases import sqlite_url
from tests.support.workflow_bench import Gate, WorkflowBench, node, workflow

from tablewright.domain.events import NodeStarted
from tablewright.domain.run import RequestAnswer
from tablewright.domain.workflow import Workflow
from tablewright.store.base import Store
from tablewright.store.sql import SqlStore


@pytest.fixture
async def store(tmp_path: Path) -> Any:
    opened = SqlStore(sqlite_url(tmp_path / "store.db"))
    await opened.open()
    yield opened
    await opened.close()


def two_forms() -> Workflow:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    return workflow(
        [
            node("start", "start"),
            node("left", "ask_user", form="form", prompt="left?", schema=schema),
            node("right", "ask_user", form="form", prompt="right?", schema=schema),
            node("both", "join"),
            node("end", "end", text="{{ left['values'].n }} {{ right['values'].n }}"),
        ],
        "start > left > both > end",
        "start > right > both",
    )


def by_prompt(requests: Any) -> dict[str, Any]:
    return {request.prompt: request for request in requests}


async def test_two_forms_submitted_at_once_both_count(tmp_path: Path, store: Store) -> None:
    """dify 42103."""
    bench = WorkflowBench(tmp_path, store=store)
    run = await bench.start(two_forms())
    asked = by_prompt(await bench.open_requests(run, 2))
    await asyncio.gather(bench.answer(asked["left?"], n=1), bench.answer(asked["right?"], n=2))
    ended = await bench.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "1 2"
    assert sorted(await bench.places(run)) == ["both", "end", "left", "right", "start"]
    await bench.close()


async def test_an_answer_that_comes_while_another_branch_ends_is_not_lost(tmp_path: Path, store: Store) -> None:
    """mastra 10746."""
    gate = Gate("a")
    flow = workflow(
        [
            node("start", "start"),
            node("slow", "tool", tool="slow"),
            node("first", "ask_user", prompt="first?"),
            node("second", "ask_user", prompt="second?"),
            node("both", "join"),
            node("end", "end", text="{{ slow.text }} {{ first.text }} {{ second.text }}"),
        ],
        "start > slow > both > end",
        "start > first > second > both",
    )
    bench = WorkflowBench(tmp_path, {"slow": gate}, store=store)
    run = await bench.start(flow)
    (first,) = await bench.open_requests(run, 1)
    await gate.begun.wait()
    await bench.answer(first, "b")  # the run works: the answer reaches it there
    (second,) = await bench.open_requests(run, 1)
    assert second.prompt == "second?"
    gate.free.set()
    await bench.answer(second, "c")
    ended = await bench.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "a b c"
    await bench.close()


async def test_a_branch_that_has_ended_stays_ended_when_another_is_answered(tmp_path: Path, store: Store) -> None:
    """mastra 9288."""
    bench = WorkflowBench(tmp_path, store=store)
    run = await bench.start(two_forms())
    asked = by_prompt(await bench.open_requests(run, 2))
    await bench.answer(asked["left?"], n=1)
    await bench.state(run, "waiting")
    await bench.answer(asked["right?"], n=2)
    ended = await bench.ended(run)
    assert ended.outcome == "completed", ended.failure
    begun = await bench.places(run, NodeStarted)
    assert sorted(begun) == sorted(set(begun))
    assert len(await bench.bench.runs.requests(bench.bench.scope, run.id)) == 2
    await bench.close()


async def test_each_turn_of_a_loop_asks_anew(tmp_path: Path, store: Store) -> None:
    """mastra 6323."""
    flow = workflow(
        [
            node("start", "start"),
            node(
                "each",
                "loop",
                over="[1, 2, 3]",
                nodes=[node("ask", "ask_user", prompt="{{ item }}?")],
                collect="ask.text",
            ),
            node("end", "end", text="{{ each['items'] | join(' ') }}"),
        ],
        "start > each > end",
    )
    bench = WorkflowBench(tmp_path, store=store)
    run = await bench.start(flow)
    for number, said in enumerate(("x", "y", "z"), 1):
        (asked,) = await bench.open_requests(run, 1)
        assert asked.prompt == f"{number}?"
        await bench.answer(asked, said)
    ended = await bench.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "x y z"
    await bench.close()


async def test_a_restart_with_only_the_third_branch_open_runs_only_that(tmp_path: Path, store: Store) -> None:
    """mastra 18755."""
    calls: list[str] = []

    async def count(given: Mapping[str, Any], key: str) -> str:
        calls.append(key)
        return str(given["word"])

    flow = workflow(
        [
            node("start", "start"),
            node("a", "tool", tool="count", arguments={"word": "a"}),
            node("b", "tool", tool="count", arguments={"word": "b"}),
            node("c", "ask_user", prompt="c?"),
            node("all", "join"),
            node("end", "end", text="{{ a.text }}{{ b.text }}{{ c.text }}"),
        ],
        "start > a > all > end",
        "start > b > all",
        "start > c > all",
    )
    one = WorkflowBench(tmp_path, {"count": count}, store=store)
    run = await one.start(flow)
    (asked,) = await one.open_requests(run, 1)
    await one.state(run, "waiting")
    await one.close()
    other = WorkflowBench(tmp_path, {"count": count}, store=store)
    await other.bench.runs.open_up()
    await other.answer(asked, "c")
    ended = await other.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "abc"
    assert sorted(calls) == ["a#1", "b#1"]
    await other.close()


async def test_a_question_within_another_workflow_gets_its_own_answer(tmp_path: Path, store: Store) -> None:
    """mastra 16476."""
    inner = workflow(
        [
            node("start", "start"),
            node("ask", "ask_user", prompt="{{ inputs.what }}?"),
            node("end", "end", text="{{ ask.text }}", outputs={"said": "{{ ask.text }}"}),
        ],
        "start > ask > end",
        name="inner",
        inputs=[{"name": "what"}],
    )
    flow = workflow(
        [
            node("start", "start"),
            node("outer", "ask_user", prompt="outer?"),
            node("sub", "sub_workflow", workflow="inner", inputs={"what": "inner of {{ outer.text }}"}),
            node("end", "end", text="{{ outer.text }} {{ sub.outputs.said }}"),
        ],
        "start > outer > sub > end",
    )
    bench = WorkflowBench(tmp_path, workflows=[inner], store=store)
    run = await bench.start(flow)
    (outer,) = await bench.open_requests(run, 1)
    await bench.answer(outer, "one")
    (asked,) = await bench.open_requests(run, 1)
    assert asked.prompt == "inner of one?"
    assert asked.run_id != run.id
    await bench.state(run, "waiting")  # it holds nothing while the other run waits
    given = RequestAnswer(decision="answer", text="two")
    await bench.bench.runs.answer(bench.bench.scope, run.id, asked.id, given)  # through the top run
    ended = await bench.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "one two"
    await bench.close()


async def test_after_an_answer_all_nodes_behind_the_question_run(tmp_path: Path, store: Store) -> None:
    """sim 2727."""
    flow = workflow(
        [
            node("start", "start"),
            node("ask", "ask_user", prompt="?"),
            *(node(name, "template", text=name + "{{ ask.text }}") for name in ("a", "b", "c")),
            node("all", "join"),
            node("end", "end", text="{{ a.text }} {{ b.text }} {{ c.text }}"),
        ],
        "start > ask > a > all > end",
        "ask > b > all",
        "ask > c > all",
    )
    bench = WorkflowBench(tmp_path, store=store)
    run = await bench.start(flow)
    (asked,) = await bench.open_requests(run, 1)
    await bench.state(run, "waiting")
    await bench.answer(asked, "1")
    ended = await bench.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "a1 b1 c1"
    await bench.close()


async def test_a_node_that_fails_in_a_branch_of_a_loop_fails_the_run(tmp_path: Path, store: Store) -> None:
    """nocobase 2703."""
    flow = workflow(
        [
            node("start", "start"),
            node(
                "each",
                "loop",
                over="[1, 2]",
                nodes=[node("fine", "template", text="{{ item }}"), node("wrong", "template", text="{{ 1 // 0 }}")],
            ),
            node("end", "end", text="done"),
        ],
        "start > each > end",
    )
    bench = WorkflowBench(tmp_path, store=store)
    ended = await bench.ended(await bench.start(flow))
    assert ended.outcome == "failed"
    assert ended.failure is not None
    assert ended.failure.code == "node_failed"
    assert ended.failure.params["node"] == "each[0]/wrong"
    assert ended.answer is None
    await bench.close()


async def test_what_ended_beside_a_question_is_there_after_the_answer(tmp_path: Path, store: Store) -> None:
    """iterion 557."""
    gate = Gate("late")
    flow = workflow(
        [
            node("start", "start"),
            node("slow", "tool", tool="slow"),
            node("ask", "ask_user", prompt="?"),
            node("end", "end", text="{{ slow.text }} {{ ask.text }}"),
        ],
        "start > slow > end",
        "start > ask > end",
    )
    one = WorkflowBench(tmp_path, {"slow": gate}, store=store)
    run = await one.start(flow)
    (asked,) = await one.open_requests(run, 1)
    gate.free.set()
    await one.state(run, "waiting")
    await one.close()
    other = WorkflowBench(tmp_path, {"slow": gate}, store=store)
    await other.answer(asked, "now")
    ended = await other.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "late now"
    assert (await other.places(run)).count("slow") == 1
    await other.close()
