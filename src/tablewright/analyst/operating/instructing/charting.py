"""From filled slots to charts of columns as they stand, and to titles, axes and looks of charts."""

from __future__ import annotations

from typing import Any

from tablewright.analyst.operating.instructing.building import Slots, builds, first, op
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.op import Op


def _kind(clause: Clause, slots: Slots) -> str:
    said = clause.of("charttype")
    return str(first(slots, "type") or (said[0].meaning if said else "column"))


def _titled(slots: Slots) -> dict[str, Any]:
    return {"title": slots["title"][0]} if slots.get("title") else {}


def _naming(clause: Clause) -> str | None:
    """Return the first column of texts whose values are all different: it names the rows."""
    rows = clause.place.facts.rows
    texts = [one for one in clause.place.facts.columns if one.kind == "text" and not one.missing]
    return next((one.name for one in texts if one.distinct == rows), None)


def _in_title(clause: Clause, slots: Slots) -> list[str]:
    """Return the one column of numbers that the title of a chart names."""
    title = str(first(slots, "title", ""))
    found = [name for name in clause.place.names if name in title and clause.place.numeric(name)]
    return found if len(found) == 1 else []


@builds("chart_rows")
def _chart_rows(clause: Clause, slots: Slots) -> list[Op] | None:
    """Draw columns row by row: by a column of names whose values are all different, or along the dates."""
    kind, said = _kind(clause, slots), slots.get("values") or _in_title(clause, slots)
    values = [name for name in said if clause.place.numeric(name)]
    category = first(slots, "category")
    if kind == "scatter":
        if len(said) != 2 or len(values) != 2:
            return None
        upper, lower = values
        return [op(clause, "create_chart", type=kind, category=lower, values=[upper], **_titled(slots))]
    if category is None:
        dated = [name for name in clause.place.names if clause.place.dated(name)]
        category = dated[0] if len(dated) == 1 and kind in {"line", "area"} else _naming(clause)
    if not values or len(values) != len(said) or category in values or category is None:
        return None
    if not clause.place.dated(category) and clause.place.fact(category).distinct != clause.place.facts.rows:
        return None
    return [op(clause, "create_chart", type=kind, category=category, values=values, **_titled(slots))]


@builds("chart_spread")
def _spread(clause: Clause, slots: Slots) -> list[Op] | None:
    if not clause.place.numeric(slots["column"][0]):
        return None
    return [op(clause, "create_chart", type="histogram", values=[slots["column"][0]], **_titled(slots))]


@builds("chart_area")
def _chart_area(clause: Clause, slots: Slots) -> list[Op]:
    return [op(clause, "create_chart", type=_kind(clause, slots), data_range=slots["area"][0], **_titled(slots))]


def _sheet(clause: Clause) -> dict[str, Any]:
    return {"sheet": clause.memory.chart_sheet or clause.place.sheet}


@builds("chart_title")
def _title(clause: Clause, slots: Slots) -> list[Op] | None:
    if not (clause.of("titled") or clause.of("name:called") or clause.linked.quoted):
        return None
    return [Op(function="set_chart_title", parameters={**_sheet(clause), "title": str(slots["title"][0])})]


@builds("chart_axis")
def _axis(clause: Clause, slots: Slots) -> list[Op]:
    axis = f"{slots['axis'][0]}_title"
    return [Op(function="set_chart_axes", parameters={**_sheet(clause), axis: str(slots["title"][0])})]


@builds("chart_legend")
def _legend(clause: Clause, slots: Slots) -> list[Op]:
    return [Op(function="set_chart_style", parameters={**_sheet(clause), "legend": slots["side"][0]})]


@builds("chart_labels")
def _labels(clause: Clause, _slots: Slots) -> list[Op]:
    shown = not clause.of("not")
    return [Op(function="set_chart_style", parameters={**_sheet(clause), "data_labels": shown})]
