"""Which columns may be added up: amounts and counts may; prices, rates and ages may not.

This is decided by the words of the column's name (its head first), then by how its values are written. If neither
settles it, the answer is unknown, and nothing is added up on a guess.
"""

from __future__ import annotations

import re
from functools import lru_cache

from tablewright.analyst.linking.lexicon import additivity
from tablewright.analyst.linking.text import BRACKETS, is_han
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import AggregateName
from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.table import Cell

_PER = re.compile(r"[/每%％°℃]")
_NUMBERS = frozenset({"number", "integer"})
_ROW_NUMBERS = frozenset(
    {"id", "#", "no", "no.", "rank", "year", "index", "number", "pos", "序号", "编号", "年份", "season"}
)


def aggregate_for(column: ColumnFacts) -> AggregateName | None:
    """Return how the values of a column combine: `sum` for amounts, `mean` for levels, None if unknown."""
    if column.kind not in _NUMBERS or identifying(column.name, column.minimum, column.maximum):
        return None
    if column.notation == "percent" or _PER.search(column.unit or ""):
        return "mean"
    known = _by_name(column.name)
    if known is None and column.notation == "currency":
        return "sum"
    return known


@lru_cache(maxsize=4096)
def _by_name(name: str) -> AggregateName | None:
    if _PER.search(" ".join(BRACKETS.findall(name))):
        return "mean"
    plain = BRACKETS.sub(" ", name).strip() or name
    words = lemmas(plain)
    if not words:
        return None
    if any(is_han(word[0]) for word in words):
        return _by_han("".join(words))
    lexicon = additivity()
    if set(words) & lexicon.forces_level or (words[0] == "unit" and len(words) > 1):
        return "mean"
    if "total" in words:
        return "sum"
    for word in reversed(words):
        if word in lexicon.sums:
            return "sum"
        if word in lexicon.levels:
            return "mean"
    return None


def _by_han(name: str) -> AggregateName | None:
    """Decide by the longest known ending of a Chinese name, since the head of a compound stands last."""
    lexicon = additivity()
    if any(word in name for word in lexicon.forces_level if is_han(word[0])):
        return "mean"
    for start in range(len(name)):
        if name[start:] in lexicon.sums:
            return "sum"
        if name[start:] in lexicon.levels:
            return "mean"
    return "sum" if name.startswith("总") else None


def identifying(name: str, low: Cell, high: Cell) -> bool:
    """Return whether a numeric column numbers or dates the rows rather than measuring something."""
    plain = name.lower().strip()
    if plain in _ROW_NUMBERS or plain.endswith(("_id", " id")):
        return True
    return isinstance(low, int | float) and isinstance(high, int | float) and 1800 <= low <= high <= 2100


def is_code(column: str) -> bool:
    """Return whether a column's name says that it numbers or codes the rows (`order_id`, `工号`)."""
    return lemmas(column)[-1:] in {("id",), ("code",), ("no",), ("number",), ("号",), ("码",)}
