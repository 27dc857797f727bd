"""Which irregular columns a plan has cleaned: those it uses, in the ways that the facts about them state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.plan import Plan
from tablewright.analyst.plan_walk import named
from tablewright.analyst.writing.usage import computed, everything
from tablewright.domain.cleaning import has, lacks_year, spellings
from tablewright.domain.dataset import CleanFacts, ColumnFacts, DatasetFacts

Manner = Literal["spelling", "spaces", "marks", "dates", "years", "units", "powers", "limits", "spans", "merged"]
_NUMBERS = frozenset({"number", "integer"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """The columns that a plan names, and those among them that it computes with (by name)."""

    named: frozenset[str]
    computed: frozenset[str]


def use_of(plan: Plan, datasets: Sequence[DatasetFacts]) -> Use:
    """Return which columns of `datasets` a plan uses, and how."""
    needed = computed(plan)
    if everything(plan):
        needed |= {column.name for dataset in datasets for column in dataset.columns}
    return Use(named=named(plan), computed=needed)


def converted(column: ColumnFacts, use: Use) -> bool:
    """Return whether a column is loaded as what it holds once it is cleaned: not where the plan names one of its
    marks, and as numbers only where it computes with them."""
    if column.clean is None or use.named & set(column.clean.marks):
        return False
    return column.name in (use.computed if column.kind in _NUMBERS else use.named)


def manners(column: ColumnFacts, use: Use) -> Iterator[Manner]:
    """Yield how a column is cleaned for a plan."""
    if column.name in use.named and has(column, "merged"):
        yield "merged"
    if column.clean is not None and not converted(column, use):
        return
    if column.clean is not None and column.clean.marks:
        yield "marks"
    if column.kind == "text" and column.name in use.named:
        if spellings(column):
            yield "spelling"
        if has(column, "spaces"):
            yield "spaces"
    if column.name in use.computed and column.kind in _NUMBERS:
        yield from _of_numbers(column)
    if column.clean is not None:
        yield from _of_dates(column.clean)


def _of_numbers(column: ColumnFacts) -> Iterator[Manner]:
    if has(column, "number_notations"):
        yield "units"
    if has(column, "powers"):
        yield "powers"
    if has(column, "limits"):
        yield "limits"
    if has(column, "spans"):
        yield "spans"


def _of_dates(clean: CleanFacts) -> Iterator[Manner]:
    bare = 0 if clean.year is None else sum(map(lacks_year, clean.date_formats))
    if len(clean.date_formats) - bare > 1:
        yield "dates"
    if bare:
        yield "years"
