"""Cells of a workbook, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.domain.table import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class CellChange:
    """One cell before and after; `ref` is A1 style. A formula is text that starts with `=`."""

    ref: str
    before: Cell
    after: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetChanges:
    """Changed cells of one sheet within `range`; `truncated` when more changed than are listed."""

    sheet: str
    range: str
    cells: tuple[CellChange, ...]
    truncated: bool = False
