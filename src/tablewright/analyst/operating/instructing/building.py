"""From filled slots to operations: rows, columns, looks and sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablewright.analyst.operating.instructing.clause import SURE, Clause
from tablewright.analyst.operating.instructing.filters import Filter, combined, others
from tablewright.analyst.operating.instructing.parts import links_of
from tablewright.analyst.operating.instructing.search import Filled
from tablewright.analyst.operating.op import Op
from tablewright.workbook.areas import parse_area

Slots = dict[str, list[Any]]
Build = Callable[[Clause, Slots], list[Op] | None]
_BUILDERS: dict[str, Build] = {}
_WIDEST = 60


def builds(*names: str) -> Callable[[Build], Build]:
    """Register what builds the operations of frames."""

    def register(build: Build) -> Build:
        _BUILDERS.update(dict.fromkeys(names, build))
        return build

    return register


def built(clause: Clause, filled: Filled) -> list[Op] | None:
    """Return the operations that a filled frame means; None if the table does not allow them."""
    return _BUILDERS[filled.frame.name](clause, filled.slots)


def op(clause: Clause, function: str, **parameters: Any) -> Op:
    """Return a step on the clause's sheet."""
    return Op(function=function, parameters={"sheet": clause.place.sheet, **parameters})


def where_of(clause: Clause, slots: Slots) -> Filter | None:
    """Return the tests of a slot as one filter: tests of one column for equality mean any of them, and so do tests
    with `or` among them."""
    found = slots.get("where", [])
    tests = [test for one in found for test in one["tests"]]
    alike = {test["column"] for test in tests}
    if len(found) > 1 and len(alike) == 1 and all(test["op"] == "=" for test in tests):
        return {"tests": tests, "match": "any"}
    bounds = clause.linked.of("compare")
    ors = [word for word in clause.of("or") if not any(word.mask & bound.mask for bound in bounds)]
    every = len(found) < 2 or not ors
    if every and len(found) > 1 and _impossible(tests):
        return None
    return combined(list(found), every=every) if found else None


def _impossible(tests: list[dict[str, Any]]) -> bool:
    """Return whether tests can never hold together: a cell that is empty equals nothing, and none begins in two
    ways."""
    empty = {test["column"] for test in tests if test["op"] == "missing"}
    begun = {(test["column"], str(test["value"])) for test in tests if test["op"] == "starts"}
    apart = len({column for column, _ in begun}) < len(begun)
    return apart or any(test["column"] in empty and test["op"] != "missing" for test in tests)


def flat(found: list[Any]) -> list[str]:
    """Return the columns of parts that name one or several."""
    names = [name for one in found for name in (one if isinstance(one, tuple) else (one,))]
    return list(dict.fromkeys(names))


def first(slots: Slots, name: str, default: Any = None) -> Any:
    """Return what fills a slot first."""
    return next(iter(slots.get(name, [])), default)


def gaps(clause: Clause) -> list[tuple[int, int]]:
    """Return the empty rows that tear the table apart, as (first row, how many): behind it stand rows without a
    header, in the same columns."""
    place = clause.place
    found: list[tuple[int, int]] = []
    end = place.area.last_row
    later = [parse_area(one.range)[1] for one in clause.scene.sheet(place.sheet).regions if one.header_rows is None]
    for area in sorted(later, key=lambda area: area.first_row):
        if area.first_row > end + 1 and area.first_column == place.area.first_column:
            found.append((end + 1, area.first_row - end - 1))
            end = area.last_row
    return found


def torn(clause: Clause) -> bool:
    """Return whether it is not known where the table ends."""
    return clause.memory.shrunk or bool(gaps(clause))


@builds("guard")
def _nothing(_clause: Clause, _slots: Slots) -> list[Op]:
    return []


@builds("blank_as_zero")
def _as_zero(clause: Clause, slots: Slots) -> list[Op] | None:
    """Do nothing: a formula counts an empty cell as 0 by itself."""
    return [] if clause.memory.added is not None and slots["number"][0][0] == 0 else None


@builds("sort")
def _sort(clause: Clause, slots: Slots) -> list[Op] | None:
    by = [
        {"column": column, "descending": down, **({"order": list(order[0])} if order else {})}
        for column, down, *order in slots["keys"]
    ]
    if len({key["column"] for key in by}) < len(by):
        return None
    return [op(clause, "sort_rows", by=by)]


@builds("delete_columns")
def _delete_columns(clause: Clause, slots: Slots) -> list[Op] | None:
    gone = flat(slots["columns"])
    if len(gone) >= len(clause.place.names) or (not clause.of("noun:column") and _speaks_of_rows(clause, gone)):
        return None
    return [op(clause, "delete_columns", columns=gone)]


def _speaks_of_rows(clause: Clause, gone: list[str]) -> bool:
    """Return whether rows may be what is to go, chosen by what a column holds: they are called by their name, or the
    column is not called by its own."""
    sure = {link.column.name for link in links_of(clause) if link.score >= SURE}
    lettered = any(set(clause.place.letters[name]) & {token.text for token in clause.tokens} for name in gone)
    return "rows" in clause.classes or (not sure >= set(gone) and not lettered)


@builds("keep_columns")
def _keep_columns(clause: Clause, slots: Slots) -> list[Op] | None:
    kept = flat(slots["columns"])
    gone = [name for name in clause.place.names if name not in kept]
    return [op(clause, "delete_columns", columns=gone)] if gone and len(kept) > 1 else None


@builds("delete_rows")
def _delete_rows(clause: Clause, slots: Slots) -> list[Op] | None:
    where = where_of(clause, slots)
    if where and clause.of("restoff"):
        where = others(where)
    return [op(clause, "delete_rows", where=where)] if where else None


@builds("delete_spoken")
def _delete_spoken(clause: Clause, _slots: Slots) -> list[Op] | None:
    where = clause.memory.where
    return [op(clause, "delete_rows", where=where)] if where else None


@builds("delete_blank")
def _delete_blank(clause: Clause, _slots: Slots) -> list[Op]:
    if between := gaps(clause):
        return [op(clause, "delete_rows", row=first_row, count=count) for first_row, count in reversed(between)]
    tests = [{"column": name, "op": "missing"} for name in clause.place.names]
    return [op(clause, "delete_rows", where={"tests": tests, "match": "all"})]


@builds("keep_rows")
def _keep_rows(clause: Clause, slots: Slots) -> list[Op] | None:
    where = where_of(clause, slots)
    rest = others(where) if where else None
    return [op(clause, "delete_rows", where=rest)] if rest else None


@builds("rename_column")
def _rename_column(clause: Clause, slots: Slots) -> list[Op] | None:
    rows = clause.place.region.header_rows
    column, name = slots["column"][0], slots["name"][0]
    if rows is None or name in clause.place.names:
        return None
    return [op(clause, "set_values", range=f"{clause.place.letters[column]}{rows[1]}", values=[[name]])]


@builds("rename_sheet")
def _rename_sheet(clause: Clause, slots: Slots) -> list[Op] | None:
    if slots["name"][0] in clause.scene.sheets:
        return None
    return [Op(function="rename_sheet", parameters={"sheet": slots["sheet"][0], "name": slots["name"][0]})]


@builds("copy_sheet")
def _copy_sheet(clause: Clause, slots: Slots) -> list[Op] | None:
    name = first(slots, "name") or f"{slots['sheet'][0]} (2)"
    if name in clause.scene.sheets:
        return None
    return [Op(function="copy_sheet", parameters={"sheet": slots["sheet"][0], "name": name})]


@builds("hide_sheet", "unhide_sheet")
def _hide_sheet(clause: Clause, slots: Slots) -> list[Op]:
    hidden = {} if not clause.of("act:unhide") else {"hidden": False}
    return [Op(function="hide", parameters={"sheet": name, **hidden}) for name in slots["sheet"]]


@builds("delete_sheet")
def _delete_sheet(clause: Clause, slots: Slots) -> list[Op] | None:
    if len(slots["sheet"]) >= len(clause.scene.sheets):
        return None
    return [Op(function="delete_sheet", parameters={"sheet": name}) for name in slots["sheet"]]


@builds("move_sheet")
def _move_sheet(clause: Clause, slots: Slots) -> list[Op] | None:
    where, _ = slots["place"][0]
    if where not in {"first", "last"}:
        return None
    position = 1 if where == "first" else len(clause.scene.sheets)
    return [Op(function="move_sheet", parameters={"sheet": slots["sheet"][0], "position": position})]


@builds("add_sheet")
def _add_sheet(clause: Clause, slots: Slots) -> list[Op] | None:
    name = slots["sheet"][0]
    if not name or name in clause.scene.sheets:
        return None
    return [Op(function="add_sheet", parameters={"name": name})]


@builds("hide_columns", "unhide_columns")
def _hide(clause: Clause, slots: Slots) -> list[Op]:
    columns = flat(slots["columns"])
    return [op(clause, "hide", columns=columns, hidden=not clause.of("act:unhide"))]


@builds("freeze")
def _freeze(clause: Clause, _slots: Slots) -> list[Op]:
    rows = clause.place.region.header_rows
    return [op(clause, "freeze_panes", cell=f"A{(rows[1] if rows else 1) + 1}")]


@builds("widen")
def _widen(clause: Clause, slots: Slots) -> list[Op]:
    width = first(slots, "number")
    given = {"width": width[0]} if width and 0 < width[0] <= _WIDEST else {}
    return [op(clause, "set_column_width", columns=flat(slots.get("columns", [])) or list(clause.place.names), **given)]


@builds("filter")
def _filter(clause: Clause, slots: Slots) -> list[Op] | None:
    where = where_of(clause, slots)
    return [op(clause, "filter_rows", where=where)] if where else None


@builds("hide_where")
def _hide_where(clause: Clause, slots: Slots) -> list[Op] | None:
    where = where_of(clause, slots)
    rest = others(where) if where else None
    return [op(clause, "filter_rows", where=rest)] if rest else None


@builds("buttons")
def _buttons(clause: Clause, _slots: Slots) -> list[Op]:
    return [op(clause, "auto_filter")]


@builds("dedupe")
def _dedupe(clause: Clause, slots: Slots) -> list[Op]:
    keep = {"keep": slots["keep"][0]} if slots.get("keep") else {}
    return [op(clause, "remove_duplicates", columns=slots.get("columns", []), **keep)]


@builds("move_column")
def _move(clause: Clause, slots: Slots) -> list[Op] | None:
    place, moved = clause.place, slots["columns"]
    where, beside = slots["place"][0]
    if where in {"first", "last"}:
        rest = [name for name in place.names if name not in moved]
        where, beside = ("before", rest[0]) if where == "first" else ("after", rest[-1])
    if beside in moved or place.region.header_rows is None:
        return None
    return [op(clause, "move_columns", columns=moved, **{where: beside})]
