"""The answer to a plan, from the results of its execution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.analyst.answering.figures import figures_of
from tablewright.analyst.answering.findings import finding
from tablewright.analyst.answering.notes import notes
from tablewright.analyst.answering.sentences import Spoken, rows_with_columns, sentence
from tablewright.analyst.plan import Part, Plan, Position, Procedure, Project, Source, Tag
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.renaming import readable
from tablewright.analyst.words import Words
from tablewright.domain.cleaning import clean_facts
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.row_noun import row_noun
from tablewright.domain.table import Cell, Table
from tablewright.domain.task import StepFacts


def conclude(
    plan: Plan, progress: Sequence[StepFacts], language: Language, datasets: Sequence[DatasetFacts] = ()
) -> str:
    """Return the answer in words, one sentence per part, using only numbers of the executed output; if the question
    prescribes tags, return exactly these."""
    words = Words(language)
    datasets = tuple(map(clean_facts, datasets))
    plan = readable(plan, datasets, language)
    result = next((step.result for step in reversed(progress) if step.result is not None), None)
    if plan.tags:
        return tagged(plan.tags, result)
    figures = figures_of(plan, datasets)
    sentences = [
        _part(Spoken(part=part, result=own, shown=shown, words=words, figures=figures, noun=_noun(part, datasets)))
        for part, own, shown in _tables(plan, progress, result)
    ]
    charts = [chart for step in progress for chart in step.charts]
    if charts and len(charts) > sum(part.drawing is not None for part in plan.parts):
        sentences.append(words.say("answer.charts", count=len(charts)))
    if plan.save_as and (files := [file for step in progress for file in step.files]):
        sentences.append(words.say("answer.saved", name=files[-1].rpartition("/")[2]))
    if cleaned := notes(plan, datasets, words):
        sentences.append(words.say("answer.note", notes=words.say("answer.separator").join(cleaned)))
    separator = "\n" if len(plan.parts) > 1 else "" if language == "zh" else " "
    return separator.join(filter(None, sentences))


def _part(spoken: Spoken) -> str:
    relation = spoken.part.relation
    if isinstance(relation, Project) and isinstance(relation.source, Procedure) and spoken.shown is not None:
        relation, spoken = relation.source, replace(spoken, result=spoken.shown)
    if isinstance(relation, Procedure) and spoken.table is not None and spoken.table.rows:
        said = finding(relation, spoken)
        if said:
            return _captioned(said, spoken)
    if isinstance(relation, Position) and isinstance(relation.source, Source) and spoken.table is not None:
        return _captioned(rows_with_columns(spoken, spoken.table), spoken)
    return sentence(spoken)


def _noun(part: Part, datasets: Sequence[DatasetFacts]) -> str | None:
    """Return what the rows of the only table that a part reads are called."""
    read = [node.dataset_id for node in nodes(part.relation) if isinstance(node, Source)]
    table = next((dataset for dataset in datasets if read == [dataset.id]), None)
    return None if table is None else row_noun(table)


def _captioned(said: str, spoken: Spoken) -> str:
    caption = spoken.part.caption
    return spoken.say("answer.pair", name=caption, value=said) if caption else said


def _tables(
    plan: Plan, progress: Sequence[StepFacts], result: Table | None
) -> list[tuple[Part, Table | None, Table | None]]:
    """Return each part with its result and the table shown for it, either of which may be None."""
    shown = [table for step in progress for table in step.tables]
    if len(plan.parts) == 1:
        return [(plan.parts[0], result, shown[0] if shown and plan.parts[0].shown is not None else result)]
    last = len(plan.parts) - 1
    rows: list[tuple[Part, Table | None, Table | None]] = []
    for place, part in enumerate(plan.parts):
        table = shown[place] if place < len(shown) else None
        rows.append((part, result if place == last else table, table))
    return rows


def tagged(tags: Sequence[Tag], result: Table | None) -> str:
    """Return `@name[value]` for each tag, joined by commas, from the single row of the result."""
    row: dict[str, Cell] = {}
    if result is not None and result.rows:
        row = dict(zip(result.columns, result.rows[0], strict=True))
    said = ((tag, tag_value(row.get(tag.name), tag.decimals)) for tag in tags)
    return ", ".join(f'@{tag.name}["{value}"]' if tag.quoted else f"@{tag.name}[{value}]" for tag, value in said)


def tag_value(value: Cell, decimals: int | None) -> str:
    """Return a cell as a tag writes it: to the requested decimals, without thousands separators, `nan` if missing."""
    if value is None:
        return "nan"
    if isinstance(value, bool | str):
        return str(value)
    if decimals is not None and (isinstance(value, float) or decimals > 0):
        return f"{value:.{decimals}f}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
