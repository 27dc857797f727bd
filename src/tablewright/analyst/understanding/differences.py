"""Tells readings apart that say the same of themselves: by what one of them computes and the others do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tablewright.analyst.base import OfferedPlan
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.saying import tested, worded
from tablewright.analyst.plan import Aggregate, Filter, Measure, Plan, Project, Share, Sort, Top
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.words import shortened
from tablewright.domain.language import Language

LONGEST = 80
"""So many characters of a difference are said."""


def told_apart(readings: Sequence[OfferedPlan], language: Language) -> tuple[OfferedPlan, ...]:
    """Return the readings with words that differ: those of one wording also say what the others do not compute, or, if
    nothing of it can be said, what they give."""
    names = Names(language, frozenset())
    found = tuple(_told(reading, readings, names) for reading in readings)
    texts = Counter(_folded(reading) for reading in found)
    return tuple(replace(one, text=one.option) if texts[_folded(one)] > 1 else one for one in found)


def _told(reading: OfferedPlan, readings: Sequence[OfferedPlan], names: Names) -> OfferedPlan:
    others = [one for one in readings if one is not reading and _folded(one) == _folded(reading)]
    if not others:
        return reading
    facets = [dict.fromkeys(_facets(one.plan, names)) for one in others]
    own = [facet for facet in dict.fromkeys(_facets(reading.plan, names)) if not all(facet in one for one in facets)]
    if not own:
        return reading
    words = reading.text + names.say("apart", what=shortened(names.say("comma").join(own), LONGEST))
    option = reading.option
    option = words + option[len(reading.text) :] if option.startswith(reading.text) else option
    return replace(reading, text=words, option=option)


def _folded(reading: OfferedPlan) -> str:
    return reading.text.casefold()


def _facets(plan: Plan, names: Names) -> Iterator[str]:
    """Yield what a plan does, in words, from its rows to its result."""
    for node in reversed([one for part in plan.parts for one in nodes(part.relation)]):
        if words := _facet(node, names):
            yield words


def _facet(node: Any, names: Names) -> str:
    match node:
        case Filter():
            return tested(node.where, names)
        case Measure():
            return _measured(node, names)
        case Aggregate() if node.groups:
            return names.say(
                "per_keys", keys=_listed((worded(key.of, names) or key.name for key in node.groups), names)
            )
        case Share() if node.within:
            return names.say("within", keys=_listed(node.within, names))
        case Top():
            return _ranked(node, names)
        case Sort() if node.keys:
            return names.say("sorted", by=_listed((f"{key} {'↓' if down else '↑'}" for key, down in node.keys), names))
        case Project():
            columns = names.say("list", columns=_listed((column.name for column in node.columns), names))
            return columns + (names.say("once") if node.distinct else "")
        case _:
            return ""


def _measured(measure: Measure, names: Names) -> str:
    column = "" if measure.of is None else worded(measure.of, names)
    what = names.say(measure.function, column=column) if column or measure.function == "count" else ""
    if what and measure.function == "count" and column:
        what = names.say("rows_with", column=column)
    return names.say("where_only", what=what, tests=tested(measure.where, names)) if what and measure.where else what


def _ranked(top: Top, names: Names) -> str:
    rank = names.say("max_rank" if top.descending else "min_rank")
    first = names.say("top", count=str(top.count)) + f"{rank} {top.by}"
    within = names.say("comma") + names.say("within", keys=_listed(top.within, names)) if top.within else ""
    return first + within


def _listed(words: Any, names: Names) -> str:
    return names.say("comma").join(words)
