"""The tool `query_database`: one reading SQL statement on the conversation's files or on a configured database."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from tablewright.data.sql.base import DEFAULT_ROWS, MAX_ROWS, Databases, Dialect, Parameter, QueryRows
from tablewright.domain.events import EventBody
from tablewright.domain.events.steps import OutputTable
from tablewright.domain.language import Language
from tablewright.domain.naming import free_name
from tablewright.domain.table import Cell, Table
from tablewright.errors import TablewrightError
from tablewright.models.base import ToolSpec
from tablewright.texts.errors import describe
from tablewright.tools.base import KeptRows, ResponseFormat, ToolContext, ToolResult
from tablewright.tools.described import described
from tablewright.tools.prompt_files import phrase
from tablewright.tools.shaping import Cap

PRIMARY = "primary"
CAP = Cap(rows=MAX_ROWS, chars=18_000)
TABLE_ROWS = 200
"""The most rows that a person is shown."""
CELL_CHARS = 300
DIALECTS: Mapping[Dialect, str] = {
    "postgres": "PostgreSQL",
    "mysql": "MariaDB/MySQL",
    "sqlite": "SQLite",
    "duckdb": "DuckDB",
}
NAME = "query_database"
SAVE_AS = "save_as"
_ARGUMENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "query": ("query_database_query", {"type": "string", "minLength": 1}),
    "connection": ("query_database_connection", {"type": "string", "default": PRIMARY}),
    "params": ("query_database_params", {"type": "object", "default": {}}),
    "max_rows": (
        "query_database_rows",
        {"type": "integer", "minimum": 1, "maximum": MAX_ROWS, "default": DEFAULT_ROWS},
    ),
    SAVE_AS: ("query_database_save_as", {"type": "string", "minLength": 1}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    query: str
    connection: str
    params: Mapping[str, Parameter]
    max_rows: int
    response_format: ResponseFormat
    save_as: str | None = None


class QueryDatabase:
    """Implements `Tool`; the databases are those of the run."""

    @property
    def spec(self) -> ToolSpec:
        return self.spec_in("en")

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        return described(NAME, language, _ARGUMENTS, ("query",))

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        if not all(map(_is_value, arguments.get("params", {}).values())):
            yield ToolResult(text=phrase("query_database_params_wrong", context.language), failed=True)
            return
        if context.databases is None:
            yield ToolResult(text=phrase("query_database_none", context.language), failed=True)
            return
        call = _call(arguments)
        try:
            dialect, found = await _queried(call, context.databases)
        except TablewrightError as error:
            yield ToolResult(text=describe(error, context.language), detail=str(error), failed=True)
            return
        rows = found.rows[:TABLE_ROWS]
        yield OutputTable(table=Table(columns=found.columns, rows=rows, total_rows=len(found.rows)))
        kept = await _kept(call.save_as, found, context)
        words = [_text(call, dialect, found)]
        if kept is not None:
            words.append(phrase("query_database_saved", context.language, name=kept.name, rows=kept.rows))
        yield ToolResult(text="\n".join(words), kept=kept)


async def _queried(call: _Call, databases: Databases) -> tuple[Dialect, QueryRows]:
    database = await databases.open(call.connection)
    try:
        return database.dialect, await database.query(call.query, call.params, max_rows=call.max_rows)
    finally:
        await database.close()


def _is_value(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def _call(arguments: Mapping[str, Any]) -> _Call:
    return _Call(
        query=arguments["query"],
        connection=arguments.get("connection", PRIMARY),
        params=arguments.get("params", {}),
        max_rows=arguments.get("max_rows", DEFAULT_ROWS),
        response_format=cast(ResponseFormat, arguments.get("response_format", "standard")),
        save_as=arguments.get(SAVE_AS),
    )


async def _kept(name: str | None, found: QueryRows, context: ToolContext) -> KeptRows | None:
    """Leave the rows in a file of the conversation, an object of columns in JSON; None if that is not wanted."""
    if name is None:
        return None
    columns = {own: [row[place] for row in found.rows] for place, own in enumerate(_unique(found.columns))}
    content = json.dumps(columns, ensure_ascii=False).encode()
    named = name if name.endswith(".json") else f"{name}.json"
    made = await context.artifacts.put(named, "application/json", content)
    return KeptRows(name=made.name, rows=len(found.rows), truncated=found.truncated)


def _unique(names: tuple[str, ...]) -> list[str]:
    made: dict[str, None] = {}
    for name in names:
        made[free_name(name, made)] = None
    return list(made)


def _text(call: _Call, dialect: Dialect, found: QueryRows) -> str:
    """Return the result as the model reads it: what it is, a markdown table, and what was left out."""
    most_rows, most_chars = CAP.rows_of(call.response_format), CAP.chars_of(call.response_format)
    count = f"{len(found.rows)} rows" + (f" (there are more; max_rows is {call.max_rows})" if found.truncated else "")
    head = f"{call.connection} ({DIALECTS[dialect]}): {count} × {len(found.columns)} columns"
    named = (f"{_one_line(name)} {kind}".strip() for name, kind in zip(found.columns, found.types, strict=True))
    types = ", ".join(named)
    lines = [_line(found.columns), _line(["---"] * len(found.columns))]
    size = sum(map(len, lines))
    shown = 0
    for row in found.rows[:most_rows]:
        line = _line(row)
        if shown and size + len(line) > most_chars:
            break
        lines.append(line)
        size += len(line)
        shown += 1
    left = len(found.rows) - shown
    notes = [f"… {left} more rows are not shown; aggregate, filter, or ask with response_format full."] if left else []
    return "\n".join([head, f"Types: {types}", "", *lines, *notes])


def _one_line(words: str) -> str:
    return " ".join(words.split())[:CELL_CHARS]


def _line(cells: tuple[Cell, ...] | list[str]) -> str:
    """Return a row of a markdown table; a cell keeps to its place, whatever it holds."""
    shown = ("" if cell is None else _one_line(str(cell)).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(shown)} |"
