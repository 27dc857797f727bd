"""Reads a question into candidate plans, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.grammar.composed import parts_of
from tablewright.analyst.grammar.composing import composed
from tablewright.analyst.grammar.coverage import classes_of, hows_of
from tablewright.analyst.grammar.definitions import defined
from tablewright.analyst.grammar.drawings import chart_mask, drawings
from tablewright.analyst.grammar.features import (
    Context,
    joint,
    lacking_words,
    multiplied,
    question_word,
    table_kind,
    table_words,
)
from tablewright.analyst.grammar.joining import joining_words
from tablewright.analyst.grammar.lexicon import words
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.saying import said
from tablewright.analyst.grammar.scene import Scene, scene
from tablewright.analyst.grammar.search import Search, State
from tablewright.analyst.grammar.subjects import Subject, SubjectValues, subjects
from tablewright.analyst.grammar.weights import weighed, weights
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.plan import Part, Plan
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table_facts import TableRelation
from tablewright.domain.task import TurnFacts

MOST_STATES = 170


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A reading before it is said."""

    plan: Plan
    state: State
    names: Names
    beside: str
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
    lacking = any(word.type in {"not", "missing"} for word in words(tokens))
    for subject in subjects(datasets, relations):
        if subject.kind == "lacking" and not lacking:
            continue
        lookup = SubjectValues(values, subject)
        seen = await scene(question, tokens, language, subject.facts, lookup)
        found += _read(await defined(seen, lookup, subject.repeated), subject, used)
    return _best(found, most)


def _read(seen: Scene, subject: Subject, used: Mapping[str, float]) -> Iterator[Candidate]:
    context = Context(
        asked=question_word(seen), kind=table_kind(seen), classes=classes_of(seen),
        hows=hows_of(seen), free=chart_mask(seen) | table_words(seen),
    )  # fmt: skip
    if subject.kind == "lacking":
        context = replace(context, free=context.free | lacking_words(seen))
    context = replace(context, free=context.free | joining_words(seen, subject.source))
    search = Search(seen, used, context.free, context.classes)
    names = Names(seen.language, frozenset(column.name for column in seen.columns))
    beside = names.say("lacking", other=subject.other) if subject.other else ""
    kind = {f"subject:{subject.kind}": 1.0}
    for state in search.states()[:MOST_STATES]:
        parts = parts_of(state)
        if multiplied(parts, subject.repeated):
            continue
        for one in composed(state, subject.source, names):
            features = joint(seen, state, parts, one, context, state.mask)
            for drawing, extra, answered in drawings(seen, parts, one):
                base = joint(seen, state, parts, one, context, state.mask | answered) if answered else features
                whole = {name: value for name, value in (base | dict(extra) | kind).items() if value}
                plan = Plan(parts=(Part(relation=one.relation, drawing=drawing),))
                score = weighed(whole.items(), used)
                yield Candidate(plan=plan, state=state, names=names, beside=beside, features=whole, score=score)


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
    understood = said(frame, parts_of(one.state), one.names, charted=charted) + one.beside
    return GrammarReading(plan=one.plan, said=understood, features=one.features, score=one.score)
