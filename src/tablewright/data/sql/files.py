"""Database files, which are opened only in child processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tablewright.data.sql.base import Dialect, ExploreLimits, QueryRows
from tablewright.data.sql.children import QueryChildren
from tablewright.data.sql.engine import Catalogue, Statement
from tablewright.domain.codec import from_json

MODULE = "tablewright.data.sql.embedded"
QUERIES: Mapping[str, str] = {"sqlite": f"{MODULE}:sqlite_query", "duckdb": f"{MODULE}:duckdb_query"}
CATALOGUES: Mapping[str, str] = {"sqlite": f"{MODULE}:sqlite_catalogue", "duckdb": f"{MODULE}:duckdb_catalogue"}


class FileEngine:
    """Implements `Engine` on a SQLite or DuckDB file; `closing` is called when it is no longer needed."""

    def __init__(
        self,
        path: Path,
        dialect: Dialect,
        children: QueryChildren,
        *,
        name: str | None = None,
        closing: Callable[[], None] = lambda: None,
    ) -> None:
        self._path = path
        self._dialect = dialect
        self._children = children
        self._name = name or path.name
        self._closing = closing

    @property
    def dialect(self) -> Dialect:
        return self._dialect

    async def run(self, statement: Statement, *, max_rows: int, timeout_s: float) -> QueryRows:
        given = {"sql": statement.sql, "params": dict(statement.params), "max_rows": max_rows}
        found = await self._children.call(
            QUERIES[self._dialect], self._path, {"name": self._name, **given, "limit_s": timeout_s}, limit_s=timeout_s
        )
        return from_json(QueryRows, found)

    async def catalogue(self, limits: ExploreLimits) -> Catalogue:
        given = {"name": self._name, "tables": limits.tables, "columns": limits.columns, "limit_s": limits.timeout_s}
        found = await self._children.call(CATALOGUES[self._dialect], self._path, given, limit_s=limits.timeout_s)
        return from_json(Catalogue, found)

    async def close(self) -> None:
        self._closing()
