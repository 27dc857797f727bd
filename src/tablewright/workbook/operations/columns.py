"""Columns of a table: append, fill, split, join, look up."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import zip_longest
from statistics import median

from tablewright.domain.operations.tables import FillMissing, JoinColumns, LookupJoin, SplitColumn
from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import MOST_COLUMNS, Area, AreaShift, column_number, letters
from tablewright.workbook.formulas import sheet_prefix, shifted
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.package.fills import fill_formula
from tablewright.workbook.package.shifts import shift
from tablewright.workbook.package.styles import FormatChange
from tablewright.workbook.package.table_view import TableView, plain
from tablewright.workbook.package.tables import rename_column, widen
from tablewright.workbook.values import CellData


def append_column(
    step: OperationContext, view: TableView, header: str, formula: str | None, *, after: int | None = None
) -> int:
    """Add a column to a table and return its number.

    It goes to the table's right end, or to the right of `after`, moving what is there. `formula` is the formula for the
    first data row; without one the cells stay empty. The neighbouring column's formats are continued; a sum, difference
    or product is shown as the amounts it is computed from.
    """
    if any(plain(known) == plain(header) for known in view.headers):
        raise InvalidInput("header_taken", field="header", header=header, sheet=view.sheet.name)
    code = _computed_format(view, formula) if formula else None
    column = _appended(step, view, header, formula, after)
    if code is not None:
        first, last = view.rows
        step.book.sheet(view.sheet.name).restyle(Area(first, column, last, column), FormatChange(number_format=code))
    return column


def _appended(step: OperationContext, view: TableView, header: str, formula: str | None, after: int | None) -> int:
    area = view.region.area
    if after is not None and after < area.last_column:
        return _inserted(step, view, header, formula, after)
    column = area.last_column + 1
    if column > MOST_COLUMNS:
        raise InvalidInput("sheet_full", sheet=view.sheet.name)
    step.refuse_filled(view.sheet, Area(area.first_row, column, area.last_row, column))
    if view.region.table is None and _touches(view, column + 1):
        return _inserted(step, view, header, formula, area.last_column)
    if view.region.table is not None:
        widen(step.book, view.region.table, header)
    _fill_column(view, column, header, formula, column - 1)
    return column


def fill_missing(step: OperationContext, operation: FillMissing) -> None:
    """Fill the empty cells of a column."""
    sheet = step.sheet(operation)
    view = step.table(sheet, [operation.column])
    column = view.column(operation.column)
    first, last = view.rows
    found = {row: cells[column] for row, cells in sheet.scan(Area(first, column, last, column)) if column in cells}
    known = [found[row] for row in range(first, last + 1) if not _missing(found.get(row))]
    filled = 0
    for row in range(first, last + 1) if operation.how != "next" else range(last, first - 1, -1):
        if not _missing(found.get(row)):
            continue
        content = _filling(operation, known, found, row)
        if content is not None:
            style = sheet.style(row, column) or (known[0].style if known else 0)
            sheet.write(row, column, content, style, "typed" if operation.how == "constant" else "exact")
            found[row] = CellData(content)
            filled += 1
    if not filled:
        step.note("nothing_missing", column=view.header(column))


def split_column(step: OperationContext, operation: SplitColumn) -> None:
    """Split texts into new columns to the right; existing columns there are moved."""
    sheet = step.sheet(operation)
    view = step.table(sheet, [operation.column])
    source = view.column(operation.column)
    if not operation.headers:
        raise InvalidInput("headers_missing", field="headers")
    first, last = view.rows
    texts = {
        row: cells[source].shown for row, cells in sheet.scan(Area(first, source, last, source)) if source in cells
    }
    after = source
    for header in operation.headers:
        after = append_column(step, view, header, None, after=after)
        view = step.table(step.book.sheet(sheet.name), [header])
    target = step.book.sheet(sheet.name)
    wide = len(operation.headers)
    for row, text in texts.items():
        parts = str(text).split(operation.separator, wide - 1)
        for offset, part in enumerate(parts, after - wide + 1):
            target.write(row, offset, part.strip() or None, None, "exact")


def join_columns(step: OperationContext, operation: JoinColumns) -> None:
    """Append a column that joins texts with a formula."""
    view = step.table(step.sheet(operation), [*operation.columns, *([operation.after] if operation.after else [])])
    first, _ = view.rows
    place = view.column(operation.after, "after") if operation.after else None
    glue = operation.separator.replace('"', '""')
    cells = [f"{letters(view.column(name, 'columns'))}{first}" for name in operation.columns]
    joined = f'&"{glue}"&'.join(cells) if glue else "&".join(cells)
    append_column(step, view, operation.header, f"={joined}", after=place)


def lookup_join(step: OperationContext, operation: LookupJoin) -> None:
    """Append columns looked up in another table by key.

    Uses INDEX and MATCH, which every spreadsheet program computes.
    """
    sheet, other = step.sheet(operation), step.book.sheet(operation.from_sheet)
    source = step.table(other, [operation.from_key, *operation.columns])
    key_column = source.column(operation.from_key, "from_key")
    prefix = sheet_prefix(other.name)
    keys = f"{prefix}{source.span(key_column)}"
    if operation.headers and len(operation.headers) != len(operation.columns):
        raise InvalidInput("headers_missing", field="headers")
    after = operation.after
    for name, header in zip_longest(operation.columns, operation.headers):
        view = step.table(step.book.sheet(sheet.name), [operation.key, *([after] if after else [])])
        first, _ = view.rows
        key = f"${letters(view.column(operation.key, 'key'))}{first}"
        wanted = source.column(name, "columns")
        formula = f'=IFERROR(INDEX({prefix}{source.span(wanted)},MATCH({key},{keys},0)),"")'
        called = header or _free_header(view, source.header(wanted), other.name)
        place = view.column(after, "after") if after else None
        column = append_column(step, view, called, formula, after=place)
        _take_format(step, view, column, source, wanted)
        after = called if after else None


HANDLERS: dict[str, Handler] = {
    "fill_missing": fill_missing, "split_column": split_column, "join_columns": join_columns,
    "lookup_join": lookup_join,
}  # fmt: skip


def _inserted(step: OperationContext, view: TableView, header: str, formula: str | None, after: int) -> int:
    sheet = view.sheet
    move = AreaShift(sheet=sheet.name, axis="column", at=after + 1, count=1)
    shift(step.book, move)
    sheet = step.book.sheet(sheet.name)
    first, last = view.rows
    if view.region.header:
        row = view.region.header[1]
        sheet.write(row, after + 1, header, sheet.style(row, after), "exact")
        rename_column(step.book, sheet, row, after + 1, header)
    if formula:
        fill_formula(sheet, after + 1, range(first, last + 1), shifted(formula, sheet.name, move))
        if sheet.shared.styles.is_date(sheet.style(first, after + 1)):
            sheet.restyle(Area(first, after + 1, last, after + 1), FormatChange(number_format="General"))
    return after + 1


def _touches(view: TableView, column: int) -> bool:
    """Whether `column` holds anything beside the table's rows.

    If so, filling the empty column before it would join the table with those contents.
    """
    area = view.region.area
    return any(cells for _, cells in view.sheet.scan(Area(area.first_row, column, area.last_row, column)))


def _fill_column(view: TableView, column: int, header: str, formula: str | None, neighbour: int) -> None:
    sheet = view.sheet
    if view.region.header:
        row = view.region.header[1]
        sheet.write(row, column, header, sheet.style(row, neighbour), "exact")
    first, last = view.rows
    continued = cache(lambda style: _body_style(style, view))
    found = dict(sheet.rows.styles(neighbour, first, last))
    styles = {
        row: continued(sheet.style(row, neighbour) if found.get(row) is None else found[row])
        for row in range(first, last + 1)
    }
    if formula:
        fill_formula(sheet, column, range(first, last + 1), formula, styles)
    for row, style in styles.items() if not formula else ():
        if style:
            sheet.set_style(row, column, style)
    if view.region.totals is not None:
        sheet.set_style(view.region.totals, column, sheet.style(view.region.totals, neighbour))


_ARITHMETIC = re.compile(r"=(?:[\s+*().-]|\d+(?:\.\d+)?|\$?[A-Z]{1,3}\$?\d+)+")
_ONE_CELL = re.compile(r"\$?([A-Z]{1,3})\$?\d+")


def _computed_format(view: TableView, formula: str) -> str | None:
    """Return the number format of what a sum, difference or product is computed from: of amounts the one with the most
    decimals, of a date and a number of days the date's. None if there is none, and for other formulas."""
    if not _ARITHMETIC.fullmatch(formula):
        return None
    styles = view.sheet.shared.styles
    found = [view.sheet.style(view.rows[0], column_number(at)) for at in _ONE_CELL.findall(formula)]
    dates = [style for style in found if styles.is_date(style)]
    if dates:
        return styles.number_format(dates[0]) if len(dates) == 1 and "*" not in formula else None
    codes = [code for style in found if (code := styles.number_format(style)) not in {"General", "@"}]
    amounts = [code for code in codes if "%" not in code] if "*" in formula else codes
    return max(amounts, key=_decimals, default=None)


def _decimals(code: str) -> int:
    match = re.search(r"\.(0+)", code)
    return len(match[1]) if match else 0


def _body_style(style: int, view: TableView) -> int:
    """Return the style for a new column: a neighbouring date format is not continued."""
    styles = view.sheet.shared.styles
    return styles.changed_by(style, FormatChange(number_format="General")) if styles.is_date(style) else style


def _filling(operation: FillMissing, known: list[CellData], found: dict[int, CellData], row: int) -> Cell:
    numbers = [cell.value for cell in known if isinstance(cell.value, int | float) and not isinstance(cell.value, bool)]
    match operation.how:
        case "constant":
            return operation.value
        case "mean":
            return sum(numbers) / len(numbers) if numbers else None
        case "median":
            return median(numbers) if numbers else None
        case "mode":
            return Counter(cell.value for cell in known).most_common(1)[0][0] if known else None
        case "previous":
            return found[row - 1].value if row - 1 in found else None
        case "next":
            return found[row + 1].value if row + 1 in found else None


def _missing(cell: CellData | None) -> bool:
    return cell is None or cell.empty or (isinstance(cell.value, str) and not cell.value.strip() and not cell.formula)


def _free_header(view: TableView, header: str, sheet: str) -> str:
    taken = {plain(known) for known in view.headers}
    return header if plain(header) not in taken else f"{header} ({sheet})"


def _take_format(step: OperationContext, view: TableView, column: int, source: TableView, wanted: int) -> None:
    code = step.book.shared.styles.number_format(source.sheet.style(source.rows[0], wanted))
    first, last = view.rows
    if code not in {"General", "@"}:
        step.book.sheet(view.sheet.name).restyle(Area(first, column, last, column), FormatChange(number_format=code))
