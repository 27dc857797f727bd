"""Tables as programs of this wire describe them, as the facts that ours know tables by. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tablewright.data.sql.kinds import kind_of
from tablewright.domain.database import Dialect
from tablewright.domain.dataset import ColumnFacts, DatabaseColumn, DatabaseTable, DatasetFacts, ReadOptions
from tablewright.domain.table import Cell, Table
from tablewright.errors import InvalidInput

DIALECTS: Mapping[str, Dialect] = {
    "mysql": "mysql",
    "mariadb": "mysql",
    "postgresql": "postgres",
    "postgres": "postgres",
    "sqlite": "sqlite",
    "duckdb": "duckdb",
    "h2": "duckdb",
}
"""The dialects by the names that they have here. What is written for DuckDB keeps to the standard, which H2 reads."""
TEXT = "VARCHAR"
ROWS = 1_000_000
"""How many rows a table is taken to have that is not known."""
SAMPLES = 50
_BETWEEN = re.compile(r"[;；,，]")


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedColumn:
    """A column; `samples` and `synonyms` are lists in one text."""

    id: str
    name: str = ""
    type: str = ""
    samples: str = ""
    synonyms: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedTable:
    """A table by the code that stands for it in statements."""

    code: str
    name: str = ""
    columns: tuple[DescribedColumn, ...] = ()


def dialect_of(name: str) -> Dialect:
    """Return the dialect that is called `name`. Raises `InvalidInput`."""
    found = DIALECTS.get(name.strip().lower())
    if found is None:
        raise InvalidInput("dialect_unknown", field="dbType", name=name, known=", ".join(DIALECTS))
    return found


def facts_of(tables: Iterable[DescribedTable], dialect: Dialect) -> tuple[DatasetFacts, ...]:
    """Return the tables that have columns."""
    return tuple(_facts(table, dialect) for table in tables if table.columns)


def parts_of(listed: str) -> tuple[str, ...]:
    """Return what a list in one text has, each once."""
    return tuple(dict.fromkeys(part for one in _BETWEEN.split(listed) if (part := one.strip())))


def _facts(table: DescribedTable, dialect: Dialect) -> DatasetFacts:
    names: dict[str, DescribedColumn] = {}
    for column in table.columns:
        own = column.name.strip() or column.id
        names.setdefault(own if own not in names else column.id, column)
    return DatasetFacts(
        id=table.code,
        name=table.name.strip() or table.code,
        file_name=table.code,
        path="",
        read=ReadOptions(kind="json", by_column=True),
        rows=ROWS,
        columns=tuple(_column(own, column, dialect) for own, column in names.items()),
        sample=Table(columns=(), rows=(), total_rows=0),
        profile_ref="",
        exact=False,
        table=DatabaseTable(
            connection="",
            dialect=dialect,
            name=table.code,
            columns=tuple(DatabaseColumn(name=one.id, type=one.type or TEXT) for one in names.values()),
        ),
    )


def _column(name: str, column: DescribedColumn, dialect: Dialect) -> ColumnFacts:
    kind = kind_of(column.type or TEXT, dialect)
    dated = dialect == "sqlite" and column.type.strip().upper() == "DATE"
    samples: tuple[Cell, ...] = parts_of(column.samples)[:SAMPLES]
    aliases = dict.fromkeys((*parts_of(column.synonyms), *([column.id] if column.id != name else [])))
    return ColumnFacts(
        name=name,
        kind="date" if dated else kind,
        date_format="%Y-%m-%d" if dated else None,
        missing=1,
        samples=samples if kind in {"text", "mixed"} else (),
        aliases=tuple(aliases),
    )
