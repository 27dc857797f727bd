"""Numbers as a report writes them: short, and never more exact than what was measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tablewright.analyst.answering.figures import with_unit
from tablewright.domain.dataset import DatasetFacts

_NOTATIONS = frozenset({"percent", "currency"})
"""Notations whose sign belongs to the number."""
_MOST_DIGITS = 3
"""Digits behind the point where some of several numbers are above 1."""


def number(value: float) -> str:
    """Return a number with separated thousands and about four digits: 1,234,567 · 1,235 · 12.35 · 0.01235."""
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) >= 1:
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    return f"{value:.3g}"


def numbers(values: Sequence[float], *, cents: bool = False) -> list[str]:
    """Return numbers of one kind, all with as many digits behind the point as those need that need most: 12.5 and 3.0.

    With `cents` these are two, or none.
    """
    digits = max(map(_digits, values), default=0)
    if digits > _MOST_DIGITS and max(map(abs, values)) >= 1:
        digits = _MOST_DIGITS
    if cents:
        digits = 2 if digits else 0
    written = [f"{value:,.{digits}f}" for value in values]
    while not cents and digits and all(text.endswith("0") for text in written):
        digits -= 1
        written = [f"{value:,.{digits}f}" for value in values]
    return written


def _digits(value: float) -> int:
    if not math.isfinite(value) or float(value).is_integer() or abs(value) >= 1000:
        return 0
    return 2 if abs(value) >= 1 else 2 - math.floor(math.log10(abs(value)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Numbers of the columns of a table, with the currency or percent sign that the cells have: `units` by the names
    of the columns, `money` those that are amounts of money."""

    units: Mapping[str, str] = field(default_factory=dict[str, str])
    money: frozenset[str] = frozenset()

    def alike(self, column: str, values: Sequence[float]) -> list[str]:
        """Return values of a column, all with the same number of digits."""
        written = numbers(values, cents=column in self.money)
        return [with_unit(text, self.units.get(column)) for text in written]

    def one(self, column: str, value: float) -> str:
        """Return a value of a column."""
        return self.alike(column, [value])[0]


PLAIN = Figures()


def figures_of(facts: DatasetFacts) -> Figures:
    """Return how numbers of the columns of a table are written."""
    signed = [column for column in facts.columns if column.notation in _NOTATIONS and column.unit]
    return Figures(
        units={column.name: column.unit for column in signed if column.unit},
        money=frozenset(column.name for column in signed if column.notation == "currency"),
    )


def percent(share: float) -> str:
    """Return a share as percent: 34 % is 34%, small ones with a digit more."""
    return f"{share:.1%}" if abs(share) < 0.1 else f"{share:.0%}"


def change(share: float) -> str:
    """Return a relative change with its sign."""
    return f"{'+' if share > 0 else '-'}{percent(abs(share))}"


def probability(p: float) -> str:
    """Return a p-value with its sign of comparison: `= 0.003` or `< 0.0001`."""
    return "< 0.0001" if p < 0.0001 else f"= {p:.2g}"
