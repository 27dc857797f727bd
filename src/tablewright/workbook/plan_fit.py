"""Fit a saved plan to a workbook of the same shape whose tables have more or fewer rows.

A range that ended at the end of a table ends there again; what was below a table stays below it; rows within a table
keep their distance from its first row. Rows that earlier steps insert or delete by number are taken into account.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tablewright.domain.notice import Notice
from tablewright.domain.outline import Rows
from tablewright.domain.plan_file import PlanFile, SheetShape, TableShape
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.sheet_names import counterparts, sheet_named
from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS, column_number
from tablewright.workbook.formulas import Corner, Reference, rewrite
from tablewright.workbook.shapes import REFERRING, paired

SHIFTS = {"insert_rows": 1, "delete_rows": -1}
ADDING = frozenset({"add_sheet", "copy_sheet"})


@dataclass(slots=True, kw_only=True)
class _Block:
    """A table's rows in the plan's original workbook (`was`) and in this one (`now`), between two columns."""

    columns: tuple[int, int]
    top: Rows
    """The table's first row, in the original workbook and in this one."""
    was: Rows
    now: Rows

    def meets(self, columns: tuple[int, int]) -> bool:
        """Whether the table covers any of these columns."""
        return self.columns[0] <= columns[1] and columns[0] <= self.columns[1]

    def shift(self, at: Rows, count: int) -> None:
        """Account for rows inserted or deleted before `at`, given as the row in the original workbook and in
        this one."""
        self.top = (_moved(self.top[0], at[0], count), _moved(self.top[1], at[1], count))
        self.was = _span(self.was, at[0], count)
        self.now = _span(self.now, at[1], count)


def _moved(row: int, at: int, count: int) -> int:
    return max(row + count, at) if row >= at else row


def _span(rows: Rows, at: int, count: int) -> Rows:
    last = max(rows[1] + count, at - 1) if rows[1] >= at else rows[1]
    return _moved(rows[0], at, count), last


class _Rows:
    """Maps rows of one sheet of the original workbook to rows of this one."""

    def __init__(self, blocks: Sequence[_Block]) -> None:
        self._blocks = sorted(blocks, key=lambda block: block.top[0])

    def first(self, row: int, columns: tuple[int, int]) -> int:
        """Return the new first row of a range that began at `row`."""
        by = 0
        for block in self._beside(columns):
            if row < block.top[0]:
                break
            if row <= block.was[1]:
                return row - block.was[0] + block.now[0] if row >= block.was[0] else row - block.top[0] + block.top[1]
            by = block.now[1] - block.was[1]
        return row + by

    def last(self, row: int, columns: tuple[int, int]) -> int:
        """Return the new last row of a range of several rows that ended at `row`."""
        whole = next((block for block in self._beside(columns) if block.was[1] == row), None)
        return whole.now[1] if whole else self.first(row, columns)

    def beyond(self, row: int, columns: tuple[int, int]) -> bool:
        """Whether `row` was within a table that is now too short to have it."""
        return any(
            block.was[0] <= row <= block.was[1] and row - block.was[0] + block.now[0] > block.now[1]
            for block in self._blocks
            if block.meets(columns)
        )

    def shift(self, at: int, count: int) -> None:
        """Account for rows inserted or deleted before row `at`."""
        places = (at, self.first(at, (1, MOST_COLUMNS)))
        for block in self._blocks:
            block.shift(places, count)

    def _beside(self, columns: tuple[int, int]) -> Iterator[_Block]:
        """Yield the tables in these columns; if there are none, the nearest to the left, since they may be new
        columns of it."""
        right = max((block.columns[1] for block in self._blocks if block.columns[1] < columns[0]), default=0)
        met = any(block.meets(columns) for block in self._blocks)
        return (block for block in self._blocks if (block.meets(columns) if met else block.columns[1] == right))


def fitted(plan: PlanFile, now: Sequence[SheetShape]) -> tuple[tuple[PlanStep, ...], tuple[tuple[Notice, ...], ...]]:
    """Return the plan's steps fitted to a workbook with the sheets `now`, and notices of the rows that each
    step lacks."""
    here = {sheet.name: sheet for sheet in now}
    homes = counterparts([sheet.name for sheet in plan.sheets], list(here))
    sheets = {sheet.name: _rows(sheet, here[homes[sheet.name]]) for sheet in plan.sheets if sheet.name in homes}
    steps: list[PlanStep] = []
    lacking: list[tuple[Notice, ...]] = []
    for step in plan.steps:
        fitting = _Fitting(sheets, str(step.parameters.get("sheet") or ""))
        parameters = {name: fitting.value(name, value) for name, value in step.parameters.items()}
        steps.append(replace(step, parameters=parameters, description=_reworded(step, parameters)))
        lacking.append(tuple(fitting.lacking))
        _take_in(sheets, step)
    return tuple(steps), tuple(lacking)


def _reworded(step: PlanStep, parameters: Mapping[str, Any]) -> str:
    """Return a step's description with the ranges and formulas that it quotes brought up to date."""
    changed = {
        old: str(parameters[name])
        for name, old in step.parameters.items()
        if isinstance(old, str) and old != parameters[name]
    }
    if not changed:
        return step.description
    quoted = "|".join(re.escape(old) for old in sorted(changed, key=len, reverse=True))
    return re.sub(rf"(?<![\w$])(?:{quoted})(?!\w)", lambda match: changed[match[0]], step.description)


def _rows(was: SheetShape, now: SheetShape) -> _Rows:
    return _Rows([block for old, new in paired(was, now) if (block := _block(old, new))])


def _rows_of(sheets: Mapping[str, _Rows], name: str) -> _Rows | None:
    """Return the rows of the sheet that `name` means."""
    found = sheet_named(name, sheets)
    return None if found is None else sheets[found]


def _block(old: TableShape, new: TableShape | None) -> _Block | None:
    if new is None or old.data_rows is None or new.data_rows is None or not old.columns:
        return None
    numbers = [column_number(column.letters) for column in old.columns]
    top = ((old.header_rows or old.data_rows)[0], (new.header_rows or new.data_rows)[0])
    return _Block(columns=(min(numbers), max(numbers)), top=top, was=old.data_rows, now=new.data_rows)


def _take_in(sheets: dict[str, _Rows], step: PlanStep) -> None:
    """Record the effect of this step on later ones: rows inserted or deleted by number, a sheet's new name, and a new
    sheet, whose name may be similar to another's."""
    given = step.parameters
    new = str(given.get("name"))
    if step.function in ADDING:
        sheets.setdefault(new, _Rows([]))
        return
    name = sheet_named(str(given.get("sheet") or ""), sheets)
    if name is None:
        return
    row, count = given.get("row"), given.get("count", 1)
    if step.function in SHIFTS and isinstance(row, int) and isinstance(count, int):
        sheets[name].shift(row, SHIFTS[step.function] * count)
    elif step.function == "rename_sheet":
        sheets[new] = sheets.pop(name)


class _Fitting:
    """Fits the parameters of one step; `lacking` collects notices on ranges whose rows do not exist."""

    def __init__(self, sheets: dict[str, _Rows], home: str) -> None:
        self._sheets = sheets
        self._home = home
        self.lacking: list[Notice] = []

    def value(self, name: str, value: Any) -> Any:
        """Return the value of parameter `name` fitted to this workbook."""
        rows = _rows_of(self._sheets, self._home)
        if name in REFERRING and isinstance(value, str):
            return rewrite(value, self._reference)
        if name == "row" and isinstance(value, int) and not isinstance(value, bool) and rows is not None:
            return rows.first(value, (1, MOST_COLUMNS))
        return value

    def _reference(self, found: Reference) -> str:
        rows = _rows_of(self._sheets, found.sheet or self._home)
        if rows is None or found.elsewhere or any(corner.row is None for corner in found.corners):
            return found.text
        columns = _columns(found)
        first, last = found.corners[0], found.corners[-1]
        if first.row is not None and rows.beyond(first.row, columns):
            self.lacking.append(Notice(code="plan_rows_missing", params={"range": found.text}, field="range"))
        corners = [_at(first, rows.first(first.row or 1, columns))]
        if len(found.corners) > 1 and last.row is not None and first.row is not None:
            ends = rows.last(last.row, columns) if last.row > first.row else rows.first(last.row, columns)
            corners.append(_at(last, min(ends, MOST_ROWS)))
        return found.prefix + ":".join(corner.text for corner in corners)


def _columns(found: Reference) -> tuple[int, int]:
    given = [corner.column for corner in found.corners if corner.column is not None]
    return (min(given), max(given)) if given else (1, MOST_COLUMNS)


def _at(corner: Corner, row: int) -> Corner:
    return replace(corner, row=row)
