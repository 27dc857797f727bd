"""Profits and margins, which people name without saying how they are computed."""

from __future__ import annotations

import re

from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.wish import Wish

_SHARE = (
    r"\b(?:profit|gross|net|contribution)[ _-]?margins?\b|\bmargins?\b[^,.]*(?:%|\bpercent|\brate\b)|(?:毛利|利润)率"
)
_PROFIT = r"\b(?:profits?|margins?)\b|毛利|利润"
_SALES = r"\b(?:revenues?|sales|turnover|amount)\b|收入|销售额|营收|营业额|销售金额|^金额$"
_COST = r"\b(?:costs?|cogs)\b|成本"
_OF_ONE = r"\b(?:unit|per|each|price|target|budget)\b|单位|单价|单件|均|目标|预算"
"""Words of headers that are no amounts of the row as a whole."""


def margin(text: str, wish: Wish) -> str | None:
    """Return the formula of a profit or a margin, if the table has one column of sales and one of costs; else None."""
    low = fold(text)
    if not re.search(_PROFIT, low):
        return None
    sales, costs, profits = (_only(wish, pattern) for pattern in (_SALES, _COST, _PROFIT))
    if sales is None:
        return None
    if re.search(_SHARE, low):
        if profits is not None:
            return f"=[{profits}]/[{sales}]"
        return _where_known(f"([{sales}]-[{costs}])/[{sales}]", costs, wish) if costs is not None else None
    return _where_known(f"[{sales}]-[{costs}]", costs, wish) if costs is not None and profits is None else None


def _where_known(formula: str, costs: str, wish: Wish) -> str:
    """Return the formula, which leaves rows without costs empty if there are such rows."""
    return f'=IF([{costs}]="","",{formula})' if wish.place.fact(costs).missing else f"={formula}"


def _only(wish: Wish, pattern: str) -> str | None:
    """Return the one numeric column whose header a pattern describes, or None."""
    found = [
        name
        for name in wish.place.names
        if wish.place.numeric(name) and re.search(pattern, fold(name)) and not re.search(_OF_ONE, fold(name))
    ]
    return found[0] if len(found) == 1 and not re.search(r"%|率|/", found[0]) else None
