"""Reads a question into candidate plans, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.grammar.composing import composed, parts_of
from tablewright.analyst.grammar.coverage import classes_of
from tablewright.analyst.grammar.drawings import chart_mask, drawings
from tablewright.analyst.grammar.features import Context, joint, question_word, table_kind, table_words
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A reading before it is said."""

    plan: Plan
    state: State
    names: Names
    features: dict[str, float]
    score: float


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
    found: list[Candidate] = []
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


def _read(seen: Scene, subject: Subject, used: Mapping[str, float]) -> Iterator[Candidate]:
    context = Context(
        asked=question_word(seen), kind=table_kind(seen), classes=classes_of(seen),
        free=chart_mask(seen) | table_words(seen),
    )  # fmt: skip
    search = Search(seen, used, context.free, context.classes)
    names = Names(seen.language, frozenset(column.name for column in seen.columns))
    for state in search.states()[:MOST_STATES]:
        parts = parts_of(state)
        for one in composed(state, subject.source, names):
            features = joint(seen, state, parts, one, context, state.mask)
            features["tables:several"] = float(subject.parts > 1)
            for drawing, extra in drawings(seen, parts, one):
                whole = {name: value for name, value in (features | dict(extra)).items() if value}
                plan = Plan(parts=(Part(relation=one.relation, drawing=drawing),))
                score = weighed(whole.items(), used)
                yield Candidate(plan=plan, state=state, names=names, features=whole, score=score)


def _best(found: Sequence[Candidate], most: int) -> tuple[GrammarReading, ...]:
    """Return the best readings, each plan once."""
    kept: dict[object, GrammarReading] = {}
    for one in sorted(found, key=lambda one: -one.score):
        key = _key(one.plan)
        if key not in kept:
            kept[key] = _reading(one)
            if len(kept) == most:
                break
    return tuple(kept.values())


def _key(plan: Plan) -> object:
    """Return what tells plans apart: the plan, unless a procedure's options make it unhashable."""
    try:
        hash(plan)
    except TypeError:
        return repr(plan)
    return plan


def _reading(one: Candidate) -> GrammarReading:
    frame = one.state.frame.name if one.state.frame is not None else ""
    charted = one.plan.parts[0].drawing is not None
    words = said(frame, parts_of(one.state), one.names, charted=charted)
    return GrammarReading(plan=one.plan, said=words, features=one.features, score=one.score)
