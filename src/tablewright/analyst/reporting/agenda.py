"""Which calls a report makes in which round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.tables import table_mentions
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.reporting.lookups import lookups
from tablewright.analyst.reporting.material import Material, materials
from tablewright.analyst.reporting.subject import Subject, subject_of
from tablewright.analyst.reporting.themes import FIRST, LATER, Theme
from tablewright.analyst.writing.naming import Names
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.structured import MAX_CALLS
from tablewright.domain.task import StructuredRound

TABLES = 3
"""Tables that are looked at closely."""

_SURE = 0.9
"""Score from which words of a wish name a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A call of a report: a theme measured on a table. `id` is that of its tool call."""

    id: str
    theme: Theme
    subject: Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """The calls of each round. `left_out` are tables that are not looked at; `unnamed` if a wish names nothing in the
    tables."""

    rounds: tuple[tuple[Item, ...], ...]
    subjects: tuple[Subject, ...]
    left_out: tuple[DatasetFacts, ...] = ()
    unnamed: bool = False

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(item for calls in self.rounds for item in calls)


def agenda_of(task: StructuredRound) -> Agenda:
    """Return the agenda that follows from the tables and the wish of `task`; the same in each of its rounds."""
    named = {facts.id: _named(task.question, facts) for facts in task.datasets}
    tables = {
        name for mention in table_mentions(tokenize(task.question), task.datasets) for name in mention.dataset_ids
    }
    wanted = [facts for facts in task.datasets if named[facts.id] or facts.id in tables] or list(task.datasets)
    every = materials(wanted, task.relations)
    chosen = sorted(every, key=lambda one: -min(one.facts.rows, 10_000) * len(one.facts.columns))[:TABLES]
    names = Names()
    subjects = [
        subject_of(
            one,
            names,
            frozenset[str]().union(*(named[table] for table in one.ids)),
            lookups(one, task.datasets, task.relations),
        )
        for one in every
        if one in chosen
    ]
    available = max(0, task.max_rounds - 1)
    rounds = _fitted(_rounds(subjects), available)
    looked = {item.subject.facts.id for calls in rounds for item in calls}
    kept = tuple(subject for subject in subjects if subject.facts.id in looked or not subject.loaded)
    seen = {table for subject in kept for table in subject.material.ids}
    unwanted = [Material(facts=facts, tables=(facts,)) for facts in task.datasets if facts not in wanted]
    return Agenda(
        rounds=tuple(rounds),
        subjects=kept,
        left_out=tuple(one.facts for one in (*every, *unwanted) if not one.ids <= seen),
        unnamed=bool(task.question.strip() and task.datasets) and not any(named.values()) and not tables,
    )


def _named(question: str, facts: DatasetFacts) -> frozenset[str]:
    """Return the columns that a wish names."""
    mentions = columns(tokenize(question), column_names(facts.columns)) if question.strip() else []
    return frozenset(mention.column for mention in mentions if mention.score >= _SURE)


def _rounds(subjects: Sequence[Subject]) -> list[list[Item]]:
    """Return the first looks, then the themes of each table in a round of its own."""
    looks = [_item(FIRST, number, subject) for number, subject in enumerate(subjects, 1) if FIRST.fits(subject)]
    later = [
        [_item(theme, number, subject) for theme in LATER if theme.fits(subject)]
        for number, subject in enumerate(subjects, 1)
    ]
    return [calls for calls in (looks, *later) if calls]


def _item(theme: Theme, number: int, subject: Subject) -> Item:
    return Item(id=f"{theme.name}-{number}", theme=theme, subject=subject)


def _fitted(rounds: list[list[Item]], available: int) -> list[tuple[Item, ...]]:
    """Return the rounds, or if there are too many, the calls of each table after its first look in as many rounds as
    are `available`."""
    if len(rounds) <= available:
        return [tuple(calls) for calls in rounds]
    every = sorted((item for calls in rounds for item in calls), key=lambda item: item.id.rpartition("-")[2])
    chunks = [tuple(every[start : start + MAX_CALLS]) for start in range(0, len(every), MAX_CALLS)]
    return chunks[:available]
