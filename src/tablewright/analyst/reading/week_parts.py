"""The two parts of a week that a question takes for granted where the table has dates: working days and weekends."""

from __future__ import annotations

import re

from tablewright.analyst.plan import Bucket, Case, Col, Lit, Named, OneOf
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

_WEEKEND = re.compile(r"周末|双休日|\bweekends?\b", re.IGNORECASE)
_DATES = frozenset({"date", "datetime"})
_WORKING_DAYS = (0, 1, 2, 3, 4)
_FREE_DAYS = (5, 6)
"""Saturday and Sunday, counted from Monday. A row without a date is in neither."""


def week_part(said: str, facts: DatasetFacts, language: Language) -> Named | None:
    """Return the column that tells working days from weekends, where the question speaks of weekends, the table has one
    column of dates, and no column of its own says so."""
    dated = [column.name for column in facts.columns if column.kind in _DATES]
    told = any(_WEEKEND.search(f"{column.name} {column.samples}") for column in facts.columns if column.kind == "text")
    if len(dated) != 1 or told or _WEEKEND.search(said) is None:
        return None
    day = Bucket(of=Col(name=dated[0]), unit="weekday")
    parts = (("weekend", _FREE_DAYS), ("working_day", _WORKING_DAYS))
    branches = tuple((OneOf(of=day, values=days), Lit(value=text(f"reading.{part}", language))) for part, days in parts)
    return Named(name=text("reading.week_part", language), of=Case(branches=branches, otherwise=Lit(value=None)))
