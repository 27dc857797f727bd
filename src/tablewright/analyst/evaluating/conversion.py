"""Cells in another form: text as numbers, anything as text, as pandas does it."""

from __future__ import annotations

import re
from typing import Any

from tablewright.analyst.evaluating.moments import Moment, moment_of, whole_days
from tablewright.analyst.evaluating.vectors import Values, floated
from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.loading import LIMIT, unit_pattern
from tablewright.domain.spans import span_number

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_WORDS = {"inf": float("inf"), "infinity": float("inf"), "nan": None}
_FIRST = re.compile(r"(-?\d[\d,]*\.?\d*)")
_LAST = re.compile(r"(-?\d[\d,]*\.?\d*)\D*$")


def number_of_text(text: str) -> float | int | None:
    """Return the number that a text is, None if it is none."""
    text = text.strip()
    if _WHOLE.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    sign = -1.0 if text.startswith("-") else 1.0
    word = _WORDS.get(text.lstrip("+-").lower())
    return None if word is None else sign * word


def _mapped(values: Values, make: Any) -> Values:
    """Return what `make` gives for each cell, as numbers of one type."""
    known = {value: None if value is None else make(value) for value in set(values)}
    return one_type([known[value] for value in values])


def one_type(values: Values) -> Values:
    """Return numbers as floats, unless all are whole and none is missing; truth values stay so."""
    types = set(map(type, values))
    if types <= {int} or types <= {bool, type(None)}:
        return values
    return [value if value is None or type(value) is float else float(value) for value in values]


def parsed(values: Values, column: ColumnFacts, decimal: str | None) -> Values:
    """Return the texts of a number column, in its notation, as numbers."""
    if not any(isinstance(value, str) for value in values):
        return one_type(values)
    spans = column.clean.spans if column.clean is not None else None
    if spans is not None:
        return _mapped(values, lambda value: span_number(str(value), spans))
    unit, pattern = column.unit, unit_pattern(column)
    wide = None if pattern is None else re.compile(pattern)
    group = re.compile(r"[.\s'’]" if decimal == "," else r"[,\s'’]")
    powers = column.clean.powers if column.clean is not None else ()
    limit = re.compile(LIMIT) if column.clean is not None and column.clean.limits else None
    signed = isinstance(column.minimum, int | float) and column.minimum < 0

    def number(value: Any) -> float | int | None:
        text = limit.sub("", str(value)) if limit else str(value)
        if unit:
            text = wide.sub("", text) if wide else text.replace(unit, "")
        text = group.sub("", text)
        if decimal == ",":
            text = text.replace(",", ".")
        for word, exponent in powers:
            text = text.replace(word, f"e{exponent}")
        if signed:
            text = re.sub(r"[−–]", "-", text)
            text = re.sub(r"^[(（](.*)[)）]$", r"-\1", text)
        return number_of_text(text)

    return _mapped(values, number)


def whole_numbers(values: Values) -> Values:
    """Return the number that each whole cell is, beside commas."""
    return _mapped(as_text(values), lambda text: number_of_text(text.replace(",", "")))


def first_numbers(values: Values) -> Values:
    """Return the first number in each text."""
    return _mapped(as_text(values), lambda text: _found(_FIRST, text))


def last_numbers(values: Values) -> Values:
    """Return the last number in each text."""
    return _mapped(as_text(values), lambda text: _found(_LAST, text))


def _found(pattern: re.Pattern[str], text: str) -> float | int | None:
    found = pattern.search(text)
    if found is None:
        return None
    plain = found[1].replace(",", "")
    return float(plain) if "." in plain else int(plain)


def as_text(values: Values) -> Values:
    """Return cells as pandas writes them."""
    if all(map(_is_text, set(map(type, values)))):
        return values
    return [None if value is None else value if isinstance(value, str) else _text(value) for value in floated(values)]


def _is_text(kind: type) -> bool:
    return kind is str or kind is type(None)


def _text(value: Any) -> str:
    if isinstance(value, Moment):
        return str(moment_of(value))
    if isinstance(value, float) and value.is_integer() and 1e15 <= abs(value) < 1e16:
        return f"{value:.1f}"
    return str(value)


def dates_as_text(values: Values) -> Values:
    """Return dates as pandas writes them: days if all are at midnight."""
    form = "%Y-%m-%d" if whole_days(values) else "%Y-%m-%d %H:%M:%S"
    return [None if value is None else _date(value, form) for value in values]


def _date(value: int, form: str) -> str:
    found = moment_of(value)
    return found.strftime(form) + (f".{found.microsecond:06}" if "%S" in form and found.microsecond else "")
