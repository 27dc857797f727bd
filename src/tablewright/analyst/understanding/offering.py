"""Readings as an offer to a person, and the plan that they chose of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablewright.analyst.base import OfferedPlan, Unsure
from tablewright.analyst.plan import Plan
from tablewright.analyst.plan_codec import NotAPlan, plan_from_python, plan_to_python
from tablewright.analyst.understanding.differences import told_apart
from tablewright.domain.codec import to_python
from tablewright.domain.language import Language
from tablewright.domain.offer import OfferedReading, chosen_option
from tablewright.domain.table import Table
from tablewright.domain.task import AskedPair
from tablewright.texts.catalogue import text

ROWS = 100
"""So many rows of a result are offered with it."""


def question_of(unsure: Unsure, language: Language) -> dict[str, object]:
    """Return the arguments of the call that asks which of the readings is meant; no two of them have the same words."""
    readings = told_apart(unsure.readings, language)
    return {
        "question": text("offer.question", language),
        "options": [reading.option for reading in readings],
        "readings": [_data(reading) for reading in readings],
    }


def chosen(asked: Sequence[AskedPair]) -> Plan | None:
    """Return the plan that was chosen of the readings offered last, or None where other words were the answer."""
    offers = [pair for pair in asked if pair.readings]
    if not offers:
        return None
    place = chosen_option(offers[-1].options, offers[-1].answer)
    if place is None or place >= len(offers[-1].readings):
        return None
    try:
        return plan_from_python(offers[-1].readings[place].get("plan"))
    except NotAPlan:
        return None


def _data(reading: OfferedPlan) -> dict[str, Any]:
    shown = OfferedReading(text=reading.text, result=_cut(reading.result), charts=reading.charts)
    return {**to_python(OfferedReading, shown), "plan": plan_to_python(reading.plan)}


def _cut(result: Table | None) -> Table | None:
    if result is None:
        return None
    return Table(columns=result.columns, rows=result.rows[:ROWS], total_rows=result.total_rows, title=result.title)
