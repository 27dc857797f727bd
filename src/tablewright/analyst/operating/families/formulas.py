"""Formulas written into named cells: conditional aggregates, choices, computations on columns."""

from __future__ import annotations

import re

from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.cells_said import named, said_range
from tablewright.analyst.operating.columns_named import said_letters
from tablewright.analyst.operating.expressions import (
    arithmetic,
    choice,
    criteria,
    formula_said,
    of_one_column,
    placed,
)
from tablewright.analyst.operating.filters import where
from tablewright.analyst.operating.measures import alike, measured
from tablewright.analyst.operating.row_formulas import row_formula
from tablewright.analyst.operating.tiers import tiers
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish
from tablewright.analyst.operating.words import FUNCTIONS, aggregation
from tablewright.workbook.areas import column_number

_WRITE = (
    r"\b(?:put|write|enter|place|show|display|calculate|compute|insert|add|give|use|fill|sum|count|total|average|get"
    r"|return|need|want)\b|写|填|输入|计算|求|算|统计|放|显示|得到"
)
_CONDITIONAL = {"sum": "SUMIFS", "mean": "AVERAGEIFS", "max": "MAXIFS", "min": "MINIFS"}


def written(wish: Wish) -> Read:
    """Read a formula and its cells: `in column I write a formula that …`, `在I列写公式：如果…则…否则…`, `put
    =SUM(A1:A3) in B4`."""
    target = _target(wish)
    if target is None or not wish.has(_WRITE):
        return None
    given = formula_said(wish.bare)
    if given is not None:
        return [wish.op("set_formula", range=_cells(wish, target), formula=given)]
    template = tiers(wish) or choice(wish) or _plain(wish, target)
    if template is None:
        return None
    return _formula(wish, target, template)


def _plain(wish: Wish, target: str) -> str | None:
    if aggregation(wish.low) is not None and ":" not in _cells(wish, target):
        return None
    words = re.sub(
        rf"\bcol(?:umn)?\s+{target}\b|{target}\s*列|(?<![A-Za-z]){target}(?![A-Za-z\d])",
        " ",
        wish.text,
        flags=re.IGNORECASE,
    )
    return row_formula(words, wish) or arithmetic(words, wish.place) or of_one_column(words, wish)


def _target(wish: Wish) -> str | None:
    """Return the cells to write: a range, or the letters of the column in which the formula goes; None if they are
    not named."""
    into = re.search(
        r"\b(?:in|into|to|for|at)\s+(?:the\s+)?(?:cells?\s+|range\s+"
        r"|col(?:umn)?\s+)(?P<en>[a-z]{1,2}(?:\d+)?(?:\s*(?::|to|-)\s*[a-z]{1,2}\d+)?)\b"
        r"|\b(?:in|into|to|at)\s+(?P<cell>[a-z]{1,2}\d+(?:\s*(?::|to|-)\s*[a-z]{1,2}\d+)?)\b|\b(?:fill"
        r"|populate)\s+(?:col(?:umn)?\s+)?(?P<fill>[a-z]{1,2}(?:\d+(?::[a-z]{1,2}\d+)?)?)\b"
        r"|^\W*(?:把|将|给|对)?\s*(?P<lead>[a-z]{1,2})\s*列(?:里|中)?(?:的)?(?:单元格)?\s*[,，]?\s*(?=用|写|填|计算|求"
        r"|算|等于|=|公式)"
        r"|(?:在|到|于|往)\s*(?P<zh>[a-z]{1,2}\d*(?:\s*(?::|到|至|-)\s*[a-z]{1,2}\d+)?)\s*(?:列|单元格|中|里|写|填"
        r"|计算|求|算|处|统计|输入|，|得|显示)?",
        fold(wish.bare),
    )
    if into is None:
        return None
    found = next(group for group in into.groups() if group).upper()
    cells = said_range(found)
    if cells:
        return cells
    return found if any(one == found for _, _, one in said_letters(wish.text)) else None


def _cells(wish: Wish, target: str) -> str:
    if any(character.isdigit() for character in target):
        return target
    first, last = wish.place.rows
    return f"{target}{first}:{target}{last}"


def _formula(wish: Wish, target: str, template: str) -> Read:
    cells = _cells(wish, target)
    row = int(re.sub(r"\D", "", cells.split(":")[0]))
    steps: list[Op] = []
    name = named(wish.text)
    header = wish.place.region.header_rows
    alone = not any(character.isdigit() for character in target)
    if name and alone and header and column_number(target) > wish.place.area.last_column:
        steps.append(wish.op("set_values", range=f"{target}{header[1]}", values=[[name]]))
    return [*steps, wish.op("set_formula", range=cells, formula=placed(template, wish.place, row))]


def aggregate_cell(wish: Wish) -> Read:
    """Read an aggregate of a column in one cell, over all rows or those a condition selects: `put the total revenue
    of East in K2`."""
    target = _target(wish)
    if target is None or ":" in target or not any(character.isdigit() for character in target):
        return None
    kind = aggregation(re.sub(r"[\"“「'][^\"”」']*[\"”」']", " ", wish.low))
    if kind is None:
        found = _looked_up(wish)
        return [wish.op("set_formula", range=target, formula=found)] if found else None
    inner = said_range(re.sub(rf"(?<![A-Za-z]){target}(?!\d)", " ", wish.bare, flags=re.IGNORECASE))
    if inner is not None and kind in FUNCTIONS:
        return [wish.op("set_formula", range=target, formula=f"={FUNCTIONS[kind]}({inner})")]
    formula = aggregate_formula(wish, kind)
    if formula is None:
        named_one = wish.numeric(wish.said())
        return None if named_one or where(wish) else Lacking(what="column", function="set_formula")
    return [wish.op("set_formula", range=target, formula=formula)]


def _looked_up(wish: Wish) -> str | None:
    """Return the formula for a column's cell in the row that a test identifies, or None: `look up the price of
    SP-103`."""
    if not wish.has(r"\blook ?-?up\b|\b[vx]lookup\b|\bindex\b|\bget\b|\bfind\b|\bshow\b|查|找|取"):
        return None
    found = where(wish)
    tests = found["tests"] if found else []
    if len(tests) != 1 or tests[0]["op"] != "=" or tests[0]["column"] not in wish.place.letters:
        return None
    key = tests[0]["column"]
    fact = wish.place.fact(key)
    named_ones = [name for name in wish.said() if name != key and name in wish.place.letters]
    if len(named_ones) != 1 or fact.distinct is None or fact.distinct < wish.place.facts.rows:
        return None
    value = tests[0]["value"]
    literal = f'"{value}"' if isinstance(value, str) else str(value)
    return f"=INDEX({wish.place.fixed(named_ones[0])},MATCH({literal},{wish.place.fixed(key)},0))"


_ALL = r"\b(?:all|grand|overall|every|everything|whole|entire)\b|所有|全部|总计|整个"


def aggregate_formula(wish: Wish, kind: str) -> str | None:
    """Return the formula of an aggregate; None if no simple formula can express it."""
    found = where(wish) or (wish.memory.where if wish.has(r"\b(?:their|its|those|these)\b|它们|这些|其") else None)
    wish.memory.where = found or wish.memory.where
    pairs = criteria(found, wish) if found else None
    if found is not None and pairs is None:
        return None
    if kind == "count":
        first = wish.place.fixed(wish.place.names[0])
        return f"=COUNTIFS({pairs})" if pairs else f"=COUNTA({first})"
    tested = {test["column"] for test in found["tests"]} if found else set()
    numeric = [name for name in wish.numeric(wish.said()) if name in wish.place.letters]
    chosen = [name for name in numeric if name not in tested] or numeric
    if not chosen:
        amounts = alike(wish)
        if amounts and kind in FUNCTIONS and not pairs and wish.has(_ALL):
            ends = wish.place.fixed(amounts[0]).split(":")[0], wish.place.fixed(amounts[-1]).split(":")[1]
            return f"={FUNCTIONS[kind]}({':'.join(ends)})"
        chosen = measured(wish)
        spoken = {*wish.memory.columns, wish.memory.made}
        if len(chosen) > 1 and not spoken & set(chosen):
            return None
    column = next((name for name in chosen if name in wish.place.letters), None)
    if column is None:
        return None
    cells = wish.place.fixed(column)
    if pairs:
        return f"={_CONDITIONAL[kind]}({cells},{pairs})" if kind in _CONDITIONAL else None
    return f"={FUNCTIONS[kind]}({cells})" if kind in FUNCTIONS else None
