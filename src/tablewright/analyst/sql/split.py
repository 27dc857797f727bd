"""Finds the largest relations of a plan that a database can answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Combine,
    Concat,
    Join,
    Named,
    Part,
    Plan,
    Position,
    Project,
    Relation,
    Source,
)
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.queries import Query, SplitPlan
from tablewright.analyst.renaming import readable
from tablewright.analyst.sql.rows import SqlColumn
from tablewright.analyst.sql.writer import Statement, write
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.language import Language

MOST_CHARS = 20_000
"""Longer statements are refused."""


def split(plan: Plan, datasets: Sequence[DatasetFacts], language: Language) -> SplitPlan:
    """Return `plan` with data sets in place of what is to be queried. Its names are made readable first, so that they
    are the same in the queries and in the code."""
    plan = readable(plan, datasets, language)
    finding = _Finding(datasets)
    parts = tuple(finding.part(part) for part in plan.parts)
    return SplitPlan(plan=replace(plan, parts=parts), queries=tuple(query for _, query in finding.found))


class _Finding:
    def __init__(self, datasets: Sequence[DatasetFacts]) -> None:
        self._datasets = datasets
        self._taken = {dataset.id for dataset in datasets}
        self.found: list[tuple[Relation, Query]] = []

    def part(self, part: Part) -> Part:
        """Return a part with what is queried replaced: first what is shown, in which the result often is."""
        shown = None if part.shown is None else self.relation(part.shown)
        return replace(part, relation=self.relation(part.relation), shown=shown)

    def relation(self, relation: Relation) -> Relation:
        """Return a relation with what is queried replaced."""
        if isinstance(relation, Source):
            return relation
        if _merely_picks(relation) and _few(relation.source):
            return replace(relation, source=self.relation(relation.source))
        if _asks(relation) and (found := self._query(relation)) is not None:
            return Source(dataset_id=found.dataset_id)
        match relation:
            case Join() | Combine():
                return replace(relation, left=self.relation(relation.left), right=self.relation(relation.right))
            case Concat():
                return replace(relation, sources=tuple(map(self.relation, relation.sources)))
            case _:
                return replace(relation, source=self.relation(relation.source))

    def _query(self, relation: Relation) -> Query | None:
        for known, query in self.found:
            if known == relation:
                return query
        written = write(relation, self._datasets)
        if not isinstance(written, Statement) or len(written.sql) > MOST_CHARS:
            return None
        query = Query(
            sql=written.sql,
            connection=written.connection,
            dataset_id=self._free(),
            columns=tuple(map(column_facts, written.columns)),
            renamed=list(written.names) != [column.name for column in written.columns],
        )
        self.found.append((relation, query))
        return query

    def _free(self) -> str:
        number = len(self.found) + 1
        while f"query_{number}" in self._taken:
            number += 1
        return f"query_{number}"


def column_facts(column: SqlColumn) -> ColumnFacts:
    """Return the facts of a column of a result as it stands in its file."""
    if column.facts is not None:
        return replace(column.facts, name=column.name, missing=1, minimum=None, maximum=None)
    missing = int(column.missing)
    if column.kind == "date":
        return ColumnFacts(name=column.name, kind="date", notation="date_text", date_format="%Y-%m-%d", missing=missing)
    if column.kind == "datetime":
        return ColumnFacts(
            name=column.name, kind="datetime", notation="date_text", date_format="ISO8601", missing=missing
        )
    return ColumnFacts(name=column.name, kind=column.kind, missing=missing)


def _merely_picks(relation: Relation) -> TypeGuard[Project]:
    """Return whether a relation only chooses columns, which code does as well."""
    return isinstance(relation, Project) and not relation.distinct and all(map(_is_column, relation.columns))


def _is_column(named: Named) -> bool:
    return isinstance(named.of, Col)


def _few(relation: Relation) -> bool:
    """Return whether a relation has few rows by its nature."""
    return any(isinstance(node, Aggregate) for node in nodes(relation))


def _asks(relation: Relation) -> bool:
    """Return whether a relation asks for more than rows as they stand in a table."""
    while isinstance(relation, Project | Position) and not (isinstance(relation, Project) and relation.distinct):
        relation = relation.source
    return not isinstance(relation, Source)
