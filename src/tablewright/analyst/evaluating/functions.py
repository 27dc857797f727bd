"""The named functions of `writing.functions`, computed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from tablewright.analyst.evaluating.arithmetic import computed, each, quiet, rounded
from tablewright.analyst.evaluating.conversion import first_numbers, last_numbers, whole_numbers
from tablewright.analyst.evaluating.ranks import ranks
from tablewright.analyst.evaluating.statistics import deviation, mean
from tablewright.analyst.evaluating.vectors import Stopped, Values, Vector, unsupported
from tablewright.analyst.plan import Expr, Func, Math
from tablewright.analyst.writing.functions import NUMERIC, SCALAR, SECONDS, TEXTUAL

_SECOND = 1_000_000
"""Moments are numbers of microseconds."""


class Operands(Protocol):
    """Computes what a function takes."""

    def write(self, expr: Expr) -> Vector: ...
    def numbers(self, expr: Expr) -> Vector: ...
    def dates(self, expr: Expr) -> Vector: ...
    def texts(self, expr: Expr) -> Vector: ...
    def series(self, found: Vector) -> Vector: ...


def function(operands: Operands, expr: Func) -> Vector:
    """Return the values of a named function."""
    if expr.name in SECONDS and isinstance(expr.of, Math):
        return _elapsed(operands, expr.of, SECONDS[expr.name])
    if expr.name in TEXTUAL:
        text = operands.series(operands.texts(expr.of))
        values = [value if isinstance(value, str) else None for value in text.values]
        return text.but(_textual(expr)(values), TEXTUAL[expr.name][1])
    if expr.name in {"first_number", "last_number", "number", "codes"}:
        return _reading(operands, expr)
    x = operands.numbers(expr.of)
    if x.scalar and expr.name in SCALAR:
        return x.but(_NUMERIC[expr.name](expr.argument)([x.value])[0], "number")
    if expr.name not in NUMERIC:
        raise unsupported(f"function:{expr.name}")
    x = operands.series(x)
    kind = x.kind if expr.name in {"abs", "square", "fill"} else "number"
    return x.but(_NUMERIC[expr.name](expr.argument)(x.values), kind)


def _elapsed(operands: Operands, between: Math, size: int) -> Vector:
    left, right = operands.dates(between.left), operands.dates(between.right)
    if left.scalar or right.scalar:
        raise unsupported("date_constant")
    apart = each(lambda value: value / _SECOND, computed("-", left.values, right.values))
    return replace(left.but(each(lambda value: value / size, apart), "number"), unit=None, missing=True)


def _reading(operands: Operands, expr: Func) -> Vector:
    found = operands.series(operands.write(expr.of))
    if expr.name == "codes":
        return found.but(_codes(found), "integer")
    if found.is_number:
        return found
    read = {"first_number": first_numbers, "last_number": last_numbers, "number": whole_numbers}[expr.name]
    return found.but(read(found.values), "number")


def _codes(found: Vector) -> Values:
    values = found.values
    present = {value for value in values if value is not None}
    order = found.order or {value: place for place, value in enumerate(sorted(present))}
    return [-1 if value is None else order[value] for value in values]


Over = Callable[[Values], Values]


def _plain(make: Callable[[Any], Any]) -> Callable[[Any], Over]:
    return lambda _argument: lambda values: each(make, values)


def _log(argument: Any) -> Over:
    def make(value: Any) -> Any:
        return None if value <= 0 else math.log(value) if argument is None else math.log(value) / math.log(argument)

    return lambda values: each(make, values)


def _zscores(argument: Any) -> Over:
    def make(values: Values) -> Values:
        present = [value for value in values if value is not None]
        middle, spread = mean(present), deviation(present, argument)
        return each(lambda value: quiet(value - middle, spread), values)

    return make


def _minmax(_argument: Any) -> Over:
    def make(values: Values) -> Values:
        present = [value for value in values if value is not None]
        low, reach = min(present, default=0), max(present, default=0) - min(present, default=0)
        return each(lambda value: quiet(value - low, reach), values)

    return make


def _center(_argument: Any) -> Over:
    def make(values: Values) -> Values:
        middle = mean([value for value in values if value is not None])
        return each(lambda value: value - middle, values)

    return make


def _percentiles(_argument: Any) -> Over:
    def make(values: Values) -> Values:
        count = len(values) - values.count(None)
        return each(lambda rank: rank / count, ranks(values, method="average"))

    return make


def _rolling_mean(argument: Any) -> Over:
    width = argument if isinstance(argument, int) else int(argument or 0)

    def make(values: Values) -> Values:
        windows = [values[max(place - width + 1, 0) : place + 1] for place in range(len(values))]
        return [mean(window) if len(window) == width and None not in window else None for window in windows]

    if width <= 0 or width > 1000:
        raise unsupported("rolling_mean")
    return make


def _filled(argument: Any) -> Over:
    value = 0 if argument is None else argument
    return lambda values: [value if one is None else one for one in values]


_NUMERIC: dict[str, Callable[[Any], Over]] = {
    "abs": _plain(abs),
    "exp": _plain(math.exp),
    "square": _plain(lambda value: value * value),
    "sign": _plain(lambda value: type(value)((value > 0) - (value < 0))),
    "floor": _plain(lambda value: float(math.floor(value)) if math.isfinite(value) else value),
    "ceil": _plain(lambda value: float(math.ceil(value)) if math.isfinite(value) else value),
    "log": _log,
    "log10": _plain(lambda value: math.log10(value) if value > 0 else None),
    "log2": _plain(lambda value: math.log2(value) if value > 0 else None),
    "log1p": _plain(lambda value: math.log1p(value) if value > -1 else -math.inf if value == -1 else None),
    "sqrt": _plain(lambda value: math.sqrt(value) if value >= 0 else None),
    "cbrt": _plain(math.cbrt),
    "round": lambda argument: lambda values: each(lambda value: rounded(value, int(argument or 0)), values),
    "zscore": _zscores,
    "minmax": _minmax,
    "center": _center,
    "rank": lambda _argument: lambda values: ranks(values, descending=True),
    "rank_ascending": lambda _argument: ranks,
    "percentile": _percentiles,
    "fill": _filled,
    "rolling_mean": _rolling_mean,
}


def _extracting(pattern: str) -> Over:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise Stopped("type") from error

    def make(text: str) -> str | None:
        found = compiled.search(text)
        return None if found is None else found[1]

    return lambda values: each(make, values)


_TEXTUAL: dict[str, Over] = {
    "length": lambda values: each(len, values),
    "letters": lambda values: each(lambda text: len(re.findall(r"\S", text)), values),
    "words": lambda values: each(lambda text: len(re.findall(r"\S+", text)), values),
    "lower": lambda values: each(str.lower, values),
    "upper": lambda values: each(str.upper, values),
    "strip": lambda values: each(str.strip, values),
    "initial": lambda values: each(lambda text: text.strip()[:1] or None, values),
    "first_word": _extracting(r"(\S+)"),
    "last_word": _extracting(r"(\S+)\s*$"),
    "title": _extracting(r"([A-Za-z]+\.)"),
}


def _textual(expr: Func) -> Over:
    return _extracting(str(expr.argument)) if expr.name == "extract" else _TEXTUAL[expr.name]
