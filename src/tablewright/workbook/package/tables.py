"""Excel's native tables: find, create, move, widen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count

from lxml import etree

from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area, AreaShift, areas_of
from tablewright.workbook.column_order import ColumnOrder
from tablewright.workbook.package import relations
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.filters import reorder_filter
from tablewright.workbook.package.names import names_of
from tablewright.workbook.package.sheet import ORDER, WorkbookSheet
from tablewright.workbook.package.xml import (
    MAIN,
    RELATIONS,
    Element,
    child,
    children,
    coded,
    decoded,
    local,
    main,
    needed,
    parse,
    placed,
    serialized,
)

_FORMULAS = re.compile(rb"<(?:f|formula\d?|calculatedColumnFormula|totalsRowFormula)\b[^>]*>[^<]*")
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeTable:
    """A native table: its area including header and totals, and the number of rows of each."""

    name: str
    part: str
    area: Area
    header_rows: int
    totals_rows: int
    columns: tuple[str, ...]


def tables_of(book: Book, sheet: WorkbookSheet) -> list[NativeTable]:
    """Return the tables of a sheet."""
    return [_read(part, parse(book.archive[part])) for part in relations.related(book.archive, sheet.part, "table")]


def all_tables(book: Book) -> list[NativeTable]:
    """Return the tables of all sheets."""
    return [table for tab in book.worksheets() for table in tables_of(book, book.sheet(tab.name))]


def add_table(book: Book, sheet: WorkbookSheet, area: Area, name: str, headers: list[str], style: str) -> None:
    """Turn an area with one header row into a native table."""
    part = relations.free_part(book.archive, f"{book.folder}/tables/table{{}}.xml".lstrip("/"))
    number = max([_number(book, table.part) for table in all_tables(book)], default=0) + 1
    root = etree.Element(main("table"), nsmap={None: MAIN})
    for key, value in (
        ("id", str(number)),
        ("name", name),
        ("displayName", name),
        ("ref", area.text),
        ("totalsRowShown", "0"),
    ):
        root.set(key, value)
    etree.SubElement(root, main("autoFilter"), ref=area.text)
    columns = etree.SubElement(root, main("tableColumns"), count=str(len(headers)))
    for index, header in enumerate(headers, 1):
        etree.SubElement(columns, main("tableColumn"), id=str(index), name=coded(header))
    etree.SubElement(
        root,
        main("tableStyleInfo"),
        name=style,
        showFirstColumn="0",
        showLastColumn="0",
        showRowStripes="1",
        showColumnStripes="0",
    )
    book.archive[part] = serialized(root)
    relations.declare(book.archive, part, _TYPE)
    link = relations.relate(book.archive, sheet.part, "table", part)
    parts = placed(sheet.frame, "tableParts", ORDER)
    etree.SubElement(parts, main("tablePart")).set(f"{{{RELATIONS}}}id", link)
    parts.set("count", str(len(parts)))
    sheet.changed = True


def widen(book: Book, table: NativeTable, header: str, formula: str | None = None) -> None:
    """Add a column at the right end of a table; writing its cells is up to the caller."""
    root = parse(book.archive[table.part])
    area = Area(table.area.first_row, table.area.first_column, table.area.last_row, table.area.last_column + 1)
    _resize(root, area)
    columns = needed(root, "tableColumns")
    made = etree.SubElement(columns, main("tableColumn"), id=str(_free_id(columns)), name=coded(header))
    if formula:
        etree.SubElement(made, main("calculatedColumnFormula")).text = formula
    columns.set("count", str(len(columns)))
    book.archive[table.part] = serialized(root)


def rename_column(book: Book, sheet: WorkbookSheet, row: int, column: int, header: str) -> None:
    """Update a table's own list of headers after one of its header cells changed."""
    for table in tables_of(book, sheet):
        if table.header_rows and row == table.area.first_row and table.area.holds(row, column):
            root = parse(book.archive[table.part])
            entry = children(needed(root, "tableColumns"), "tableColumn")[column - table.area.first_column]
            entry.set("name", coded(header))
            book.archive[table.part] = serialized(root)


def move_tables(book: Book, sheet: WorkbookSheet, move: AreaShift) -> None:
    """Move and resize the tables of a sheet.

    Errors: `InvalidInput` when a header would be removed without its table.
    """
    for table in tables_of(book, sheet):
        root = parse(book.archive[table.part])
        area = move.area(table.area)
        if area is None:
            _remove(book, sheet, table)
            continue
        if move.axis == "row" and table.header_rows and move.place(table.area.first_row) is None:
            raise InvalidInput("table_header_deleted", sheet=sheet.name, table=table.name)
        if move.axis == "column":
            _move_columns(sheet, root, table, move)
        _resize(root, area)
        book.archive[table.part] = serialized(root)


def reorder_tables(book: Book, sheet: WorkbookSheet, order: ColumnOrder) -> None:
    """Put the columns of a sheet's tables in another order. Errors: `InvalidInput` when a table would be torn apart."""
    for table in tables_of(book, sheet):
        places = order.areas(table.area)
        if places is None or len(places) > 1:
            raise InvalidInput("columns_torn", field="columns", range=table.area.text, where=table.name)
        if not table.area.meets(order.band):
            continue
        root = parse(book.archive[table.part])
        first, row = table.area.first_column, table.area.first_row
        columns = needed(root, "tableColumns")
        entries = children(columns, "tableColumn")
        for at in sorted(range(len(entries)), key=lambda at: order.place(row, first + at)[1]):
            columns.append(entries[at])
        if (buttons := child(root, "autoFilter")) is not None:
            reorder_filter(buttons, order)
        for condition in [one for one in root.iter() if local(one) == "sortCondition"]:
            area = areas_of(condition.get("ref", "A1"))[0]
            condition.set("ref", (order.moved(area) or area).text)
        _resize(root, places[0])
        book.archive[table.part] = serialized(root)


def make_own(book: Book, sheet_part: str) -> None:
    """Give the tables of a copied sheet new ids and names; formulas on the copy then refer to its own tables."""
    copied = relations.related(book.archive, sheet_part, "table")
    others = [table for table in all_tables(book) if table.part not in copied]
    last = max([_number(book, table.part) for table in others], default=0)
    taken = {name.casefold() for name in (*(table.name for table in others), *(name for name, _ in names_of(book)))}
    renamed: dict[bytes, bytes] = {}
    for at, part in enumerate(copied):
        root = parse(book.archive[part])
        old = root.get("displayName", "")
        new = next(name for number in count(2) if (name := f"{old}_{number}").casefold() not in taken)
        taken.add(new.casefold())
        for key, value in (("id", str(last + 1 + at)), ("name", new), ("displayName", new)):
            root.set(key, value)
        root.attrib.pop("tableType", None)  # the link to its data source is not copied
        book.archive[part] = serialized(root)
        renamed[old.encode()] = new.encode()
    for part in (*copied, sheet_part) if renamed else ():
        book.archive[part] = _FORMULAS.sub(lambda match: _meaning(match[0], renamed), book.archive[part])


def _meaning(formula: bytes, renamed: dict[bytes, bytes]) -> bytes:
    for old, new in renamed.items():
        formula = re.sub(rb"(?<![\w.])%s(?=\[)" % re.escape(old), new.replace(b"\\", b"\\\\"), formula)
    return formula


def _read(part: str, root: Element) -> NativeTable:
    columns = child(root, "tableColumns")
    return NativeTable(
        name=root.get("displayName") or root.get("name") or "", part=part, area=areas_of(root.get("ref", "A1"))[0],
        header_rows=int(root.get("headerRowCount", "1")), totals_rows=int(root.get("totalsRowCount", "0")),
        columns=tuple(decoded(column.get("name", "")) for column in children(columns,
            "tableColumn")) if columns is not None else (),
    )  # fmt: skip


def _resize(root: Element, area: Area) -> None:
    root.set("ref", area.text)
    totals = int(root.get("totalsRowCount", "0"))
    for name in ("autoFilter", "sortState"):
        if (found := child(root, name)) is not None and found.get("ref"):
            last = area.last_row - totals if name == "autoFilter" else area.last_row
            found.set("ref", Area(area.first_row, area.first_column, last, area.last_column).text)
            for condition in children(found, "sortCondition"):
                root_area = areas_of(condition.get("ref", "A1"))[0]
                if not root_area.within(area):
                    root.remove(found)
                    break


def _move_columns(sheet: WorkbookSheet, root: Element, table: NativeTable, move: AreaShift) -> None:
    columns = needed(root, "tableColumns")
    entries = children(columns, "tableColumn")
    if move.count < 0:
        for at, entry in enumerate(entries, table.area.first_column):
            if move.place(at) is None:
                columns.remove(entry)
    elif table.area.first_column < move.at <= table.area.last_column:
        taken = {entry.get("name", "").casefold() for entry in entries}
        for offset in range(move.count):
            header = _free_header(taken)
            made = columns.makeelement(main("tableColumn"), {"id": str(_free_id(columns)), "name": header})
            columns.insert(move.at - table.area.first_column + offset, made)
            if table.header_rows:
                sheet.write(table.area.first_row, move.at + offset, header)
    columns.set("count", str(len(columns)))


def _free_header(taken: set[str]) -> str:
    number = 1
    while f"column{number}" in taken:
        number += 1
    taken.add(f"column{number}")
    return f"Column{number}"


def _free_id(columns: Element) -> int:
    return max((int(entry.get("id", "0")) for entry in columns), default=0) + 1


def _number(book: Book, part: str) -> int:
    return int(parse(book.archive[part]).get("id", "0"))


def _remove(book: Book, sheet: WorkbookSheet, table: NativeTable) -> None:
    link = next((found.id for found in relations.relations(book.archive, sheet.part) if found.target == table.part), "")
    parts = child(sheet.frame, "tableParts")
    if parts is not None:
        for entry in list(parts):
            if entry.get(f"{{{RELATIONS}}}id") == link:
                parts.remove(entry)
        parts.set("count", str(len(parts)))
        if len(parts) == 0:
            sheet.frame.remove(parts)
    relations.unrelate(book.archive, sheet.part, table.part)
    relations.remove(book.archive, table.part)
    sheet.changed = True
