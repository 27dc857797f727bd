"""Conditions on rows, evaluated on displayed values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tablewright.domain.operations.base import RowFilter, RowTest
from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area
from tablewright.workbook.operations.context import OperationContext
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.table_view import TableView
from tablewright.workbook.values import EMPTY, CellData, serial


def matching_rows(view: TableView, where: RowFilter) -> list[int]:
    """Return the numbers of the table's rows that match the filter. Errors: `InvalidInput` for unknown columns."""
    if not where.tests:
        raise InvalidInput("filter_empty", field="where")
    columns = [view.column(test.column, "where") for test in where.tests]
    others = [view.column(test.than, "where") if test.than else None for test in where.tests]
    used = [column for column in (*columns, *others) if column is not None]
    first, last = view.rows
    cells = dict(view.sheet.scan(Area(first, min(used), last, max(used))))
    judge = all if where.match == "all" else any
    tests = list(zip(where.tests, columns, others, strict=True))

    def held(row: int) -> Iterator[bool]:
        for test, column, other in tests:
            cell = _at(cells, row, column)
            yield holds(test, cell) if other is None else _holds_beside(test, cell, _at(cells, row, other))

    return [row for row in range(first, last + 1) if judge(held(row))]


def rows_within(step: OperationContext, sheet: WorkbookSheet, area: Area, where: RowFilter) -> list[int]:
    """Return the rows of an area that belong to the table and match the filter."""
    view = step.table(sheet, [test.column for test in where.tests])
    return [row for row in matching_rows(view, where) if area.first_row <= row <= area.last_row]


def holds(test: RowTest, cell: CellData) -> bool:
    """Whether a test holds for a cell. Texts are compared ignoring case; numbers stored as text count as numbers."""
    blank = cell.value is None or (isinstance(cell.value, str) and not cell.value.strip())
    if test.op in {"missing", "present"}:
        return blank == (test.op == "missing")
    if test.value is None:
        return blank == (test.op == "=")
    if blank:
        return test.op == "!="
    if test.op in {"contains", "starts", "ends"}:
        return _in_text(test.op, str(cell.shown).casefold(), str(test.value).casefold())
    left, right = _comparable(cell, test.value)
    return _compare(test.op, left, right)


def _holds_beside(test: RowTest, cell: CellData, other: CellData) -> bool:
    """Whether a test holds for a cell compared with another of its row. If either is empty, only `!=` can hold."""
    if cell.value is None or other.value is None:
        return test.op == "!=" and cell.value != other.value
    return holds(replace(test, value=other.value, than=None), cell)


def _at(cells: Mapping[int, Mapping[int, CellData]], row: int, column: int) -> CellData:
    return cells.get(row, {}).get(column, EMPTY)


def _in_text(op: str, text: str, part: str) -> bool:
    if op == "contains":
        return part in text
    return text.startswith(part) if op == "starts" else text.endswith(part)


def _comparable(cell: CellData, wanted: Cell) -> tuple[float | str, float | str]:
    day = serial(wanted) if cell.date and isinstance(wanted, str) else None
    if day is not None and not isinstance(cell.value, str):
        held = float(cell.serial or 0)
        return (held if day % 1 else int(held)), day
    left, right = _number(cell.value), _number(wanted)
    if left is not None and right is not None:
        return left, right
    return str(cell.shown).strip().casefold(), str(wanted).strip().casefold()


def _number(value: Cell) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return value
    try:
        return float(value.replace(",", "").strip())
    except ValueError:
        return None


def _compare(op: str, left: float | str, right: float | str) -> bool:
    if op in {"=", "!="}:
        return (left == right) == (op == "=")
    if isinstance(left, str) != isinstance(right, str):
        return False
    below, equal = left < right, left == right  # type: ignore[operator]  # both are of one kind here
    return {"<": below, "<=": below or equal, ">": not below and not equal, ">=": not below}[op]
