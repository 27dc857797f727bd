"""One period compared with the one before: `2024年销售额同比增长多少`, `第四季度的环比增长率`, `revenue growth of Q2
2024 quarter over quarter`."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass, replace
from datetime import date

from tablewright.analyst.linking.mentions import ColumnMention, WordMention
from tablewright.analyst.plan import (
    Aggregate,
    Between,
    Col,
    Combine,
    Compare,
    Condition,
    Derive,
    Filter,
    Lit,
    Math,
    Measure,
    Named,
    Part,
    Relation,
)
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import show
from tablewright.analyst.reading.groups import read_groups
from tablewright.analyst.reading.parse import Clause, Parse, joined
from tablewright.analyst.reading.rankings import Ranking, ranked
from tablewright.domain.dataset import ColumnFacts

_YEAR_BEFORE = re.compile(r"同比|year[ -]o(?:ver|n)[ -]year|\byoy\b|year before|previous year|上一?年|前一年")
_JUST_BEFORE = re.compile(
    r"环比|[比较](?:上一?个?|前一个?)(?:季度|月|周)|(?:quarter|month)[ -]o(?:ver|n)[ -](?:quarter|month)"
    r"|\b[qm]o[qm]\b|previous (?:quarter|month)"
)
_THAN = re.compile(r"比|较|\bthan\b|\bcompared (?:to|with)\b|\bfrom\b.*\bto\b")
_AMOUNT = re.compile(
    r"(?:增长|增加|上升|上涨)得?最[多少](?!.*率)|增长额|增加额|增量|额是多少|多少(?:元|万|亿|单|件|笔)|\bin absolute"
)
_MOST = re.compile(r"最[快大高多]|fastest|most")
_LEAST = re.compile(r"最[慢小低少]|slowest|least")
_YEAR = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Periods:
    """The conditions of a period and of the one it is compared with; `named` if the question names both."""

    clauses: tuple[Clause, ...]
    now: Condition
    before: Condition
    named: bool = False


def since_before(parse: Parse) -> Offer | None:
    """Offer the growth of a named period relative to the same period a year earlier, or to the one just before it."""
    periods = _periods(parse)
    words = parse.words("growth")
    measure = _measure(parse) if periods is not None and words else None
    if periods is None or measure is None:
        return None
    asked = targets(parse)
    groups = read_groups(parse)
    groups = groups or [Named(name=name, of=Col(name=name)) for name in asked]
    if periods.named and not groups:
        return None  # two periods of all rows are left to `contrasts`
    parse.take(*words, *parse.words("now", "wh", "share", "each", "trend", "aggregate", "by", "and"))
    part = _of_groups(parse, periods, measure, groups) if groups else _of_all(parse, periods, measure)
    return Offer(part=part, parse=parse, family="growth", fit=1.05)


def _periods(parse: Parse) -> _Periods | None:
    question = parse.question.lower()
    most = parse.has("superlative") and not _JUST_BEFORE.search(question)
    year = _YEAR_BEFORE.search(question) is not None or (most and parse.has("growth"))
    dated = [clause for clause in parse.clauses if parse.dated(clause.column) or clause.unit == "year"]
    if len(dated) == 2 and dated[0].unit is not None and dated[0].unit == dated[1].unit and _THAN.search(question):
        earlier, later = sorted(dated, key=lambda clause: str(clause.condition))
        return _Periods(clauses=(earlier, later), now=later.condition, before=earlier.condition, named=True)
    if len(dated) != 1 or not (year or _JUST_BEFORE.search(question)):
        return None
    before = _moved(dated[0].condition, year=year)
    if before is None or not _held(before, parse.facts(dated[0].column)):
        return None
    return _Periods(clauses=(dated[0],), now=dated[0].condition, before=before)


def _held(condition: Condition, facts: ColumnFacts) -> bool:
    """Return whether the table reaches back to the period."""
    if facts.minimum is None:
        return True
    if isinstance(condition, Between):
        return str(facts.minimum)[:10] <= str(condition.high)
    year = condition.right.value if isinstance(condition, Compare) and isinstance(condition.right, Lit) else None
    return not isinstance(facts.minimum, int | float) or (isinstance(year, int) and facts.minimum <= year)


def _moved(condition: Condition, *, year: bool) -> Condition | None:
    """Return the condition of the previous period, by whole months or by a year as a number; None if there is no
    such condition."""
    match condition:
        case Between(low=str() as low, high=str() as high):
            first, last = date.fromisoformat(low[:10]), date.fromisoformat(high[:10])
            months = (last.year - first.year) * _YEAR + last.month - first.month + 1
            whole = first.day == 1 and last.day == calendar.monthrange(last.year, last.month)[1]
            if not whole or (months == _YEAR and not year):
                return None
            back = _YEAR if year else months
            start, end = _months_back(first, back), _months_back(last, back)
            end = end.replace(day=calendar.monthrange(end.year, end.month)[1])
            return replace(condition, low=start.isoformat(), high=end.isoformat() + high[10:])
        case Compare(op="=", left=Col(), right=Lit(value=int() as value)) if year:
            return replace(condition, right=Lit(value=value - 1))
        case _:
            return None


def _months_back(day: date, months: int) -> date:
    place = day.year * _YEAR + day.month - 1 - months
    return date(place // _YEAR, place % _YEAR + 1, 1)


def _measure(parse: Parse) -> Measure | None:
    """Return the first amount named, aggregated as its column allows."""
    for mention in parse.free(ColumnMention):
        name = parse.numeric_reading(mention)
        function = aggregate_for(parse.facts(name)) if name is not None else None
        if name is not None and function is not None:
            parse.take(mention)
            return Measure(name=f"{function}_{name}", function=function, of=Col(name=name))
    counts: list[WordMention] = parse.words("count")
    parse.take(*counts)
    return Measure(name="count", function="count") if counts else None


def _op(parse: Parse) -> str:
    return "difference" if _AMOUNT.search(parse.question.lower()) else "percent_change"


def _rows(parse: Parse, periods: _Periods, *chosen: Condition) -> Relation:
    others = [clause for clause in parse.clauses if clause not in periods.clauses]
    there = [replace(periods.clauses[0], condition=condition) for condition in chosen]
    where = joined([*others, *there], [])
    return parse.base() if where is None else Filter(source=parse.base(), where=where)


def _of_all(parse: Parse, periods: _Periods, measure: Measure) -> Part:
    before, now = (
        Aggregate(source=_rows(parse, periods, condition), groups=(), measures=(measure,))
        for condition in (periods.before, periods.now)
    )
    if _op(parse) == "difference":
        return Part(relation=Combine(op="difference", left=now, right=before, name="difference"))
    return Part(relation=Combine(op="percent_change", left=before, right=now, name="growth"))


def _of_groups(parse: Parse, periods: _Periods, measure: Measure, groups: list[Named]) -> Part:
    """Return the growth of each group, or of the one that grew most if that is asked."""
    sides = [
        replace(measure, name=name, where=condition)
        for name, condition in (("before", periods.before), ("now", periods.now))
    ]
    table = Aggregate(source=_rows(parse, periods), groups=tuple(groups), measures=tuple(sides))
    change = Math(op="-", left=Col(name="now"), right=Col(name="before"))
    if _op(parse) == "percent_change":
        change = Math(op="*", left=Math(op="/", left=change, right=Col(name="before")), right=Lit(value=100))
    told = Derive(source=table, columns=(Named(name="growth", of=change),))
    keys = [group.name for group in groups]
    superlatives = parse.words("superlative")
    if superlatives and (_MOST.search(parse.question.lower()) or _LEAST.search(parse.question.lower())):
        parse.take(*superlatives)
        most = _MOST.search(parse.question.lower()) is not None
        top = ranked(told, Ranking(column="growth", descending=most), "growth")
        return show(top, keys, [], measures=["growth"])
    return show(told, [*keys, "growth"], [])
