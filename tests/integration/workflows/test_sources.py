"""What nodes read: databases, of which they tell how many rows there are, and files, which may be deleted meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.patience import found
from tests.support.service_bench import Items
from tests.support.workflow_bench import WorkflowBench, node, workflow

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.data.sql.memory import MemoryDatabases, memory_database
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted
from tablewright.domain.run import Run
from tablewright.texts.errors import error_text
from tablewright.workflows.base import NodeServices
from tablewright.workflows.context_services import ContextServices

ORDERS = "CREATE TABLE orders (id INTEGER, city TEXT); " + "".join(
    f"INSERT INTO orders VALUES ({number}, 'x'); " for number in range(25)
)


def of_databases(given: AgentInput, context: AgentContext) -> NodeServices:
    databases = MemoryDatabases({"primary": memory_database(ORDERS)})
    return ContextServices(given, replace(context, databases=databases))


def of_run(given: AgentInput, context: AgentContext) -> NodeServices:
    return ContextServices(given, context)


def querying(query: str, rows: int) -> Any:
    read = node("read", "database", query=query, max_rows=rows, parameters={"least": 5})
    end = node("end", "end", outputs={"read": "{{ read }}"})
    return workflow([node("start", "start"), read, end], "start > read > end")


@pytest.mark.parametrize(
    ("query", "rows", "total", "truncated"),
    [
        ("SELECT id FROM orders WHERE id >= :least ORDER BY id -- all of them", 10, 20, True),
        ("SELECT id FROM orders WHERE id >= :least;", 3, 20, True),
        ("SELECT id FROM orders WHERE id >= :least", 20, 20, False),
        ("SHOW TABLES", 1, 1, False),
    ],
)
async def test_a_query_tells_how_many_rows_there_are_also_of_those_it_left_out(
    tmp_path: Path, query: str, rows: int, total: int, truncated: bool
) -> None:
    bench = WorkflowBench(tmp_path, services=of_databases)
    ended = await bench.ended(await bench.start(querying(query, rows)))
    assert ended.answer is not None, ended.failure
    read = ended.answer.outputs["read"]
    assert (len(read["rows"]), read["total"], read["truncated"]) == (min(rows, total), total, truncated)
    assert ended.answer.table is not None
    assert ended.answer.table.total_rows == total
    await bench.close()


async def content() -> AsyncIterator[bytes]:
    yield b"a\n1\n"


async def answers(_given: AgentInput, _context: AgentContext) -> Items:
    yield AnswerCompleted(answer=Answer(text="read", outcome="completed"))


@pytest.mark.parametrize(
    "reading", [node("act", "code", code="result = 1"), node("act", "agent", question="?", agent="reader")]
)
async def test_a_node_that_needs_a_file_that_was_deleted_says_which(tmp_path: Path, reading: dict[str, Any]) -> None:
    bench = WorkflowBench(tmp_path, services=of_run, agents={"reader": answers})
    flow = workflow(
        [node("start", "start"), node("ask", "ask_user", prompt="?"), reading, node("end", "end", text="x")],
        "start > ask > act > end",
        inputs=[{"name": "sales", "kind": "file"}],
    )

    async def asked(run: Run) -> Any:
        now = await bench.bench.runs.requests(bench.bench.scope, run.id)
        return now[0] if now else None

    file = await bench.bench.files.upload(bench.bench.scope, name="sales.csv", content=content())
    run = await bench.start(flow, {"sales": file.id}, file_ids=(file.id,))
    request = await found(lambda: asked(run))
    await bench.bench.files.delete(bench.bench.scope, file.id)
    await bench.answer(request, "go on")
    ended = await bench.state(run, "finished")
    assert ended.failure is not None
    assert (ended.outcome, ended.failure.params["node"]) == ("failed", "act")
    assert "sales" in error_text(ended.failure.code, "en", ended.failure.params)
    assert "已被删除：sales" in error_text(ended.failure.code, "zh", ended.failure.params)
    await bench.close()
