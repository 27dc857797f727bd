"""Columns of a table while a plan is executed, and why an execution stops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tablewright.analyst.writing.columns import DATED, NUMERIC, Column
from tablewright.domain.dataset import ColumnKind

Values = list[Any]
"""Cells: str, int, float, bool, or None where missing. Whole numbers beside missing ones are floats, as in pandas.
Dates are `Moment`s."""
Order = Mapping[Any, int]
"""The places of values that have an order of their own, such as weekdays."""


class Stopped(Exception):
    """The execution of a plan ends with the failure `code`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def unsupported(what: str) -> Stopped:
    """Return the failure of what is not executed here."""
    return Stopped(f"unsupported:{what}")


def unknown(dataset_id: str) -> str:
    """Return the failure of plans over a table that is not held."""
    return f"unknown:{dataset_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """The values of an expression: a cell per row, or one cell if `scalar`. As `writing.coded.Coded`, it knows of
    itself what decides how it is converted and compared.

    `plain` values are those of a column, as they stand there; `read` gives the cells when they are first needed.
    """

    read: Callable[[], Any]
    kind: ColumnKind
    scalar: bool = False
    clean: bool = False
    unit: str | None = None
    missing: bool = True
    date_format: str | None = None
    plain: bool = False
    order: Order | None = None

    @property
    def values(self) -> Values:
        """The cells, one per row. Raises TypeError for a scalar."""
        if self.scalar:
            raise TypeError("one value is no column")
        found: Values = self.read()
        return found

    @property
    def value(self) -> Any:
        """The one cell of a scalar."""
        return self.read()

    @property
    def is_number(self) -> bool:
        return self.kind in NUMERIC

    @property
    def is_date(self) -> bool:
        return self.kind in DATED

    def but(self, found: Any, kind: ColumnKind | None = None, *, clean: bool = True) -> Vector:
        """Return other values derived from these, by default of the same kind."""
        return replace(
            self, read=lambda: found, kind=kind or self.kind, clean=clean, date_format=None, plain=False, order=None
        )

    def described(self, name: str) -> Column:
        """Return what is known of the column that results from storing these values under `name`."""
        return Column(name=name, kind=self.kind, unit=self.unit, missing=self.missing, date_format=self.date_format)


def vector(found: Any, kind: ColumnKind, **known: Any) -> Vector:
    """Return values that are there already."""
    return Vector(read=lambda: found, kind=kind, **known)


def of_column(column: Column, read: Callable[[], Values], order: Order | None = None) -> Vector:
    """Return the values of a column."""
    return Vector(
        read=read,
        kind=column.kind,
        unit=column.unit,
        missing=column.missing,
        date_format=column.date_format,
        plain=True,
        order=order,
    )


def once(make: Callable[[], Values]) -> Callable[[], Values]:
    """Return a function that calls `make` the first time and gives its result ever after."""
    kept: list[Values] = []

    def read() -> Values:
        if not kept:
            kept.append(make())
        return kept[0]

    return read


def floated(values: Values) -> Values:
    """Return numbers as pandas holds them where some are missing: whole ones become floats."""
    if None not in values:
        return values
    return [float(value) if type(value) is int else value for value in values]
