"""What a person is shown beside what was asked for: the figures that rows were chosen by, and the rows themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tablewright.analyst.plan import Col, Filter, Named, Part, Plan, Position, Project, Relation, Sort, Source, Top
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.dataset import DatasetFacts

MOST_SHOWN = 16
"""So many columns of a row are shown at most."""


def explained(plan: Plan, datasets: Sequence[DatasetFacts] = (), *, rows: bool = False) -> Plan:
    """Return the plan whose parts also show what their first or last rows are ranked by, and with `rows` the rows
    themselves of which one column was taken to name them; results stay as they are."""
    known = {facts.id: facts for facts in datasets}
    parts = []
    for part in plan.parts:
        own = _source(part.relation)
        facts = known.get(own.dataset_id) if rows and own is not None else None
        parts.append(_with_columns(part, tuple(_telling(part.relation, facts))))
    return replace(plan, parts=tuple(parts))


def _with_columns(part: Part, wanted: tuple[str, ...]) -> Part:
    result = part.relation
    if part.shown is not None or part.drawing is not None or not isinstance(result, Project) or result.distinct:
        return part
    taken = {column.name for column in result.columns} | {
        column.of.name for column in result.columns if isinstance(column.of, Col)
    }
    more = tuple(Named(name=name, of=Col(name=name)) for name in dict.fromkeys(wanted) if name not in taken)
    if not more:
        return part
    return replace(part, shown=replace(result, columns=(*result.columns, *more)))


def _telling(result: Relation, facts: DatasetFacts | None) -> Iterator[str]:
    """Yield the columns to show beside a result: what it is ranked by and, of a table's rows, all of the others, those
    first by which they were chosen."""
    if not isinstance(result, Project):
        return
    by = _ranked_by(result.source)
    if by is not None:
        yield by
    if facts is None:
        return
    names = [column.name for column in facts.columns]
    tested = {node.name for node in nodes(result.source) if isinstance(node, Col)}
    chosen = [name for name in names if name in tested]
    yield from [*chosen, *(name for name in names if name not in tested)][: MOST_SHOWN - len(result.columns)]


def _ranked_by(relation: Relation) -> str | None:
    """Return the column that selects a relation's rows, or None."""
    while isinstance(relation, Position | Sort):
        relation = relation.source
    return relation.by if isinstance(relation, Top) and not relation.within else None


def _source(result: Relation) -> Source | None:
    """Return the table whose rows, some of them or in another order, a result takes columns of."""
    below = result.source if isinstance(result, Project) else result
    while isinstance(below, Filter | Position | Sort | Top):
        below = below.source
    return below if isinstance(below, Source) and isinstance(result, Project) else None
