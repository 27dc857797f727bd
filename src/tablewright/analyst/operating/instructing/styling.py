"""From filled slots to operations on how ranges look."""

from __future__ import annotations

from typing import Any

from tablewright.analyst.operating.instructing.building import Slots, builds, first, op, where_of
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.writing import ranges_of
from tablewright.analyst.operating.op import Op

_BIGGEST_FONT, _HIGHEST_ROW = 96, 409


def _each(clause: Clause, slots: Slots, function: str, **given: Any) -> list[Op]:
    return [op(clause, function, range=area, **given) for found in slots["area"] for area in ranges_of(found)]


def _looks(clause: Clause) -> dict[str, bool]:
    return {look: True for look in ("bold", "italic", "underline") if clause.of(f"act:{look}")}


@builds("font_area")
def _font(clause: Clause, slots: Slots) -> list[Op] | None:
    given: dict[str, Any] = dict(_looks(clause))
    if slots.get("size"):
        size, percent = slots["size"][0]
        if percent or not 0 < size <= _BIGGEST_FONT:
            return None
        given["size"] = size
    if slots.get("colour"):
        ground = clause.of("noun:background") or clause.of("act:highlight")
        if ground and not clause.of("noun:font"):
            return None
        given["color"] = slots["colour"][0]
    if slots.get("face"):
        given["name"] = slots["face"][0]
    if not given:
        return None
    align = first(slots, "align")
    done = _each(clause, slots, "set_font", **given)
    return done + (_each(clause, slots, "set_alignment", **align) if align else [])


@builds("fill_area")
def _fill(clause: Clause, slots: Slots) -> list[Op]:
    done = _each(clause, slots, "set_fill", color=slots["colour"][0])
    given: dict[str, Any] = dict(_looks(clause))
    if slots.get("font"):
        given["color"] = slots["font"][0]
    return done + (_each(clause, slots, "set_font", **given) if given else [])


@builds("unfill_area")
def _unfill(clause: Clause, slots: Slots) -> list[Op]:
    return _each(clause, slots, "set_fill")


@builds("borders_area")
def _borders(clause: Clause, slots: Slots) -> list[Op]:
    given: dict[str, Any] = {}
    if slots.get("style"):
        given["style"] = slots["style"][0]
    if slots.get("side"):
        given["where"] = slots["side"][0]
    if slots.get("colour"):
        given["color"] = slots["colour"][0]
    return _each(clause, slots, "set_borders", **given)


@builds("align_area")
def _align(clause: Clause, slots: Slots) -> list[Op]:
    given: dict[str, Any] = {}
    for one in slots["align"]:
        given |= one
    looks = _looks(clause)
    return _each(clause, slots, "set_alignment", **given) + (_each(clause, slots, "set_font", **looks) if looks else [])


@builds("wrap_area")
def _wrap(clause: Clause, slots: Slots) -> list[Op]:
    return _each(clause, slots, "set_alignment", wrap=True)


@builds("format_area")
def _format(clause: Clause, slots: Slots) -> list[Op]:
    return _each(clause, slots, "set_number_format", format=slots["format"][0])


@builds("row_height")
def _height(clause: Clause, slots: Slots) -> list[Op] | None:
    (row, count), (height, percent) = slots["rows"][0], slots["number"][0]
    if percent or not 0 < height <= _HIGHEST_ROW:
        return None
    more = {"count": count} if count > 1 else {}
    return [op(clause, "set_row_height", row=row, height=height, **more)]


@builds("rule")
def _rule(clause: Clause, slots: Slots) -> list[Op] | None:
    """Colour cells by a rule that stays: of one test of one column."""
    where = where_of(clause, slots)
    if where is None or len(where["tests"]) != 1 or where["tests"][0].get("than"):
        return None
    test = where["tests"][0]
    colours = {"colors": [slots["colour"][0]]} if slots.get("colour") else {}
    given = {"value": test["value"]} if "value" in test else {}
    area = clause.place.span(test["column"])
    return [op(clause, "conditional_format", range=area, kind="rule", op=test["op"], **given, **colours)]


@builds("mark_duplicates")
def _duplicates(clause: Clause, slots: Slots) -> list[Op]:
    colours = {"colors": [slots["colour"][0]]} if slots.get("colour") else {}
    spans = [clause.place.span(name) for name in slots["columns"]]
    return [op(clause, "conditional_format", range=span, kind="duplicates", **colours) for span in spans]


@builds("icons")
def _icons(clause: Clause, slots: Slots) -> list[Op]:
    return [
        op(clause, "conditional_format", range=clause.place.span(name), kind="icon_set") for name in slots["columns"]
    ]


@builds("format_rounded")
def _format_rounded(clause: Clause, slots: Slots) -> list[Op] | None:
    """Show the numbers of columns with so many places; their values stay."""
    places = slots["places"][0]
    if places < 0 or not all(clause.place.numeric(name) for name in slots["columns"]):
        return None
    shown = "0." + "0" * places if places else "0"
    return [op(clause, "set_number_format", range=clause.place.span(name), format=shown) for name in slots["columns"]]
