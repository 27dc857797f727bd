"""The description of a workbook for models, within a budget of tokens.

It contains sheets, tables, headers, kinds, formulas as patterns, and samples. If it does not fit, these are dropped in
order: samples, texts beside tables, columns on the far right, further tables and names. Every sheet is always named.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from tablewright.domain.codec import to_json
from tablewright.domain.outline import ColumnOutline, RegionOutline, SheetOutline, WorkbookOutline
from tablewright.domain.table import Cell
from tablewright.workbook.areas import Area, cell_name, letters, parse_area
from tablewright.workbook.formulas import pattern
from tablewright.workbook.package import relations
from tablewright.workbook.package.book import Book, Tab
from tablewright.workbook.package.kinds import column_kinds, rows_looked_at
from tablewright.workbook.package.names import names_of
from tablewright.workbook.package.regions import SheetRegion, find_regions
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.table_view import TableView
from tablewright.workbook.package.xml import local
from tablewright.workbook.values import CellData

_SAMPLED_ROWS = 200
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class _Bound:
    """How much of each kind of detail is included."""

    samples: int
    texts: int
    columns: int
    regions: int
    names: int


_BOUNDS = (
    _Bound(5, 20, 200, 20, 100), _Bound(3, 10, 100, 12, 50), _Bound(2, 5, 60, 8, 30), _Bound(1, 3, 40, 5, 15),
    _Bound(0, 0, 25, 3, 8), _Bound(0, 0, 12, 2, 3), _Bound(0, 0, 5, 1, 0), _Bound(0, 0, 0, 0, 0),
)  # fmt: skip


def outlined(book: Book, tokens: int) -> WorkbookOutline:
    """Describe a workbook in at most about `tokens` tokens."""
    names = names_of(book)
    whole = WorkbookOutline(
        sheets=tuple(_sheet(book, tab) for tab in book.tabs),
        names=tuple((name, meaning[: 2 * _LONGEST]) for name, meaning in names),
    )
    for bound in _BOUNDS:
        found = _bounded(whole, bound)
        if estimated_tokens(to_json(WorkbookOutline, found)) <= tokens:
            return found
    return _bounded(whole, _BOUNDS[-1])


def estimated_tokens(text: bytes) -> int:
    """Estimate the tokens of a JSON text: one per about four Latin characters, or one and a half others."""
    signs = text.decode("utf-8", "replace")
    wide = sum(1 for sign in signs if ord(sign) > 0x2E7F)
    return (len(signs) - wide) // 4 + wide * 2 // 3 + 1


def _bounded(whole: WorkbookOutline, bound: _Bound) -> WorkbookOutline:
    return replace(
        whole, sheets=tuple(_bounded_sheet(sheet, bound) for sheet in whole.sheets), names=whole.names[: bound.names],
        names_left_out=max(len(whole.names) - bound.names, 0),
    )  # fmt: skip


def _bounded_sheet(sheet: SheetOutline, bound: _Bound) -> SheetOutline:
    regions = [
        replace(
            region,
            columns=tuple(
                replace(column, samples=column.samples[: bound.samples]) for column in region.columns[: bound.columns]
            ),
            columns_left_out=max(len(region.columns) - bound.columns, 0),
        )
        for region in sheet.regions[: bound.regions]
    ]
    return replace(
        sheet,
        regions=tuple(regions),
        regions_left_out=max(len(sheet.regions) - bound.regions, 0),
        texts=sheet.texts[: bound.texts],
    )


def _sheet(book: Book, tab: Tab) -> SheetOutline:
    state = tab.visibility
    if tab.kind != "worksheet":
        return SheetOutline(
            name=tab.name, state=state, kind=tab.kind, used=None, regions=(), extras=_extras(book, tab, None)
        )
    sheet = book.sheet(tab.name)
    used = sheet.used()
    regions, texts = [], []
    for region in find_regions(book, sheet):
        if region.area.height * region.area.width <= 2 and region.table is None:
            texts += _texts(sheet, region.area)
        else:
            regions.append(_region(sheet, region))
    regions.sort(key=lambda found: -_cells_in(found.range))
    return SheetOutline(
        name=tab.name, state=state, kind=tab.kind, used=used.text if used else None, regions=tuple(regions),
        texts=tuple(texts[:50]), extras=_extras(book, tab, sheet),
    )  # fmt: skip


def _cells_in(text: str) -> int:
    """Return the number of cells of a range."""
    area = parse_area(text)[1]
    return area.height * area.width


def _region(sheet: WorkbookSheet, region: SheetRegion) -> RegionOutline:
    kinds = column_kinds(TableView(sheet, region))
    rows = _rows(sheet, region)
    return RegionOutline(
        range=region.area.text, header_rows=region.header, data_rows=region.data, totals_row=region.totals,
        name=region.table.name if region.table else None,
        columns=tuple(
            _column(column.index, column.header, kinds.get(column.index, "empty"),
                [(row, cells[column.index]) for row, cells in rows if column.index in cells], region)
            for column in region.columns
        ),
    )  # fmt: skip


def _rows(sheet: WorkbookSheet, region: SheetRegion) -> list[tuple[int, dict[int, CellData]]]:
    if region.data is None:
        return []
    (first, last), left, right = region.data, region.area.first_column, region.area.last_column
    sampled = rows_looked_at(_SAMPLED_ROWS, region.area.width)
    if last - first + 1 <= 2 * sampled:
        return list(sheet.scan(Area(first, left, last, right)))
    return [*sheet.scan(Area(first, left, first + sampled - 1, right)), *sheet.scan(Area(last - 9, left, last, right))]


def _column(
    index: int, header: str, kind: str, cells: list[tuple[int, CellData]], region: SheetRegion
) -> ColumnOutline:
    formulas = Counter(pattern(cell.formula, row, index) for row, cell in cells if cell.formula)
    common = formulas.most_common(1)
    samples: dict[Cell, None] = {}
    for _, cell in cells:
        value = cell.shown
        if value is not None and len(samples) < 5:
            samples[value[:_LONGEST] if isinstance(value, str) else value] = None
    rows = region.data[1] - region.data[0] + 1 if region.data else 0
    sampled = rows_looked_at(_SAMPLED_ROWS, region.area.width)
    looked_at = rows if rows <= 2 * sampled else sampled + 10
    filled = len(cells) if rows <= sampled else min(round(len(cells) / looked_at * rows), rows)
    return ColumnOutline(
        letters=letters(index), header=header or None, filled=filled,
        kind=kind,  # type: ignore[arg-type]  # a kind it is
        formula=common[0][0] if common and common[0][1] * 2 > len(cells) else None, samples=tuple(samples),
    )  # fmt: skip


def _texts(sheet: WorkbookSheet, area: Area) -> list[tuple[str, Cell]]:
    found: list[tuple[str, Cell]] = []
    for row, cells in sheet.scan(area):
        for column, cell in sorted(cells.items()):
            content = cell.content
            found.append((cell_name(row, column), content[:_LONGEST] if isinstance(content, str) else content))
    return found


def _extras(book: Book, tab: Tab, sheet: WorkbookSheet | None) -> dict[str, int]:
    """Count what a sheet contains besides cells."""
    counts: Counter[str] = Counter()
    words = {
        "chart": "charts", "chartEx": "charts", "image": "images", "pivotTable": "pivots", "slicer": "slicers",
        "comments": "notes",
        "threadedComment": "threads", "ctrlProp": "controls", "oleObject": "objects",
    }  # fmt: skip
    parts = [tab.part, *relations.related(book.archive, tab.part, "drawing")]
    for part in parts:
        for relation in relations.relations(book.archive, part):
            if relation.kind in words and not relation.outside:
                counts[words[relation.kind]] += 1
    if sheet is not None:
        names = {
            "conditionalFormatting": "conditional_formats",
            "dataValidation": "validations",
            "sparkline": "sparklines",
            "mergeCell": "merged",
        }
        for element in sheet.frame.iter():
            if (word := names.get(local(element))) is not None:
                counts[word] += 1
    return dict(counts)
