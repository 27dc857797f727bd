"""Whether the unit that is said of a number, or asked for, is that of a column: `24 hours` is no fee."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from tablewright.analyst.grammar.columns import ColumnView
from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.semantics import Features
from tablewright.analyst.linking.lexicon import read
from tablewright.analyst.linking.mentions import NumberMention
from tablewright.analyst.linking.text import BRACKETS, fold, is_han
from tablewright.analyst.linking.tokens import Token, tokenize
from tablewright.analyst.plan import Col, Expr
from tablewright.domain.dataset import ColumnFacts

_LONGEST = 2
_LONGEST_WRITTEN = 6
_AFTER = 3
_NUMBER = "数"


@cache
def _units() -> dict[str, frozenset[str]]:
    """Return the units that a form may mean."""
    found: dict[str, frozenset[str]] = {}
    for unit, forms in read("units.json").items():
        for form in forms:
            key = "".join(token.lemma for token in tokenize(form))
            found[key] = found.get(key, frozenset()) | {unit}
    return found


def unit_features(scene: Scene, number: NumberMention, of: Expr) -> Features:
    """Return whether a column has the unit that is said of a number; nothing if no unit is said or known."""
    said = _said(scene.tokens, number)
    if not said or not isinstance(of, Col):
        return ()
    own = next((_own(column) for column in scene.facts.columns if column.name == of.name), frozenset())
    if said & own:
        return (("unit:agrees", 1.0),)
    return (("unit:differs", 1.0),) if own else ()


def units_asked(scene: Scene, column: ColumnView) -> Iterator[tuple[int, int, bool]]:
    """Yield the words, as (start, end), that ask how much there is in the unit of a column, and whether the unit stands
    in its name."""
    facts = scene.facts.columns[column.place]
    written = _written(facts)
    for word in scene.of("count", "wh"):
        if word.type == "wh" and word.meaning != "much":
            continue
        for size in range(_LONGEST, -1, -1):
            run = [token.lemma for token in scene.tokens[word.end - (not size) : word.end + size]]
            said = "".join(run)
            if said and (said in written or _units().get(said, frozenset()) & _own(facts) - {"money", "percent"}):
                yield word.start, word.end + size, said in written
                break


@lru_cache(maxsize=1024)
def _written(column: ColumnFacts) -> frozenset[str]:
    """Return the unit of a column as it is written in the brackets of its name, in its cells, or before the word for
    number that ends its name (`斤数`, `桌数`)."""
    bracketed = (found[1:-1] for found in BRACKETS.findall(column.name) if len(found) <= _LONGEST_WRITTEN + 2)
    found = [column.unit or "", *column.units, *bracketed]
    if column.name.endswith(_NUMBER) and 1 < len(column.name) <= len(_NUMBER) + _LONGEST:
        found.append(column.name.removesuffix(_NUMBER))
    return frozenset("".join(token.lemma for token in tokenize(one)) for one in found if one)


def _said(tokens: tuple[Token, ...], number: NumberMention) -> frozenset[str]:
    """Return the units that the words right behind a number, or the sign before it, may mean."""
    if number.percent:
        return frozenset({"percent"})
    if number.start and tokens[number.start - 1].kind == "mark":
        sign = _units().get(tokens[number.start - 1].norm)
        if sign:
            return sign
    inside = tokens[max(number.start, number.end - 1) : number.end + _AFTER]
    places = range(len(inside))
    runs = ["".join(token.lemma for token in inside[1 : 1 + size]) for size in range(_AFTER, 0, -1) if size in places]
    within = "".join(token.lemma for token in inside[:1])
    return next((units for run in [*runs, within] if (units := _units().get(run))), frozenset())


@lru_cache(maxsize=1024)
def _own(column: ColumnFacts) -> frozenset[str]:
    """Return the units that a column's name and cells are written with."""
    known = _units()
    found: set[str] = set()
    tokens = tokenize(column.name)
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + _LONGEST, len(tokens)) + 1):
            form = "".join(token.lemma for token in tokens[start:end])
            whole = not is_han(form[:1]) or len(form) > 1 or end == len(tokens) or tokens[end].kind == "mark"
            found |= known.get(form, frozenset()) if whole else frozenset()
    found |= known.get(fold(column.unit or "").strip(), frozenset())
    if column.notation in {"percent", "currency"}:
        found.add("percent" if column.notation == "percent" else "money")
    return frozenset(found)
