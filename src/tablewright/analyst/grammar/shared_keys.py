"""Two measures in one sentence, of groups that only one of them names: `how many hives, how much honey per apiary`."""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.plan import (
    Aggregate,
    AllOf,
    Compare,
    Condition,
    Filter,
    Lit,
    Measure,
    OneOf,
    Plan,
    Relation,
    Sort,
)


def shared_keys(one: GrammarReading, other: GrammarReading) -> Plan | None:
    """Return the plan of one table that has the measures of both readings beside their groups; None where both are of
    groups that differ, of no groups, of other rows than those of a table, or something else than measures."""
    first, second = (_measured(reading) for reading in (one, other))
    if first is None or second is None:
        return None
    (rows, groups), (others, other_groups) = ((_rows(each.source)[0], each.groups) for each in (first, second))
    if rows != others or not (groups or other_groups) or (groups and other_groups and groups != other_groups):
        return None
    measures = tuple(_restricted(each) for each in (first, second))
    if measures[0] == measures[1]:
        return None
    names = [measure.name for measure in measures]
    if names[0] == names[1]:
        measures = tuple(replace(measure, name=_name(measure, place)) for place, measure in enumerate(measures, 1))
    keyed = one if groups else other
    relation: Relation = Aggregate(source=rows, groups=groups or other_groups, measures=measures)
    match keyed.plan.parts[0].relation:
        case Sort(keys=keys):
            renamed = dict(zip(names, (measure.name for measure in measures), strict=False))
            relation = Sort(source=relation, keys=tuple((renamed.get(name, name), up) for name, up in keys))
        case _:
            pass
    return Plan(parts=(replace(keyed.plan.parts[0], relation=relation),))


def _measured(reading: GrammarReading) -> Aggregate | None:
    """Return what a reading computes, if it is one measure of rows or of groups, perhaps sorted, and no chart."""
    if len(reading.plan.parts) != 1 or reading.plan.parts[0].drawing or reading.plan.parts[0].shown:
        return None
    relation = reading.plan.parts[0].relation
    relation = relation.source if isinstance(relation, Sort) else relation
    one = isinstance(relation, Aggregate) and len(relation.measures) == 1
    return relation if one and isinstance(relation, Aggregate) else None


def _rows(relation: Relation) -> tuple[Relation, Condition | None]:
    return (relation.source, relation.where) if isinstance(relation, Filter) else (relation, None)


def _restricted(each: Aggregate) -> Measure:
    """Return the measure with the test of its rows as its own."""
    (measure,) = each.measures
    where = _rows(each.source)[1]
    both = AllOf(parts=(where, measure.where)) if where is not None and measure.where is not None else None
    return replace(measure, where=both or where or measure.where)


def _name(measure: Measure, place: int) -> str:
    """Return a name that tells a measure from the other one of the same kind: by what its rows are tested for."""
    match measure.where:
        case Compare(op="=", right=Lit(value=value)):
            return f"{measure.name}: {value}"
        case OneOf(values=values):
            return f"{measure.name}: {', '.join(map(str, values))}"
        case None:
            return measure.name
        case _:
            return f"{measure.name} {place}"
