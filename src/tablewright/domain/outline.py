"""The outline of a workbook: what a model, or the built-in analyst, learns about its sheets without seeing
everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tablewright.domain.table import Cell

ContentKind = Literal["number", "text", "date", "boolean", "mixed", "empty"]
"""The kind of content in the cells of a column."""
SheetState = Literal["visible", "hidden", "veryHidden"]
Rows = tuple[int, int]
"""First and last row, numbered as in the sheet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnOutline:
    """A column of a region.

    It has a header (several rows joined by ` / `), letters, the kind of its contents, a formula in relative terms if
    its cells share one, and a few values. `filled` is an estimate for long tables.
    """

    letters: str
    header: str | None
    kind: ContentKind
    filled: int
    formula: str | None = None
    samples: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionOutline:
    """A table on a sheet. `totals_row` sums the data; `name` is the name of a native table, if it is one."""

    range: str
    header_rows: Rows | None
    data_rows: Rows | None
    columns: tuple[ColumnOutline, ...]
    columns_left_out: int = 0
    totals_row: int | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetOutline:
    """A sheet: its used area, its regions, and counts of its other contents (`charts`, `images`, `pivots`, …).

    `texts` are cells outside any region, such as titles, as (ref, content).
    """

    name: str
    state: SheetState
    kind: str
    used: str | None
    regions: tuple[RegionOutline, ...]
    texts: tuple[tuple[str, Cell], ...] = ()
    extras: Mapping[str, int] = field(default_factory=dict[str, int])
    regions_left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookOutline:
    """All sheets in order, and the workbook's defined names as (name, what it refers to)."""

    sheets: tuple[SheetOutline, ...]
    names: tuple[tuple[str, str], ...] = ()
    names_left_out: int = 0
