"""Reads a task with a prescribed form, tag by tag, as cells of results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tablewright.analyst.base import NotUnderstood, Reading, Understood
from tablewright.analyst.grammar.forms.cells import Candidate, Case, Scored, case_of, scored
from tablewright.analyst.grammar.forms.comparing import comparisons
from tablewright.analyst.grammar.forms.extremes import extremes
from tablewright.analyst.grammar.forms.form import AnswerForm, answer_form
from tablewright.analyst.grammar.forms.models import models
from tablewright.analyst.grammar.forms.outliers import outliers
from tablewright.analyst.grammar.forms.scene import Scene, scene
from tablewright.analyst.grammar.forms.statistics import counts, gaps, rows_left, statistics
from tablewright.analyst.grammar.forms.testing import tests
from tablewright.analyst.grammar.forms.trust import evidence, shipped
from tablewright.analyst.plan import Part, Plan, Relation, Tag
from tablewright.data.base import ValueLookup
from tablewright.domain.cleaning import clean_facts
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

CATEGORIES = 200
"""A text column with at most this many distinct values is a column of categories."""
_DOUBTS = ("left:word", "left:meaning", "verdict:unfit", "text:unfit", "means:unsaid", "role:unsaid")
_TOPICS: tuple[Callable[[Case], Iterator[Candidate]], ...] = (
    models, gaps, outliers, tests, comparisons, statistics, counts, rows_left, extremes,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TagReading:
    """What a tag is read as: the likeliest cells, best first."""

    name: str
    ranked: tuple[Scored, ...]

    @property
    def sure(self) -> bool:
        """Return whether the likeliest cell leaves out no word of the tag and says nothing that is not said."""
        features = self.ranked[0].features if self.ranked else {"left:word": 1.0}
        return not any(features.get(name) for name in _DOUBTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormReading:
    """What a task with a form is read as; `plan` is None unless every tag is read."""

    form: AnswerForm
    scene: Scene
    tags: tuple[TagReading, ...]
    plan: Plan | None
    trust: float


@cache
def weights() -> Mapping[str, float]:
    """Return the weights of the features of a tag's cells."""
    return {
        name: float(weight)
        for name, weight in json.loads(files(__package__).joinpath("weights.json").read_text()).items()
    }


async def read_form(question: str, datasets: Sequence[DatasetFacts], values: ValueLookup) -> FormReading | None:
    """Return what a question is read as that prescribes the form of its answer; None if it prescribes none. Only the
    first table is considered."""
    form = answer_form(question)
    if form is None or not datasets:
        return None
    facts = clean_facts(datasets[0])
    seen = scene(form, facts, await _cells(facts, values))
    tags = tuple(_ranked(case_of(seen, asked)) for asked in seen.tags)
    known = evidence([tag.ranked for tag in tags], linked=seen.linked(), unread=seen.unread)
    return FormReading(form=form, scene=seen, tags=tags, plan=_planned(form, seen, tags), trust=shipped().of(known))


async def prescribed(
    question: str, language: Language, datasets: Sequence[DatasetFacts], values: ValueLookup
) -> Reading | None:
    """Return the plan of a question that prescribes the form of its answer, or the reason why there is none; None if
    it prescribes none."""
    reading = await read_form(question, datasets, values)
    if reading is None:
        return None
    if reading.plan is not None and reading.trust >= shipped().least:
        return Understood(plan=reading.plan)
    sure = tuple(tag.name for tag in reading.tags if tag.ranked and tag.sure)
    unsure = [tag.name for tag in reading.tags if tag.name not in sure] or [tag.name for tag in reading.tags]
    params = {"tags": text("words.comma", language).join(f"@{name}" for name in unsure)}
    return NotUnderstood(understood=sure, reason="analyst.tags_unread", params=params, suggestions=())


async def _cells(facts: DatasetFacts, values: ValueLookup) -> dict[str, tuple[str, ...]]:
    """Return the known cells of the columns of categories, by column."""
    found: dict[str, tuple[str, ...]] = {}
    for column in facts.columns:
        if column.kind in {"text", "boolean", "mixed"} and (column.distinct or CATEGORIES + 1) <= CATEGORIES:
            known = await values.values(facts.profile_ref, column.name)
            found[column.name] = known.values if known is not None else tuple(str(one) for one in column.samples)
    return found


def _ranked(case: Case) -> TagReading:
    found = [scored(case, one, weights()) for topic in _TOPICS for one in topic(case)]
    best: dict[object, Scored] = {}
    for one in sorted(found, key=lambda one: -one.score):
        best.setdefault((repr(one.candidate.relation), one.candidate.column), one)
    return TagReading(name=case.asked.wanted.name, ranked=tuple(best.values()))


def _planned(form: AnswerForm, seen: Scene, tags: Sequence[TagReading]) -> Plan | None:
    """Return the plan of the likeliest cells; None where a tag has none, or a column that the task makes is not
    understood."""
    if any(not made.known for made in seen.made) or any(not tag.ranked for tag in tags):
        return None
    parts: list[Relation] = []
    found: list[Tag] = []
    for wanted, tag in zip(form.wanted, tags, strict=True):
        cell = tag.ranked[0].candidate
        if cell.relation not in parts:
            parts.append(cell.relation)
        found.append(
            Tag(
                name=wanted.name, part=parts.index(cell.relation), column=cell.column, decimals=wanted.decimals,
                every=cell.every, quoted=wanted.quoted,
            )
        )  # fmt: skip
    return Plan(parts=tuple(Part(relation=relation) for relation in parts), tags=tuple(found))
