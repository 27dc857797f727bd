"""Writes a relation of the plan as one statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import ErrorLevel
from sqlglot.errors import SqlglotError

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
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.sql.combining import combine, concat, join
from tablewright.analyst.sql.grouping import aggregate
from tablewright.analyst.sql.ranking import position, sort, top
from tablewright.analyst.sql.reshaping import derive, fill, filtered, project, share, shift
from tablewright.analyst.sql.rows import Rows, Scribe, SqlColumn, Unwritable, aliases
from tablewright.analyst.sql.sources import source
from tablewright.domain.dataset import DatasetFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A relation as a statement: its text, the connection it is for, and the columns of its result, in order.

    `names` are those of the columns in the statement: servers might change or confuse their own.
    """

    sql: str
    connection: str
    columns: tuple[SqlColumn, ...]
    names: tuple[str, ...]
    ordered: bool = True
    """The rows come in the order in which the plan has them; else in any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotWritten:
    """A relation that has no statement with exactly its meaning, and the part of it that is to blame."""

    reason: str


def write(relation: Relation, datasets: Sequence[DatasetFacts]) -> Statement | NotWritten:
    """Return `relation` as a statement, all of whose tables are in one database."""
    by_id = {dataset.id: dataset for dataset in datasets}
    used = [by_id.get(node.dataset_id) for node in nodes(relation) if isinstance(node, Source)]
    tables = [dataset.table for dataset in used if dataset is not None and dataset.table is not None]
    if not tables or len(tables) < len(used) or len({table.connection for table in tables}) > 1:
        return NotWritten(reason="source")
    scribe = Scribe(tables[0].dialect)
    try:
        rows = Relations(by_id, scribe).rows(relation)
        ordered = rows.single or (rows.sure and bool(rows.tie))
        query, names = scribe.finished(rows), aliases([column.name for column in rows.columns])
        sql = query.sql(dialect=tables[0].dialect, pretty=True, unsupported_level=ErrorLevel.RAISE)
    except Unwritable as error:
        return NotWritten(reason=str(error))
    except SqlglotError as error:
        return NotWritten(reason=str(error).splitlines()[0])
    return Statement(
        sql=sql, connection=tables[0].connection, columns=rows.columns, names=tuple(names), ordered=ordered
    )


class Relations:
    """Writes relations for one statement."""

    def __init__(self, datasets: dict[str, DatasetFacts], scribe: Scribe) -> None:
        self._datasets = datasets
        self._scribe = scribe

    def rows(self, relation: Relation) -> Rows:
        """Return the rows of a relation. Raises `Unwritable`."""
        scribe = self._scribe
        match relation:
            case Source():
                return source(relation, self._datasets)
            case Join():
                return join(relation, self.rows(relation.left), self.rows(relation.right), scribe)
            case Combine():
                return combine(relation, self.rows(relation.left), self.rows(relation.right), scribe)
            case Concat():
                return concat([self.rows(part) for part in relation.sources], scribe)
            case Pivot() | Procedure():
                raise Unwritable(type(relation).__name__.lower())
            case _:
                return self._over_one(relation, self.rows(relation.source))

    def _over_one(
        self,
        relation: Filter | Derive | Aggregate | Share | Shift | Sort | Top | Position | Project | Fill,
        below: Rows,
    ) -> Rows:
        scribe = self._scribe
        match relation:
            case Filter():
                return filtered(relation, below, scribe)
            case Derive():
                return derive(relation, below, scribe)
            case Aggregate():
                return aggregate(relation, below, scribe)
            case Project():
                return project(relation, below, scribe)
            case Share():
                return share(relation, below, scribe)
            case Shift():
                return shift(relation, below, scribe)
            case Fill():
                return fill(relation, below, scribe)
            case _:
                return self._arranged(relation, below)

    def _arranged(self, relation: Sort | Top | Position, below: Rows) -> Rows:
        match relation:
            case Sort():
                return sort(relation, below)
            case Top():
                return top(relation, below, self._scribe)
            case Position():
                return position(relation, below, self._scribe)
