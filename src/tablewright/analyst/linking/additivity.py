"""Which columns may be added up: amounts and counts may; prices, rates and ages may not.

This is decided by the words of the column's name (its head first), then by how its values are written. If neither
settles it, the answer is unknown, and nothing is added up on a guess.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations

from tablewright.analyst.linking.lexicon import additivity
from tablewright.analyst.linking.text import BRACKETS, is_han
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import AggregateName
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.table import Cell

_PER = re.compile(r"[/每%％°℃]")
_NUMBERS = frozenset({"number", "integer"})
_DATES = frozenset({"date", "datetime"})
_GRID = (0.7, 1.05)
"""How many rows there may be for each date and thing where the things are told of at every date."""
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


def adds_up_in(column: ColumnFacts, facts: DatasetFacts) -> bool:
    """Return whether the values of a column of a table may be added up over all its rows: what is held at a time, such
    as a balance, may not where the rows tell of the same things at one time after the other."""
    return aggregate_for(column) == "sum" and not (_held(column.name) and _at_several_times(facts))


def held_in(facts: DatasetFacts) -> tuple[str, ...]:
    """Return the columns of amounts that are held at a time, where the rows tell of several times."""
    return tuple(
        column.name for column in facts.columns if aggregate_for(column) == "sum" and not adds_up_in(column, facts)
    )


def _held(name: str) -> bool:
    words = lemmas(BRACKETS.sub(" ", name).strip() or name)
    held = additivity().held
    if any(is_han(word[0]) for word in words):
        return any("".join(words).endswith(word) for word in held)
    return not held.isdisjoint(words)


def _at_several_times(facts: DatasetFacts) -> bool:
    """Return whether there is about one row for each date, or for each date and thing, or pair of things."""
    dates = max((column.distinct or 0 for column in facts.columns if column.kind in _DATES), default=0)
    if dates < 2:
        return False
    things = [column.distinct or 1 for column in facts.columns if column.kind == "text"]
    sizes = [1, *things, *(one * other for one, other in combinations(things, 2))]
    return any(_GRID[0] <= facts.rows / (dates * size) <= _GRID[1] for size in sizes)


def identifying(name: str, low: Cell, high: Cell) -> bool:
    """Return whether a numeric column numbers or dates the rows rather than measuring something."""
    plain = name.lower().strip()
    if plain in _ROW_NUMBERS or plain.endswith(("_id", " id")):
        return True
    return isinstance(low, int | float) and isinstance(high, int | float) and 1800 <= low <= high <= 2100


def is_code(column: str) -> bool:
    """Return whether a column's name says that it numbers or codes the rows (`order_id`, `工号`)."""
    return lemmas(column)[-1:] in {("id",), ("code",), ("no",), ("number",), ("号",), ("码",)}
