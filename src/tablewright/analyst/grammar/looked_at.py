"""What first looks at a table show, and both ends of a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablewright.analyst.grammar.composed import Composed, Parts, only
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.semantics import OperatorPart, OrderPart
from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Concat,
    Lit,
    Measure,
    Named,
    Position,
    Procedure,
    Project,
    Relation,
    Source,
    Top,
)
from tablewright.domain.dataset import DatasetFacts

TABLES = "tables"
"""The look that is at all tables at once."""


def looked(parts: Parts, operator: OperatorPart, rows: Relation, count: str) -> Iterator[Composed]:
    """Yield what a look shows; a number of rows is called `count`."""
    columns: Relation = Procedure(source=rows, name="columns", columns=())
    match operator.name:
        case "head" | "tail":
            wanted = int(operator.option)
            yield Composed(relation=Position(source=rows, count=wanted if operator.name == "head" else -wanted))
        case "size" if not parts.conditions:
            counted = Aggregate(source=rows, groups=(), measures=(Measure(name=count, function="count"),))
            yield Composed(relation=columns, before=(counted,))
        case "describe" if operator.columns and not parts.conditions:
            yield Composed(relation=Procedure(source=rows, name="describe", columns=operator.columns))
        case "columns" | "describe" if not parts.conditions:
            yield Composed(relation=columns)
        case _ if operator.name == TABLES and not parts.conditions:
            yield Composed(relation=rows)
        case _:
            return


def listed(tables: Sequence[DatasetFacts], names: Names) -> Relation:
    """Return a row for each table: its name, how many rows it has, and the names of its columns."""
    rows = names.say("count_rows")
    return Concat(sources=tuple(_listed(facts, rows, names) for facts in tables))


def _listed(facts: DatasetFacts, rows: str, names: Names) -> Relation:
    counted = Measure(name=rows, function="count")
    columns = names.say("comma").join(column.name for column in facts.columns)
    return Project(
        source=Aggregate(source=Source(dataset_id=facts.id), groups=(), measures=(counted,)),
        columns=(
            Named(name=names.say("table_name"), of=Lit(value=facts.name)),
            Named(name=rows, of=Col(name=rows)),
            Named(name=names.say("table_columns"), of=Lit(value=columns)),
        ),
    )


def opposites(whole: Composed, first: OrderPart, last: OrderPart) -> Iterator[Composed]:
    """Yield the best groups, and beside them the worst."""
    value = whole.measures[0]
    ends = [
        Top(source=whole.relation, by=value, count=one.count or 1, descending=one.descending, offset=one.offset)
        for one in (first, last)
    ]
    yield Composed(relation=ends[1], keys=whole.keys, measures=(value,), before=(ends[0],))
    short = [only(one, whole.keys) for one in ends]
    yield Composed(relation=short[1], keys=whole.keys, form="short", before=(short[0],))


def both_ends(parts: Parts, first: OrderPart, last: OrderPart, rows: Relation) -> Iterator[Composed]:
    """Yield the rows with the highest value, and beside them those with the lowest."""
    shown = tuple(part.column for part in parts.projections)
    by = first.by or ""
    ends = [
        only(Top(source=rows, by=by, count=one.count or 1, descending=one.descending, offset=one.offset), shown)
        for one in (first, last)
    ]
    yield Composed(relation=ends[1], keys=shown, before=(ends[0],))
