"""Change over time: `销售额的环比增长率`, `sales growth by month`, `cumulative sales`, each period relative to the one
before."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention
from tablewright.analyst.plan import Aggregate, Bucket, Col, Drawing, Measure, Named, Part, Relation, Shift, Sort
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.groups import bucket, read_groups
from tablewright.analyst.reading.parse import Parse

_STRETCHES = (
    (re.compile(r"year[ -]o(?:ver|n)[ -]year|\byoy\b|annual|yearly|同比"), "year"),
    (re.compile(r"quarter[ -]o(?:ver|n)[ -]quarter|\bqoq\b|quarterly|季度环比"), "quarter"),
    (re.compile(r"month[ -]o(?:ver|n)[ -]month|\bmom\b|monthly"), "month"),
    (re.compile(r"week[ -]o(?:ver|n)[ -]week|\bwow\b|weekly"), "week"),
)
_OF_THINGS = re.compile(r"(?:which|who)\b(?! (?:year|quarter|month|week|day))|哪[个家些位](?!月|年|季|周|星期)|谁")
"""Questions for one of several things, each of which has a growth of its own."""


def growth(parse: Parse) -> Offer | None:
    """Offer a growth rate or a running sum over time."""
    words = parse.words("growth", "cumulative")
    measures = [mention for mention in parse.free(ColumnMention) if parse.numeric_reading(mention)]
    if not words or not measures or _OF_THINGS.match(parse.question.lower().strip()):
        return None
    column = parse.numeric_reading(measures[0]) or measures[0].column
    stretch = _stretch(parse)
    groups = [stretch.group] if stretch else read_groups(parse) or _by_month(parse)
    if len(groups) != 1 or not _over_time(parse, groups[0]) or _one_period(parse, groups[0]):
        return None
    parse.take(*words, *measures, *parse.words("trend", "aggregate", "wh", "each", "chart"))
    running = words[0].code == "cumulative"
    measure = Measure(name=f"sum_{column}", function="sum", of=Col(name=column))
    relation: Relation = Aggregate(source=parse.source(), groups=tuple(groups), measures=(measure,))
    relation = Sort(source=relation, keys=((groups[0].name, False),))
    name = "cumulative" if running else "growth"
    relation = Shift(
        source=relation,
        column=measure.name,
        name=name,
        how="cumulative" if running else "growth",
        periods=stretch.periods if stretch else 1,
    )
    drawing = Drawing(kind="line", x=groups[0].name, y=name)
    return Offer(part=Part(relation=relation, drawing=drawing), parse=parse, family="growth", fit=1.03)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    """Periods, each compared with the one `periods` before it."""

    group: Named
    periods: int = 1


def _stretch(parse: Parse) -> _Stretch | None:
    """Return the periods that are compared: `year over year`, `同比`, `month over month`. None if the question names
    none."""
    dated = next((column.name for column in parse.table.facts.columns if column.kind in {"date", "datetime"}), None)
    said = parse.question.lower()
    match = next((found for found in (pattern.search(said) for pattern, _ in _STRETCHES) if found), None)
    if dated is None or match is None:
        return None
    unit = next(unit for pattern, unit in _STRETCHES if pattern.search(said))
    inside = [place for place, token in enumerate(parse.tokens) if match.start() <= token.start < match.end()]
    words = RowsMention(start=inside[0], end=inside[-1] + 1, score=0.8, column=None)
    parse.mentions.append(words)
    parse.take_span(words.start, words.end)
    of_months = unit == "year" and re.search(r"月|month", said) is not None
    return _Stretch(group=bucket(dated, "month" if of_months else unit), periods=12 if of_months else 1)


def _one_period(parse: Parse, group: Named) -> bool:
    """Return whether the conditions select a single period, so that there is none before it."""
    unit = group.of.unit if isinstance(group.of, Bucket) else None
    return unit is not None and sum(1 for clause in parse.clauses if clause.unit == unit) == 1


def _by_month(parse: Parse) -> list[Named]:
    dated = next((column.name for column in parse.table.facts.columns if column.kind in {"date", "datetime"}), None)
    return [bucket(dated, "month")] if dated else []


def _over_time(parse: Parse, group: Named) -> bool:
    return isinstance(group.of, Bucket) or parse.dated(group.name) or "year" in group.name.lower() or "年" in group.name
