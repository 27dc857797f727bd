"""A sheet without its cells: sizes of rows and columns, what is hidden, frozen, merged, drawn over it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from lxml import etree

from tablewright.workbook.package import relations
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.cell_pictures import IMAGES, cell_pictures
from tablewright.workbook.package.drawings import covered_area
from tablewright.workbook.package.kept import Kept
from tablewright.workbook.package.row_heights import MOST_PX, RowHeights
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.sheet_charts import drawn_charts
from tablewright.workbook.package.text_book import TextRows
from tablewright.workbook.package.xml import RELATIONS, Element, child, children, local, parse
from tablewright.workbook.views import MOST_MERGES, SheetImage, SheetLayout, Span

ROW_PX, COLUMN_PX = 20.0, 64.0
_PX_PER_POINT = 96 / 72
_DIGIT_PX, _PADDING_PX = 7, 5
_HEIGHT, _STYLE = re.compile(rb'\bht="([0-9.]+)"'), re.compile(rb'\bs="(\d+)"')
_UNUSUAL = re.compile(rb' (?:ht|hidden|customFormat)="')


def layout_of(found: Kept, sheet: WorkbookSheet) -> SheetLayout:
    """Describe a sheet."""
    book, used = found.book, found.used(sheet)
    usual = child(sheet.frame, "sheetFormatPr")
    row_px = _points(usual.get("defaultRowHeight") if usual is not None else None) or ROW_PX
    column_px = _width(usual.get("defaultColWidth") if usual is not None else None) or COLUMN_PX
    columns = sheet.rows.column_spans() if isinstance(sheet.rows, TextRows) else tuple(_columns(sheet))
    rows = tuple(_rows(sheet, RowHeights(found, sheet, row_px, _widths(columns, column_px))))
    view = _view(sheet)
    frozen = _frozen(view)
    merges = sheet.merges()
    layout = SheetLayout(
        sheet=sheet.name,
        rows=used.last_row,
        columns=used.last_column,
        row_px=row_px,
        column_px=column_px,
        row_spans=rows,
        column_spans=columns,
        frozen_rows=frozen[0],
        frozen_columns=frozen[1],
        merges=tuple(area.text for area in merges[:MOST_MERGES]),
        merges_left_out=max(len(merges) - MOST_MERGES, 0),
        gridlines=view is None or view.get("showGridLines", "1") not in {"0", "false"},
        right_to_left=view is not None and view.get("rightToLeft", "0") in {"1", "true"},
        filter=_filter(sheet),
        looks={number: found.looks[number] for number in {0, *(span.look for span in (*rows, *columns))}},
    )
    images = (*_images(book, sheet), *cell_pictures(book.archive, sheet))
    return replace(layout, charts=tuple(drawn_charts(book, sheet)), images=images)


def _view(sheet: WorkbookSheet) -> Element | None:
    views = child(sheet.frame, "sheetViews")
    return child(views, "sheetView") if views is not None else None


def _frozen(view: Element | None) -> tuple[int, int]:
    """Return how many rows and columns are frozen. A sheet that is split without being frozen scrolls as a whole."""
    pane = child(view, "pane") if view is not None else None
    if pane is None or pane.get("state") not in {"frozen", "frozenSplit"}:
        return 0, 0
    return _whole(pane.get("ySplit")), _whole(pane.get("xSplit"))


def _filter(sheet: WorkbookSheet) -> str | None:
    found = child(sheet.frame, "autoFilter")
    return found.get("ref") if found is not None else None


def _columns(sheet: WorkbookSheet) -> Iterator[Span]:
    entries = sheet.columns()
    for entry in children(entries, "col") if entries is not None else []:
        first, last = _whole(entry.get("min")), _whole(entry.get("max"))
        if 1 <= first <= last:
            hidden = entry.get("hidden", "0") in {"1", "true"}
            look = _whole(entry.get("style"))
            yield Span(first=first, last=last, size_px=_width(entry.get("width")), hidden=hidden, look=look)


def _widths(columns: tuple[Span, ...], usual: float) -> Callable[[int], float]:
    @cache
    def width_px(column: int) -> float:
        span = next((span for span in columns if span.first <= column <= span.last), None)
        if span is None or (span.size_px is None and not span.hidden):
            return usual
        return 0.0 if span.hidden or span.size_px is None else span.size_px

    return width_px


def _rows(sheet: WorkbookSheet, heights: RowHeights) -> Iterator[Span]:
    """Yield the rows that are not as the others, neighbours of one kind together."""
    last: Span | None = None
    for here in _unusual(sheet, heights):
        if last is not None and last.last + 1 == here.first and replace(here, first=last.first, last=last.last) == last:
            last = replace(last, last=here.last)
            continue
        if last is not None:
            yield last
        last = here
    if last is not None:
        yield last


def _unusual(sheet: WorkbookSheet, heights: RowHeights) -> Iterable[Span]:
    for number, head in sheet.rows.heads():
        fitted = heights.fitted(number)
        if fitted is None and not _UNUSUAL.search(head):
            continue
        text = head[: head.index(b">")]
        height, hidden = _HEIGHT.search(text), b'hidden="1"' in text or b'hidden="true"' in text
        style = _STYLE.search(text) if b"customFormat" in text else None
        size = _points(height[1].decode()) if height else fitted
        if size is not None or hidden or style:
            yield Span(first=number, last=number, size_px=size, hidden=hidden, look=int(style[1]) if style else 0)


def _images(book: Book, sheet: WorkbookSheet) -> Iterator[SheetImage]:
    for drawing in relations.related(book.archive, sheet.part, "drawing"):
        targets = {
            entry.id: entry.target for entry in relations.relations(book.archive, drawing) if entry.kind == "image"
        }
        for anchor in _anchors(book, drawing):
            for element in anchor.iter():
                target = targets.get(element.get(f"{{{RELATIONS}}}embed", "")) if local(element) == "blip" else None
                if target and target in book.archive and target.rpartition(".")[2].lower() in IMAGES:
                    named = next((entry.get("name", "") for entry in anchor.iter() if local(entry) == "cNvPr"), "")
                    image = target.rpartition("/")[2]
                    yield SheetImage(name=named[:200], range=covered_area(anchor).text, image=image)


def image_bytes(book: Book, image: str) -> bytes | None:
    """Return the bytes of a picture of the package by its file's name, None if there is none."""
    known = (part for part in book.archive.names() if "/media/" in part and part.rpartition("/")[2] == image)
    part = next(known, None)
    return book.archive[part] if part and part.rpartition(".")[2].lower() in IMAGES else None


def _anchors(book: Book, drawing: str) -> list[Element]:
    try:
        return [anchor for anchor in parse(book.archive[drawing]) if local(anchor).endswith("Anchor")]
    except (etree.XMLSyntaxError, ValueError):
        return []


def _points(text: str | None) -> float | None:
    found = _float(text)
    return None if found is None else min(round(found * _PX_PER_POINT, 1), MOST_PX)


def _width(text: str | None) -> float | None:
    """Convert a width in characters, as files give it, to pixels."""
    found = _float(text)
    return None if found is None else min(float(round(found * _DIGIT_PX) + (0 if found > 1 else _PADDING_PX)), MOST_PX)


def _float(text: str | None) -> float | None:
    try:
        found = float(text) if text else None
    except ValueError:
        return None
    return found if found is not None and 0 <= found < 10_000 else None


def _whole(text: str | None) -> int:
    return int(found) if (found := _float(text) if text and len(text) < 8 else None) is not None else 0
