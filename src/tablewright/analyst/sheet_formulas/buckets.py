"""Dates truncated to a unit of time, as the plan writes them: `2024Q1`, `2024-05`, `2024-W07`."""

from __future__ import annotations

from tablewright.analyst.plan import TimeUnit
from tablewright.analyst.sheet_formulas.base import JOINED, NoFormula, Value, ValueKind
from tablewright.analyst.sheet_formulas.literals import text
from tablewright.analyst.writing.buckets import WEEKDAYS
from tablewright.domain.language import Language

_DAY = 'YEAR({d})&"-"&TEXT(MONTH({d}),"00")&"-"&TEXT(DAY({d}),"00")'
_UNITS: dict[TimeUnit, tuple[str, ValueKind]] = {
    "year": ("YEAR({d})", "number"),
    "quarter": ('YEAR({d})&"Q"&ROUNDUP(MONTH({d})/3,0)', "text"),
    "month": ('YEAR({d})&"-"&TEXT(MONTH({d}),"00")', "text"),
    "week": ('YEAR({d}-WEEKDAY({d},2)+4)&"-W"&TEXT(WEEKNUM({d},21),"00")', "text"),
    "day": (_DAY, "text"),
    "year_month_day": (_DAY, "text"),
    "hour": ("HOUR({d})", "number"),
    "month_of_year": ("MONTH({d})", "number"),
    "day_of_month": ("DAY({d})", "number"),
}
_NUMBERS: dict[TimeUnit, str] = {
    "year": "YEAR({d})",
    "quarter": "ROUNDUP(MONTH({d})/3,0)",
    "month": "MONTH({d})",
    "month_of_year": "MONTH({d})",
    "week": "WEEKNUM({d},21)",
    "weekday": "WEEKDAY({d},2)-1",
    "hour": "HOUR({d})",
}


def dated(value: Value) -> str:
    """Return the code of a date. Errors: `NoFormula` for what is none."""
    if value.kind not in {"date", "datetime"}:
        raise NoFormula("dates of other values")
    return value.at(3)


def bucket(value: Value, unit: TimeUnit, language: Language) -> Value:
    """Return a date truncated to `unit`."""
    code = dated(value)
    if unit == "weekday":
        names = ",".join(text(name) for name in WEEKDAYS[language])
        return value.made(f"CHOOSE(WEEKDAY({code},2),{names})", "text")
    template, kind = _UNITS[unit]
    return value.made(template.format(d=code), kind, JOINED if kind == "text" else 6)


def bucket_number(value: Value, unit: TimeUnit) -> Value:
    """Return the number of a date within its unit, without the year where the unit has one."""
    code = _NUMBERS.get(unit, "DAY({d})").format(d=dated(value))
    return value.made(code, "number", 3 if unit == "weekday" else 6)
