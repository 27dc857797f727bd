"""Writes the complete code block of a plan."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tablewright.analyst.plan import Plan
from tablewright.analyst.plan_walk import sources
from tablewright.analyst.renaming import readable
from tablewright.analyst.words import Words
from tablewright.analyst.writing.cleaning import use_of
from tablewright.analyst.writing.columns import Frame
from tablewright.analyst.writing.literals import quoted
from tablewright.analyst.writing.loading import load
from tablewright.analyst.writing.naming import Names
from tablewright.analyst.writing.output import part_output, save, tag_output
from tablewright.analyst.writing.relations import write
from tablewright.analyst.writing.script import Held, Script
from tablewright.analyst.writing.steps import Segment, block, fitted
from tablewright.domain.cleaning import clean_facts, totals_left_out
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags

NAMED_TABLES = 4
"""A loading step names at most this many tables and counts the rest."""
_IMPORTS = {
    "json": "import json\n", "np": "import numpy as np", "pd": "import pandas as pd",
    "stats": "from scipy import stats",
}  # fmt: skip
"""What a name that is used as a module needs, in the order in which it is imported."""


def write_code(plan: Plan, datasets: Sequence[DatasetFacts], language: Language, tags: CodeTags = DEFAULT_TAGS) -> str:
    """Return the code block of `plan`, including its tags."""
    return block(write_steps(plan, datasets, language), tags)


def write_steps(plan: Plan, datasets: Sequence[DatasetFacts], language: Language) -> list[Segment]:
    """Return the steps of `plan`: loading, a step per relation, and the output. The result is deterministic.

    `result` is bound once, in the last step or the one before the file is saved. Raises KeyError for a data set or a
    procedure that does not exist.
    """
    datasets = tuple(map(clean_facts, datasets))
    plan = readable(plan, datasets, language)
    by_id = {dataset.id: dataset for dataset in datasets}
    used = [by_id[dataset_id] for dataset_id in sources(plan)]
    names = Names()
    loading, frames = _loading(plan, used, names, language)
    script = Script(language, frames, names)
    held: list[Held] = []
    for place, part in enumerate(plan.parts):
        script.part = place
        if plan.tags and not part.drawing:
            held.append(write(script, part.relation))
            continue
        last = place == len(plan.parts) - 1 and not plan.tags
        held.append(part_output(script, part, last=last, several=len(plan.parts) > 1))
    if plan.tags:
        tag_output(script, plan, held)
    if plan.save_as:
        save(script, plan, held[-1])
    segments = fitted([*loading, *script.segments])
    _import(segments, script.imports)
    return segments


def _loading(
    plan: Plan, datasets: Sequence[DatasetFacts], names: Names, language: Language
) -> tuple[list[Segment], dict[str, Frame]]:
    words = Words(language)
    use = use_of(plan, datasets)
    segment = Segment(name=_title(words, [dataset.name for dataset in datasets]), part=-1)
    frames: dict[str, Frame] = {}
    for dataset in datasets:
        lines, frames[dataset.id] = load(dataset, names, use, words, alone=len(datasets) == 1)
        label = words.say("step.loaded")
        if (count := totals_left_out(dataset)) > 1:
            lines.append(f"print({count}, {quoted(words.say('step.left_totals'))})")
        segment.lines += [*lines, f"print(len({frames[dataset.id].name}), {quoted(label)})"]
    return [segment], frames


def _title(words: Words, tables: Sequence[str]) -> str:
    """Return the name of the loading step: the tables, or the first few of many."""
    if len(tables) <= NAMED_TABLES:
        return words.say("step.load", name=words.joined(tables))
    shown = tables[: NAMED_TABLES - 1]
    names = words.say("words.comma").join(shown)
    return words.say("step.load_many", names=names, count=len(tables) - len(shown))


def _import(segments: Sequence[Segment], required: Sequence[str]) -> None:
    """Put the required imports at the start of the first segment."""
    code = "\n".join(line for segment in segments for line in segment.lines)
    used = {
        node.value.id
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    found = [line for name, line in _IMPORTS.items() if name in used]
    segments[0].lines[:0] = [*"\n".join(found).splitlines(), *sorted(required), ""]
