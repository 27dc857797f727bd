"""A fake editor for tests of the layers above: workbooks are JSON files of cells, edited in process.

It supports constants, whole rows and sheets; formulas are kept as text and never computed. Every other operation fails
as if it did not apply. `write_workbook` creates a file that the fake can open.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path

from tablewright.domain.cells import CellChange, SheetChanges
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.cells import SetValues
from tablewright.domain.operations.code import RunPython
from tablewright.domain.operations.structure import AddSheet, DeleteRows, InsertRows, RenameSheet
from tablewright.domain.outline import ColumnOutline, RegionOutline, SheetOutline, WorkbookOutline
from tablewright.domain.sheet_names import sheet_named
from tablewright.domain.table import Cell
from tablewright.errors import CallerError, FileUnreadable, InvalidInput
from tablewright.workbook.areas import Area, cell_name, cell_place, letters, parse_area
from tablewright.workbook.base import (
    Applied,
    ApplyPolicy,
    CellPage,
    CellView,
    Difference,
    FrameBlock,
    NewSheet,
    StepOutcome,
    Watch,
)

Cells = dict[str, Cell]
Sheets = dict[str, Cells]


def write_workbook(path: Path, sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> None:
    """Write a workbook for the fake from rows of cells."""
    book: Sheets = {
        name: {
            cell_name(row, column): value
            for row, values in enumerate(rows, 1)
            for column, value in enumerate(values, 1)
            if value is not None
        }
        for name, rows in sheets.items()
    }
    path.write_text(json.dumps(book), encoding="utf-8")


def _unwatched(_place: int | None) -> None:
    """Ignore progress."""


class MemoryEditor:
    """`WorkbookEditor` over JSON files. Policies and token budgets are accepted and have no effect."""

    async def apply(
        self,
        source: Path,
        target: Path,
        operations: Sequence[AnyOperation],
        *,
        policy: ApplyPolicy | None = None,
        name: str | None = None,
        watch: Watch | None = None,
    ) -> Applied:
        book = _read(source, name)
        before = deepcopy(book)
        tell = watch or _unwatched
        outcomes: list[StepOutcome] = []
        for place, operation in enumerate(operations):
            tell(place)
            outcomes.append(_step(book, operation))
        tell(None)
        steps = tuple(outcomes)
        written = book != before
        if written:
            _write(target, book)
        return Applied(steps=steps, changes=_changes(before, book), written=written)  # fmt: skip

    async def apply_frame(
        self,
        source: Path,
        target: Path,
        frame: FrameBlock,
        *,
        sheet: str | None,
        at: str,
        overwrite: str | None = None,
        policy: ApplyPolicy | None = None,
        name: str | None = None,
    ) -> Applied:
        row, column = cell_place(at)
        rows = (frame.columns, *frame.rows)
        area = Area(row, column, row + len(rows) - 1, column + len(frame.columns) - 1)
        operation = SetValues(sheet=sheet, range=area.text, values=rows)
        return await self.apply(source, target, [operation], policy=policy, name=name)  # fmt: skip

    async def validate(
        self, source: Path, operations: Sequence[AnyOperation], *, name: str | None = None
    ) -> tuple[tuple[Notice, ...], ...]:
        book = _read(source, name)
        outcomes = [
            StepOutcome(status="completed") if isinstance(operation, RunPython) else _step(book, operation)
            for operation in operations
        ]
        return tuple((outcome.error,) if outcome.error else () for outcome in outcomes)

    async def outline(self, path: Path, *, tokens: int = 4_000, name: str | None = None) -> WorkbookOutline:
        return WorkbookOutline(sheets=tuple(_outline(sheet, cells) for sheet, cells in _read(path, name).items()))

    async def cells(
        self, path: Path, sheet: str | None, wanted: str | None = None, *, limit: int = 2_000, name: str | None = None
    ) -> CellPage:
        found, cells = _sheet(_read(path, name), sheet)
        area = parse_area(wanted)[1] if wanted else _used(cells)
        places = sorted(place for place in map(cell_place, cells) if area.holds(*place))
        rows = sorted({row for row, _ in places})
        while len(rows) > 1 and sum(row <= rows[-1] for row, _ in places) > limit:
            rows.pop()
        shown = [place for place in places if rows and place[0] <= rows[-1]]
        rest = [row for row, _ in places if rows and row > rows[-1]]
        following = Area(rest[0], area.first_column, area.last_row, area.last_column).text if rest else None
        views = tuple(CellView(ref=cell_name(*place), value=cells[cell_name(*place)]) for place in shown)
        return CellPage(sheet=found, range=area.text, cells=views, next_range=following)

    async def diff(self, before: Path, after: Path, *, cells_shown: int = 1_000) -> Difference:
        old, new = _read(before, None), _read(after, None)
        return Difference(
            sheets=_changes(old, new), sheets_added=tuple(name for name in new if name not in old),
            sheets_removed=tuple(name for name in old if name not in new),
        )  # fmt: skip

    async def losses(self, path: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        _read(path, name)
        return ()

    async def create(self, target: Path, sheets: Sequence[NewSheet]) -> None:
        write_workbook(target, {sheet.name: sheet.rows for sheet in sheets})

    async def convert(self, source: Path, target: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        _write(target, _read(source, name))
        return ()

    async def compute(self, source: Path, target: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        return await self.convert(source, target, name=name)

    async def cuts(self, path: Path, *, name: str | None = None) -> tuple[int, ...]:
        return ()


def _write(path: Path, book: Sheets) -> None:
    path.write_text(json.dumps(book), encoding="utf-8")


def _read(path: Path, name: str | None) -> Sheets:
    try:
        book: Sheets = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileUnreadable("file_damaged", name=name or path.name) from error
    return book


def _step(book: Sheets, operation: AnyOperation) -> StepOutcome:
    before = deepcopy(book)
    try:
        _do(book, operation)
    except CallerError as error:
        book.clear()
        book.update(before)
        params = {key: value for key, value in error.params.items() if key != "detail"}
        return StepOutcome(status="failed", error=Notice(code=error.detail, params=params, field=error.field))
    changes = _changes(before, book)
    return StepOutcome(status="completed", changes=changes, cells_changed=sum(len(sheet.cells) for sheet in changes))


def _do(book: Sheets, operation: AnyOperation) -> None:
    match operation:
        case SetValues() if operation.where is None:
            _set(_sheet(book, operation.sheet)[1], operation)
        case InsertRows():
            _move(_sheet(book, operation.sheet)[1], operation.row, operation.count)
        case DeleteRows() if operation.row is not None:
            _move(_sheet(book, operation.sheet)[1], operation.row, -operation.count)
        case AddSheet():
            if operation.name in book:
                raise InvalidInput("sheet_name_taken", field="name", name=operation.name)
            book[operation.name] = {}
        case RenameSheet():
            old, _ = _sheet(book, operation.sheet)
            renamed = {operation.name if name == old else name: cells for name, cells in book.items()}
            book.clear()
            book.update(renamed)
        case _:
            raise InvalidInput("operation_unknown", function=operation.function)


def _set(cells: Cells, operation: SetValues) -> None:
    try:
        area = parse_area(operation.range)[1]
    except ValueError:
        raise InvalidInput("range_unreadable", field="range", range=operation.range) from None
    filled = len(operation.values) == 1 and len(operation.values[0]) == 1
    height = area.height if filled else len(operation.values)
    width = area.width if filled else max(map(len, operation.values))
    for row in range(height):
        for column in range(width):
            values = operation.values[0] if filled else operation.values[row]
            value = values[0] if filled else values[column] if column < len(values) else None
            place = (area.first_row + row, area.first_column + column)
            if not area.one_cell and not area.holds(*place):
                raise InvalidInput("values_beyond_range", field="values", range=area.text, needed=cell_name(*place))
            if value is not None:
                if cell_name(*place) in cells and not area.holds(*place):
                    raise InvalidInput("cell_not_empty", sheet=operation.sheet or "", cell=cell_name(*place))
                cells[cell_name(*place)] = value


def _move(cells: Cells, at: int, count: int) -> None:
    moved: Cells = {}
    for ref, value in cells.items():
        row, column = cell_place(ref)
        if row < at:
            moved[ref] = value
        elif row >= at - count or count > 0:
            moved[cell_name(row + count, column)] = value
    cells.clear()
    cells.update(moved)


def _sheet(book: Sheets, name: str | None) -> tuple[str, Cells]:
    found = next(iter(book), None) if name is None else sheet_named(name, book)
    if found is None:
        raise InvalidInput("sheet_missing", field="sheet", id=name or "", known=", ".join(book))
    return found, book[found]


def _used(cells: Cells) -> Area:
    places = [cell_place(ref) for ref in cells] or [(1, 1)]
    rows, columns = [row for row, _ in places], [column for _, column in places]
    return Area(min(rows), min(columns), max(rows), max(columns))


def _changes(before: Sheets, after: Sheets) -> tuple[SheetChanges, ...]:
    found: list[SheetChanges] = []
    for name in after:
        old, new = before.get(name, {}), after[name]
        places = sorted(
            place for place in map(cell_place, {*old, *new}) if old.get(cell_name(*place)) != new.get(cell_name(*place))
        )
        refs = [cell_name(*place) for place in places]
        if refs or name not in before:
            cells = tuple(CellChange(ref=ref, before=old.get(ref), after=new.get(ref)) for ref in refs)
            area = _used(dict.fromkeys(refs))
            found.append(SheetChanges(sheet=name, range=area.text, cells=cells, changed=len(cells)))
    return tuple(found)


def _outline(name: str, cells: Cells) -> SheetOutline:
    if not cells:
        return SheetOutline(name=name, state="visible", kind="worksheet", used=None, regions=())
    area = _used(cells)
    columns = tuple(
        ColumnOutline(
            letters=letters(column), header=str(cells.get(cell_name(area.first_row, column), "")) or None, kind="mixed",
            filled=sum(cell_place(ref)[1] == column for ref in cells) - 1,
        )
        for column in range(area.first_column, area.last_column + 1)
    )  # fmt: skip
    region = RegionOutline(
        range=area.text,
        header_rows=(area.first_row, area.first_row),
        data_rows=(area.first_row + 1, area.last_row),
        columns=columns,
    )
    return SheetOutline(name=name, state="visible", kind="worksheet", used=area.text, regions=(region,))
