"""From filled slots to columns computed from other rows, from dates and from texts."""

from __future__ import annotations

from tablewright.analyst.operating.instructing.building import Slots, builds, first
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.expressions import guarded
from tablewright.analyst.operating.instructing.making import added
from tablewright.analyst.operating.op import Op
from tablewright.texts.catalogue import text

_DATE_PARTS = {"year": "YEAR([{0}])", "month": "MONTH([{0}])", "day": "DAY([{0}])",
               "quarter": "ROUNDUP(MONTH([{0}])/3,0)", "weekday": "WEEKDAY([{0}],2)",
               "month_name": 'TEXT([{0}],"mmmm")', "weekday_name": 'TEXT([{0}],"dddd")'}  # fmt: skip
_TEXT_PARTS = {"upper": "UPPER([{0}])", "lower": "LOWER([{0}])", "proper": "PROPER([{0}])", "trim": "TRIM([{0}])",
               "length": "LEN([{0}])"}  # fmt: skip
_SALES, _COSTS = frozenset({"revenue", "total_price"}), frozenset({"cost"})


def _column(clause: Clause, slots: Slots) -> str | None:
    column = str(slots["column"][0])
    return column if column in clause.place.names and clause.place.numeric(column) else None


@builds("running_total")
def _running(clause: Clause, slots: Slots) -> list[Op] | None:
    column = _column(clause, slots)
    if column is None:
        return None
    first_row = clause.place.rows[0]
    letter = clause.place.letters[column]
    name = first(slots, "name") or text("operating.result.running", clause.scene.language, column=column)
    return added(clause, slots, f"SUM(${letter}${first_row}:[{column}])", name)


@builds("share_of_total")
def _share(clause: Clause, slots: Slots) -> list[Op] | None:
    column = _column(clause, slots)
    if column is None:
        return None
    words = clause.of("act:shareoftotal")
    said = words[0] if words else None
    name = first(slots, "name") or (clause.said(said.start, said.end) if said else None)
    if name is None:
        return None
    slots.setdefault("format", ["0.0%"])
    return added(clause, slots, f"[{column}]/SUM({clause.place.fixed(column)})", name)


@builds("change_to_previous")
def _change(clause: Clause, slots: Slots) -> list[Op] | None:
    """Compute the difference to the row above, or the growth; the first row stays empty."""
    column = _column(clause, slots)
    if column is None or clause.place.rows[0] < 2:
        return None
    above = f"{clause.place.letters[column]}{clause.place.rows[0] - 1}"
    growth = bool(clause.of("change:growth") or clause.of("numformat:0%"))
    change = f"[{column}]/{above}-1" if growth else f"[{column}]-{above}"
    code = "growth" if growth else "change"
    name = first(slots, "name") or text(f"operating.result.{code}", clause.scene.language, column=column)
    if growth:
        slots.setdefault("format", ["0.0%"])
    return added(clause, slots, f'IFERROR({change},"")', name)


@builds("add_derived")
def _derived(clause: Clause, slots: Slots) -> list[Op] | None:
    """Compute what people name without saying how: a profit or a margin, of the one column of sales and of costs."""
    meaning, name = slots["formula"][0]
    sales, costs = (_only(clause, concepts) for concepts in (_SALES, _COSTS))
    if sales is None or costs is None or sales == costs:
        return None
    said = f"[{sales}]-[{costs}]"
    if meaning == "margin":
        slots.setdefault("format", ["0.0%"])
        said = f"({said})/[{sales}]"
    return added(clause, slots, guarded(clause, said, [sales, costs]), name)


def _only(clause: Clause, concepts: frozenset[str]) -> str | None:
    """Return the one column of amounts that means one of the concepts."""
    found = [one.name for one in clause.linked.columns if one.role == "number" and one.concepts & concepts]
    adding = [name for name in found if name in clause.place.names and clause.linked.column(name).adds]
    return adding[0] if len(adding) == 1 else None


@builds("growth_between")
def _growth(clause: Clause, slots: Slots) -> list[Op] | None:
    """Compute how much one column is above another, in percent of the first."""
    old, new = slots["columns"][0], slots["columns"][1] if len(slots["columns"]) == 2 else None
    if new is None or not (clause.place.numeric(old) and clause.place.numeric(new)):
        return None
    name = first(slots, "name") or text("operating.result.growth", clause.scene.language, column=new)
    slots.setdefault("format", ["0.0%"])
    return added(clause, slots, guarded(clause, f"([{new}]-[{old}])/[{old}]", [new, old]), name)


@builds("date_part")
def _date_part(clause: Clause, slots: Slots) -> list[Op] | None:
    part = slots["part"][0]
    dated = [name for name in clause.place.names if clause.place.dated(name)]
    column = first(slots, "column") or (dated[0] if len(dated) == 1 else None)
    if column is None or not clause.place.dated(column):
        return None
    word = clause.of(f"datepart:{part}")[0]
    name = first(slots, "name") or clause.said(word.start, word.end)
    made = _DATE_PARTS[part].format(column)
    return added(clause, slots, f'IF([{column}]="","",{made})' if clause.place.fact(column).missing else made, name)


@builds("text_part")
def _text_part(clause: Clause, slots: Slots) -> list[Op] | None:
    """Write a column's texts in other letters into a new column."""
    column = slots["column"][0]
    found = next((act for act in _TEXT_PARTS if clause.of(f"act:{act}")), None)
    if found is None or clause.place.numeric(column):
        return None
    name = first(slots, "name") or text("operating.result.part", clause.scene.language, column=column)
    return added(clause, slots, _TEXT_PARTS[found].format(column), name)


@builds("cut_text")
def _cut(clause: Clause, slots: Slots) -> list[Op] | None:
    """Take the first or last signs of a column's texts."""
    column, (count, percent) = slots["column"][0], slots["number"][0]
    if percent or count != int(count) or not 1 <= count <= 99:
        return None
    side = "RIGHT" if slots["side"][0] == "right" else "LEFT"
    name = first(slots, "name") or text("operating.result.part", clause.scene.language, column=column)
    return added(clause, slots, f"{side}([{column}],{int(count)})", name)


@builds("round_column")
def _round(clause: Clause, slots: Slots) -> list[Op] | None:
    column = _column(clause, slots)
    if column is None:
        return None
    name = first(slots, "name") or text("operating.result.part", clause.scene.language, column=column)
    return added(clause, slots, f"ROUND([{column}],{slots['places'][0]})", name)
