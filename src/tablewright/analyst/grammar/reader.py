"""Reads a question into candidate plans, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.grammar.composing import Composed, composed, parts_of
from tablewright.analyst.grammar.drawings import chart_mask, drawings
from tablewright.analyst.grammar.features import joint, question_word, table_kind, table_words
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.saying import said
from tablewright.analyst.grammar.scene import Scene, scene
from tablewright.analyst.grammar.search import Search, State
from tablewright.analyst.grammar.weights import weighed, weights
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.plan import Concat, Part, Plan, Relation, Source
from tablewright.data.base import ValueLookup
from tablewright.domain.cleaning import clean_facts
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table_facts import TableForm, TableRelation
from tablewright.domain.task import TurnFacts

MOST_STATES = 170


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a question may be about: a table, or several that are parts of one."""

    facts: DatasetFacts
    source: Relation
    parts: int = 1


async def readings(
    question: str,
    language: Language,
    datasets: Sequence[DatasetFacts],
    values: ValueLookup,
    history: Sequence[TurnFacts] = (),  # noqa: ARG001
    relations: Sequence[TableRelation] = (),
    *,
    most: int = 50,
    by: Mapping[str, float] | None = None,
) -> tuple[GrammarReading, ...]:
    """Return at most `most` readings of a question about these tables, best first; `by` are weights other than the
    learned ones."""
    tokens = tokenize(question)
    used = weights() if by is None else by
    found: list[GrammarReading] = []
    for subject in _subjects(datasets, relations):
        seen = await scene(question, tokens, language, subject.facts, values)
        found += _read(seen, subject, used)
    return _best(found, most)


def _subjects(datasets: Sequence[DatasetFacts], relations: Sequence[TableRelation]) -> Iterator[Subject]:
    clean = [clean_facts(dataset) for dataset in datasets]
    for facts in clean:
        yield Subject(facts=facts, source=Source(dataset_id=facts.id))
    by_id = {facts.id: facts for facts in clean}
    for form in relations:
        if isinstance(form, TableForm) and all(table in by_id for table in form.tables):
            parts = tuple(Source(dataset_id=table) for table in form.tables)
            yield Subject(facts=by_id[form.tables[0]], source=Concat(sources=parts), parts=len(parts))


def _best(found: Sequence[GrammarReading], most: int) -> tuple[GrammarReading, ...]:
    """Return the best readings, each plan once."""
    kept: dict[str, GrammarReading] = {}
    for reading in sorted(found, key=lambda one: -one.score):
        key = repr(reading.plan)
        if key not in kept:
            kept[key] = reading
            if len(kept) == most:
                break
    return tuple(kept.values())


def _read(seen: Scene, subject: Subject, used: Mapping[str, float]) -> Iterator[GrammarReading]:
    free = chart_mask(seen) | table_words(seen)
    search = Search(seen, used, free)
    asked, kind = question_word(seen), table_kind(seen)
    names = Names(seen.language, frozenset(column.name for column in seen.columns))
    for state in search.states()[:MOST_STATES]:
        for one in composed(state, subject.source, names):
            yield from _drawn(seen, subject, state, one, used, (asked, kind), free, names)


def _drawn(
    seen: Scene,
    subject: Subject,
    state: State,
    one: Composed,
    used: Mapping[str, float],
    context: tuple[str, str],
    free: int,
    names: Names,
) -> Iterator[GrammarReading]:
    parts = parts_of(state)
    asked, kind = context
    features = joint(seen, state, parts, one, asked=asked, kind=kind, mask=state.mask | free)
    features["tables:several"] = float(subject.parts > 1)
    frame = state.frame.name if state.frame is not None else ""
    for drawing, extra in drawings(seen, parts, one):
        whole = {name: value for name, value in (features | dict(extra)).items() if value}
        plan = Plan(parts=(Part(relation=one.relation, drawing=drawing),))
        words = said(frame, parts, names, charted=drawing is not None)
        yield GrammarReading(plan=plan, said=words, features=whole, score=weighed(whole.items(), used))
