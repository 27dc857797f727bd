"""Formulas over the row before: differences and growth from one row to the next."""

from __future__ import annotations

import re

from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.measures import measured
from tablewright.analyst.operating.wish import Wish

_BEFORE = (
    r"\b(?:previous|prior|preceding)\b|\b(?:row|day|week|month|quarter|year|period)[- ](?:over|on|to)[- ](?:row|day"
    r"|week|month|quarter|year|period)\b|上一?[行个条笔期月天日年周]|前一[行个条笔期月天日年周]|环比"
)
_GROWTH = r"%|\bpercent|\bgrowth\b|\brate\b|率|增长(?!额|量)|增幅|涨幅|百分"
_DIFFERENCE = (
    r"\b(?:difference|change|increase|decrease|delta|minus|compared|more than)\b|差|变化|变动|增加|减少|增减|增长|减去"
    r"|相比"
)
_OTHER = r"\b(?:running|cumulative|average|rank|sum)\b|累计|平均|排名|合计|同比"


def over_previous_row(text: str, wish: Wish) -> str | None:
    """Return the formula for the change of a column from the row above, or None: `the difference to the previous
    row's revenue`, `环比增长率`. The first row stays empty."""
    low = fold(text)
    if not re.search(_BEFORE, low) or re.search(_OTHER, low):
        return None
    growth = re.search(_GROWTH, low) is not None
    if not growth and not re.search(_DIFFERENCE, low):
        return None
    known = [name for name in wish.numeric(wish.said(text)) if name in wish.place.letters]
    if not known:
        known = [name for name in measured(wish) if name in wish.place.letters]
    first = wish.place.rows[0]
    if len(known) != 1 or first < 2:
        return None
    above = f"{wish.place.letters[known[0]]}{first - 1}"
    change = f"[{known[0]}]/{above}-1" if growth else f"[{known[0]}]-{above}"
    return f'=IFERROR({change},"")'
