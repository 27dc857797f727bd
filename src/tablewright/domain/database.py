"""What is known of databases: their tables, columns and keys, and the first rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from tablewright.domain.table import Cell

Dialect = Literal["postgres", "mysql", "sqlite", "duckdb"]
"""How a server writes SQL, as sqlglot names it; `mysql` is also MariaDB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSchema:
    """A column, its type as the database writes it, and what the database says of it besides."""

    name: str
    type: str
    nullable: bool = True
    comment: Annotated[str, Field(exclude_if=lambda comment: not comment)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignKey:
    """Columns of a table that refer to columns of another one."""

    columns: tuple[str, ...]
    table: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSchema:
    """A table or view: its columns and keys, and its first rows.

    `schema` is None where the name alone is enough. `rows` is the database's own estimate, None if it has none.
    """

    name: str
    columns: tuple[ColumnSchema, ...]
    schema: str | None = None
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    rows: int | None = None
    sample: tuple[tuple[Cell, ...], ...] = ()

    @property
    def label(self) -> str:
        """The name with its schema, if it needs one."""
        return self.name if self.schema is None else f"{self.schema}.{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseSchema:
    """The tables that were looked at; `left_out` is the number of further ones."""

    dialect: Dialect
    tables: tuple[TableSchema, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseFacts:
    """A database as a run is told of it: by the name of its connection, with its tables, the most useful first.

    `schema` is None where it could not be looked at, for the reason `problem`, or was not.
    """

    name: str
    schema: DatabaseSchema | None = None
    problem: str = ""
