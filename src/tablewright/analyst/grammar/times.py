"""Candidate tests of dates: in a period, before or after it, between two of them, on a day of the week."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from tablewright.analyst.grammar.columns import ColumnView
from tablewright.analyst.grammar.scene import ColumnLink, Scene, gap
from tablewright.analyst.grammar.semantics import ConditionPart, Features, Word, mask_of
from tablewright.analyst.linking.mentions import PeriodMention
from tablewright.analyst.linking.periods import in_year, last_day
from tablewright.analyst.plan import AllOf, Between, Bucket, Col, Compare, Condition, Lit, OneOf

_NEAR = 2
_RANGE = 3
_TO = frozenset({"to", "-", "–", "~", "至", "到", "through", "till", "and"})
_DAY_SIGNS = frozenset("日号")
MOST_COLUMNS = 3


def time_conditions(scene: Scene) -> Iterator[ConditionPart]:
    """Yield the tests of dates, for each date column that is named or may be implied."""
    for column, link, features in _dates(scene):
        periods = [in_year(period, column.only_year) for period in scene.periods]
        for period, said_so in zip(periods, scene.periods, strict=True):
            yield from _tests(scene, column, link, features, period, said_so)
            for whole, span in _days(scene, period):
                where = _between(column, whole.low, whole.high) if whole.low and whole.high else None
                if where is not None:
                    yield _part(column, link, span, period.start, (*features, ("condition:span", 1.0)), where)
        for first, second in pairwise(periods):
            if 0 < second.start - first.end <= _RANGE and first.low and second.high and first.low <= second.high:
                where = _between(column, first.low, second.high)
                if where is not None:
                    said = (*features, ("condition:span", 1.0))
                    yield _part(column, link, mask_of(first.start, second.end), first.start, said, where)
        yield from _weekdays(scene, column, link, features)


def _dates(scene: Scene) -> Iterator[tuple[ColumnView, ColumnLink | None, Features]]:
    dated = [column for column in scene.columns if column.role == "date" or column.year][:MOST_COLUMNS]
    for place, column in enumerate(dated):
        alone = float(len(dated) == 1)
        yield column, None, (("implied:date", 1.0), ("implied:date_only", alone), ("implied:date_place", float(place)))
        for link in scene.links:
            if link.column is column:
                yield column, link, (("link:loss", 1 - link.score), ("date:named", 1.0))


def _part(
    column: ColumnView, link: ColumnLink | None, mask: int, start: int, features: Features, where: Condition
) -> ConditionPart:
    words = mask | (link.mask if link else 0)
    return ConditionPart(mask=words, features=features, where=where, column=column.name, start=start)


def _days(scene: Scene, first: PeriodMention) -> Iterator[tuple[PeriodMention, int]]:
    """Yield the days from one to another of which only the number is said, `3 to 9 May` or `5月3号到9号`, with their
    words."""
    if first.day is None or first.low is None:
        return
    for number in scene.numbers:
        joined = scene.tokens[first.end : number.start] or scene.tokens[number.end : first.start]
        if not isinstance(number.value, int) or not joined or len(joined) > _NEAR:
            continue
        if any(token.norm not in _TO for token in joined):
            continue
        other = replace(first, day=number.value, start=number.start, end=number.end)
        ends = (first, other) if number.start > first.start else (other, first)
        last = last_day(int(first.low[:4]), int(first.low[5:7]))
        if 0 < number.value <= last and (ends[0].day or 0) < (ends[1].day or 0):
            low, high = (f"{first.low[:8]}{one.day:02}" for one in ends)
            end = ends[1].end + (ends[1].end < len(scene.tokens) and scene.tokens[ends[1].end].norm in _DAY_SIGNS)
            yield replace(first, low=low, high=high), mask_of(ends[0].start, end)


def _tests(
    scene: Scene,
    column: ColumnView,
    link: ColumnLink | None,
    features: Features,
    period: PeriodMention,
    said_so: PeriodMention,
) -> Iterator[ConditionPart]:
    """Yield the tests of a period, as it is `said_so` and with the only year that the column has."""
    span = mask_of(period.start, period.end)
    if link is not None and link.mask & span:
        return
    inside = _inside(column, said_so)
    if inside is not None:
        yield _part(column, link, span, period.start, (*features, ("condition:period", 1.0)), inside)
    for word in scene.of("before", "after", "compare"):
        near = gap(word.start, word.end, period.start, period.end) <= _NEAR and not word.mask & span
        if not near or _apart(scene, word, period) or period.low is None or period.high is None:
            continue
        early = word.type == "before" or word.meaning in {"<", "<="}
        included = word.meaning in {">=", "<="}
        where = _side(column, period.low, period.high, early=early, included=included)
        if where is not None:
            said = (*features, ("condition:since", 1.0))
            yield _part(column, link, span | word.mask, period.start, said, where)


def _apart(scene: Scene, word: Word, period: PeriodMention) -> bool:
    """Return whether another period stands between a word and a period: `from March to May` is not `from May`."""
    first, last = min(word.end, period.end), max(word.start, period.start)
    return any(first <= other.start and other.end <= last for other in scene.periods)


def _side(column: ColumnView, low: str, high: str, *, early: bool, included: bool) -> Condition | None:
    edge = (high if included else low) if early else (low if included else high)
    value: str | int = int(edge[:4]) if column.year else edge
    if early:
        return Compare(op="<=" if included else "<", left=Col(name=column.name), right=Lit(value=value))
    return Compare(op=">=" if included else ">", left=Col(name=column.name), right=Lit(value=value))


def _inside(column: ColumnView, period: PeriodMention) -> Condition | None:
    if period.low is not None and period.high is not None:
        return _between(column, period.low, period.high)
    if column.year or not (period.month or period.months):
        return None
    of = Col(name=column.name)
    months = period.months or ((period.month,) if period.month else ())
    test: Condition
    if len(months) > 1:
        test = OneOf(of=Bucket(of=of, unit="month_of_year"), values=tuple(months))
    else:
        test = Compare(op="=", left=Bucket(of=of, unit="month_of_year"), right=Lit(value=months[0]))
    if period.day is None:
        return test
    day = Compare(op="=", left=Bucket(of=of, unit="day_of_month"), right=Lit(value=period.day))
    return AllOf(parts=(test, day))


def _between(column: ColumnView, low: str, high: str) -> Condition | None:
    of = Col(name=column.name)
    if column.year:
        first, last = int(low[:4]), int(high[:4])
        if not (low.endswith("01-01") and high.endswith("12-31")):
            return None
        if first == last:
            return Compare(op="=", left=of, right=Lit(value=first))
        return Between(of=of, low=first, high=last)
    if low == high:
        return Compare(op="=", left=of, right=Lit(value=low))
    if low[:4] == high[:4] and low.endswith("01-01") and high.endswith("12-31"):
        return Compare(op="=", left=of, right=Lit(value=low[:4]))
    return Between(of=of, low=low, high=high)


def _weekdays(scene: Scene, column: ColumnView, link: ColumnLink | None, features: Features) -> Iterator[ConditionPart]:
    if column.year:
        return
    days = [word for word in scene.of("weekday_name") if not (link and link.mask & word.mask)]
    for word in days:
        numbers = tuple(int(day) for day in word.meaning.split(","))
        where = OneOf(of=Bucket(of=Col(name=column.name), unit="weekday"), values=numbers)
        said = (*features, ("condition:weekday", 1.0))
        yield _part(column, link, word.mask, word.start, said, where)
