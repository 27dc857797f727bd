"""Sums after a join that repeats the rows of one of its tables: each of them is added up once, or nothing is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from tablewright.analyst.linking.additivity import aggregate_for
from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Derive,
    Expr,
    Filter,
    Join,
    Measure,
    Named,
    Plan,
    Project,
    Relation,
    Sort,
    Source,
)
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiplied:
    """A plan would add up `column` of `table`, whose rows a join repeats, together with what it does not repeat."""

    table: str
    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """A table of a join, the join's key, and whether the other table repeats its rows."""

    facts: DatasetFacts
    key: str
    repeated: bool


Tables = Mapping[str, DatasetFacts]


def counted_once(plan: Plan, datasets: Sequence[DatasetFacts]) -> Plan | Multiplied:
    """Return `plan` with each row that a join repeats added up once per group, or what cannot be added up so."""
    tables = {dataset.id: dataset for dataset in datasets}
    for node in nodes(plan):
        repeated = _repeated(node, tables) if isinstance(node, Aggregate) else []
        if repeated and not _alike(repeated):
            measure, side = next((measure, side) for measure, side in repeated if side is not None)
            column = measure.of.name if isinstance(measure.of, Col) else measure.name
            return Multiplied(table=side.facts.name, column=column)
    return _rewritten(plan, tables)


def once_of(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield what a plan adds up once although a join repeats it: the key of its rows, and the column."""
    for node in nodes(plan):
        source = node.source if isinstance(node, Aggregate) else None
        if isinstance(source, Project) and source.distinct and any(isinstance(below, Join) for below in nodes(source)):
            yield from ((source.columns[0].name, one.of.name) for one in node.measures if isinstance(one.of, Col))


def _rewritten(tree: T, tables: Tables) -> T:
    if isinstance(tree, tuple):
        return tuple(_rewritten(item, tables) for item in tree)  # type: ignore[return-value]
    if not is_dataclass(tree) or isinstance(tree, type):
        return tree
    changed: dict[str, Any] = {field.name: _rewritten(getattr(tree, field.name), tables) for field in fields(tree)}
    made = replace(tree, **changed)
    return _once(made, tables) if isinstance(made, Aggregate) else made  # type: ignore[return-value]


def _once(relation: Aggregate, tables: Tables) -> Aggregate:
    side = next((side for _, side in _repeated(relation, tables)), None)
    if side is None:
        return relation
    wanted = [Named(name=side.key, of=Col(name=side.key)), *relation.groups]
    wanted += [Named(name=one.of.name, of=one.of) for one in relation.measures if isinstance(one.of, Col)]
    columns = tuple({named.name: named for named in wanted}.values())
    groups = tuple(Named(name=group.name, of=Col(name=group.name)) for group in relation.groups)
    return replace(relation, source=Project(source=relation.source, columns=columns, distinct=True), groups=groups)


def _repeated(relation: Aggregate, tables: Tables) -> list[tuple[Measure, _Side | None]]:
    """Return each measure with the table whose repeated rows it adds up; empty if none adds up such rows."""
    join = _join_below(relation.source)
    sides = [] if join is None else _sides(join, tables)
    found = [(measure, _added(measure, sides, relation.source)) for measure in relation.measures]
    return found if any(side is not None for _, side in found) else []


def _alike(repeated: Sequence[tuple[Measure, _Side | None]]) -> bool:
    """Return whether all measures add up rows of one table, and all of them."""
    tables = {None if side is None else side.facts.id for _, side in repeated}
    return len(tables) == 1 and all(measure.where is None for measure, _ in repeated)


def _added(measure: Measure, sides: Sequence[_Side], source: Relation) -> _Side | None:
    """Return the table whose repeated rows a measure adds up; None if it adds up no amount of such rows."""
    if measure.function != "sum" or measure.of is None or not isinstance(measure.of, Col):
        return None
    made = {named.name for node in nodes(source) if isinstance(node, Derive) for named in node.columns}
    if measure.of.name in made:
        return None
    owner = next((side for side in sides if _has(side.facts, measure.of)), None)
    if owner is None or not owner.repeated:
        return None
    facts = next(column for column in owner.facts.columns if column.name == measure.of.name)
    return None if aggregate_for(facts) == "mean" else owner


def _has(facts: DatasetFacts, of: Expr) -> bool:
    return isinstance(of, Col) and any(column.name == of.name for column in facts.columns)


def _join_below(relation: Relation) -> Join | None:
    while isinstance(relation, Filter | Derive | Sort):
        relation = relation.source
    return relation if isinstance(relation, Join) else None


def _sides(join: Join, tables: Tables) -> list[_Side]:
    """Return the tables of a join of two, the left one first: its columns hide those of the same name."""
    left, right = (_source(side, tables) for side in (join.left, join.right))
    if left is None or right is None or len(join.on) != 1:
        return []
    (one, other), *_ = join.on
    return [
        _Side(facts=left, key=one, repeated=not _identifies(right, other)),
        _Side(facts=right, key=one, repeated=not _identifies(left, one)),
    ]


def _source(relation: Relation, tables: Tables) -> DatasetFacts | None:
    while isinstance(relation, Filter | Sort):
        relation = relation.source
    return tables.get(relation.dataset_id) if isinstance(relation, Source) else None


def _identifies(facts: DatasetFacts, key: str) -> bool:
    """Return whether each value of a column occurs once in a table."""
    found: ColumnFacts | None = next((column for column in facts.columns if column.name == key), None)
    return found is not None and found.distinct == facts.rows - found.missing
