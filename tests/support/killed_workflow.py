"""A workflow with a loop, branches, questions and another agent, whose tools leave traces of what they did outside."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.patience import found
from tests.support.service_bench import Items
from tests.support.workflow_bench import WorkflowBench, node, workflow

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, NodeFinished, NodeOutput, NodeStarted
from tablewright.domain.run import Run
from tablewright.service.runs.leases import process_alive
from tablewright.store.run_store import Instance
from tablewright.store.sql import SqlStore

FLOW = workflow(
    [
        node("start", "start"),
        node(
            "each",
            "loop",
            over="['a', 'b']",
            nodes=[
                node("one", "tool", tool="act", arguments={"word": "{{ item }}1"}),
                node("two", "tool", tool="act", arguments={"word": "{{ item }}2"}),
                node("asked", "ask_user", prompt="{{ item }}?"),
                node("all", "join"),
            ],
            edges=[{"source": name, "target": "all"} for name in ("one", "two", "asked")],
            collect="one.text ~ two.text ~ asked.text",
        ),
        node("helped", "agent", agent="helper", question="h"),
        node("beside", "ask_user", prompt="beside?"),
        node("both", "join"),
        node("last", "tool", tool="act", arguments={"word": "{{ helped.text }}"}),
        node("end", "end", text="{{ each['items'] | join(' ') }} {{ beside.text }} {{ last.text }}"),
    ],
    "start > each > both > last > end",
    "start > helped > both",
    "start > beside > both",
)
ANSWER = "a1a2<a?> b1b2<b?> <beside?> h!"
EFFECTS = {"each[0]/one#1", "each[0]/two#1", "each[1]/one#1", "each[1]/two#1", "last#1"}


async def helper(given: AgentInput, _context: AgentContext) -> Items:
    yield AnswerCompleted(answer=Answer(text=f"{given.question}!", outcome="completed"))


def bench_on(store: SqlStore, folder: Path, instance: Instance) -> WorkflowBench:
    """Return a service of one process on the shared `store` and `folder`."""
    effects = folder / "effects"

    async def act(given: Mapping[str, Any], key: str) -> str:
        with effects.open("a") as file:
            file.write(f"{key}\n")
        return str(given["word"])

    return WorkflowBench(
        folder, {"act": act}, agents={"helper": helper}, store=store, instance=instance, alive=process_alive
    )


async def answered(bench: WorkflowBench, run: Run) -> Run:
    """Answer whatever is asked until the run has ended, and return it."""

    async def look() -> Run | None:
        for asked in await bench.bench.runs.requests(bench.bench.scope, run.id):
            if asked.answer is None:
                await bench.answer(asked, f"<{asked.prompt}>")
        now = await bench.bench.runs.get(bench.bench.scope, run.id)
        return now if now.state == "finished" else None

    return await found(look)


async def whole(bench: WorkflowBench, run: Run, folder: Path) -> None:
    """Assert that the run ended as if nothing had happened: nothing lost, nothing doubled."""
    ended = await bench.bench.runs.get(bench.bench.scope, run.id)
    assert ended.answer is not None, ended.failure
    assert ended.answer.text == ANSWER
    events = await bench.bench.events(run)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    own = [event.body for event in events if event.run_id == run.id]
    for kind in (NodeStarted, NodeOutput, NodeFinished):
        places = [(body.path, body.node_id) for body in own if isinstance(body, kind)]
        assert len(places) == len(set(places)), kind
    assert len(await bench.bench.runs.requests(bench.bench.scope, run.id)) == 3
    assert len(await bench.bench.store.runs.children(bench.bench.scope, run.id)) == 1
    did = (folder / "effects").read_text().split()
    assert set(did) == EFFECTS
    assert len(did) <= len(EFFECTS) + 2  # what had begun when its process died begins again, under its key
