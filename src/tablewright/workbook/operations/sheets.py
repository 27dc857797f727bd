"""Sheets: add, delete, rename, copy, move; defined names and native tables."""

from __future__ import annotations

import re

from tablewright.domain.operations.structure import AddSheet, CopySheet, DeleteSheet, MoveSheet, RenameSheet
from tablewright.domain.operations.tables import CreateTable, DefineName
from tablewright.domain.sheet_names import sheet_named
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.package import tabs
from tablewright.workbook.package.names import set_name
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.table_view import plain
from tablewright.workbook.package.tables import add_table, all_tables, tables_of
from tablewright.workbook.package.xml import child

_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")
_LONGEST_NAME = 31
_TABLE_NAME = re.compile(r"[^\W\d][\w.]*")


def add_sheet(step: OperationContext, operation: AddSheet) -> None:
    """Add an empty sheet."""
    name = free_sheet_name(step, operation.name)
    before = step.book.tab(operation.before).name if operation.before else None
    tabs.add(step.book, name, before)
    step.touch(name, Area(1, 1, 1, 1))


def sheet_or_new(step: OperationContext, name: str | None) -> WorkbookSheet:
    """Return the sheet of that name, which is added if there is none; the first visible one without a name."""
    if name is not None and sheet_named(name, [tab.name for tab in step.book.tabs]) is None:
        tabs.add(step.book, free_sheet_name(step, name))
    return step.book.sheet(name)


def delete_sheet(step: OperationContext, operation: DeleteSheet) -> None:
    """Delete a sheet. Formulas that refer to it become #REF!, which the check afterwards reports."""
    if operation.sheet is None:
        raise InvalidInput("sheet_needed", field="sheet")
    tab = step.book.tab(operation.sheet)
    tabs.remove(step.book, tab)
    step.touch(tab.name, Area(1, 1, 1, 1))


def rename_sheet(step: OperationContext, operation: RenameSheet) -> None:
    """Rename a sheet and update every reference to it."""
    tab = step.book.tab(operation.sheet)
    if operation.name != tab.name:
        name = operation.name if plain(operation.name) == plain(tab.name) else free_sheet_name(step, operation.name)
        tabs.rename(step.book, tab, name)
        step.touch(name, Area(1, 1, 1, 1))


def copy_sheet(step: OperationContext, operation: CopySheet) -> None:
    """Copy a sheet with its drawings, notes, rules and tables; the copied tables get names of their own."""
    tab = step.book.tab(operation.sheet)
    name = free_sheet_name(step, operation.name)
    left_out = tabs.copy(step.book, tab, name)
    step.touch(name, Area(1, 1, 1, 1))
    if left_out:
        step.note("copy_without", kinds=", ".join(left_out))


def move_sheet(step: OperationContext, operation: MoveSheet) -> None:
    """Move a sheet to another position."""
    tab = step.book.tab(operation.sheet)
    tabs.move(step.book, tab, min(operation.position, len(step.book.tabs)))
    step.touch(tab.name, Area(1, 1, 1, 1))


def define_name(step: OperationContext, operation: DefineName) -> None:
    """Define a name for a range."""
    sheet, area = step.area(operation, operation.range)
    if re.fullmatch(r"(?i)[a-z]{1,3}[0-9]{1,7}|r|c|r[0-9]+c[0-9]+", operation.name):
        raise InvalidInput("name_like_cell", field="name", name=operation.name)
    set_name(step.book, operation.name, sheet, area)
    step.touch(sheet.name, area)


def create_table(step: OperationContext, operation: CreateTable) -> None:
    """Turn a range into a native table; headers become distinct texts, as the format requires."""
    sheet, within = step.area(operation, operation.range) if operation.range else (step.sheet(operation), None)
    view = step.table(sheet, (), within)
    if view.region.header is None or view.region.data is None:
        raise InvalidInput("table_without_header", sheet=sheet.name)
    row = view.region.header[1]
    area = Area(row, view.region.area.first_column, view.region.data[1], view.region.area.last_column)
    if any(table.area.meets(area) for table in tables_of(step.book, sheet)):
        raise InvalidInput("table_there", sheet=sheet.name, range=area.text)
    if any(merge.meets(area) for merge in sheet.merges()):
        raise InvalidInput("merged_in_range", sheet=sheet.name, range=area.text)
    headers = _headers(sheet, area)
    name = _table_name(step, operation.name)
    if (old := child(sheet.frame, "autoFilter")) is not None:
        sheet.frame.remove(old)
    add_table(step.book, sheet, area, name, headers, operation.style)
    step.touch(sheet.name, area)


HANDLERS: dict[str, Handler] = {
    "add_sheet": add_sheet, "delete_sheet": delete_sheet, "rename_sheet": rename_sheet, "copy_sheet": copy_sheet,
    "move_sheet": move_sheet, "define_name": define_name, "create_table": create_table,
}  # fmt: skip


def free_sheet_name(step: OperationContext, wanted: str) -> str:
    """Return a sheet's name if it is valid and free. Errors: `InvalidInput`."""
    name = wanted.strip()
    if (
        not name.isprintable()
        or not 0 < len(name) <= _LONGEST_NAME
        or _FORBIDDEN.search(name)
        or "'" in name[0] + name[-1]
    ):
        raise InvalidInput("sheet_name_invalid", field="name", name=wanted)
    if any(tab.name.casefold() == name.casefold() for tab in step.book.tabs):
        raise InvalidInput("sheet_name_taken", field="name", name=wanted)
    return name


def _headers(sheet: WorkbookSheet, area: Area) -> list[str]:
    headers: list[str] = []
    taken: set[str] = set()
    for column in range(area.first_column, area.last_column + 1):
        cell = sheet.read(area.first_row, column)
        base = str(cell.shown) if cell.shown is not None else f"Column{column - area.first_column + 1}"
        header, number = base, 1
        while header.casefold() in taken:
            number += 1
            header = f"{base}{number}"
        taken.add(header.casefold())
        headers.append(header)
        if cell.value != header or cell.formula:
            sheet.write(area.first_row, column, header, None, "exact")
    return headers


def _table_name(step: OperationContext, wanted: str | None) -> str:
    taken = {table.name.casefold() for table in all_tables(step.book)}
    if wanted is not None:
        if not _TABLE_NAME.fullmatch(wanted) or wanted.casefold() in taken:
            raise InvalidInput("table_name_unusable", field="name", name=wanted)
        return wanted
    number = 1
    while f"table{number}" in taken:
        number += 1
    return f"Table{number}"
