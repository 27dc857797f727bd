"""What the writer knows of a table at one point of the plan: its columns, their kinds, and how the code holds them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tablewright.domain.dataset import ColumnFacts, ColumnKind
from tablewright.domain.loading import date_expression

NUMERIC: frozenset[ColumnKind] = frozenset({"number", "integer", "boolean"})
DATED: frozenset[ColumnKind] = frozenset({"date", "datetime"})
RIGHT_SUFFIX = "_2"
"""Suffix of a right-hand column of a join whose name also exists on the left."""
TEXTUAL: frozenset[ColumnKind] = frozenset({"text", "mixed", "time", "empty"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table in the code. `date_format` is set while dates and times are still text there (empty: any
    format); `missing` if cells may be empty; `unit` is as in the facts."""

    name: str
    kind: ColumnKind
    unit: str | None = None
    missing: bool = True
    date_format: str | None = None

    @property
    def is_number(self) -> bool:
        return self.kind in NUMERIC

    @property
    def is_date(self) -> bool:
        return self.kind in DATED


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A variable that holds a DataFrame; `single` if it always has exactly one row."""

    name: str
    columns: tuple[Column, ...]
    single: bool = False

    def column(self, name: str) -> Column:
        """Return the column called `name`, or one of kind `mixed` if it is not known."""
        return next((column for column in self.columns if column.name == name), Column(name=name, kind="mixed"))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A variable that holds one cell; as a table it would have one row and the one column `column`."""

    name: str
    column: Column


def with_columns(columns: Iterable[Column], added: Iterable[Column]) -> tuple[Column, ...]:
    """Return `columns` with each of `added` replacing the column of the same name, or appended."""
    by_name = {column.name: column for column in columns}
    by_name.update({column.name: column for column in added})
    return tuple(by_name.values())


def facts_column(facts: ColumnFacts, *, date_format: str | None) -> Column:
    """Return the column for `facts` as it is after loading."""
    return Column(
        name=facts.name,
        kind=facts.kind,
        unit=facts.unit,
        missing=facts.missing > 0,
        date_format=date_format,
    )


def date_code(series: str, date_format: str) -> str:
    """Return code that parses dates from a column still in its form in the file; an empty format means any."""
    facts = ColumnFacts(name="", kind="datetime", notation="date_text", date_format=date_format or None)
    return date_expression(series, facts)


def seconds_code(series: str, time_format: str | None) -> str:
    """Return code that reads times of day, or durations if there is no format, as seconds."""
    if time_format:
        read = f'pd.to_datetime({series}, format={json.dumps(time_format)}, errors="coerce")'
        return f'{read}.sub(pd.Timestamp("1900-01-01")).dt.total_seconds()'
    return f'pd.to_timedelta({series}.astype("str"), errors="coerce").dt.total_seconds()'


def nullable(columns: Iterable[Column]) -> tuple[Column, ...]:
    """Return the columns, each marked as possibly missing (after a join)."""
    return tuple(replace(column, missing=True) for column in columns)


def one_cell(code: str, column: Column) -> str:
    """Return the code of a column with a single value; the least of no texts is NaN, and its column one of texts."""
    return f'pd.Series([{code}], dtype="str")' if column.kind == "text" else f"[{code}]"
