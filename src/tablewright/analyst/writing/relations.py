"""Each relation of the plan as the statements that compute it, under a step's name."""

from __future__ import annotations

from tablewright.analyst.plan import (
    Aggregate,
    Combine,
    Concat,
    Derive,
    Fill,
    Filter,
    Join,
    Pivot,
    Position,
    Procedure,
    Project,
    Relation,
    Share,
    Shift,
    Sort,
    Source,
    Top,
)
from tablewright.analyst.writing.combining import combine, concat, join
from tablewright.analyst.writing.grouping import aggregate
from tablewright.analyst.writing.procedures import procedure
from tablewright.analyst.writing.ranking import position, sort, top
from tablewright.analyst.writing.reshaping import derive, fill, filtered, pivot, project, share, shift
from tablewright.analyst.writing.script import Held, Script


def write(script: Script, relation: Relation) -> Held:
    """Write `relation` and its sources, unless a variable already holds it; return the variable."""
    if isinstance(relation, Source):
        return script.source(relation)
    held = script.held(relation)
    return held if held is not None else script.keep(relation, _written(script, relation))


def _written(script: Script, relation: Relation) -> Held:
    if isinstance(relation, Join | Combine):
        left, right = write(script, relation.left), write(script, relation.right)
        if isinstance(relation, Combine):
            return combine(script, relation, left, right)
        return join(script, relation, left, right)
    if isinstance(relation, Concat):
        return concat(script, [write(script, source) for source in relation.sources])
    if isinstance(relation, Source):
        return script.source(relation)
    return _over_one(script, relation, write(script, relation.source))


def _over_one(
    script: Script,
    relation: Filter | Derive | Aggregate | Share | Shift | Sort | Top | Position | Project | Pivot | Fill | Procedure,
    below: Held,
) -> Held:
    match relation:
        case Filter():
            return filtered(script, relation, below)
        case Derive():
            return derive(script, relation, below)
        case Aggregate():
            return aggregate(script, relation, below)
        case Share():
            return share(script, relation, below)
        case Shift():
            return shift(script, relation, below)
        case Fill():
            return fill(script, relation, below)
        case Procedure():
            return procedure(script, relation, below)
        case _:
            return _arranged(script, relation, below)


def _arranged(script: Script, relation: Sort | Top | Position | Project | Pivot, below: Held) -> Held:
    match relation:
        case Sort():
            return sort(script, relation, below)
        case Top():
            return top(script, relation, below)
        case Position():
            return position(script, relation, below)
        case Project():
            return project(script, relation, below)
        case Pivot():
            return pivot(script, relation, below)
