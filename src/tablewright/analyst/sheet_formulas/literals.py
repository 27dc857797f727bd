"""Constants in formulas: a text never becomes a part of the formula around it."""

from __future__ import annotations

import math
import re

from tablewright.analyst.date_constants import is_day, month_of, year_of
from tablewright.analyst.evaluating.moments import iso_micros, moment_of
from tablewright.analyst.sheet_formulas.base import LOOSEST, NoFormula, Value
from tablewright.domain.table import Cell

_LONGEST = 255
"""Characters of one text in a formula."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
FIRST_YEAR, LAST_YEAR = 1900, 9999


def text(value: str) -> str:
    """Return a text as a constant, in pieces if it is long. Errors: `NoFormula` for what no file can hold."""
    if _CONTROL.search(value):
        raise NoFormula("control characters")
    pieces = [value[start : start + _LONGEST] for start in range(0, len(value), _LONGEST)] or [""]
    written = ['"' + piece.replace('"', '""') + '"' for piece in pieces]
    return written[0] if len(written) == 1 else f"({'&'.join(written)})"


def number(value: float) -> str:
    """Return a number as a constant."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if not math.isfinite(value):
        raise NoFormula("infinite numbers")
    whole = int(value)
    return str(whole) if whole == value and abs(whole) < 10**15 else repr(float(value)).upper()


def literal(value: Cell) -> Value:
    """Return a constant."""
    if value is None:
        return Value(code='""', kind="nothing")
    if isinstance(value, bool):
        return Value(code=number(value), kind="boolean")
    if isinstance(value, str):
        return Value(code=text(value), kind="text")
    found = number(value)
    return Value(code=found, kind="number", level=LOOSEST if found.startswith("-") else 6)


def date(year: int, month: int, day: int) -> str:
    """Return a day. Errors: `NoFormula` for one that a sheet does not know."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise NoFormula(f"the year {year}")
    return f"DATE({year},{month},{day})"


def moment(value: Cell) -> str:
    """Return the day, and the time if there is one, that a constant is. Errors: `NoFormula` if it is no date."""
    micros = iso_micros(str(value).strip())
    if micros is None:
        raise NoFormula(f"the date {value}")
    at = moment_of(micros)
    day = date(at.year, at.month, at.day)
    return f"{day}+TIME({at.hour},{at.minute},{at.second})" if (at.hour, at.minute, at.second) != (0, 0, 0) else day


def span(value: Cell) -> tuple[str, str] | None:
    """Return the first day of the year, month or day that a constant is, and the day after it; None for a moment."""
    year = year_of(value)
    if year is not None:
        return date(year, 1, 1), date(year + 1, 1, 1)
    written = str(value).strip()
    if month := month_of(written):
        found, number_of_month = (int(part) for part in month.split("-"))
        following = (found + 1, 1) if number_of_month == 12 else (found, number_of_month + 1)
        return date(found, number_of_month, 1), date(*following, 1)
    if not is_day(written):
        return None
    first = moment(written)
    return first, f"{first}+1"
