"""What a question of a workflow may be, who else asks, and what happens where nobody answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.databases import sqlite_url
from tests.support.service_bench import Items
from tests.support.workflow_bench import WorkflowBench, node, workflow

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, NodeFinished, QuestionAsked
from tablewright.domain.workflow import Workflow
from tablewright.store.base import Store
from tablewright.store.sql import SqlStore


@pytest.fixture
async def store(tmp_path: Path) -> Any:
    opened = SqlStore(sqlite_url(tmp_path / "store.db"))
    await opened.open()
    yield opened
    await opened.close()


def by_prompt(requests: Any) -> dict[str, Any]:
    return {request.prompt: request for request in requests}


async def test_an_agent_works_for_a_node_and_its_question_is_answered_through_the_top_run(
    tmp_path: Path, store: Store
) -> None:
    async def helper(given: AgentInput, _context: AgentContext) -> Items:
        if not given.answered and not any(event.body.type == "request.answered" for event in given.log):
            yield QuestionAsked(request_id=f"{given.run_id}-q", prompt=f"{given.question} which?")
            return
        words = given.answered[0].answer.text if given.answered and given.answered[0].answer else "?"
        yield AnswerCompleted(answer=Answer(text=f"{given.question} {words}", outcome="completed"))

    flow = workflow(
        [
            node("start", "start"),
            node("a", "agent", agent="helper", question="a"),
            node("b", "agent", agent="helper", question="b"),
            node("both", "join"),
            node("end", "end", text="{{ both.a.text }}; {{ both.b.text }}"),
        ],
        "start > a > both > end",
        "start > b > both",
    )
    bench = WorkflowBench(tmp_path, agents={"helper": helper}, store=store)
    run = await bench.start(flow)
    asked = by_prompt(await bench.open_requests(run, 2))
    await bench.state(run, "waiting")
    await bench.answer(asked["b which?"], "2")
    await bench.answer(asked["a which?"], "1")
    ended = await bench.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "a 1; b 2"
    await bench.close()


async def test_an_answer_that_does_not_fit_is_asked_for_again(tmp_path: Path, store: Store) -> None:
    flow = workflow(
        [
            node("start", "start"),
            node("ask", "ask_user", form="choice", prompt="which?", options=["Red", "Blue"]),
            node("red", "template", text="r"),
            node("blue", "template", text="b"),
            node("end", "end", text="{{ red.text | default(blue.text) }}"),
        ],
        "start > ask:Red > red > end",
        "ask:Blue > blue > end",
    )
    bench = WorkflowBench(tmp_path, store=store)
    run = await bench.start(flow)
    (first,) = await bench.open_requests(run, 1)
    await bench.answer(first, "green")
    (second,) = await bench.open_requests(run, 1)
    assert second.prompt.endswith("which?")
    assert second.prompt != "which?"
    await bench.answer(second, " blue ")
    ended = await bench.ended(run)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == "b"
    await bench.close()


async def test_unattended_the_default_answers_and_without_one_the_run_declines(tmp_path: Path) -> None:
    def asking(**more: Any) -> Workflow:
        ask = node("ask", "ask_user", prompt="?", **more)
        return workflow([node("start", "start"), ask, node("end", "end", text="{{ ask.text }}")], "start > ask > end")

    bench = WorkflowBench(tmp_path)
    with_default = await bench.ended(await bench.start(asking(default="mine"), approvals="auto"))
    assert with_default.answer is not None, with_default.failure
    assert with_default.answer.text == "mine"
    assert (await bench.ended(await bench.start(asking(), approvals="auto"))).outcome == "declined"
    await bench.close()


async def test_the_end_of_a_node_is_one_append_with_its_output(tmp_path: Path) -> None:
    flow = workflow([node("start", "start"), node("end", "end", text="x")], "start > end")
    bench = WorkflowBench(tmp_path)
    batches: list[list[str]] = []
    bench.bench.bus._observers = (lambda _scope, batch: batches.append([each.body.type for each in batch.events]),)
    await bench.ended(await bench.start(flow))
    ends = [batch for batch in batches if NodeFinished.__dataclass_fields__["type"].default in batch]
    assert ends
    assert all(batch.count("node.output") == batch.count("node.finished") for batch in ends)
    await bench.close()
