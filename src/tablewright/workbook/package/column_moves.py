"""Put a sheet's columns in another order: their cells, and everything in the workbook that refers to them."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.errors import InvalidInput
from tablewright.workbook.areas import areas_of
from tablewright.workbook.column_order import ColumnOrder
from tablewright.workbook.formulas import references, translated
from tablewright.workbook.package import relations
from tablewright.workbook.package.anchors import reorder_anchors
from tablewright.workbook.package.attached import move_attached
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.columns import reorder_widths
from tablewright.workbook.package.filters import reorder_filter
from tablewright.workbook.package.raw_rows import RawRow, taken_apart
from tablewright.workbook.package.references import FORMULA_ELEMENTS, everywhere
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.shifts import array_refs
from tablewright.workbook.package.tables import reorder_tables
from tablewright.workbook.package.xml import Element, local, parse, serialized

_STAYING = frozenset({"pane", "selection", "dimension", "hyperlink"})
"""Elements whose areas are no cells', or move with what is attached to cells."""
_NOTED_ROWS = 40


def reorder_columns(book: Book, sheet: WorkbookSheet, order: ColumnOrder) -> None:
    """Put the columns of a band of rows in another order.

    Errors: `InvalidInput` when something that refers to them cannot follow; it names that.
    """
    _refuse(sheet, order)
    sheet.unshare()
    before = _noted(sheet, order)
    bases = dict(_bases(sheet.frame, order))
    everywhere(book, order.followed, None if order.named else sheet.name)
    _reorder_frame(sheet, order, bases)
    _reorder_rows(sheet, order)
    sheet.arrays = [order.moved(area) or area for area in sheet.arrays]
    reorder_widths(sheet, order)
    for part in relations.related(book.archive, sheet.part, "drawing"):
        reorder_anchors(book.archive, part, order)
    move_attached(book, sheet, order.place)
    reorder_tables(book, sheet, order)
    _reorder_pivots(book, sheet, order)
    _note(book, sheet, order, before)
    sheet.changed = True
    book.shared.formulas_changed = True
    book.forget()


def _refuse(sheet: WorkbookSheet, order: ColumnOrder) -> None:
    for merge in sheet.merges():
        if order.moved(merge) is None:
            raise InvalidInput("merged_in_range", sheet=sheet.name, range=merge.text)
    for array in sheet.arrays:
        if order.moved(array) is None:
            raise InvalidInput("part_of_array", sheet=sheet.name, cell=array.text, range=array.text)
    for element in sheet.frame.iter():
        text = element.get("ref") if local(element) in {"hyperlink", "autoFilter"} else None
        if text and len(order.areas(areas_of(text)[0]) or ()) != 1:
            raise _torn(text, sheet.name)


def _torn(area: str, where: str) -> InvalidInput:
    return InvalidInput("columns_torn", field="columns", range=area, where=where)


def _bases(frame: Element, order: ColumnOrder) -> Iterator[tuple[Element, int]]:
    """Yield each rule's formulas with the column to which their relative references count, before and after.

    Errors: `InvalidInput` for a rule over several columns whose references beside them would differ afterwards.
    """
    for element in frame.iter():
        text = element.get("sqref") or next((one.text for one in element if local(one) == "sqref"), None)
        formulas = [one for one in element.iter() if local(one) in FORMULA_ELEMENTS and one.text] if text else []
        if not formulas or not text:
            continue
        areas = areas_of(text)
        base = areas[0].first_column
        for formula in formulas:
            for found in references(formula.text):
                steps = {corner.column - base for corner in found.corners if corner.column and not corner.column_fixed}
                if not all(order.alike(area, step) for area in areas for step in steps):
                    raise _torn(text, formula.text)
            at = areas[0].first_row
            yield formula, (order.areas(areas[0]) or areas)[0].first_column - order.place(at, base)[1]


def _reorder_frame(sheet: WorkbookSheet, order: ColumnOrder, bases: dict[Element, int]) -> None:
    for element in list(sheet.frame.iter()):
        name = local(element)
        if bases.get(element):
            element.text = translated(element.text, 0, bases[element])
        if name == "autoFilter":
            reorder_filter(element, order)
        if name == "sqref" and element.text:
            element.text = _listed(element.text, order, sheet.name)
        elif name in {"mergeCell", "sortState", "sortCondition"}:
            area = areas_of(element.get("ref"))[0]
            element.set("ref", (order.moved(area) or area).text)
        elif name not in _STAYING:
            for attribute in ("sqref", "ref"):
                if name and (text := element.get(attribute)):
                    element.set(attribute, _listed(text, order, sheet.name))


def _listed(text: str, order: ColumnOrder, where: str) -> str:
    """Return a list of areas as they are afterwards."""
    found: list[str] = []
    for area in areas_of(text):
        places = order.areas(area)
        if places is None:
            raise _torn(area.text, where)
        found += [place.text for place in places]
    return " ".join(found)


def _reorder_rows(sheet: WorkbookSheet, order: ColumnOrder) -> None:
    sheet.rows.rewrite(b'ref="', lambda raw: array_refs(raw, order.moved))
    for number in sheet.rows.numbers:
        if not order.first_row <= number <= order.last_row:
            continue
        row = taken_apart(sheet.rows.raw(number))
        if not any(column in order.places for column in row.cells):
            continue
        row.cells = {order.places.get(column, column): cell for column, cell in row.cells.items()}
        sheet.rows.replace(number, row.xml(number))


def _reorder_pivots(book: Book, sheet: WorkbookSheet, order: ColumnOrder) -> None:
    for part in relations.related(book.archive, sheet.part, "pivotTable"):
        _reorder_area(book, part, "location", sheet.name, order)
    for part in book.related("pivotCacheDefinition"):
        _reorder_area(book, part, "worksheetSource", sheet.name, order)


def _reorder_area(book: Book, part: str, name: str, sheet: str, order: ColumnOrder) -> None:
    root = parse(book.archive[part])
    changed = False
    for element in root.iter():
        text = element.get("ref") if local(element) == name else None
        if not text or (element.get("sheet") or sheet).casefold() != sheet.casefold():
            continue
        place = _listed(text, order, sheet)
        if " " in place:
            raise _torn(text, sheet)
        changed |= place != text
        element.set("ref", place)
    if changed:
        book.archive[part] = serialized(root)


def _noted(sheet: WorkbookSheet, order: ColumnOrder) -> dict[int, RawRow]:
    numbers = [number for number in sheet.rows.numbers if order.first_row <= number <= order.last_row]
    return {number: taken_apart(sheet.rows.raw(number)) for number in numbers[:_NOTED_ROWS]}


def _note(book: Book, sheet: WorkbookSheet, order: ColumnOrder, before: dict[int, RawRow]) -> None:
    for number, old in before.items():
        new = sheet.rows.peek(number) or RawRow()
        for column in order.places:
            one, other = (
                sheet.data_of(row.cells[column], number, column).content if column in row.cells else None
                for row in (old, new)
            )
            if one != other:
                book.shared.journal.note(sheet.name, number, column, one, other)
    later = sum(1 for number in sheet.rows.numbers if order.first_row <= number <= order.last_row) - len(before)
    book.shared.journal.count(later * len(order.places), sheet.name)
    book.shared.journal.touch(sheet.name, order.band)
