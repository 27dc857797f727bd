"""The port to databases: looking at tables and reading rows, never changing anything.

Errors of every method: `DatabaseAway`, `DatabaseSlow`, `DatabaseDenied`, `DatabaseFailed`; of queries also
`StatementRefused`, `StatementWrong`, `TableUnknown`, `ColumnUnknown`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tablewright.domain.database import ColumnSchema as ColumnSchema
from tablewright.domain.database import DatabaseSchema as DatabaseSchema
from tablewright.domain.database import Dialect as Dialect
from tablewright.domain.database import ForeignKey as ForeignKey
from tablewright.domain.database import TableSchema as TableSchema
from tablewright.domain.table import Cell

Parameter = str | int | float | bool | None

MAX_ROWS = 10_000
"""The most rows of one result."""
DEFAULT_ROWS = 1_000
TIMEOUT_S = 30.0
"""The default time for one statement, in seconds."""
CELL_CHARS = 10_000
"""A text is cut after this many characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploreLimits:
    """How much to look at: tables, columns of each, and rows of each as a sample (0: none)."""

    tables: int = 100
    columns: int = 200
    sample_rows: int = 3
    timeout_s: float = TIMEOUT_S


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRows:
    """The result of a query.

    Dates and times are ISO 8601 text, bytes are `0x…`; `types` are the database's names, aligned with `columns`.
    `truncated`: the result has more rows than these.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    truncated: bool = False
    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file whose tables the database has: its place on this machine, and what its owner calls it."""

    path: Path
    name: str


class Database(Protocol):
    """One database, read-only."""

    @property
    def dialect(self) -> Dialect: ...

    async def explore(self, limits: ExploreLimits | None = None) -> DatabaseSchema:
        """Return its tables, ordered by schema and name."""
        ...

    async def query(
        self,
        sql: str,
        params: Mapping[str, Parameter] | None = None,
        *,
        max_rows: int = DEFAULT_ROWS,
        timeout_s: float = TIMEOUT_S,
    ) -> QueryRows:
        """Execute one reading statement, in which `:name` stands for a value of `params`.

        Returns at most `max_rows` (1 to 10,000) rows. A call that is cancelled is cancelled on the server too.
        """
        ...

    async def close(self) -> None:
        """Release connections and processes."""
        ...


class Databases(Protocol):
    """The databases that a run may query."""

    async def names(self) -> tuple[str, ...]:
        """Return their names; `primary` stands for the files of the conversation."""
        ...

    async def open(self, name: str) -> Database:
        """Return the database of that name, which stays the caller's until it closes it. Raises `DatabaseUnknown`."""
        ...
