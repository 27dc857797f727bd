"""Conditions on dates and years; periods that only name the table are taken as context."""

from __future__ import annotations

import calendar
import itertools
import re
from typing import Literal, cast

from tablewright.analyst.linking.mentions import ColumnMention, PeriodMention, TableMention, WordMention
from tablewright.analyst.plan import (
    AllOf,
    AnyOf,
    Between,
    Bucket,
    Col,
    Compare,
    Condition,
    Func,
    Lit,
    Matches,
    OneOf,
    TimeUnit,
)
from tablewright.analyst.reading.comparisons import bare_number
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.domain.dataset import ColumnFacts

_MONTH_NAME = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_YEAR_TEXT = r"(?<!\d)((?:1[5-9]|20)\d\d)(?!\d)"
_YEAR = re.compile(_YEAR_TEXT)
_CHANGE = re.compile(
    r"\b(?:chang|grow|grew|increas|decreas|ris|rose|fall|fell|drop|declin|improv)\w*|变化了?多少|(?:增长|增加|下降"
    r"|减少|上升)了?(?:多少|百分)"
)
"""Words for a change between two periods, which therefore are not the ends of a range."""
_CONNECTORS = frozenset({"and", "to", "-", "~", "–", "至", "到", "与", "和", "until", "through", "till"})

_UNITS: dict[int, TimeUnit | None] = {1: "month", 3: "quarter", 6: None}
_UNITS_OF_ANY_YEAR: dict[int, TimeUnit | None] = {1: "month_of_year", 3: "quarter", 6: None}


def read_periods(parse: Parse) -> None:
    """Take all dates: ranges first, then single ones, with `before` or `after` or alone."""
    for mention in parse.free(TableMention):
        parse.take(mention)
    periods = list(parse.free(PeriodMention))
    for low, high in itertools.pairwise(periods):
        if low.low is None and high.low is None and _is_range(parse, low, high):
            _month_range(parse, low, high)
        elif low.low is not None and high.high is not None and _is_range(parse, low, high):
            _add(parse, low, low.low, high.high, low.start, high.end)
            parse.take(low, high, parse.before(low.start, WordMention, 2, "between"))
            parse.take(parse.after(high.end, WordMention, 2, "between.end"))
    for period in list(parse.free(PeriodMention)):
        _single(parse, period)


def _month_range(parse: Parse, low: PeriodMention, high: PeriodMention) -> None:
    """Take a range of months in any year: `1月到3月`, `from March to May`."""
    column = _date_column(parse, low)
    if column is None or not parse.dated(column) or not low.months or not high.months:
        return
    months = tuple(range(low.months[0], high.months[-1] + 1)) or (
        *range(low.months[0], 13),
        *range(1, high.months[-1] + 1),
    )
    condition = OneOf(of=Bucket(of=Col(name=column), unit="month_of_year"), values=months)
    parse.clauses.append(Clause(condition=condition, start=low.start, end=high.end, column=column))
    parse.take(low, high, parse.before(low.start, WordMention, 2, "between"))
    parse.take(parse.after(high.end, WordMention, 2, "between.end"))


def _is_range(parse: Parse, low: PeriodMention, high: PeriodMention) -> bool:
    between = {token.norm for token in parse.tokens[low.end : high.start]}
    if not between & _CONNECTORS or high.start - low.end > 3 or _CHANGE.search(parse.question.lower()):
        return False
    opener = parse.before(low.start, WordMention, 2, "between")
    starts_from = low.start > 0 and parse.tokens[low.start - 1].norm in {"from", "从", "between"}
    closer = parse.after(high.end, WordMention, 2, "between.end")
    return bool(opener or starts_from or closer or between & {"-", "~", "to", "至", "到", "–", "until", "through"})


def _single(parse: Parse, period: PeriodMention) -> None:
    before = parse.before(period.start, WordMention, 2, "before") or parse.after(period.end, WordMention, 0, "before")
    after = parse.before(period.start, WordMention, 2, "after") or parse.after(period.end, WordMention, 0, "after")
    compare = parse.before(period.start, WordMention, 1, "compare")
    low, high = period.low, period.high
    if before is not None:
        inclusive = parse.gap(before.start, before.end) in {"until", "till", "up until"}
        low, high = None, (period.high if inclusive else f"<{period.low}") if period.low else "<=" if inclusive else "<"
    elif after is not None:
        inclusive = parse.gap(after.start, after.end) in {"since", "以来", "自从"}
        low, high = (
            ((period.low if inclusive else f">{period.high}") if period.low else ">=" if inclusive else ">"),
            None,
        )
    if _add(parse, period, low, high, period.start, period.end):
        parse.take(period, before, after, compare)


def _add(parse: Parse, period: PeriodMention, low: str | None, high: str | None, start: int, end: int) -> bool:
    column = _date_column(parse, period)
    if column is None:
        return False
    condition = _condition(parse.facts(column), period, low, high)
    if condition is None:
        return False
    near = parse.before(start, ColumnMention, 3)
    if near is not None and near.column == column:
        parse.take(near)
    unit = period_unit(period) if (low, high) == (period.low, period.high) else None
    parse.clauses.append(Clause(condition=condition, start=start, end=end, column=column, unit=unit))
    return True


def period_unit(period: PeriodMention) -> TimeUnit | None:
    """Return the unit of time that a period spans; None for a decade."""
    if period.day is not None:
        return "day"
    if period.months:
        return _UNITS[len(period.months)] if period.low is not None else _UNITS_OF_ANY_YEAR[len(period.months)]
    return "year" if period.low is not None and period.high is not None and period.low[:4] == period.high[:4] else None


def _date_column(parse: Parse, period: PeriodMention) -> str | None:
    """Return the column said beside the date, else the first column of dates or years whose range covers it, else
    the first of a suitable kind; None without one."""
    near = parse.before(period.start, ColumnMention, 4)
    if near is not None and (
        _holds_time(parse.facts(near.column), period) or _years_in(parse.facts(near.column), period)
    ):
        return near.column
    fitting = [column for column in parse.table.facts.columns if _holds_time(column, period)]
    covering = [column for column in fitting if _covers(column, period)]
    chosen = covering or fitting
    return chosen[0].name if chosen else None


def _holds_time(column: ColumnFacts, period: PeriodMention) -> bool:
    if column.kind in {"date", "datetime"}:
        return True
    year_only = period.low is not None and not period.months
    if column.kind in {"integer", "number"}:
        low, high = column.minimum, column.maximum
        years = isinstance(low, int | float) and isinstance(high, int | float) and 1700 <= low <= high <= 2100
        return years and year_only
    return column.kind in {"text", "mixed"} and _texts_hold(column, period)


def _years_in(column: ColumnFacts, period: PeriodMention) -> bool:
    """Return whether most texts of a column contain a year: `built before 1900` for a column Built with `c. 1790`
    and `1862–1865`."""
    if period.low is None or period.months or column.kind not in {"text", "mixed"}:
        return False
    told = [sample for sample in column.samples if sample is not None]
    return len([sample for sample in told if _YEAR.search(str(sample))]) * 2 > len(told)


def _texts_hold(column: ColumnFacts, period: PeriodMention) -> bool:
    """Return whether the text samples of a column contain years, or months for a period without a year."""
    if period.low is None:
        months = [sample for sample in column.samples if _MONTH_NAME.search(str(sample))]
        return len(period.months) == 1 and period.day is None and len(months) > len(column.samples) // 2
    with_year = [sample for sample in column.samples if any(year in str(sample) for year in ("19", "20", "18"))]
    digits = [sample for sample in with_year if sum(character.isdigit() for character in str(sample)) >= 4]
    named = any(word in column.name.lower() for word in ("year", "date", "season", "年", "时间", "日期"))
    return named and len(digits) >= max(1, len(column.samples) // 2)


def _covers(column: ColumnFacts, period: PeriodMention) -> bool:
    if period.low is None or period.high is None or column.minimum is None or column.maximum is None:
        return True
    if (
        column.kind in {"integer", "number"}
        and isinstance(column.minimum, int | float)
        and isinstance(column.maximum, int | float)
    ):
        return column.minimum <= int(period.low[:4]) <= column.maximum
    return str(column.minimum)[:10] <= period.high and str(column.maximum)[:10] >= period.low


def _condition(column: ColumnFacts, period: PeriodMention, low: str | None, high: str | None) -> Condition | None:
    of = Col(name=column.name)
    if column.kind in {"integer", "number"}:
        return _years(of, low, high)
    if period.low is None and (low or high):
        return _beyond(of, period, low or high or "") if column.kind in {"date", "datetime"} else None
    if column.kind in {"text", "mixed"}:
        if period.low is None:
            return _month_in_text(of, period)
        if low is not None and high is not None and low[:4] == high[:4]:
            return Matches(of=of, how="contains", text=period.text.strip() if bare_number(period) is None else low[:4])
        return _years(Func(name="number", of=Func(name="extract", of=of, argument=_YEAR_TEXT)), low, high)
    if period.low is None:
        return _without_year(of, period)
    if high is not None and high.startswith("<"):
        return Compare(op="<", left=of, right=Lit(value=high[1:]))
    if low is not None and low.startswith(">"):
        return Compare(op=">", left=of, right=Lit(value=_end_of_day(low[1:])))
    if column.kind == "datetime" and high is not None:
        high = _end_of_day(high)
    return Between(of=of, low=low, high=high)


def _end_of_day(day: str) -> str:
    return f"{day}T23:59:59"


def _years(of: Col | Func, low: str | None, high: str | None) -> Condition:
    if high is not None and high.startswith("<"):
        return Compare(op="<", left=of, right=Lit(value=int(high[1:5])))
    if low is not None and low.startswith(">"):
        return Compare(op=">", left=of, right=Lit(value=int(low[1:5])))
    if low is not None and high is not None and low[:4] == high[:4]:
        return Compare(op="=", left=of, right=Lit(value=int(low[:4])))
    return Between(of=of, low=int(low[:4]) if low else None, high=int(high[:4]) if high else None)


def _month_in_text(of: Col, period: PeriodMention) -> Condition | None:
    """Return the condition for a month named in text that is not parsed as a date (`Thu., Feb. 6`)."""
    if period.month is None or period.day is not None:
        return None
    return Matches(of=of, how="contains", text=calendar.month_abbr[period.month])


def _beyond(of: Col, period: PeriodMention, operator: str) -> Condition | None:
    """Return the condition for before or after a month or day, in any year."""
    if period.month is None or len(period.months) > 1:
        return None
    strict = cast("Literal['<', '<=', '>', '>=']", operator if period.day is None else operator[0])
    month = Bucket(of=of, unit="month_of_year")
    past = Compare(op=strict, left=month, right=Lit(value=period.month))
    if period.day is None:
        return past
    same = Compare(op="=", left=month, right=Lit(value=period.month))
    day = Compare(
        op=cast("Literal['<', '<=', '>', '>=']", operator),
        left=Bucket(of=of, unit="day_of_month"),
        right=Lit(value=period.day),
    )
    return AnyOf(parts=(past, AllOf(parts=(same, day))))


def _without_year(of: Col, period: PeriodMention) -> Condition | None:
    """Return the condition for a month, quarter, half-year or day, in any year."""
    if len(period.months) > 1:
        return OneOf(of=Bucket(of=of, unit="month_of_year"), values=period.months)
    if period.month is None:
        return None
    month = Compare(op="=", left=Bucket(of=of, unit="month_of_year"), right=Lit(value=period.month))
    if period.day is None:
        return month
    return AllOf(parts=(month, Compare(op="=", left=Bucket(of=of, unit="day_of_month"), right=Lit(value=period.day))))
