"""Questions that expire: the node goes on with its default or by its own way, once, and a late answer is refused."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.integration.workflows.test_times import SetClock
from tests.support.databases import sqlite_url
from tests.support.workflow_bench import Gate, WorkflowBench, node, workflow

from tablewright.domain.workflow import Workflow
from tablewright.errors import Conflict
from tablewright.store.base import Store
from tablewright.store.sql import SqlStore

T0 = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
async def store(tmp_path: Path) -> Any:
    opened = SqlStore(sqlite_url(tmp_path / "store.db"))
    await opened.open()
    yield opened
    await opened.close()


def asking(**more: Any) -> Workflow:
    ask = node("ask", "ask_user", prompt="?", **more)
    said = "{{ ask.text | default('nobody') }} {{ ask.expired }}"
    return workflow([node("start", "start"), ask, node("end", "end", text=said)], "start > ask > end")


def two_ways() -> Workflow:
    return workflow(
        [
            node("start", "start"),
            node("ask", "ask_user", prompt="?", expires_s=3_600),
            node("heard", "template", text="{{ ask.text }}"),
            node("late", "template", text="nobody"),
            node("end", "end", text="{{ heard.text | default(late.text) }}"),
        ],
        "start > ask:answered > heard > end",
        "ask:expired > late > end",
    )


async def text_of(bench: WorkflowBench, run: Any) -> str:
    ended = await bench.state(run, "finished")
    assert ended.answer is not None, ended.failure
    return ended.answer.text


async def test_a_question_that_nobody_answers_goes_on_with_its_default_after_a_restart(
    tmp_path: Path, store: Store
) -> None:
    clock = SetClock(T0)
    one = WorkflowBench(tmp_path, store=store, clock=clock)
    run = await one.start(asking(expires_s=3_600, default="mine"))
    (asked,) = await one.open_requests(run, 1)
    assert asked.expires_at == T0 + HOUR
    assert (await one.state(run, "waiting")).wake_at == T0 + HOUR
    await one.close()
    other = WorkflowBench(tmp_path, store=store, clock=clock)
    await clock.advance(3_600)
    await other.bench.leases.wake_due()
    assert await text_of(other, run) == "mine true"
    (closed,) = await other.bench.runs.requests(other.bench.scope, run.id)
    assert closed.answer is not None
    assert (closed.answer.decision, closed.answered_by, closed.answered_at) == ("expired", "expiry", T0 + HOUR)
    await other.close()


async def test_a_late_answer_is_refused_also_before_anybody_has_closed_the_question(
    tmp_path: Path, store: Store
) -> None:
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, store=store, clock=clock)
    run = await bench.start(two_ways())
    (asked,) = await bench.open_requests(run, 1)
    await bench.state(run, "waiting")
    await clock.advance(3_600)
    with pytest.raises(Conflict) as refused:
        await bench.answer(asked, "late")
    assert refused.value.params["detail"] == "request_expired" or "request_expired" in str(refused.value.params)
    await bench.bench.leases.wake_due()
    assert await text_of(bench, run) == "nobody"
    with pytest.raises(Conflict):
        await bench.answer(asked, "later")
    assert "heard" not in await bench.places(run)
    await bench.close()


async def test_an_answer_in_time_goes_its_own_way_and_nothing_expires(tmp_path: Path, store: Store) -> None:
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, store=store, clock=clock)
    run = await bench.start(two_ways())
    (asked,) = await bench.open_requests(run, 1)
    await bench.state(run, "waiting")
    await clock.advance(3_599)
    await bench.answer(asked, "here")
    assert await text_of(bench, run) == "here"
    await clock.advance(10)
    await bench.bench.leases.wake_due()
    assert "late" not in await bench.places(run)
    await bench.close()


async def test_an_answer_and_the_expiry_at_the_same_time_come_to_one_of_both(tmp_path: Path, store: Store) -> None:
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, store=store, clock=clock)
    run = await bench.start(two_ways())
    (asked,) = await bench.open_requests(run, 1)
    await bench.state(run, "waiting")
    await clock.advance(3_599)
    answering = asyncio.create_task(bench.answer(asked, "here"))
    await clock.advance(1)
    await bench.bench.leases.wake_due()
    (result,) = await asyncio.gather(answering, return_exceptions=True)
    await bench.bench.leases.wake_due()
    said = await text_of(bench, run)
    assert said == ("nobody" if isinstance(result, Conflict) else "here")
    await bench.close()


async def test_a_question_expires_while_another_branch_works(tmp_path: Path, store: Store) -> None:
    gate = Gate("slow")
    flow = workflow(
        [
            node("start", "start"),
            node("slow", "tool", tool="slow"),
            node("ask", "ask_user", prompt="?", expires_s=60, default="d"),
            node("next", "template", text="{{ ask.text }}"),
            node("end", "end", text="{{ slow.text }} {{ next.text }}"),
        ],
        "start > slow > end",
        "start > ask > next > end",
    )
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, {"slow": gate}, store=store, clock=clock)
    run = await bench.start(flow)
    await bench.open_requests(run, 1)
    await gate.begun.wait()
    await clock.advance(60)
    await bench.open_requests(run, 0)
    gate.free.set()
    assert await text_of(bench, run) == "slow d"
    await bench.close()


async def test_a_question_asked_again_keeps_its_expiry(tmp_path: Path, store: Store) -> None:
    clock = SetClock(T0)
    bench = WorkflowBench(tmp_path, store=store, clock=clock)
    run = await bench.start(asking(accepts="number", expires_s=3_600, default="7"))
    (first,) = await bench.open_requests(run, 1)
    await clock.advance(600)
    await bench.answer(first, "many")
    (second,) = await bench.open_requests(run, 1)
    assert second.expires_at == first.expires_at
    await bench.state(run, "waiting")
    await clock.advance(3_000)
    await bench.bench.leases.wake_due()
    assert await text_of(bench, run) == "7 true"
    await bench.close()


async def test_unattended_a_question_that_may_expire_does_so_at_once(tmp_path: Path) -> None:
    bench = WorkflowBench(tmp_path)
    run = await bench.start(two_ways(), approvals="auto")
    assert await text_of(bench, run) == "nobody"
    await bench.close()


CASES = [
    (
        {"accepts": "number", "minimum": 1, "maximum": 10},
        ["many", "0", "11", "nan"],
        " １，０００ ".replace("，０００", ""),
        1,
    ),
    ({"accepts": "number"}, ["1,00", ""], "1,234.5", 1234.5),
    ({"accepts": "date"}, ["tomorrow", "2026-02-30"], "2026年3月1日", "2026-03-01"),
    ({"pattern": "[A-Z]{3}-\\d+"}, ["ORD-1x", "ord-1", "x ORD-1"], "ORD-001", None),
    ({"min_length": 2, "max_length": 3}, ["a", "abcd"], "abc", None),
]


@pytest.mark.parametrize(("rules", "wrong", "right", "value"), CASES, ids=lambda value: str(value)[:20])
async def test_an_answer_in_words_that_does_not_fit_is_asked_for_again_with_the_reason(
    tmp_path: Path, rules: dict[str, Any], wrong: list[str], right: str, value: Any
) -> None:
    ask = node("ask", "ask_user", prompt="what?", **rules)
    end = node("end", "end", outputs={"said": "{{ ask }}"})
    bench = WorkflowBench(tmp_path)
    run = await bench.start(workflow([node("start", "start"), ask, end], "start > ask > end"))
    for words in wrong:
        (asked,) = await bench.open_requests(run, 1)
        await bench.answer(asked, words)
        (again,) = await bench.open_requests(run, 1)
        reason, _, prompt = again.prompt.partition("\n")
        assert (prompt, bool(reason)) == ("what?", True)
    (asked,) = await bench.open_requests(run, 1)
    assert asked.schema is not None
    await bench.answer(asked, right)
    ended = await bench.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.outputs["said"].get("value") == value
    await bench.close()


FORM = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}


@pytest.mark.parametrize(
    "rules",
    [
        {"default": " "},
        {"accepts": "number", "default": "x"},
        {"form": "choice", "options": ["a"], "default": "b"},
        {"form": "form", "schema": FORM, "default": '{"n": 0}'},
        {"form": "form", "schema": FORM, "default": "n"},
    ],
    ids=str,
)
@pytest.mark.parametrize("approvals", ["ask", "auto"])
async def test_a_default_that_is_no_answer_fails_the_node_instead_of_asking_for_ever(
    tmp_path: Path, rules: dict[str, Any], approvals: str
) -> None:
    bench = WorkflowBench(tmp_path)
    ended = await bench.ended(await bench.start(asking(**rules), approvals=approvals))
    assert ended.failure is not None
    assert ended.failure.code == "node_failed"
    await bench.close()


async def test_the_default_of_a_form_is_a_json_object(tmp_path: Path) -> None:
    ask = node("ask", "ask_user", prompt="?", form="form", schema=FORM, default='{"n": 3}')
    flow = workflow(
        [node("start", "start"), ask, node("end", "end", text="{{ ask['values'].n }}")], "start > ask > end"
    )
    bench = WorkflowBench(tmp_path)
    ended = await bench.ended(await bench.start(flow, approvals="auto"))
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "3"
    await bench.close()
