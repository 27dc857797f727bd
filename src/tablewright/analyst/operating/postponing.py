"""Deletions that wait until what belongs below the table is written."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.analyst.operating.scene import Place
from tablewright.analyst.operating.wish import Op
from tablewright.workbook.areas import parse_area

_WRITING = frozenset({"set_values", "set_formula", "set_font"})


def in_order(done: Sequence[Op], read: Sequence[Op], place: Place) -> list[Op]:
    """Return the earlier steps and those just read, which follow them, with one exception: a row below the table is
    written before rows are deleted by a condition. How many those are is not known before; the row then moves up with
    them, and its formulas follow."""
    at = len(done)
    if _below(read, place):
        while at and _postponed(done[at - 1], place):
            at -= 1
    return [*done[:at], *read, *done[at:]]


def _below(read: Sequence[Op], place: Place) -> bool:
    """Return whether the steps write the row right below the table, and nothing else."""
    return bool(read) and all(op.function in _WRITING and _row(op) == place.area.last_row + 1 for op in read)


def _row(op: Op) -> int | None:
    """Return the row of the range that a step writes if it is one row; else None."""
    try:
        area = parse_area(str(op.parameters.get("range")))[1]
    except ValueError:
        return None
    return area.first_row if area.height == 1 else None


def _postponed(op: Op, place: Place) -> bool:
    if op.parameters.get("sheet") != place.sheet:
        return False
    return op.function == "remove_duplicates" or (op.function == "delete_rows" and op.parameters.get("row") is None)
