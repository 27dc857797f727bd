"""A small table as it appears in events and answers."""

from __future__ import annotations

from dataclasses import dataclass

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The first rows of a table.

    Dates and times are ISO 8601 text; `total_rows` includes the rows that are not shown.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total_rows: int
    title: str | None = None
