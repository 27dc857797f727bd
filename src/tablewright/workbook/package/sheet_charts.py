"""The charts of a sheet, read so that a page can draw them: kinds, titles, and the numbers in their cells."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import parse_area
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.drawings import charts_of
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.xml import Element, child, children, local, parse
from tablewright.workbook.views import MOST_POINTS, PlotKind, PlotSeries, SheetChart

_KINDS: dict[str, PlotKind] = {
    "barChart": "column", "bar3DChart": "column", "lineChart": "line", "line3DChart": "line", "areaChart": "area",
    "area3DChart": "area", "pieChart": "pie", "pie3DChart": "pie", "ofPieChart": "pie", "doughnutChart": "doughnut",
    "scatterChart": "scatter", "bubbleChart": "scatter", "radarChart": "radar",
}  # fmt: skip
_MOST_SERIES = 50


def drawn_charts(book: Book, sheet: WorkbookSheet) -> Iterator[SheetChart]:
    """Yield a sheet's charts in order of creation. One that cannot be read has no series."""
    for placed in charts_of(book, sheet):
        try:
            root = parse(book.archive[placed.part])
        except (etree.XMLSyntaxError, KeyError):
            yield SheetChart(name=placed.name, range=placed.area.text)
            continue
        yield _chart(book, placed.name, placed.area.text, root)


def _chart(book: Book, name: str, area: str, root: Element) -> SheetChart:
    chart = child(root, "chart")
    plots = child(chart, "plotArea") if chart is not None else None
    series: list[PlotSeries] = []
    stacked = False
    for plot in plots if plots is not None else ():
        if (kind := _KINDS.get(local(plot))) is not None:
            turned = child(plot, "barDir")
            kind = "bar" if turned is not None and turned.get("val") == "bar" else kind
            grouping = child(plot, "grouping")
            stacked |= grouping is not None and grouping.get("val", "") in {"stacked", "percentStacked"}
            series += [_series(book, kind, entry) for entry in children(plot, "ser")]
    titles = _axis_titles(plots) if plots is not None else []
    return SheetChart(
        name=name,
        range=area,
        title=_title(chart),
        x_title=titles[0] if titles else None,
        y_title=titles[1] if len(titles) > 1 else None,
        stacked=stacked,
        series=tuple(series[:_MOST_SERIES]),
    )


def _axis_titles(plots: Element) -> list[str | None]:
    axes = [entry for entry in plots if local(entry) in {"catAx", "dateAx", "valAx", "serAx"}]
    return [_title(axis) for axis in sorted(axes, key=lambda axis: local(axis) == "valAx")]


def _title(holder: Element | None) -> str | None:
    title = child(holder, "title") if holder is not None else None
    texts = [entry.text or "" for entry in title.iter() if local(entry) in {"t", "v"}] if title is not None else []
    return "".join(texts)[:300] or None


def _series(book: Book, kind: PlotKind, entry: Element) -> PlotSeries:
    name = _values(book, child(entry, "tx"))
    places = child(entry, "cat")
    places = places if places is not None else child(entry, "xVal")
    heights = child(entry, "val")
    heights = heights if heights is not None else child(entry, "yVal")
    return PlotSeries(
        name=" ".join(str(part) for part in name if part is not None)[:300],
        kind=kind,
        categories=_values(book, places),
        values=_values(book, heights),
    )


def _values(book: Book, source: Element | None) -> tuple[Cell, ...]:
    """Return what a series shows: from its cells, else as the chart remembers it."""
    if source is None:
        return ()
    formula = next((entry.text or "" for entry in source.iter() if local(entry) == "f"), "")
    found = _in_cells(book, formula) if formula else None
    return found if found is not None else _remembered(source)


def _in_cells(book: Book, formula: str) -> tuple[Cell, ...] | None:
    try:
        name, area = parse_area(formula)
        sheet = book.sheet(name) if name is not None else None
    except (ValueError, InvalidInput):
        return None
    if sheet is None:
        return None
    if area.width > 1 and area.height > 1:
        return None  # labels of several levels
    known = {(row, column): cell.shown for row, cells in sheet.scan(area) for column, cell in cells.items()}
    places = [
        (row, column)
        for row in range(area.first_row, min(area.last_row, area.first_row + MOST_POINTS - 1) + 1)
        for column in range(area.first_column, min(area.last_column, area.first_column + MOST_POINTS - 1) + 1)
    ]
    return tuple(known.get(place) for place in places)


def _remembered(source: Element) -> tuple[Cell, ...]:
    caches = [entry for entry in source.iter() if local(entry) in {"strCache", "numCache", "strLit", "numLit", "lvl"}]
    holder = caches[0] if caches else source
    numeric = local(holder) in {"numCache", "numLit"}
    found: dict[int, Cell] = {}
    for entry in children(holder, "pt"):
        text, index = child(entry, "v"), entry.get("idx", "")
        if text is not None and index.isdigit() and int(index) < MOST_POINTS:
            found[int(index)] = _number(text.text) if numeric else (text.text or "")[:300]
    if not found:
        own = child(source, "v")
        return ((own.text or "")[:300],) if own is not None else ()
    return tuple(found.get(index) for index in range(max(found) + 1))


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None
