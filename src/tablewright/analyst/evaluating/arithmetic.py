"""Arithmetic over columns as numpy does it: no error for a division by zero, none for what is missing."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from tablewright.analyst.evaluating.statistics import finite
from tablewright.analyst.evaluating.vectors import Stopped, Values, floated


def each(make: Callable[[Any], Any], values: Values) -> Values:
    """Return what `make` gives for each cell that is not missing; infinite where it is too large."""
    try:
        return floated([None if value is None else make(value) for value in values])
    except OverflowError:
        return [None if value is None else _large(make, value) for value in values]


def _large(make: Callable[[Any], Any], value: Any) -> Any:
    try:
        return make(value)
    except OverflowError:
        return math.inf


def quiet(one: Any, other: Any) -> Any:
    """Return a quotient: infinite or missing where it divides by zero."""
    if one is None or other is None:
        return None
    if other == 0:
        return None if one == 0 else math.copysign(math.inf, one)
    return finite(one / other)


def _remainder(one: Any, other: Any) -> Any:
    return None if other == 0 else finite(one % other)


def _power(one: Any, other: Any) -> Any:
    if type(one) is int and type(other) is int and other < 0:
        raise Stopped("type")
    try:
        found = one**other
    except ZeroDivisionError:
        return math.inf
    except OverflowError:
        return math.inf
    return None if isinstance(found, complex) else found


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": quiet,
    "%": _remainder,
    "**": _power,
}


def computed(op: str, left: Any, right: Any) -> Values:
    """Return `left op right`, each of them cells or one value."""
    make = OPERATORS[op]
    if not isinstance(right, list):
        if right is None:
            return [None] * len(left)
        return floated([None if one is None else make(one, right) for one in left])
    if not isinstance(left, list):
        if left is None:
            return [None] * len(right)
        return floated([None if other is None else make(left, other) for other in right])
    pairs = zip(left, right, strict=True)
    return floated([None if one is None or other is None else make(one, other) for one, other in pairs])


def rounded(value: Any, decimals: int) -> Any:
    """Return a number rounded as numpy does."""
    if not isinstance(value, float) or not math.isfinite(value):
        if isinstance(value, int) and decimals < 0:
            return int(round(value, decimals))
        return value
    power = 10.0 ** abs(decimals)
    if decimals < 0:
        return round(value / power) * power
    scaled = value * power
    return round(scaled) / power if math.isfinite(scaled) else value
