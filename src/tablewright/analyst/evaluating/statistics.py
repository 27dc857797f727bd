"""Aggregates over the cells of a column, or of a group, as pandas computes them; missing cells do not count."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tablewright.analyst.evaluating.vectors import Order, Stopped, Values
from tablewright.analyst.plan import AggregateName


def statistic(name: AggregateName, values: Values, argument: float | None, order: Order | None = None) -> Any:
    """Return one aggregate of `values`, None if it has none. Raises TypeError for cells that have no such aggregate."""
    if name == "missing":
        return values.count(None)
    if name == "missing_percent":
        return values.count(None) / len(values) * 100 if values else None
    present = [value for value in values if value is not None] if None in values else values
    return of_present(name, present, argument, order)


def of_present(name: AggregateName, present: Values, argument: float | None, order: Order | None = None) -> Any:
    """Return an aggregate of cells none of which is missing."""
    if name in {"min", "max", "mode"} and order is not None:
        return _ordered(name, present, order)
    if name in {"quantile", "std", "var", "skew", "kurtosis"}:
        return _WITH_ARGUMENT[name](present, argument)
    return _PLAIN[name](present)


def total(values: Values) -> Any:
    """Return the sum, exact for floats. Raises TypeError for text."""
    try:
        if values and type(values[0]) is float:
            return math.fsum(values)
        return sum(values)
    except (OverflowError, ValueError):
        return finite(sum(values))


def finite(value: Any) -> Any:
    """Return a number, None for NaN."""
    return None if value != value else value  # noqa: PLR0124


def mean(values: Values) -> Any:
    """Return the mean, None of no cells."""
    if not values:
        return None
    return finite(total(values) / len(values))


def median(values: Values) -> Any:
    """Return the median, None of no cells."""
    return quantile(values, 0.5)


def quantile(values: Values, argument: float | None) -> Any:
    """Return the quantile `argument` (the median without one), interpolated between neighbours."""
    if not values:
        return None
    arranged = sorted(values)
    place = (len(arranged) - 1) * (0.5 if argument is None else argument)
    low = math.floor(place)
    high = min(low + 1, len(arranged) - 1)
    one, other = arranged[low], arranged[high]
    if one == other or place == low:
        return float(one)
    share = place - low
    if share < 0.5:
        return one + (other - one) * share
    return other - (other - one) * (1 - share)


def variance(values: Values, argument: float | None = None) -> float | None:
    """Return the variance, divided by n - 1, or by n if `argument` is 0."""
    free = len(values) - (0 if argument == 0 and argument is not None else 1)
    if free <= 0:
        return None
    middle = total(values) / len(values)
    return total([float((value - middle) ** 2) for value in values]) / free  # type: ignore[no-any-return]


def deviation(values: Values, argument: float | None = None) -> float | None:
    """Return the standard deviation, as `variance`."""
    found = variance(values, argument)
    return None if found is None else math.sqrt(found)


def _moments(values: Values) -> tuple[int, float, float, float]:
    middle = total(values) / len(values)
    apart = [float(value - middle) for value in values]
    second, third, fourth = (float(total([one**power for one in apart]) / len(values)) for power in (2, 3, 4))
    return len(values), second, third, fourth


def skewness(values: Values, argument: float | None = None) -> float | None:
    """Return the skewness, corrected for bias as pandas does, or plain if `argument` is 0."""
    plain = argument == 0 and argument is not None
    if len(values) < (1 if plain else 3):
        return None
    count, second, third, _ = _moments(values)
    if second <= 1e-14:
        return None if plain else 0.0
    found = float(third / second**1.5)
    return found if plain else found * math.sqrt(count * (count - 1)) / (count - 2)


def kurtosis(values: Values, argument: float | None = None) -> float | None:
    """Return the excess kurtosis, corrected for bias as pandas does, or plain if `argument` is 0."""
    plain = argument == 0 and argument is not None
    if len(values) < (1 if plain else 4):
        return None
    n, second, _, fourth = _moments(values)
    if second <= 1e-14:
        return None if plain else 0.0
    found = fourth / second**2
    if plain:
        return found - 3
    return ((n + 1) * found - 3 * (n - 1)) * (n - 1) / ((n - 2) * (n - 3))


def modes(values: Values, order: Order | None = None) -> Values:
    """Return the most frequent values, ascending."""
    counts = Counter(values)
    most = max(counts.values(), default=0)
    found = [value for value, count in counts.items() if count == most]
    return sorted(found, key=None if order is None else order.__getitem__)


def _ordered(name: AggregateName, present: Values, order: Order) -> Any:
    if name == "mode":
        return next(iter(modes(present, order)), None)
    choose: Callable[..., Any] = min if name == "min" else max
    return choose(present, key=order.__getitem__, default=None)


def _range(values: Values) -> Any:
    if not values:
        return None
    if isinstance(values[0], bool):
        raise Stopped("type")
    return max(values) - min(values)


def duration(value: int) -> str:
    """Return a length of time as pandas writes it."""
    passed = timedelta(microseconds=value)
    rest = passed - timedelta(days=passed.days)
    return f"{passed.days} days {str(rest).rjust(8, '0')}"


_PLAIN: dict[AggregateName, Callable[[Values], Any]] = {
    "count": len,
    "count_distinct": lambda values: len(set(values)),
    "sum": total,
    "mean": mean,
    "median": median,
    "min": lambda values: min(values, default=None),
    "max": lambda values: max(values, default=None),
    "mode": lambda values: next(iter(modes(values)), None),
    "range": _range,
    "first": lambda values: values[0] if values else None,
    "last": lambda values: values[-1] if values else None,
    "any": any,
    "all": all,
}
_WITH_ARGUMENT: dict[AggregateName, Callable[[Values, float | None], Any]] = {
    "quantile": quantile,
    "std": deviation,
    "var": variance,
    "skew": skewness,
    "kurtosis": kurtosis,
}
