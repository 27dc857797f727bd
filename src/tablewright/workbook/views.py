"""The port to sheets as a person sees them: their layout, windows of their cells, what is found in them.

Rows and columns count from 1, lengths on the screen are in CSS pixels (1/96 inch), colours are RRGGBB. Numbers that a
format shows as dates are serial numbers of the 1900 system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from tablewright.domain.outline import SheetState
from tablewright.domain.table import Cell

Side = Literal["left", "right", "top", "bottom"]
PlotKind = Literal["column", "bar", "line", "area", "pie", "doughnut", "scatter", "radar"]
MOST_WINDOW_CELLS = 20_000
"""The most cells of a window, empty ones included."""
MOST_POINTS = 2_000
"""The most points of a series that a chart shows here."""
MOST_MERGES = 20_000
MOST_RUNS = 20_000
"""The most runs of filled rows that are told at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTab:
    """A sheet as the list of sheets names it. `kind` is worksheet, chartsheet, …; only the first has cells."""

    name: str
    state: SheetState
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A line along a side of a cell. `line` is the name that the format gives it (`thin`, `medium`, `double`, …)."""

    line: str
    color: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellLook:
    """How cells of one style look; what is None is as in a plain cell. `size` is in points."""

    format: str | None = None
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    size: float | None = None
    font: str | None = None
    color: str | None = None
    fill: str | None = None
    borders: dict[Side, Edge] = field(default_factory=dict[Side, Edge])
    horizontal: str | None = None
    vertical: str | None = None
    wrap: bool = False
    indent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Neighbouring rows or columns of one size. `size_px` None is the default; `look` is that of their empty cells."""

    first: int
    last: int
    size_px: float | None = None
    hidden: bool = False
    look: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotSeries:
    """A series of a chart: `values[i]` belongs to `categories[i]`, or stands at its number in a scatter chart."""

    name: str
    kind: PlotKind
    categories: tuple[Cell, ...]
    values: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetChart:
    """A chart of the workbook over the cells `range`. No `series`: it is of a kind that is not drawn here."""

    name: str
    range: str
    title: str | None = None
    x_title: str | None = None
    y_title: str | None = None
    stacked: bool = False
    series: tuple[PlotSeries, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetImage:
    """A picture over the cells `range`, or the value of one of them (`in_cell`); `image` gets its bytes, empty where
    there are none to show."""

    name: str
    range: str
    image: str
    in_cell: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLayout:
    """A sheet without its cells. `rows` and `columns` are the last that are used.

    `looks` are those of the spans; `merges_left_out` counts merged areas beyond `MOST_MERGES`; `filter` is the range
    with filter buttons.
    """

    sheet: str
    rows: int
    columns: int
    row_px: float
    column_px: float
    row_spans: tuple[Span, ...] = ()
    column_spans: tuple[Span, ...] = ()
    frozen_rows: int = 0
    frozen_columns: int = 0
    merges: tuple[str, ...] = ()
    merges_left_out: int = 0
    gridlines: bool = True
    right_to_left: bool = False
    filter: str | None = None
    charts: tuple[SheetChart, ...] = ()
    images: tuple[SheetImage, ...] = ()
    looks: dict[int, CellLook] = field(default_factory=dict[int, CellLook])


WindowCell = tuple[int, Cell, int, str | None]
"""A cell of a window: its column, its value, the number of its look, its formula."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRow:
    """The cells of a row that have a content or a look of their own, by column."""

    row: int
    cells: tuple[WindowCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLook:
    """What conditional formats add to the look of a cell; what is None stays as the cell has it.

    `bar` is the share of the cell's width that a bar of `bar_color` takes, `icon` the name of a set and which of it
    counted from 0 (`3Arrows:2`); `hides_value`: only the bar or icon is shown.
    """

    fill: str | None = None
    color: str | None = None
    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    strike: bool | None = None
    bar: float | None = None
    bar_color: str | None = None
    icon: str | None = None
    hides_value: bool = False


RuledCell = tuple[int, int, int]
"""A cell that conditional formats change: its row, its column, the number of what they add."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetWindow:
    """The cells within `range`, or of its columns in the rows that were asked for; `looks` are those of the cells.

    `ruled` are the cells that conditional formats change, by `rule_looks`; `rules_left_out` counts the rules that
    cannot be told here (they depend on the day, read other sheets or very many cells).
    """

    sheet: str
    range: str
    rows: tuple[WindowRow, ...]
    looks: dict[int, CellLook] = field(default_factory=dict[int, CellLook])
    ruled: tuple[RuledCell, ...] = ()
    rule_looks: dict[int, RuleLook] = field(default_factory=dict[int, RuleLook])
    rules_left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Cells in which a text was found, row by row. `next_row`: what follows was not looked at yet."""

    refs: tuple[str, ...]
    next_row: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledRows:
    """The rows in which a range has a filled cell, as runs (first, last). `next_row`: what follows was not looked at
    yet."""

    runs: tuple[tuple[int, int], ...]
    next_row: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a range holds: `filled` cells, of them `numbers`; the others are of the numbers, None if there are none."""

    filled: int
    numbers: int
    sum: float | None = None
    mean: float | None = None
    min: float | None = None
    max: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnTest:
    """Which rows a view keeps: those whose cell of `column` contains the text `contains`, or is among `values`."""

    column: int
    contains: str | None = None
    values: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOrder:
    """The rows of a view in its order, as runs (first, last) of rows that follow each other."""

    runs: tuple[tuple[int, int], ...]


class WorkbookViewer(Protocol):
    """Shows the sheets of a file. Every method may raise `FileUnreadable` (or a subclass), `FileTooLarge`, and
    `InvalidInput` for a sheet or a range that is not there."""

    async def sheets(self, path: Path, *, name: str | None = None) -> tuple[SheetTab, ...]:
        """List the sheets in order."""
        ...

    async def layout(self, path: Path, sheet: str | None, *, name: str | None = None) -> SheetLayout:
        """Describe a sheet without its cells."""
        ...

    async def window(
        self, path: Path, sheet: str | None, wanted: str, *, rows: Sequence[int] = (), name: str | None = None
    ) -> SheetWindow:
        """Return the cells of `wanted`, at most `MOST_WINDOW_CELLS`; with `rows`, its columns of those rows."""
        ...

    async def find(
        self, path: Path, sheet: str | None, text: str, *, from_row: int = 1, limit: int = 100, name: str | None = None
    ) -> Found:
        """Find cells whose value or formula contains `text`, whatever its case."""
        ...

    async def filled(self, path: Path, sheet: str | None, wanted: str, *, name: str | None = None) -> FilledRows:
        """Return the rows in which the range `wanted` has a filled cell, at most `MOST_RUNS` runs of them."""
        ...

    async def summary(self, path: Path, sheet: str | None, wanted: str, *, name: str | None = None) -> Summary:
        """Count and add up the cells of a range."""
        ...

    async def order(
        self,
        path: Path,
        sheet: str | None,
        *,
        first_row: int,
        sort: int | None = None,
        descending: bool = False,
        tests: Sequence[ColumnTest] = (),
        name: str | None = None,
    ) -> RowOrder:
        """Return the rows from `first_row` to the last used one that pass all `tests`, sorted by the column `sort`.

        Numbers come before texts, texts before truth values, empty cells last; equal ones keep their order.
        """
        ...

    async def image(self, path: Path, image: str, *, name: str | None = None) -> bytes:
        """Return the bytes of a picture. Raises `NotFound` if the file has none of that name."""
        ...
