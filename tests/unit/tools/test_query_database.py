"""The tool answers with rows, or with a failed result that names the remedy."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.unit.tools.test_toolset import CONTEXT

from tablewright.data.sql.conformance import EXAMPLE, HOSTILE
from tablewright.data.sql.memory import MemoryDatabases, memory_database
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import EventBody
from tablewright.domain.events.steps import OutputTable
from tablewright.tools.base import KeptRows, ToolContext, ToolResult
from tablewright.tools.query_database import QueryDatabase
from tablewright.tools.toolset import Toolset


def context(**changes: Any) -> ToolContext:
    database = memory_database(";\n".join(EXAMPLE))
    given = {name: getattr(CONTEXT, name) for name in ("run_id", "language", "artifacts", "clock", "ids")}
    return ToolContext(**{**given, "databases": MemoryDatabases({"primary": database}), **changes})


async def called(arguments: dict[str, Any], **changes: Any) -> tuple[list[OutputTable], ToolResult]:
    items = [item async for item in QueryDatabase().call(arguments, context(**changes))]
    assert isinstance(items[-1], ToolResult)
    return [item for item in items[:-1] if isinstance(item, OutputTable)], items[-1]


async def test_rows_are_a_table_for_the_model_and_for_the_person() -> None:
    tables, result = await called(
        {"query": "SELECT id, name FROM customers WHERE id < :most ORDER BY id", "params": {"most": 3}}
    )
    assert not result.failed
    assert result.text.splitlines() == [
        "primary (SQLite): 2 rows × 2 columns",
        "Types: id integer, name text",
        "",
        "| id | name |",
        "| --- | --- |",
        "| 1 | 王芳 |",
        "| 2 | O'Brien 100% |",
    ]
    assert tables[0].table.rows == ((1, "王芳"), (2, "O'Brien 100%"))


async def test_what_is_left_out_is_said() -> None:
    _, result = await called({"query": "SELECT id FROM orders", "max_rows": 2})
    assert "2 rows (there are more; max_rows is 2)" in result.text
    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT i FROM n"
    for shape, left in (("brief", 45), ("standard", 30), ("full", 0)):
        _, result = await called({"query": many, "response_format": shape})
        assert ("more rows are not shown" in result.text) == bool(left)
        assert not left or f"… {left} more" in result.text


async def test_a_hostile_cell_keeps_to_its_place() -> None:
    _, result = await called({"query": f'SELECT * FROM "{HOSTILE}"'})
    assert not result.failed
    assert len(result.text.splitlines()) == 6


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "the argument query is missing"),
        ({"query": 5}, "the argument query is 5"),
        ({"query": "SELECT 1", "max_rows": 0}, "the argument max_rows is 0"),
        ({"query": "SELECT 1", "max_rows": True}, "the argument max_rows is"),
        ({"query": "SELECT 1", "params": {"a": [1]}}, "params: each :name needs"),
        ({"query": "SELECT 1", "response_format": "long"}, "the argument response_format is"),
        ({"query": "SELECT 1", "rows": 3}, "rows"),
        ({"query": "SELECT 1", "connection": "shop"}, "no database “shop”. Choose one of: primary"),
        ({"query": "SELECT * FROM custmers"}, "no table “custmers”. There are: customers"),
        ({"query": "DELETE FROM orders"}, "DELETE is not a query"),
        ({"query": "SELECT * FROM orders WHERE id = :id"}, "no value for :id"),
        ({"query": "SELECT load_extension('x')"}, "load_extension is not among"),
    ],
)
async def test_a_failure_names_the_remedy(arguments: dict[str, Any], said: str) -> None:
    seen: list[EventBody] = []
    result = await Toolset([QueryDatabase()]).call("query_database", arguments, context(), seen.append)
    assert result.failed
    assert said in result.text
    assert not seen


async def test_without_databases_it_says_so() -> None:
    _, result = await called({"query": "SELECT 1"}, databases=None)
    assert result.failed


async def test_rows_are_kept_as_a_file_of_columns() -> None:
    sink = KeptFiles()
    _, result = await called(
        {"query": "SELECT id, name FROM customers ORDER BY id", "max_rows": 2, "save_as": "few"}, artifacts=sink
    )
    assert result.kept == KeptRows(name="few.json", rows=2, truncated=True)
    assert "few.json" in result.text
    assert json.loads(sink.contents["few.json"]) == {"id": [1, 2], "name": ["王芳", "O'Brien 100%"]}


class KeptFiles:
    """Keeps files in memory."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}

    async def put(self, name: str, mime: str, content: bytes) -> ArtifactRef:
        self.contents[name] = content
        return ArtifactRef(id=name, name=name, mime=mime, size_bytes=len(content))
