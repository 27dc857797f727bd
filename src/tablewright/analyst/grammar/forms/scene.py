"""A task beside its table: its sentences, the columns it makes, its steps, the rows it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tablewright.analyst.grammar.forms.form import AnswerForm, Wanted
from tablewright.analyst.grammar.forms.making import Made, made_columns
from tablewright.analyst.grammar.forms.phrases import Linker, Phrase, sentences
from tablewright.analyst.grammar.forms.preparing import Preparing, Step, steps
from tablewright.analyst.grammar.forms.selecting import kept_rows, unread
from tablewright.analyst.plan import AllOf, Condition, Filter, Relation, Source
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table import Cell

Stage = Literal["raw", "before_outliers", "final"]
_ALPHA = 0.05
_LIKELY_ALPHA = 0.5
_NEAR = 8
_TIMES = frozenset({"times", "the", "x"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A tag with its name, its placeholder and what is said about it, linked."""

    wanted: Wanted
    name: Phrase
    placeholder: Phrase
    about: Phrase


@dataclass(slots=True, kw_only=True)
class Scene:
    """What a task says."""

    facts: DatasetFacts
    linker: Linker
    phrases: tuple[Phrase, ...]
    tags: tuple[Asked, ...]
    made: tuple[Made, ...] = ()
    steps: tuple[Step, ...] = ()
    kept: tuple[Condition, ...] = ()
    numeric: tuple[str, ...] = ()
    every: tuple[str, ...] = ()
    options: dict[str, Cell] = field(default_factory=dict[str, Cell])
    unread: int = 0
    coded: frozenset[str] = frozenset()

    def has(self, *types: str) -> bool:
        """Return whether a word of these types is said anywhere in the task."""
        return any(phrase.has(*types) for phrase in self.phrases)

    def meanings(self, type_: str) -> list[str]:
        """Return the meanings of a type's words in the task, each once, in order."""
        return list(dict.fromkeys(meaning for phrase in self.phrases for meaning in phrase.meanings(type_)))

    def source(self, stage: Stage = "final", *, but: Sequence[Condition] = ()) -> Relation:
        """Return the rows in question: `raw` as loaded, with the columns that the task makes; `before_outliers` after
        all steps except the removal of outliers; `final` after all. `but` are conditions left out."""
        relation: Relation = Source(dataset_id=self.facts.id)
        kept = tuple(one for one in self.kept if one not in but)
        if kept:
            relation = Filter(source=relation, where=kept[0] if len(kept) == 1 else AllOf(parts=kept))
        held = () if stage == "raw" else self.steps
        for step in held:
            if step.kind in {"duplicates", "fill"}:
                relation = step.applied(relation)
        for made in self.made:
            relation = made.applied(relation)
        for step in held:
            if step.kind == "transform" or (step.kind == "outliers" and stage == "final"):
                relation = step.applied(relation)
        return relation

    @property
    def alpha(self) -> float:
        """Return the level of significance that the task states, 0.05 by default."""
        for phrase in self.phrases:
            for word in [*phrase.of("alpha"), *phrase.of("p_value")]:
                for one in phrase.numbers:
                    if 0 <= one.start - word.end <= _NEAR and 0 < one.value < _LIKELY_ALPHA:
                        return float(one.value)
        return _ALPHA

    def linked(self) -> dict[str, float]:
        """Return how well each column is named at best, in the task or in the tags."""
        found: dict[str, float] = {}
        texts = [*self.phrases, *(text for tag in self.tags for text in (tag.name, tag.placeholder, tag.about))]
        for phrase in texts:
            for link in phrase.links:
                found[link.column] = max(found.get(link.column, 0.0), link.score)
        return found

    def is_number(self, name: str) -> bool:
        """Return whether a column holds numbers, once the task's steps are done."""
        return self.linker.numeric(name) or name in self.coded

    def makes(self, name: str) -> bool:
        """Return whether a column is one that the task makes."""
        return any(made.name == name for made in self.made)


def scene(form: AnswerForm, facts: DatasetFacts, cells: Mapping[str, tuple[str, ...]]) -> Scene:
    """Link a task and its tags to a table."""
    linker = Linker(facts, cells)
    said = list(sentences(form.task))
    made = made_columns([linker.phrase(text, asked=asked) for text, asked in said], linker)
    linker = _with_made(linker, made)
    phrases = tuple(linker.phrase(text, asked=asked) for text, asked in said)
    found = Scene(facts=facts, linker=linker, phrases=phrases, tags=tuple(_asked(one, linker) for one in form.wanted))
    found.made = made
    found.numeric, found.every = _focus(found)
    found.options = outlier_options(found)
    found.kept = kept_rows(phrases, [one.name for one in found.tags], linker, made, _option_words(form))
    known = [*_option_words(form), *(one.name for one in form.wanted), *(one.placeholder for one in form.wanted)]
    found.unread = unread(phrases, linker, made, known)
    given = Preparing(
        phrases=phrases, linker=linker, made=made, outlier_columns=outlier_columns(found), options=found.options
    )
    found.steps = steps(given)
    coded = [step.column for step in found.steps if step.kind == "transform" and not linker.numeric(step.column)]
    if coded:
        found.coded, found.numeric = frozenset(coded), (*found.numeric, *coded)
    return found


def _option_words(form: AnswerForm) -> tuple[str, ...]:
    return tuple(option for one in form.wanted for option in one.options)


def _asked(wanted: Wanted, linker: Linker) -> Asked:
    return Asked(
        wanted=wanted,
        name=linker.phrase(wanted.name.replace("_", " ")),
        placeholder=linker.phrase(wanted.placeholder.replace("_", " ")),
        about=linker.phrase(wanted.about),
    )


def _with_made(linker: Linker, made: Sequence[Made]) -> Linker:
    """Return a linker that knows the columns that the task makes; a scaled column of the same name stays as it is."""
    return linker.with_columns([one.facts() for one in made])


def _focus(found: Scene) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns of numbers that the task names, those it makes first, then in the order of its sentences; and
    all columns that it names."""
    links = [
        (not phrase.asked, link.score < 1 and not phrase.asked, link)
        for phrase in found.phrases
        for link in phrase.links
    ]
    ordered = [link.column for late, weak, link in links if not weak]
    sure = [link.column for late, _, link in links if link.score >= 1]
    weak = [link.column for late, _, link in links]
    every = tuple(dict.fromkeys([*ordered, *sure, *weak]))
    made = [one.name for one in found.made if not one.labels]
    numeric = dict.fromkeys([*made, *(name for name in every if found.linker.numeric(name))])
    return tuple(numeric), every


def outlier_columns(found: Scene) -> tuple[str, ...]:
    """Return the columns of which outliers are sought, likeliest first: those named beside the word, then others."""
    beside = [
        link.column
        for phrase in found.phrases
        if phrase.has("outlier")
        for link in phrase.links
        if found.linker.numeric(link.column)
    ]
    return tuple(dict.fromkeys([*beside, *found.numeric]))


def outlier_options(found: Scene) -> dict[str, Cell]:
    """Return the options of the procedure `outliers` for the method that the task names."""
    methods = [meaning for phrase in found.phrases for meaning in phrase.meanings("method")]
    if "zscore" in methods and "iqr" not in methods:
        said = any(
            "z" in {token.norm for token in phrase.tokens} or "zscore" in phrase.text.lower()
            for phrase in found.phrases
        )
        number = next((one for phrase in found.phrases for one in _beyond(phrase)), 3.0)
        return {"method": "zscore", "threshold": number, **({} if said else {"ddof": 1})}
    factor = next((one for phrase in found.phrases for one in _times(phrase)), 1.5)
    return {"method": "iqr", "factor": factor}


def _beyond(phrase: Phrase) -> list[float]:
    """Return the numbers of standard deviations beyond which values are outliers."""
    if not phrase.has("method", "threshold"):
        return []
    words = [*phrase.of("threshold"), *phrase.of("compare")]
    after = [one for one in phrase.numbers for word in words if 0 <= one.start - word.end <= 3 and 0 < one.value < 10]
    before = [one for one in phrase.numbers for word in phrase.of("method") if 0 <= word.start - one.end <= 1]
    return [float(one.value) for one in [*after, *before]]


def _times(phrase: Phrase) -> list[float]:
    """Return the numbers by which the range between quartiles is multiplied."""
    words = [word for word in phrase.of("method") if word.meaning == "iqr"]
    found = [
        float(one.value)
        for one in phrase.numbers
        for word in words
        if 0 <= word.start - one.end <= 3 and 0 < one.value < 10
        and all(one.kind == "mark" or one.norm in _TIMES for one in phrase.tokens[one.end : word.start])
    ]  # fmt: skip
    return [one for one in found if one != 1] or found
