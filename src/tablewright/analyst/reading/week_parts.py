"""Working days and weekends, which a question may presume if the table has dates."""

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
"""Saturday and Sunday, counting from Monday as 0. A row without a date belongs to neither part of the week."""


def week_part(said: str, facts: DatasetFacts, language: Language) -> Named | None:
    """Return the column that separates working days from weekends. None unless the question mentions weekends and
    the table has exactly one column of dates and no such column of its own."""
    dated = [column.name for column in facts.columns if column.kind in _DATES]
    told = any(_WEEKEND.search(f"{column.name} {column.samples}") for column in facts.columns if column.kind == "text")
    if len(dated) != 1 or told or _WEEKEND.search(said) is None:
        return None
    day = Bucket(of=Col(name=dated[0]), unit="weekday")
    parts = (("weekend", _FREE_DAYS), ("working_day", _WORKING_DAYS))
    branches = tuple((OneOf(of=day, values=days), Lit(value=text(f"reading.{part}", language))) for part, days in parts)
    return Named(name=text("reading.week_part", language), of=Case(branches=branches, otherwise=Lit(value=None)))
