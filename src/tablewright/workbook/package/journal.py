"""A record of the cells that a step changed, limited in size."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tablewright.domain.cells import CellChange, ShapeChange, SheetChanges
from tablewright.domain.table import Cell
from tablewright.workbook.areas import Area, AreaShift, Axis, cell_name, cell_place, parse_area

MOST_TEXT = 1_000


@dataclass(slots=True)
class _Sheet:
    area: Area | None = None
    cells: dict[tuple[int, int], tuple[Cell, Cell]] = field(default_factory=dict)
    more: bool = False
    unlisted: int | None = 0
    """How many changed cells are not listed; None where that is not known."""


class Journal:
    """The changes of one step by sheet. At most `most_cells` cells are listed; `cells_changed` counts all of them."""

    def __init__(self, most_cells: int) -> None:
        self._most = most_cells
        self._sheets: dict[str, _Sheet] = {}
        self._shape: dict[tuple[str, Axis], int] = {}
        self.cells_changed = 0

    def note(self, sheet: str, row: int, column: int, before: Cell, after: Cell) -> None:
        """Record a cell whose content changed."""
        found = self._sheets.setdefault(sheet, _Sheet())
        here = Area(row, column, row, column)
        found.area = here if found.area is None else found.area.joined(here)
        kept = found.cells.get((row, column))
        self.cells_changed += kept is None
        if kept is not None:
            found.cells[row, column] = (kept[0], after)
        elif len(found.cells) < self._most:
            found.cells[row, column] = (before, after)
        else:
            self._leave_out(found, 1)

    def lists(self, sheet: str) -> bool:
        """Return whether another changed cell of a sheet would still be listed."""
        found = self._sheets.get(sheet)
        return self._most > (0 if found is None else len(found.cells))

    def touch(self, sheet: str, area: Area) -> None:
        """Record an area whose format or position changed."""
        found = self._sheets.setdefault(sheet, _Sheet())
        found.area = area if found.area is None else found.area.joined(area)

    def shifted(self, move: AreaShift) -> None:
        """Record rows or columns that were inserted or deleted."""
        self._shape[move.sheet, move.axis] = self._shape.get((move.sheet, move.axis), 0) + move.count

    def count(self, cells: int | None, sheet: str) -> None:
        """Count changed cells without listing them; None: some, it is not known how many."""
        self.cells_changed += 1 if cells is None else cells
        self._leave_out(self._sheets.setdefault(sheet, _Sheet()), cells)

    @staticmethod
    def _leave_out(found: _Sheet, cells: int | None) -> None:
        found.more |= cells is None or cells > 0
        found.unlisted = None if cells is None or found.unlisted is None else found.unlisted + cells

    @property
    def shape(self) -> tuple[ShapeChange, ...]:
        """How many rows and columns each sheet gained or lost."""
        return tuple(
            ShapeChange(sheet=sheet, axis=axis, count=count) for (sheet, axis), count in self._shape.items() if count
        )

    @property
    def changes(self) -> tuple[SheetChanges, ...]:
        """The changes, sheets in the order in which they were first touched."""
        return tuple(_changes(name, found) for name, found in self._sheets.items())


def _changes(name: str, found: _Sheet) -> SheetChanges:
    cells = tuple(
        CellChange(ref=cell_name(row, column), before=_short(before), after=_short(after))
        for (row, column), (before, after) in sorted(found.cells.items())
        if before != after
    )
    return SheetChanges(
        sheet=name,
        range=found.area.text if found.area else "",
        cells=cells,
        truncated=found.more,
        changed=None if found.unlisted is None else len(cells) + found.unlisted,
    )


def merged(steps: list[tuple[SheetChanges, ...]], most_cells: int) -> tuple[SheetChanges, ...]:
    """Merge the changes of several steps, with the first and the last content of each cell."""
    journal = Journal(most_cells)
    changing = Counter(sheet.sheet for changes in steps for sheet in changes if sheet.cells or sheet.truncated)
    for changes in steps:
        for sheet in changes:
            for cell in sheet.cells:
                journal.note(sheet.sheet, *cell_place(cell.ref), cell.before, cell.after)
            if sheet.range:
                journal.touch(sheet.sheet, parse_area(sheet.range)[1])
            if sheet.truncated:  # of two steps the cells that are not listed may be the same
                known = sheet.changed is not None and changing[sheet.sheet] == 1
                journal.count((sheet.changed or 0) - len(sheet.cells) if known else None, sheet.sheet)
    return journal.changes


def _short(value: Cell) -> Cell:
    return value[:MOST_TEXT] + "…" if isinstance(value, str) and len(value) > MOST_TEXT else value
