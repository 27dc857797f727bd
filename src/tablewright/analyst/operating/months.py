"""Amounts by month or year on a separate sheet, with the periods as dates and the amounts as formulas over the
table."""

from __future__ import annotations

from datetime import date
from typing import Any

from tablewright.analyst.operating.measures import Grouping
from tablewright.analyst.operating.wish import Op, Wish
from tablewright.domain.table import Cell
from tablewright.texts.catalogue import text
from tablewright.workbook.areas import letters
from tablewright.workbook.formulas import sheet_prefix

MOST_PERIODS = 240
_CONDITIONAL = {"sum": "SUMIFS", "mean": "AVERAGEIFS", "max": "MAXIFS", "min": "MINIFS", "count": "COUNTIFS"}


def by_unit(wish: Wish, groups: Grouping, kind: str, measures: list[str], target: str) -> list[Op]:
    """Return the steps. If the periods are not known in advance, a new column holds the period of each row, and the
    table is summarized by it."""
    column, unit = groups.columns[0], groups.unit or "month"
    periods = _periods(wish, column, unit)
    if len(groups.columns) > 1:
        return _with_column(wish, column, unit, kind, measures, target, groups.columns[1])
    if not periods or kind not in _CONDITIONAL or wish.place.fact(column).notation == "date_text":
        return _with_column(wish, column, unit, kind, measures, target)
    prefix = sheet_prefix(wish.place.sheet)
    dates = prefix + _fixed(wish, column)
    step = 1 if unit == "month" else 12
    last = len(periods) + 1
    head: list[Cell] = [text(f"operating.{unit}", wish.scene.language), *measures]
    empty: list[Cell] = [None] * len(measures)
    rows = [head, *([day, *empty] for day in periods)]
    ops = [
        Op(function="add_sheet", parameters={"name": target}),
        _on(target, "set_values", range="A1", values=rows),
        _on(target, "set_font", range=f"A1:{letters(len(head))}1", bold=True),
        _on(target, "set_number_format", range=f"A2:A{last}", format="yyyy-mm" if unit == "month" else "yyyy"),
    ]
    for at, measure in enumerate(measures, 2):
        cells = "" if kind == "count" else f"{prefix}{_fixed(wish, measure)},"
        formula = f'={_CONDITIONAL[kind]}({cells}{dates},">="&$A2,{dates},"<"&EDATE($A2,{step}))'
        ops.append(_on(target, "set_formula", range=f"{letters(at)}2:{letters(at)}{last}", formula=formula))
    return ops


def _on(sheet: str, function: str, **parameters: Any) -> Op:
    return Op(function=function, parameters={"sheet": sheet, **parameters})


def _fixed(wish: Wish, name: str) -> str:
    first, last = wish.span(name).split(":")
    column = first.rstrip("0123456789")
    return f"${column}${first[len(column) :]}:${column}${last[len(column) :]}"


def _periods(wish: Wish, column: str, unit: str) -> list[str]:
    fact = wish.place.fact(column)
    try:
        low, high = (date.fromisoformat(str(end)[:10]) for end in (fact.minimum, fact.maximum))
    except ValueError:
        return []
    months = range(low.year * 12 + low.month - 1, high.year * 12 + high.month)
    if unit == "year":
        return [f"{year}-01-01" for year in range(low.year, high.year + 1)][:MOST_PERIODS]
    found = [f"{month // 12:04d}-{month % 12 + 1:02d}-01" for month in months]
    return found if len(found) <= MOST_PERIODS else []


def _with_column(
    wish: Wish, column: str, unit: str, kind: str, measures: list[str], target: str, across: str | None = None
) -> list[Op]:
    name = text(f"operating.{unit}", wish.scene.language)
    taken = {known.lower() for known in wish.place.names}
    while name.lower() in taken:
        name += " 2"
    form = "yyyy-mm" if unit == "month" else "yyyy"
    made = (
        [{"aggregation": kind, "column": measure} for measure in measures]
        if kind != "count"
        else [{"aggregation": kind}]
    )
    return [
        wish.op("add_column", header=name, formula=f'=TEXT([{column}],"{form}")'),
        wish.op("summarize", groups=[name], measures=made, across=across, target_sheet=target),
    ]
