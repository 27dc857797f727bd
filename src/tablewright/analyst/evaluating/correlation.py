"""Coefficients of correlation with their two-sided p-values."""

from __future__ import annotations

import math

from tablewright.analyst.evaluating.ranks import ranks
from tablewright.analyst.evaluating.statistics import mean, total
from tablewright.analyst.evaluating.vectors import Stopped, Values

METHODS = frozenset({"pearson", "spearman"})


def coefficient(first: Values, second: Values, method: str) -> tuple[float | None, float | None]:
    """Return the coefficient of two columns without missing cells, and its p-value; None where it has none.

    Raises `Stopped` for less than two rows."""
    if len(first) < 2:
        raise Stopped("type")
    if method == "spearman":
        first, second = ranks(first, method="average"), ranks(second, method="average")
    found = _pearson(first, second)
    if found is None:
        return None, None
    count = len(first)
    if count == 2:
        return round(found), 1.0 if method == "pearson" else None
    if 1 - abs(found) < 1e-15:
        return found, 0.0
    return found, _p_value(found, count - 2)


def _pearson(first: Values, second: Values) -> float | None:
    one, other = mean(first), mean(second)
    ours, theirs = [value - one for value in first], [value - other for value in second]
    spread = math.sqrt(total([a * a for a in ours])) * math.sqrt(total([b * b for b in theirs]))
    if not spread or len(set(first)) == 1 or len(set(second)) == 1:
        return None
    found = total([a * b for a, b in zip(ours, theirs, strict=True)]) / spread
    return max(-1.0, min(1.0, float(found)))


def _p_value(found: float, free: int) -> float:
    """Return the probability of a coefficient at least so large by chance, from Student's distribution."""
    squared = found * found * free / (1 - found * found)
    return _beta(free / (free + squared), free / 2, 0.5)


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function."""
    if x <= 0 or x >= 1:
        return min(max(x, 0.0), 1.0)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1), tiny)
    found = d
    for step in range(1, 400):
        twice = a + 2 * step
        for part in (
            step * (b - step) * x / ((twice - 1) * twice),
            -(a + step) * (a + b + step) * x / (twice * (twice + 1)),
        ):
            d = 1 / _away(1 + part * d, tiny)
            c = _away(1 + part / c, tiny)
            found *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return found


def _away(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny
