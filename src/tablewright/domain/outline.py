"""A workbook as an outline: what a model, or the built-in analyst, is told of its sheets without seeing all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tablewright.domain.table import Cell

ContentKind = Literal["number", "text", "date", "boolean", "mixed", "empty"]
"""What the cells of a column hold."""
Rows = tuple[int, int]
"""First and last row, as the sheet numbers them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnOutline:
    """A column of a region: its header (several rows joined by ` / `), its letters, the kind of its contents, a formula
    common to its cells in relative terms, and a few values. `filled` is an estimate on long tables."""

    letters: str
    header: str | None
    kind: ContentKind
    filled: int
    formula: str | None = None
    samples: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionOutline:
    """A table on a sheet. `totals_row` sums the data; `name` is that of a table of the program."""

    range: str
    header_rows: Rows | None
    data_rows: Rows | None
    columns: tuple[ColumnOutline, ...]
    columns_left_out: int = 0
    totals_row: int | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetOutline:
    """A sheet: what is used of it, its regions, and what else it carries (`charts`, `images`, `pivots`, …) by count.
    `texts` are cells outside any region, such as titles, as (ref, content)."""

    name: str
    state: Literal["visible", "hidden", "veryHidden"]
    kind: str
    used: str | None
    regions: tuple[RegionOutline, ...]
    texts: tuple[tuple[str, Cell], ...] = ()
    extras: Mapping[str, int] = field(default_factory=dict[str, int])
    regions_left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookOutline:
    """All sheets in their order, and the workbook's names as (name, what it stands for)."""

    sheets: tuple[SheetOutline, ...]
    names: tuple[tuple[str, str], ...] = ()
    names_left_out: int = 0
