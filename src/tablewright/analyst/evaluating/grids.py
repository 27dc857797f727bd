"""Tables while a plan is executed: their columns are computed when they are first needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any

from tablewright.analyst.evaluating.vectors import Values, Vector, floated, once, vector
from tablewright.analyst.writing.columns import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table of `rows` rows.

    `known` are the columns that the written code would know of; others, such as those of a pivot, are of kind `mixed`
    to it. `places` are the rows' positions in the table as loaded, None if they are counted from 0. `memo` holds what
    was computed over the table.
    """

    rows: int
    columns: Mapping[str, Vector]
    known: frozenset[str] | None = None
    places: Vector | None = None
    memo: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.columns)

    def column(self, name: str) -> Vector:
        """Return a column. Raises KeyError if there is none."""
        found = self.columns[name]
        if self.known is not None and name not in self.known:
            return replace(found, kind="mixed", unit=None, missing=True, date_format=None)
        return found

    def described(self) -> tuple[Column, ...]:
        """Return what is known of each column."""
        return tuple(self.column(name).described(name) for name in self.columns)

    def picked(self, indexes: Sequence[int]) -> Grid:
        """Return the rows at `indexes`, in their order."""
        columns = {name: _gathered(column, indexes) for name, column in self.columns.items()}
        places = vector(list(indexes), "integer") if self.places is None else _gathered(self.places, indexes)
        return replace(self, rows=len(indexes), columns=columns, places=places, memo={})

    def kept(self, marks: Sequence[bool]) -> Grid:
        """Return the rows where `marks` are true."""
        return self.picked(list(compress(range(self.rows), marks)))

    def with_columns(self, added: Mapping[str, Vector]) -> Grid:
        """Return the table with columns replaced or appended."""
        made = {name: stored(column, self.rows) for name, column in added.items()}
        known = None if self.known is None else self.known | made.keys()
        return replace(self, columns={**self.columns, **made}, known=known, memo={})

    def holding(self, columns: Mapping[str, Vector]) -> Grid:
        """Return the same rows with other columns."""
        made = {name: stored(column, self.rows) for name, column in columns.items()}
        return replace(self, columns=made, known=None, memo={})


def _gathered(column: Vector, indexes: Sequence[int]) -> Vector:
    def take() -> Values:
        values = column.values
        return [values[index] for index in indexes]

    return replace(column, read=once(take), plain=True)


def stored(column: Vector, rows: int) -> Vector:
    """Return values as a column of a table with so many rows."""
    if column.scalar:
        found = column.value
        return replace(column, read=lambda: [found] * rows, scalar=False, plain=True, clean=False)
    return replace(column, plain=True, clean=False)


def grid(columns: Iterable[tuple[Column, Values]], rows: int) -> Grid:
    """Return a table made of these columns."""
    made = {
        column.name: vector(
            values, column.kind, unit=column.unit, missing=column.missing, date_format=column.date_format, plain=True
        )
        for column, values in columns
    }
    return Grid(rows=rows, columns=made)


def taken(column: Vector, indexes: Sequence[int | None]) -> Vector:
    """Return the cells at `indexes`, missing where there is no index."""

    def take() -> Values:
        values = column.values
        return floated([None if index is None else values[index] for index in indexes])

    return replace(column, read=once(take), plain=True, missing=True)
