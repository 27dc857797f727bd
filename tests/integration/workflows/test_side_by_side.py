"""Runs of branches that begin at the same time share what the run may use."""

from __future__ import annotations

from pathlib import Path

from tests.support.databases import sqlite_url
from tests.support.workflow_bench import WorkflowBench, node, workflow

from tablewright.store.sql import SqlStore


async def test_branches_that_begin_at_once_take_nothing_from_each_other(tmp_path: Path) -> None:
    store = SqlStore(sqlite_url(tmp_path / "store.db"))
    await store.open()
    names = [f"inner{number}" for number in range(6)]
    inner = workflow([node("start", "start"), node("end", "end", text="in")], "start > end", name="inner")
    nodes = [node(name, "sub_workflow", workflow="inner") for name in names]
    flow = workflow(
        [node("start", "start"), *nodes, node("end", "end", text="x")], *(f"start > {name} > end" for name in names)
    )
    bench = WorkflowBench(tmp_path, workflows=[inner], store=store)
    ended = await bench.state(await bench.start(flow), "finished")
    assert ended.outcome == "completed", ended.failure
    await bench.close()
    await store.close()
