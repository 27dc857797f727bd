"""A client's own edits, as operations on the workbook of record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.cells import Clear, SetFormula, SetValues
from tablewright.domain.operations.structure import AddSheet
from tablewright.domain.table import Cell
from tablewright.service.channels.client_sheets import Cells, ClientSheet, Place, SeenSheet, alike, typed
from tablewright.workbook.areas import Area, cell_name
from tablewright.workbook.base import CellView

EMPTY = CellView(ref="", value=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenEdits:
    """A client's edits of a sheet.

    `plain` cells are written first. `computed` cells hold formulas now; they are compared once more after the plain
    ones are written and everything is recalculated.
    """

    plain: Cells
    computed: Cells

    def without(self, places: frozenset[Place]) -> ChosenEdits:
        """Return the edits without those of `places`."""
        return ChosenEdits(
            plain={place: value for place, value in self.plain.items() if place not in places},
            computed={place: value for place, value in self.computed.items() if place not in places},
        )


def chosen_edits(
    changes: Cells, seen: SeenSheet, record: Mapping[Place, CellView], given: Mapping[Place, CellView]
) -> ChosenEdits:
    """Choose the actual edits among a client's `changes`.

    `record` holds the cells as they are now, `given` as the client was last given them; content that matches either is
    not an edit. A cell the client never sent before counts as edited only if it is empty in the workbook: the client
    may just be showing more than before.
    """
    plain: dict[Place, Cell] = {}
    computed: dict[Place, Cell] = {}
    for place, value in changes.items():
        now = record.get(place)
        if _shows(value, now) or _shows(value, given.get(place)):
            continue
        if (value is None and now is None) or (now is not None and not seen.knows(place)):
            continue
        written = typed(value, None if now is None else now.value)
        formula = now is not None and now.formula is not None and not _is_formula(value)
        (computed if formula else plain)[place] = written
    return ChosenEdits(plain=plain, computed=computed)


def still_edits(computed: Cells, record: Mapping[Place, CellView]) -> Cells:
    """Return those of `computed` that differ from what the formulas give now: the client typed these."""
    return {place: value for place, value in computed.items() if not _shows(value, record.get(place))}


def contested(chosen: ChosenEdits, seen: SeenSheet, record: Mapping[Place, CellView]) -> frozenset[Place]:
    """Return the edited cells that changed after the client last sent them, possibly without its knowledge."""
    places = [place for place in (*chosen.plain, *chosen.computed) if seen.knows(place)]
    return frozenset(place for place in places if not _shows(seen.cells.get(place), record.get(place, EMPTY)))


def outdated(sent: ClientSheet, now: Mapping[Place, Cell]) -> bool:
    """Return whether a client still shows outdated content: most of the changed cells, given by `now`, differ from what
    it sent. Formulas are ignored."""
    cells = {place: value for place, value in now.items() if sent.area.holds(*place) and not _is_formula(value)}
    old = sum(not alike(sent.cells.get(place), value) for place, value in cells.items())
    return old * 2 > len(cells)


def operations_of(sheet: str, cells: Cells) -> tuple[AnyOperation, ...]:
    """Return the operations that write `cells` into the sheet: rectangles of constants, formulas, cleared cells."""
    formulas = {place: str(value) for place, value in cells.items() if _is_formula(value)}
    emptied = {place for place, value in cells.items() if value is None}
    constants = {place: value for place, value in cells.items() if place not in emptied and place not in formulas}
    written: list[AnyOperation] = [
        SetValues(sheet=sheet, range=area.text, values=_block(area, constants)) for area in _areas(constants)
    ]
    written += [SetFormula(sheet=sheet, range=cell_name(*place), formula=text) for place, text in formulas.items()]
    written += [Clear(sheet=sheet, range=area.text) for area in _areas(dict.fromkeys(emptied))]
    return tuple(written)


def new_sheet(sent: ClientSheet) -> tuple[AnyOperation, ...]:
    """Return the operations that add a sheet the client has created."""
    return (AddSheet(name=sent.name), *operations_of(sent.name, sent.cells))


def _is_formula(value: Cell) -> bool:
    return isinstance(value, str) and value.startswith("=") and len(value) > 1


def _shows(value: Cell, kept: CellView | None) -> bool:
    if kept is None:
        return False
    return alike(value, kept.value, kept.formula)


def _block(area: Area, cells: Cells) -> tuple[tuple[Cell, ...], ...]:
    columns = range(area.first_column, area.last_column + 1)
    return tuple(tuple(cells[row, column] for column in columns) for row in range(area.first_row, area.last_row + 1))


def _areas(cells: Cells) -> list[Area]:
    """Cover cells with rectangles: runs within a row, merged with equal runs of the rows below."""
    done: list[Area] = []
    open_runs: dict[tuple[int, int], Area] = {}
    for area in _runs(cells):
        columns = (area.first_column, area.last_column)
        above = open_runs.get(columns)
        if above is not None and above.last_row == area.first_row - 1:
            open_runs[columns] = above.joined(area)
            continue
        if above is not None:
            done.append(above)
        open_runs[columns] = area
    return sorted((*done, *open_runs.values()))


def _runs(cells: Cells) -> Iterator[Area]:
    start: Place | None = None
    last: Place = (0, 0)
    for place in sorted(cells):
        if start is not None and place != (last[0], last[1] + 1):
            yield Area(start[0], start[1], last[0], last[1])
            start = None
        start = start or place
        last = place
    if start is not None:
        yield Area(start[0], start[1], last[0], last[1])
