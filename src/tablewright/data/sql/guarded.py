"""A database behind the guard: what is asked is checked, and what goes wrong names the remedy."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches

from tablewright.data.sql.base import (
    DEFAULT_ROWS,
    MAX_ROWS,
    TIMEOUT_S,
    DatabaseSchema,
    Dialect,
    ExploreLimits,
    Parameter,
    QueryRows,
    TableSchema,
)
from tablewright.data.sql.engine import Engine, Statement
from tablewright.data.sql.guard import ShowTables, checked, inspected
from tablewright.data.sql.selection import reading
from tablewright.domain.table import Cell
from tablewright.errors import ColumnUnknown, DatabaseFailed, TableUnknown

SAMPLED_TABLES = 40
"""How many tables are sampled; of further ones only columns and keys are told."""
NEAR = 5
"""How many similar names an error tells; where none is similar, it tells the first ones."""
PLAIN = re.compile(r"\w+(\.\w+)?")
"""Names that are no path: of anything else it is looked whether it is a table."""
LOOK = ExploreLimits(tables=1000, columns=1000, sample_rows=0)


class GuardedDatabase:
    """Implements `Database` over an engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def dialect(self) -> Dialect:
        return self._engine.dialect

    async def explore(self, limits: ExploreLimits | None = None) -> DatabaseSchema:
        limits = limits or ExploreLimits()
        catalogue = await self._engine.catalogue(limits)
        tables = [
            replace(table, sample=await self._sample(table, limits)) if place < SAMPLED_TABLES else table
            for place, table in enumerate(catalogue.tables)
        ]
        return DatabaseSchema(dialect=self.dialect, tables=tuple(tables), left_out=catalogue.left_out)

    async def query(
        self,
        sql: str,
        params: Mapping[str, Parameter] | None = None,
        *,
        max_rows: int = DEFAULT_ROWS,
        timeout_s: float = TIMEOUT_S,
    ) -> QueryRows:
        begun = time.monotonic()
        wanted = inspected(sql, self.dialect)
        if wanted is not None:
            tables = (await self._engine.catalogue(LOOK)).tables
            found = _overview(tables) if isinstance(wanted, ShowTables) else _description(tables, wanted.name)
            return replace(found, elapsed_s=time.monotonic() - begun)
        statement = checked(sql, self.dialect, params or {})
        if self.dialect == "duckdb" and not all(PLAIN.fullmatch(name) for name in statement.tables):
            await self._require(statement)
        try:
            found = await self._engine.run(statement, max_rows=max(1, min(max_rows, MAX_ROWS)), timeout_s=timeout_s)
        except (TableUnknown, ColumnUnknown) as error:
            raise await self._with_near(error, statement) from error
        return replace(found, elapsed_s=time.monotonic() - begun)

    async def close(self) -> None:
        await self._engine.close()

    async def _sample(self, table: TableSchema, limits: ExploreLimits) -> tuple[tuple[Cell, ...], ...]:
        """Return the first rows of a table; none of one that cannot be read."""
        if not limits.sample_rows:
            return ()
        statement = Statement(sql=reading(table, self.dialect, limit=limits.sample_rows), params={})
        try:
            found = await self._engine.run(statement, max_rows=limits.sample_rows, timeout_s=limits.timeout_s)
        except DatabaseFailed:
            return ()
        return found.rows

    async def _require(self, statement: Statement) -> None:
        """Raise `TableUnknown` for a name that is no table: DuckDB would take it for the path or address of a file."""
        tables = (await self._engine.catalogue(LOOK)).tables
        labels = {name.lower() for table in tables for name in (table.label, table.name)}
        if strange := [name for name in statement.tables if name.lower() not in labels]:
            raise TableUnknown(name=", ".join(strange), near=_near(strange, [table.label for table in tables]))

    async def _with_near(self, error: TableUnknown | ColumnUnknown, statement: Statement) -> DatabaseFailed:
        """Return the error with the name that is unknown and those that are similar."""
        tables = (await self._engine.catalogue(LOOK)).tables
        labels = {name.lower() for table in tables for name in (table.label, table.name)}
        strange = [name for name in statement.tables if name.lower() not in labels]
        if isinstance(error, TableUnknown) or strange:
            known = [table.label for table in tables]
            return TableUnknown(
                name=", ".join(strange) or str(error.params.get("words", "")), near=_near(strange, known)
            )
        read = {name.lower() for name in statement.tables}
        columns = [
            column.name
            for table in tables
            if {table.label.lower(), table.name.lower()} & read
            for column in table.columns
        ]
        lower = {name.lower() for name in columns}
        strange = [name for name in statement.columns if name.lower() not in lower]
        return ColumnUnknown(
            name=", ".join(strange) or str(error.params.get("words", "")), near=_near(strange, columns)
        )


def _near(strange: Iterable[str], known: Iterable[str]) -> str:
    by_lower = {name.lower(): name for name in known}
    found = [near for name in strange for near in get_close_matches(name.lower(), by_lower, n=NEAR, cutoff=0.5)]
    return ", ".join(by_lower[near] for near in dict.fromkeys(found or list(by_lower)[:NEAR]))


def _overview(tables: Iterable[TableSchema]) -> QueryRows:
    rows = tuple((table.label, len(table.columns), table.rows) for table in tables)
    return QueryRows(columns=("table", "columns", "rows_estimated"), types=("text", "integer", "integer"), rows=rows)


def _description(tables: tuple[TableSchema, ...], name: str) -> QueryRows:
    table = next((table for table in tables if name.lower() in {table.label.lower(), table.name.lower()}), None)
    if table is None:
        raise TableUnknown(name=name, near=_near([name], [table.label for table in tables]))
    references = {
        column: f"{key.table}.{referred}"
        for key in table.foreign_keys
        for column, referred in zip(key.columns, key.references, strict=False)
    }
    rows = tuple(
        (column.name, column.type, column.nullable, column.name in table.primary_key, references.get(column.name))
        for column in table.columns
    )
    names = ("column", "type", "nullable", "primary_key", "references")
    types = ("text", "text", "boolean", "boolean", "text")
    if not any(column.comment for column in table.columns):
        return QueryRows(columns=names, types=types, rows=rows)
    noted = tuple((*row, column.comment or None) for row, column in zip(rows, table.columns, strict=True))
    return QueryRows(columns=(*names, "comment"), types=(*types, "text"), rows=noted)
