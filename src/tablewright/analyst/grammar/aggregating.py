"""Rows that pass tests, and what is computed of them."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.semantics import ConditionPart, MeasurePart
from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    AllOf,
    AnyOf,
    Col,
    Compare,
    Condition,
    Expr,
    Filter,
    Lit,
    Math,
    Measure,
    Named,
    OneOf,
    Project,
    Relation,
)

PERCENT = 100


def filtered(source: Relation, tests: Sequence[ConditionPart], alternatives: frozenset[str] = frozenset()) -> Relation:
    """Return the rows for which all tests hold; equalities of one column hold where one of them does, as do all tests
    of columns that are `alternatives`."""
    where = joined(tests, alternatives)
    return source if where is None else Filter(source=source, where=where)


def joined(tests: Sequence[ConditionPart], alternatives: frozenset[str] = frozenset()) -> Condition | None:
    """Return the tests as one condition, as `filtered` applies them, or None if there are none."""
    conditions: list[Condition] = []
    for column in dict.fromkeys(part.column for part in tests):
        same = [part for part in tests if part.column == column]
        either = same if column in alternatives else [part for part in same if _is_alternative(part)]
        others = [part.where for part in same if part not in either]
        if len(either) > 1:
            conditions.append(_either(either))
        else:
            conditions += [part.where for part in either]
        conditions += others
    if not conditions:
        return None
    return conditions[0] if len(conditions) == 1 else AllOf(parts=tuple(conditions))


def _is_alternative(part: ConditionPart) -> bool:
    """Return whether several tests like this one of a column mean any of them."""
    return not part.negated and (bool(part.values) or of_period(part))


def of_period(part: ConditionPart) -> bool:
    """Return whether a test is one of a period, of which several mean any of them."""
    return any(name in {"condition:period", "condition:weekday", "value:month"} for name, _ in part.features)


def _either(tests: Sequence[ConditionPart]) -> Condition:
    values = tuple(value for part in tests for value in part.values)
    if all(part.values and isinstance(part.where, Compare | OneOf) for part in tests):
        first = tests[0].where
        of = first.left if isinstance(first, Compare) else first.of if isinstance(first, OneOf) else None
        if of is not None:
            return OneOf(of=of, values=values)
    return AnyOf(parts=tuple(part.where for part in tests))


def aggregated(rows: Relation, keys: tuple[Named, ...], measure: MeasurePart, names: Names) -> tuple[Relation, str]:
    """Return the relation of keys and measure, and the measure's name."""
    name = names.measure(measure)
    if measure.kind == "rate" and measure.where is not None:
        return _rate(rows, keys, measure, name)
    if measure.kind == "ratio" and measure.of is not None and measure.below is not None:
        above = Measure(name="_above", function=measure.function, of=measure.of)
        below = Measure(name="_below", function=measure.function, of=measure.below)
        table = Aggregate(source=rows, groups=keys, measures=(above, below))
        return _quotient(table, keys, name, percent=measure.function == "count"), name
    if measure.kind in {"gap", "change"} and measure.of is not None and measure.below is not None:
        above = Measure(name="_above", function=measure.function, of=measure.of)
        below = Measure(name="_below", function=measure.function, of=measure.below)
        table = Aggregate(source=rows, groups=keys, measures=(above, below))
        return _apart(table, keys, name, percent=measure.kind == "change"), name
    if measure.kind == "span":
        ends = (names.end("min", measure.column), names.end("max", measure.column))
        found = (
            Measure(name=ends[0], function="min", of=measure.of), Measure(name=ends[1], function="max", of=measure.of)
        )  # fmt: skip
        return Aggregate(source=rows, groups=keys, measures=found), ends[1]
    if measure.kind == "rows":
        counted = Measure(name=name, function="count")
        return Aggregate(source=rows, groups=keys, measures=(counted,)), name
    one = Measure(name=name, function=measure.function, of=measure.of, argument=measure.argument)
    return Aggregate(source=rows, groups=keys, measures=(one,)), name


def _rate(rows: Relation, keys: tuple[Named, ...], measure: MeasurePart, name: str) -> tuple[Relation, str]:
    function: AggregateName = "sum" if measure.of is not None else "count"
    above = Measure(name="_above", function=function, of=measure.of, where=measure.where)
    below = Measure(name="_below", function=function, of=measure.of if function == "sum" else _known(measure.where))
    table = Aggregate(source=rows, groups=keys, measures=(above, below))
    return _quotient(table, keys, name, percent=True), name


def _known(where: Condition | None) -> Expr | None:
    """Return what must be known of a row for a rate to be of it: a number that is compared with another."""
    return where.left if isinstance(where, Compare) and where.op not in {"=", "!="} else None


def _quotient(table: Relation, keys: tuple[Named, ...], name: str, *, percent: bool) -> Relation:
    of: Expr = Math(op="/", left=Col(name="_above"), right=Col(name="_below"))
    if percent:
        of = Math(op="*", left=of, right=Lit(value=PERCENT))
    return _beside(table, keys, name, of)


def _apart(table: Relation, keys: tuple[Named, ...], name: str, *, percent: bool) -> Relation:
    above, below = Col(name="_above"), Col(name="_below")
    if not percent:
        return _beside(table, keys, name, Math(op="-", left=above, right=below))
    grown = Math(op="/", left=Math(op="-", left=below, right=above), right=above)
    return _beside(table, keys, name, Math(op="*", left=grown, right=Lit(value=PERCENT)))


def _beside(table: Relation, keys: tuple[Named, ...], name: str, of: Expr) -> Relation:
    columns = (*(Named(name=key.name, of=Col(name=key.name)) for key in keys), Named(name=name, of=of))
    return Project(source=table, columns=columns)
