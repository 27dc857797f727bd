"""From filled slots to operations on rows and columns of the sheet, and on what a table is."""

from __future__ import annotations

from tablewright.analyst.operating.instructing.building import Slots, builds, first, flat, op
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.op import Op
from tablewright.workbook.areas import column_number, letters

_MOST = 200


@builds("insert_rows")
def _insert_rows(clause: Clause, slots: Slots) -> list[Op] | None:
    row, span = slots["rows"][0]
    below = any(word.meaning in {"after", "below"} for word in clause.of("beside") + clause.of("vertical"))
    said = first(slots, "count", (1, False))
    count, percent = said
    if percent or not 1 <= count <= _MOST or count != int(count):
        return None
    if not (clause.of("beside") or clause.of("vertical")):
        return None
    more = {"count": int(count)} if count > 1 else {}
    return [op(clause, "insert_rows", row=row + span if below else row, **more)]


@builds("delete_numbered")
def _delete_numbered(clause: Clause, slots: Slots) -> list[Op] | None:
    row, count = slots["rows"][0]
    more = {"count": count} if count > 1 else {}
    return [op(clause, "delete_rows", row=row, **more)]


@builds("hide_rows")
def _hide_rows(clause: Clause, slots: Slots) -> list[Op]:
    row, count = slots["rows"][0]
    shown = {"hidden": False} if clause.of("act:unhide") else {}
    return [op(clause, "hide", rows=f"A{row}:A{row + count - 1}", **shown)]


@builds("insert_columns")
def _insert_columns(clause: Clause, slots: Slots) -> list[Op] | None:
    """Insert an empty column, with a header if one is said."""
    where, beside = slots["place"][0]
    name = first(slots, "name")
    if where == "last" or name in clause.place.names:
        return None
    if where == "after" and name:
        return [op(clause, "add_column", header=name, after=beside)]
    names, known = clause.place.names, clause.place.letters
    number = column_number(known[beside or names[0]]) + (where == "after")
    before = letters(number)
    done = [op(clause, "insert_columns", before=before)]
    rows = clause.place.region.header_rows
    if name and rows:
        done.append(op(clause, "set_values", range=f"{before}{rows[1]}", values=[[name]]))
    return done


@builds("add_empty")
def _add_empty(clause: Clause, slots: Slots) -> list[Op] | None:
    name = slots["name"][0]
    where, beside = first(slots, "place", ("last", None))
    if name in clause.place.names or where not in {"last", "after"}:
        return None
    after = {"after": beside} if where == "after" else {}
    return [op(clause, "add_column", header=name, **after)]


@builds("freeze_at")
def _freeze_at(clause: Clause, slots: Slots) -> list[Op]:
    """Freeze rows, columns or both, or what stands above and left of a cell."""
    if slots.get("cell"):
        return [op(clause, "freeze_panes", cell=slots["cell"][0])]
    header = clause.place.region.header_rows if clause.of("noun:header") else None
    row = sum(slots["rows"][0]) if slots.get("rows") else header[1] + 1 if header else 1
    numbers = [column_number(clause.place.letters.get(name, name)) for name in flat(slots.get("columns", []))]
    return [op(clause, "freeze_panes", cell=f"{letters(max(numbers, default=0) + 1)}{row}")]


@builds("to_table")
def _to_table(clause: Clause, slots: Slots) -> list[Op]:
    name = {"name": slots["name"][0]} if slots.get("name") else {}
    return [op(clause, "create_table", range=clause.place.area.text, **name)]


@builds("numbering")
def _numbering(clause: Clause, slots: Slots) -> list[Op] | None:
    """Number the rows in a new column: at the front, or at the end of the table."""
    rows = clause.place.region.header_rows
    where, beside = first(slots, "place", ("last", None))
    name = first(slots, "name") or clause.said(clause.of("act:numbering")[0].start, clause.of("act:numbering")[0].end)
    if rows is None or name in clause.place.names:
        return None
    formula = f"=ROW()-{clause.place.rows[0] - 1}"
    if where in {"last", "after"}:
        after = {"after": beside} if where == "after" else {}
        return [op(clause, "add_column", header=name, formula=formula, **after)]
    left = letters(clause.place.area.first_column)
    top, bottom = clause.place.rows
    return [
        op(clause, "insert_columns", before=left),
        op(clause, "set_values", range=f"{left}{rows[1]}", values=[[name]]),
        op(clause, "set_formula", range=f"{left}{top}:{left}{bottom}", formula=formula),
    ]


@builds("validate_kind")
def _validate_kind(clause: Clause, slots: Slots) -> list[Op] | None:
    """Bound a column to dates, whole or decimal numbers of a least or greatest value."""
    tests = slots["where"][0]["tests"]
    columns = {test["column"] for test in tests}
    bounds = {test["op"]: test.get("value") for test in tests}
    if len(columns) != 1 or not set(bounds) <= {">=", "<="} or not bounds:
        return None
    column = columns.pop()
    kind = "date" if clause.place.dated(column) else "decimal"
    low = {"minimum": bounds[">="]} if ">=" in bounds else {}
    high = {"maximum": bounds["<="]} if "<=" in bounds else {}
    return [op(clause, "set_data_validation", range=clause.place.span(column), kind=kind, **low, **high)]
