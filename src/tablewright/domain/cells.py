"""Cells of a workbook, and their changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.table import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class CellChange:
    """One cell before and after a change; `ref` is in A1 style. A formula is text that starts with `=`."""

    ref: str
    before: Cell
    after: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetChanges:
    """Changed cells of one sheet within `range`; `truncated` if more cells changed than are listed.

    `changed` is how many changed, listed or not; None where that was not counted.
    """

    sheet: str
    range: str
    cells: tuple[CellChange, ...]
    truncated: bool = False
    changed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeChange:
    """Rows or columns of `sheet`, or the sheet itself, that were added (`count` > 0) or removed (`count` < 0)."""

    sheet: str
    axis: Literal["row", "column", "sheet"]
    count: int
