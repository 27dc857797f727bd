"""What an adapter does for the guard: it runs statements in a session that the server keeps read-only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from tablewright.data.sql.base import Dialect, ExploreLimits, Parameter, QueryRows, TableSchema


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement as its driver takes it.

    In `sql` parameters are written as the dialect's driver wants them. `reads_tables`: a query, not a command such as
    `EXPLAIN`. `tables` and `columns` are the names that it mentions, without those that it defines itself.
    """

    sql: str
    params: Mapping[str, Parameter]
    reads_tables: bool = True
    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The tables of a database, and how many were left out."""

    tables: tuple[TableSchema, ...]
    left_out: int = 0


class Engine(Protocol):
    """A database without the guard: whatever it is given it runs, in a read-only session of its own."""

    @property
    def dialect(self) -> Dialect: ...

    async def run(self, statement: Statement, *, max_rows: int, timeout_s: float) -> QueryRows:
        """Execute a statement. Errors: those of `Database.query` but `StatementRefused`, names without near ones."""
        ...

    async def catalogue(self, limits: ExploreLimits) -> Catalogue:
        """Return the tables without samples."""
        ...

    async def close(self) -> None:
        """Release connections and processes."""
        ...
