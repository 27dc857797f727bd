"""The tables as planned steps leave them."""

from __future__ import annotations

from itertools import pairwise

from tablewright.analyst.operating.op import Op
from tablewright.analyst.operating.scene import Place
from tablewright.workbook.areas import column_number


def after(place: Place, ops: list[Op]) -> Place:
    """Return the table as the steps leave it, as far as its columns and rows with known numbers are concerned."""
    for op in ops:
        if op.parameters.get("sheet") == place.sheet:
            place = _rowed(_changed(place, op), op)
    return place


def _rowed(place: Place, op: Op) -> Place:
    row, count = op.parameters.get("row"), op.parameters.get("count", 1)
    if op.function not in {"insert_rows", "delete_rows"} or row is None:
        return place
    return place.with_rows(row, count if op.function == "insert_rows" else -count)


def _changed(place: Place, op: Op) -> Place:
    given = op.parameters
    if op.function in {"add_column", "join_columns"} and given["header"] not in place.names:
        return place.with_column(given["header"], after=given.get("after"))
    if op.function == "lookup_join":
        beside = given.get("after")
        for name in given.get("headers") or given["columns"]:
            place = place if name in place.names else place.with_column(name, after=beside)
            beside = beside and name
    elif op.function == "split_column":
        for before, name in pairwise([given["column"], *given["headers"]]):
            place = place if name in place.names else place.with_column(name, "text", after=before)
    elif op.function == "delete_columns":
        return place.without(given["columns"])
    elif op.function == "move_columns":
        return place.with_moved(given["columns"], before=given.get("before"), after=given.get("after"))
    elif op.function == "insert_columns":
        before = place.letters.get(given["before"], given["before"])
        return place.with_blank(column_number(before), given.get("count", 1))
    return place
