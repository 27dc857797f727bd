"""Dates truncated to a unit of time."""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.plan import TimeUnit
from tablewright.analyst.writing.coded import Coded
from tablewright.analyst.writing.literals import call, listed
from tablewright.domain.dataset import ColumnKind
from tablewright.domain.language import Language

WEEKDAYS: dict[Language, tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
}

_UNITS: dict[TimeUnit, tuple[str, ColumnKind]] = {
    "year": ("dt.year", "integer"),
    "quarter": ('dt.to_period("Q").astype("str")', "text"),
    "month": ('dt.strftime("%Y-%m")', "text"),
    "week": ('dt.strftime("%G-W%V")', "text"),
    "day": ('dt.strftime("%Y-%m-%d")', "text"),
    "year_month_day": ('dt.strftime("%Y-%m-%d")', "text"),
    "hour": ("dt.hour", "integer"),
    "month_of_year": ("dt.month", "integer"),
    "day_of_month": ("dt.day", "integer"),
}


def bucket(dates: Coded, unit: TimeUnit, language: Language) -> Coded:
    """Return the dates as a year, `2024Q1`, `2024-05`, `2024-W07`, `2024-05-01`, an hour 0-23, an ordered weekday
    name, a month 1-12 or a day of the month."""
    if unit == "weekday":
        days = listed(WEEKDAYS[language])
        code = call(
            "pd.Categorical.from_codes",
            [f'{dates.bracketed}.dt.dayofweek.fillna(-1).astype("int")', days, "ordered=True"],
        )
        series = f"pd.Series({code}, index={dates.bracketed}.index)"
        return replace(dates.but(series, "text"), array=code)
    code, kind = _UNITS[unit]
    return dates.but(f"{dates.bracketed}.{code}", kind)


def weekday_number(name: str) -> int | None:
    """Return 0 for Monday … 6 for Sunday from a weekday's name in either language; None if it is no weekday."""
    folded = name.strip().lower()
    for number, english in enumerate(WEEKDAYS["en"]):
        if len(folded) >= 3 and english.lower().startswith(folded):
            return number
    for prefix in ("星期", "礼拜", "周"):
        if folded.startswith(prefix) and len(folded) == len(prefix) + 1:
            return "一二三四五六日".find(folded[-1].replace("天", "日"))
    return None
