"""From filled slots to operations on how cells look, and on what may be typed into them."""

from __future__ import annotations

from typing import Any

from tablewright.analyst.operating.instructing.building import Slots, builds, first, flat, op, where_of
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.conversions import to_dates
from tablewright.analyst.operating.instructing.filters import Filter
from tablewright.analyst.operating.instructing.parts import links_of
from tablewright.analyst.operating.op import Op
from tablewright.analyst.operating.scene import DATES
from tablewright.domain.dataset import ColumnFacts
from tablewright.workbook.areas import letters

_PERCENT = "%"


@builds("colour_rows", "colour_default")
def _colour_rows(clause: Clause, slots: Slots) -> list[Op] | None:
    where = where_of(clause, slots)
    whole = bool(clause.of("noun:wholerow")) or len(where["tests"] if where else ()) != 1
    if slots.get("cells") and clause.of("noun:font"):
        return None  # letters are meant
    if where is not None and slots.get("cells"):
        area = clause.place.span(slots["cells"][0])
        return [op(clause, "highlight_cells", range=area, where=where, color=first(slots, "colour", "FFFF00"))]
    if where is None or (clause.of("noun:cells") and not _named(clause, where)):
        return None
    return [
        op(
            clause,
            "highlight_cells",
            where=where,
            color=first(slots, "colour", "FFFF00"),
            whole_row=whole or _of_rows(clause),
        )
    ]


def _of_rows(clause: Clause) -> bool:
    """Return whether nothing says that cells of one column are meant."""
    return not clause.of("noun:column")


def _named(clause: Clause, where: Filter) -> bool:
    """Return whether every column that is tested is named in the clause."""
    named = {link.column.name for link in links_of(clause)}
    return named >= {test["column"] for test in where["tests"]}


def _cells(clause: Clause, where: Filter) -> str | None:
    """Return the cells of the one column that rows are chosen by, if the clause speaks of its cells, as in `the
    amounts over 5`, not of rows."""
    tested = {test["column"] for test in where["tests"]}
    if len(tested) != 1 or clause.of("noun:row") or clause.of("noun:wholerow"):
        return None
    column = tested.pop()
    heads = {word.end for word in clause.of("head")}
    is_head = any(link.column.name == column and link.start in heads for link in links_of(clause))
    return clause.place.span(column) if is_head or clause.of("noun:cells") else None


@builds("font_rows")
def _font_rows(clause: Clause, slots: Slots) -> list[Op] | None:
    """Colour the letters: in the column that is tested."""
    where = where_of(clause, slots)
    if where is None or not slots["where"]:
        return None
    tested = list(dict.fromkeys(test["column"] for test in where["tests"]))
    whole = len(tested) > 1 or clause.of("noun:wholerow")
    area = _body(clause) if whole else clause.place.span(tested[0])
    area = clause.place.span(slots["cells"][0]) if slots.get("cells") else area
    bold = {"bold": True} if clause.of("act:bold") else {}
    return [op(clause, "set_font", range=area, color=slots["colour"][0], where=where, **bold)]


@builds("colour_more")
def _colour_more(clause: Clause, slots: Slots) -> list[Op] | None:
    if clause.memory.where is None:
        return None
    return [op(clause, "highlight_cells", where=clause.memory.where, color=slots["colour"][0], whole_row=True)]


@builds("colour_top")
def _colour_top(clause: Clause, slots: Slots) -> list[Op]:
    column, count, largest, *place = slots["top"][0]
    given: dict[str, Any] = {} if largest else {"largest": False}
    if place:
        given["top_from"] = count = place[0]
    if slots.get("colour"):
        given["color"] = slots["colour"][0]
    return [op(clause, "highlight_cells", top_column=column, top_count=count, **given)]


@builds("colour_header")
def _colour_header(clause: Clause, slots: Slots) -> list[Op] | None:
    area = clause.place.header_range
    if area is None:
        return None
    done = [op(clause, "set_fill", range=area, color=slots["colour"][0])]
    if slots.get("font") or clause.of("act:bold"):
        colour = {"color": slots["font"][0]} if slots.get("font") else {}
        bold = {"bold": True} if clause.of("act:bold") else {}
        done.append(op(clause, "set_font", range=area, **bold, **colour))
    return done


@builds("colour_columns")
def _colour_columns(clause: Clause, slots: Slots) -> list[Op]:
    return [
        op(clause, "set_fill", range=clause.place.span(name), color=slots["colour"][0]) for name in slots["columns"]
    ]


def _body(clause: Clause) -> str:
    area, (top, bottom) = clause.place.area, clause.place.rows
    return f"{letters(area.first_column)}{top}:{letters(area.last_column)}{bottom}"


@builds("bold_rows")
def _bold_rows(clause: Clause, slots: Slots) -> list[Op] | None:
    where = where_of(clause, slots)
    if where is None:
        return None
    return [op(clause, "set_font", range=_cells(clause, where) or _body(clause), bold=True, where=where)]


@builds("bold_top")
def _bold_top(clause: Clause, slots: Slots) -> list[Op] | None:
    """Bold the rows whose value is at least the last of the best: only where the values are known."""
    column, count, largest, *place = slots["top"][0]
    known = [cell for cell in clause.place.fact(column).samples if isinstance(cell, int | float)]
    first_row, last_row = clause.place.rows
    if place or len(known) < last_row - first_row + 1:
        return None
    edge = sorted(known, reverse=largest)[min(count, len(known)) - 1]
    where = {"tests": [{"column": column, "op": ">=" if largest else "<=", "value": edge}], "match": "all"}
    return [op(clause, "set_font", range=_body(clause), bold=True, where=where)]


@builds("bold_columns")
def _bold_columns(clause: Clause, slots: Slots) -> list[Op]:
    return [op(clause, "set_font", range=clause.place.span(name), bold=True) for name in slots["columns"]]


@builds("bold_header")
def _bold_header(clause: Clause, _slots: Slots) -> list[Op] | None:
    area = clause.place.header_range
    return [op(clause, "set_font", range=area, bold=True)] if area else None


@builds("format")
def _format(clause: Clause, slots: Slots) -> list[Op] | None:
    code, place, names = slots["format"][0], clause.place, flat(slots["columns"])
    dates = "yy" in code
    if dates and any(_dated_in_texts(place.fact(name)) for name in names):
        return to_dates(clause, {**slots, "columns": names})
    if any(dates != place.dated(name) for name in names):
        return None
    shown = {name: code + _PERCENT * _shares(clause, name, code) for name in names}
    return [op(clause, "set_number_format", range=place.span(name), format=each) for name, each in shown.items()]


def _dated_in_texts(column: ColumnFacts) -> bool:
    """Return whether a column holds dates of which some are texts."""
    cleaned = column.clean is not None and column.clean.kind in DATES
    return cleaned or (column.kind in DATES and column.notation == "date_text")


def _shares(clause: Clause, name: str, code: str) -> bool:
    """Return whether a column of shares in percent stays one: only its decimals are spoken of."""
    return set(code) <= set("0.") and clause.place.fact(name).unit == _PERCENT


@builds("databars", "colour_scale")
def _bars(clause: Clause, slots: Slots) -> list[Op]:
    kind = "data_bar" if clause.of("act:databars") else "color_scale"
    said = [word.meaning for word in clause.of("colour")]
    colours = {"colors": said} if kind == "color_scale" and len(said) in {2, 3} else {}
    spans = [clause.place.span(name) for name in slots["columns"]]
    return [op(clause, "conditional_format", range=span, kind=kind, **colours) for span in spans]


@builds("borders")
def _borders(clause: Clause, _slots: Slots) -> list[Op]:
    return [op(clause, "set_borders", range=clause.place.area.text)]


@builds("validate")
def _validate(clause: Clause, slots: Slots) -> list[Op]:
    area = clause.place.span(slots["column"][0])
    return [op(clause, "set_data_validation", range=area, kind="list", options=slots["options"][0])]


@builds("validate_range")
def _bounded(clause: Clause, slots: Slots) -> list[Op] | None:
    """Bound the numbers of a column from both sides."""
    tests = slots["where"][0]["tests"]
    bounds = {test["op"]: test.get("value") for test in tests}
    if set(bounds) != {">=", "<="} or len({test["column"] for test in tests}) > 1:
        return None
    whole = any(word.meaning == "0" for word in clause.of("numformat"))
    given = {"kind": "whole" if whole else "decimal", "minimum": bounds[">="], "maximum": bounds["<="]}
    return [op(clause, "set_data_validation", range=clause.place.span(tests[0]["column"]), **given)]
