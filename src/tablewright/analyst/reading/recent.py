"""Periods that end with the last day of the table: `最近三个月的销售额`, `orders of the last 30 days`."""

from __future__ import annotations

import re
from datetime import date, timedelta

from tablewright.analyst.linking.mentions import RowsMention
from tablewright.analyst.linking.text import fold
from tablewright.analyst.plan import Between, Col, Compare, Condition, Lit
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.domain.dataset import ColumnFacts

_NUMBERS = {word: number for number, word in enumerate("一二三四五六七八九十", start=1)} | {
    "两": 2, "十二": 12, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9,
    "ten": 10, "twelve": 12,
}  # fmt: skip
_CHINESE = re.compile(
    r"(?:最近|过去|(?<![最附接])近)的?\s*(?P<n>\d+|十二|[一二两三四五六七八九十])?\s*个?(?P<unit>天|日|周|星期|月"
    r"|季度|半年|年)(?:内|里|之内|以内|以来|间)?"
)
_ENGLISH = re.compile(
    r"\b(?:last|past|latest|most recent|previous)\s+(?P<n>\d+|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|twelve)\s+(?P<unit>day|week|month|quarter|year)s?\b"
)
_DAYS = {"天": 1, "日": 1, "day": 1, "周": 7, "星期": 7, "week": 7}
_MONTHS = {"月": 1, "month": 1, "季度": 3, "quarter": 3, "半年": 6, "年": 12, "year": 12}
_YEAR = 12


def read_recent(parse: Parse) -> None:
    """Take a period counted back from the last day in the table, in whole months or in days."""
    match = _CHINESE.search(fold(parse.question)) or _ENGLISH.search(fold(parse.question))
    inside = [place for place, token in enumerate(parse.tokens) if match and match.start() <= token.start < match.end()]
    if match is None or not inside:
        return
    said = match["n"] or "1"
    count = int(said) if said.isdigit() else _NUMBERS[said]
    for facts in parse.table.facts.columns:
        condition = _condition(facts, count, match["unit"])
        if condition is None:
            continue
        start, end = inside[0], inside[-1] + 1
        parse.clauses.append(Clause(condition=condition, start=start, end=end, column=facts.name))
        words = RowsMention(start=start, end=end, score=0.8, column=None)
        parse.mentions.append(words)
        parse.take_span(start, end)
        return


def _condition(facts: ColumnFacts, count: int, unit: str) -> Condition | None:
    of = Col(name=facts.name)
    if facts.kind in {"date", "datetime"} and facts.maximum is not None:
        last = date.fromisoformat(str(facts.maximum)[:10])
        return Between(of=of, low=_first(last, count, unit).isoformat(), high=None)
    yearly = facts.kind == "integer" and isinstance(facts.maximum, int) and isinstance(facts.minimum, int)
    years = yearly and unit in {"年", "year"} and count > 1
    if years and 1800 <= facts.minimum <= facts.maximum <= 2100:  # type: ignore[operator]
        return Compare(op=">", left=of, right=Lit(value=int(facts.maximum) - count))  # type: ignore[arg-type]
    return None


def _first(last: date, count: int, unit: str) -> date:
    """Return the first day of a period that ends with the day, or the month, of `last`."""
    if unit in _DAYS:
        return last - timedelta(days=count * _DAYS[unit] - 1)
    place = last.year * _YEAR + last.month - count * _MONTHS[unit]
    return date(place // _YEAR, place % _YEAR + 1, 1)
