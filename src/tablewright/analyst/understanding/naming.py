"""Names what a plan understands of a question, with what it gives, for a person who is to choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.analyst.answering import conclude
from tablewright.analyst.answering.figures import figures_of
from tablewright.analyst.evaluating.base import Evaluated
from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.plan import Plan
from tablewright.analyst.understanding.judging import Group
from tablewright.analyst.words import shortened
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.domain.task import StepFacts
from tablewright.texts.catalogue import text

LONGEST = 160
CELLS = 4
"""So many cells of a row are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """What was understood, and the same with its result in short."""

    text: str
    option: str


def name_of(
    reading: GrammarReading, evaluated: Evaluated, language: Language, datasets: Sequence[DatasetFacts]
) -> Name:
    """Return the name of a reading: what it says of itself and its result, or, if it says nothing, its answer."""
    if not reading.said.strip():
        said = shortened(_answer(reading, evaluated, language, datasets), LONGEST)
        return Name(text=said, option=said)
    said = shortened(reading.said, LONGEST)
    short = result_in_short(reading, evaluated, language, datasets)
    return Name(text=said, option=text("offer.option", language, reading=said, result=short))


def chosen_before(groups: Sequence[Group], tried: Sequence[GrammarReading], preferred: str | None) -> Plan | None:
    """Return the plan that says of itself what was chosen before, or None: there is none, or its words have become
    ambiguous."""
    found: list[list[Plan]] = []
    for group in groups if preferred else ():
        plans = [tried[member.place] for member in group.members]
        found += [[one.plan for one in plans if shortened(one.said, LONGEST) == preferred][:1]]
    chosen = [plans[0] for plans in found if plans]
    return chosen[0] if len(chosen) == 1 else None


def result_in_short(
    reading: GrammarReading, evaluated: Evaluated, language: Language, datasets: Sequence[DatasetFacts]
) -> str:
    """Return a result as few words: its only row, or how many rows it has and the first of them."""
    if evaluated.charts:
        chart = evaluated.charts[-1]
        return text("offer.chart", language, count=len(chart.x))
    table = evaluated.tables[-1] if evaluated.tables else None
    if table is None or not table.rows:
        return text("offer.nothing", language)
    figures, decimals = figures_of(reading.plan, datasets), reading.plan.parts[-1].decimals
    cells = [figures.cell(cell, name, decimals) for name, cell in zip(table.columns, table.rows[0], strict=True)]
    first = text("words.comma", language).join(shortened(cell) for cell in cells[:CELLS])
    return first if table.total_rows == 1 else text("offer.rows", language, count=table.total_rows, first=first)


def _answer(reading: GrammarReading, evaluated: Evaluated, language: Language, datasets: Sequence[DatasetFacts]) -> str:
    tables: tuple[Table, ...] = evaluated.tables
    result = tables[-1] if tables else None
    step = StepFacts(name="", code="", result=result, tables=tables, charts=evaluated.charts)
    return conclude(reading.plan, (step,), language, datasets)
