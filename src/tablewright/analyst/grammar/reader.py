"""Reads a question into candidate plans, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tablewright.analyst.grammar.arithmetic import spelled_out
from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.grammar.composed import parts_of
from tablewright.analyst.grammar.composing import composed
from tablewright.analyst.grammar.coverage import Classes, classes_of, hows_of
from tablewright.analyst.grammar.definitions import defined
from tablewright.analyst.grammar.drawings import chart_mask, drawings
from tablewright.analyst.grammar.features import (
    Context,
    joint,
    lacking_words,
    multiplied,
    once,
    question_word,
    table_kind,
    table_words,
    value_answered,
)
from tablewright.analyst.grammar.following import Read, followed, may_follow
from tablewright.analyst.grammar.joining import joining_words, names_end
from tablewright.analyst.grammar.lexicon import words
from tablewright.analyst.grammar.looked_at import TABLES, listed
from tablewright.analyst.grammar.named_tables import (
    References,
    TableNames,
    beside_tables,
    counts_others,
    table_names,
)
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.rounding import decimals_of
from tablewright.analyst.grammar.saying import said
from tablewright.analyst.grammar.scene import Scene, scene
from tablewright.analyst.grammar.search import Search, State
from tablewright.analyst.grammar.semantics import OperatorPart
from tablewright.analyst.grammar.subjects import Subject, SubjectValues, subjects
from tablewright.analyst.grammar.totals import without_totals
from tablewright.analyst.grammar.uniting import HALF, beside_each_other, counts_twice, halves, united, within_sentence
from tablewright.analyst.grammar.weights import weighed, weights
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.plan import Part, Plan
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table_facts import TableKey, TableRelation
from tablewright.domain.task import TurnFacts

MOST_STATES = 170
MOST_UNITED = 5
MOST_TURNS = 3
"""So many questions before one are looked at."""
SILENT = frozenset({"stop", "rows", "wh", "restated"})
"""Classes of words that say nothing by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A reading before it is said."""

    plan: Plan
    read: Read
    names: Names
    beside: str
    features: dict[str, float]
    score: float
    classes: Classes
    free: int
    table: str = ""


async def readings(
    question: str,
    language: Language,
    datasets: Sequence[DatasetFacts],
    values: ValueLookup,
    history: Sequence[TurnFacts] = (),
    relations: Sequence[TableRelation] = (),
    *,
    most: int = 50,
    by: Mapping[str, float] | None = None,
) -> tuple[GrammarReading, ...]:
    """Return at most `most` readings of a question about these tables, best first; it may go on from the questions of
    `history` that were answered. `by` are weights other than the learned ones."""
    used = weights() if by is None else by
    earlier = [turn.question for turn in history if turn.code] or [turn.question for turn in history]
    asked = _Asked(language, datasets, values, relations, used)
    found = await asked.readings(question, earlier, most)
    if (both := halves(question)) is not None:
        first = await asked.readings(both[0], earlier, MOST_UNITED)
        second = await asked.readings(both[1], [*earlier, both[0]], MOST_UNITED)
        if counts_twice(both):
            found = tuple(replace(one, features={**one.features, HALF: 1.0}) for one in found)
        found = tuple(
            sorted(
                [*found, *united(first, second, language, used, within=within_sentence(both))],
                key=lambda one: -one.score,
            )[:most]
        )
    return found


@dataclass(frozen=True, slots=True)
class _Asked:
    """The tables that questions are about."""

    language: Language
    datasets: Sequence[DatasetFacts]
    values: ValueLookup
    relations: Sequence[TableRelation]
    used: Mapping[str, float]

    async def readings(self, question: str, earlier: Sequence[str], most: int) -> tuple[GrammarReading, ...]:
        """Return the best readings of one question."""
        found: list[Candidate] = []
        named = table_names(self.datasets)
        references = frozenset((one.many, one.one) for one in self.relations if isinstance(one, TableKey))
        lacking = any(word.type in {"not", "missing"} for word in words(tokenize(question)))
        for subject in subjects(self.datasets, self.relations):
            if subject.kind == "lacking" and not lacking:
                continue
            lookup = SubjectValues(self.values, subject)
            beside = _Beside(subject, lookup, self.language, self.datasets, self.used, named, references)
            if subject.ends and not await beside.names_ends([question, *earlier[-MOST_TURNS:]]):
                continue
            found += beside.candidates(await beside.reads(question, earlier[-MOST_TURNS:]))
        return _best([*_looks(found, self.used), *found], most)


@dataclass(slots=True)
class _Beside:
    """Questions beside one subject."""

    subject: Subject
    lookup: ValueLookup
    language: Language
    datasets: Sequence[DatasetFacts]
    used: Mapping[str, float]
    named: TableNames
    references: References
    contexts: dict[int, Context] = field(default_factory=dict[int, Context])
    scenes: dict[str, Scene] = field(default_factory=dict[str, Scene])

    async def names_ends(self, questions: Sequence[str]) -> bool:
        """Return whether the questions name something of each table at an end of a chain."""
        seen = [await self._scene(question) for question in questions]
        return all(any(names_end(one, end) for one in seen) for end in self.subject.ends)

    async def _scene(self, question: str) -> Scene:
        if question not in self.scenes:
            seen = await scene(question, tokenize(question), self.language, self.subject.facts, self.lookup)
            self.scenes[question] = beside_tables(seen, self.subject, self.named)
        return self.scenes[question]

    async def reads(self, question: str, earlier: Sequence[str]) -> list[Read]:
        """Return how the slots may be filled with the words of a question, by themselves or going on from those
        before it."""
        seen = await self._scene(question)
        seen = spelled_out(await defined(seen, self.lookup, self.subject.repeated))
        context = self.context(seen)
        search = Search(seen, self.used, context.free, context.classes)
        states = [state for state in search.states() if not self._counts_others(state, seen)]
        found = [Read(seen=seen, state=state, spared=search.spared) for state in states[:MOST_STATES]]
        if earlier and may_follow(seen):
            before = await self.reads(earlier[-1], earlier[:-1])
            later = followed(sorted(before, key=lambda one: one.spared - one.state.score), search)
            counts = bool(seen.of("count"))
            found += (one for one in later if not counts or not self._counts_others(one.state, seen))
        return found

    def _counts_others(self, state: State, seen: Scene) -> bool:
        return counts_others(state, seen, self.subject, self.named, self.references)

    def context(self, seen: Scene) -> Context:
        """Return what readings of one scene share."""
        if id(seen) not in self.contexts:
            free = seen.defined | chart_mask(seen) | table_words(seen) | joining_words(seen, self.subject.source)
            if self.subject.kind == "lacking":
                free |= lacking_words(seen)
            self.contexts[id(seen)] = Context(
                asked=question_word(seen), kind=table_kind(seen), classes=classes_of(seen), hows=hows_of(seen),
                free=free, scene=seen,
            )  # fmt: skip
        return self.contexts[id(seen)]

    def candidates(self, reads: Sequence[Read]) -> Iterator[Candidate]:
        """Yield the plans that filled slots mean, with their features."""
        subject = self.subject
        names = Names(self.language, frozenset(column.name for column in subject.facts.columns))
        beside = names.say("lacking", other=subject.other) if subject.other else ""
        for read in reads:
            seen, state, context = read.seen, read.state, self.context(read.seen)
            parts = parts_of(state)
            repeats = multiplied(parts, subject.repeated)
            own = dict(read.features) | {f"subject:{subject.kind}": 1.0, "join:once": float(repeats)}
            source = without_totals(subject.source, seen, state) if subject.kind == "table" else subject.source
            if parts.operator is not None and parts.operator.name == TABLES:
                source = listed(self.datasets, names)
            for one in composed(state, source, names):
                for drawing, extra, answered in drawings(seen, parts, one):
                    answered |= value_answered(seen, parts, one, state.mask)
                    base = joint(seen, state, parts, one, context, state.mask | read.free | answered)
                    whole = {name: value for name, value in (base | dict(extra) | own).items() if value}
                    first = (Part(relation=relation) for relation in one.before)
                    decimals = None if drawing is not None else decimals_of(seen, parts)
                    plan = Plan(parts=(*first, Part(relation=one.relation, drawing=drawing, decimals=decimals)))
                    counted = once(plan, self.datasets) if repeats else plan
                    if counted is None:
                        continue
                    score = weighed(whole.items(), self.used)
                    yield Candidate(
                        plan=counted, read=read, names=names, beside=beside, features=whole, score=score,
                        classes=context.classes, free=context.free | answered,
                        table=subject.facts.name if subject.kind == "table" else "",
                    )  # fmt: skip


def _looks(found: Sequence[Candidate], used: Mapping[str, float]) -> Iterator[GrammarReading]:
    """Yield the looks at several tables that the same words ask for."""
    alike: dict[object, dict[str, Candidate]] = {}
    for one in found:
        frame, look = one.read.state.frame, next(iter(one.read.state.parts), None)
        looks = one.table and frame is not None and frame.name == "look"
        if looks and isinstance(look, OperatorPart) and look.name != TABLES:
            alike.setdefault((look.name, look.option), {}).setdefault(one.table, one)
    for tables in alike.values():
        if len(tables) > 1:
            yield beside_each_other([(name, _reading(one)) for name, one in tables.items()], used)


def _best(found: Sequence[Candidate | GrammarReading], most: int) -> tuple[GrammarReading, ...]:
    """Return the best readings, each plan once."""
    kept: dict[object, GrammarReading] = {}
    for one in sorted(found, key=lambda one: -one.score):
        key = _key(one.plan)
        if key not in kept:
            kept[key] = _reading(one) if isinstance(one, Candidate) else one
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
    state = one.read.state
    frame = state.frame.name if state.frame is not None else ""
    charted = one.plan.parts[-1].drawing is not None
    understood = said(frame, parts_of(state), one.names, charted=charted) + one.beside
    return GrammarReading(
        plan=one.plan, said=understood, features=one.features, score=one.score,
        named=_named(state, _asking(one.read.seen)), unread=_unread(one),
    )  # fmt: skip


def _named(state: State, asking: int) -> tuple[str, ...]:
    """Return the columns of a reading that words stand for which do not merely ask."""
    parts = [part for part in (*state.conditions, *state.parts) if part is not None and part.mask & ~asking]
    columns = [getattr(part, "column", "") or getattr(part, "by", "") for part in parts]
    return tuple(dict.fromkeys(name for name in columns if name))


def _asking(seen: Scene) -> int:
    """Return the mask of the words that ask, and are no part of a longer one that says something."""
    longest: dict[int, tuple[int, bool]] = {}
    for word in seen.words:
        for place in range(word.start, word.end):
            longest[place] = max(longest.get(place, (0, True)), (word.end - word.start, word.type not in SILENT))
    return sum(1 << place for place, (_, says) in longest.items() if not says)


def _unread(one: Candidate) -> tuple[str, ...]:
    """Return the words that say something and have no part in a reading; Chinese characters side by side as one."""
    covered = one.read.state.mask | one.read.free | one.free | _asking(one.read.seen)
    found: list[str] = []
    last = -1
    for place, ((name, size), token) in enumerate(zip(one.classes, one.read.seen.tokens, strict=True)):
        if not size or name in SILENT or covered >> place & 1:
            continue
        if found and last == place - 1 and token.kind == "han":
            found[-1] += token.text
        else:
            found.append(token.text)
        last = place
    return tuple(found)
