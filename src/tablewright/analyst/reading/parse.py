"""The state of reading one question against one table: its mentions, and what was read from them so far."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace

from tablewright.analyst.linking.additivity import is_code
from tablewright.analyst.linking.linker import LinkedTable
from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import (
    AllOf,
    AnyOf,
    Col,
    Condition,
    Derive,
    Filter,
    Missing,
    Named,
    Not,
    OneOf,
    Relation,
    Source,
    TimeUnit,
)
from tablewright.analyst.reading.marked import Marked
from tablewright.domain.dataset import ColumnFacts

_NUMERIC = frozenset({"number", "integer"})
_DATES = frozenset({"date", "datetime"})
_SURE = 0.98
_SLACK = 0.35
_SURE_SLACK = 0.15
_WHOLE_SLACK = 0.05
"""How much lower the score of an alternative, numeric column may be for a single English word that is the whole name
of a column: `page` does not mean `Pageviews`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A condition and its place. `column` and `values` are set if it restricts a column to certain values, `unit` if
    it restricts a date to one such unit of time."""

    condition: Condition
    start: int
    end: int
    column: str
    values: tuple[str, ...] = ()
    negated: bool = False
    places: tuple[tuple[str, str], ...] = ()
    unit: TimeUnit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A requested order: by a column, an axis (`x`, `y`), or the measure; of names or dates if the words say so."""

    column: str | None
    axis: str | None
    descending: bool
    of_names: bool = False


@dataclass(slots=True, kw_only=True)
class Parse(Marked):
    """A question marked for one table, with the conditions and the order read from it."""

    table: LinkedTable
    clauses: list[Clause] = field(default_factory=list)
    either: list[tuple[int, int]] = field(default_factory=list)
    order: Order | None = None
    made: Named | None = None
    """A column that the question defines (`density is population divided by area`)."""

    def facts(self, column: str) -> ColumnFacts:
        """Return a column's facts. Raises KeyError if the table has no such column."""
        return self.table.column(column)

    def numeric(self, column: str) -> bool:
        """Return whether a column holds numbers."""
        return self.facts(column).kind in _NUMERIC

    def dated(self, column: str) -> bool:
        """Return whether a column holds dates."""
        return self.facts(column).kind in _DATES

    def numeric_reading(self, mention: ColumnMention) -> str | None:
        """Return the likeliest numeric column of a mention, or None; codes do not count if the words mean a name."""
        if self.numeric(mention.column):
            return mention.column
        slack = _SURE_SLACK if mention.score >= _SURE else _SLACK
        if mention.score == 1.0 and " " not in self.gap(mention.start, mention.end) and self.language == "en":
            slack = _WHOLE_SLACK
        return next(
            (
                column
                for column, score in mention.others
                if self.numeric(column) and score >= mention.score - slack and not is_code(column)
            ),
            None,
        )

    def source(self) -> Relation:
        """Return the rows of the table that the conditions select."""
        source = self.base()
        where = self.where()
        return source if where is None else Filter(source=source, where=where)

    def base(self) -> Relation:
        """Return the whole table, with the column that the question defines and without total rows."""
        source: Relation = self.table.relation or Source(dataset_id=self.table.facts.id)
        things = self._things()
        source = source if things is None else Filter(source=source, where=things)
        return Derive(source=source, columns=(self.made,)) if self.made is not None else source

    def _things(self) -> Condition | None:
        """Return the condition that excludes total rows; None if there are none or the question names one."""
        totals = self.table.totals
        if totals is None or any(set(clause.values) & set(totals.values) for clause in self.clauses):
            return None
        of = Col(name=totals.column)
        things = Not(of=OneOf(of=of, values=totals.values))
        return AnyOf(parts=(Missing(of=of), things)) if self.facts(totals.column).missing else things

    def where(self) -> Condition | None:
        """Return all conditions combined into one, or None."""
        return joined(self.clauses, self.either)


def joined(clauses: list[Clause], either: list[tuple[int, int]]) -> Condition | None:
    """Combine conditions as a reader would: an `or`, at the spans in `either`, binds weaker than the implied `and`.
    None without conditions."""
    if not clauses:
        return None
    ordered = sorted(merged(clauses), key=lambda clause: clause.start)
    groups: list[list[Condition]] = [[ordered[0].condition]]
    for left, right in itertools.pairwise(ordered):
        if any(left.end <= start and end <= right.start for start, end in either):
            groups.append([right.condition])
        else:
            groups[-1].append(right.condition)
    parts = [group[0] if len(group) == 1 else AllOf(parts=tuple(group)) for group in groups]
    return parts[0] if len(parts) == 1 else AnyOf(parts=tuple(parts))


def merged(clauses: list[Clause]) -> list[Clause]:
    """Combine conditions on the same column into one that allows any of their values; likewise for years or months."""
    result: list[Clause] = []
    for clause in sorted(clauses, key=lambda clause: clause.start):
        same = next((other for other in result if _alternative(other, clause)), None)
        if same is None:
            result.append(clause)
            continue
        values = _either(same.values, clause.values)
        condition = OneOf(of=Col(name=same.column), values=values) if values else _any_of(same, clause)
        together = replace(same, condition=condition, end=clause.end, values=values, places=())
        result[result.index(same)] = together
    return result


def _either(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cells that either of two words names; if all cells of one are among those of the other, only these
    (`nominated` and `award` of cells with both)."""
    least, most = sorted((one, other), key=len)
    if len(most) > len(least) and set(least) <= set(most):
        return least
    return tuple(dict.fromkeys((*one, *other)))


def _alternative(one: Clause, other: Clause) -> bool:
    if one.column != other.column or one.negated or other.negated:
        return False
    if one.values or other.values:
        return bool(one.values and other.values)
    return one.unit is not None and one.unit == other.unit


def _any_of(one: Clause, other: Clause) -> Condition:
    parts = one.condition.parts if isinstance(one.condition, AnyOf) else (one.condition,)
    return AnyOf(parts=(*parts, other.condition))
