"""Executes relations, each only once for all plans that have it."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from tablewright.analyst.evaluating.combining import combine, concat, join
from tablewright.analyst.evaluating.expressions import Expressions
from tablewright.analyst.evaluating.grids import Grid
from tablewright.analyst.evaluating.grouping import aggregate
from tablewright.analyst.evaluating.loading import forms_of, source
from tablewright.analyst.evaluating.ordering import position, sort, top
from tablewright.analyst.evaluating.pivoting import pivot
from tablewright.analyst.evaluating.procedures import procedure
from tablewright.analyst.evaluating.reshaping import derive, fill, project, share, shift
from tablewright.analyst.evaluating.stored import StoredTable
from tablewright.analyst.evaluating.vectors import Stopped, unknown
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
from tablewright.analyst.writing.cleaning import Use
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language


class Engine:
    """Executes relations over `tables`, which `facts` (clean ones) describe, until `deadline` (by `monotonic`)."""

    def __init__(
        self,
        tables: Mapping[str, StoredTable],
        facts: Mapping[str, DatasetFacts],
        *,
        language: Language,
        deadline: float | None,
    ) -> None:
        self._tables = tables
        self._facts = facts
        self._language = language
        self._deadline = deadline
        self._done: dict[tuple[str, str], Grid | Stopped] = {}

    def within(self, use: Use, sources: tuple[str, ...]) -> Execution:
        """Return what executes the relations of a plan that uses its sources so."""
        forms = "".join(forms_of(self._facts[one], use) for one in sources if one in self._facts)
        return Execution(self, use, forms)

    def check(self) -> None:
        """Raise `Stopped` once the deadline is over."""
        if self._deadline is not None and monotonic() > self._deadline:
            raise Stopped("time")

    def expressions(self, grid: Grid) -> Expressions:
        """Return what computes expressions over a table."""
        return Expressions(grid, language=self._language, check=self.check)

    def source(self, dataset_id: str, use: Use) -> Grid:
        """Return the table of a data set. Raises `Stopped` if it is not held."""
        if dataset_id not in self._tables or dataset_id not in self._facts:
            raise Stopped(unknown(dataset_id))
        return source(self._facts[dataset_id], self._tables[dataset_id], use)

    def done(self, forms: str, relation: Relation) -> Grid | Stopped | None:
        """Return what came of a relation over columns in these forms; None if it was not executed yet."""
        return self._done.get((forms, repr(relation)))

    def keep(self, forms: str, relation: Relation, found: Grid | Stopped) -> None:
        """Keep what came of a relation."""
        self._done[forms, repr(relation)] = found


class Execution:
    """Executes the relations of one plan."""

    def __init__(self, engine: Engine, use: Use, forms: str) -> None:
        self._engine = engine
        self._use = use
        self._forms = forms

    def grid(self, relation: Relation) -> Grid:
        """Return the table of a relation. Raises `Stopped`, or what Python raises for cells of the wrong type."""
        found = self._engine.done(self._forms, relation)
        if isinstance(found, Stopped):
            raise found
        if found is not None:
            return found
        self._engine.check()
        try:
            made = self._made(relation)
        except Stopped as stopped:
            if stopped.code != "time":
                self._engine.keep(self._forms, relation, stopped)
            raise
        self._engine.keep(self._forms, relation, made)
        return made

    def _made(self, relation: Relation) -> Grid:
        match relation:
            case Source():
                return self._engine.source(relation.dataset_id, self._use)
            case Join():
                return join(relation, self.grid(relation.left), self.grid(relation.right), self._engine.expressions)
            case Combine():
                left, right = self.grid(relation.left), self.grid(relation.right)
                return combine(relation, left, right, self._engine.expressions)
            case Concat():
                return concat(relation, [self.grid(one) for one in relation.sources])
            case Sort() | Top() | Position() | Pivot():
                return self._arranged(relation, self.grid(relation.source))
            case _:
                return self._computed(relation, self.grid(relation.source))

    def _arranged(self, relation: Sort | Top | Position | Pivot, below: Grid) -> Grid:
        match relation:
            case Sort():
                return sort(relation, below)
            case Top():
                return top(relation, below, self._engine.expressions(below))
            case Position():
                return position(relation, below)
            case Pivot():
                return pivot(relation, below)

    def _computed(
        self, relation: Filter | Derive | Aggregate | Share | Shift | Project | Fill | Procedure, below: Grid
    ) -> Grid:
        expressions = self._engine.expressions(below)
        match relation:
            case Filter():
                return below.kept(expressions.where(relation.where))
            case Derive():
                return derive(relation, below, expressions)
            case Aggregate():
                return aggregate(relation, below, expressions)
            case Share():
                return share(relation, below, expressions)
            case Shift():
                return shift(relation, below, expressions)
            case Project():
                return project(relation, below, expressions)
            case Fill():
                return fill(relation, below, expressions)
            case Procedure():
                return procedure(relation, below, expressions)
