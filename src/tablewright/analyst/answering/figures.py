"""Numbers and cells formatted for a person."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tablewright.analyst.plan import Col, Combine, Measure, Plan, Share, Shift
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table import Cell

_BEFORE = frozenset("$¥￥€£₹")
_KEEPS_UNIT = frozenset({"sum", "mean", "median", "min", "max", "range", "std", "quantile", "first", "last", "mode"})
_LEAST_MONEY = 0.01
_LABEL = re.compile(
    r"(^|[\W_])(id|code|no|zip|phone|year|years|index|rank|season)([\W_]|$)|编号|代码|号码|年|序号|邮编|电话|学号|工号",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Formats cells by their column: `units` maps column names to units, `labels` are columns whose numbers are
    names, `money` those that are amounts of money."""

    units: dict[str, str] = field(default_factory=dict[str, str])
    labels: frozenset[str] = frozenset()
    money: frozenset[str] = frozenset()

    def cell(self, value: Cell, column: str = "", decimals: int | None = None) -> str:
        """Return `value` with its unit, and with thousands separators if it is a quantity."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return "–" if value is None else " ".join(str(value).split())
        if column in self.labels:
            return f"{value:g}" if isinstance(value, float) and not value.is_integer() else str(int(value))
        money = column in self.money and decimals is None and abs(value) >= _LEAST_MONEY
        written = amount(value) if money else number(value, decimals)
        return with_unit(written, self.units.get(column))


def amount(value: float) -> str:
    """Return an amount of money: with two digits behind the point, or none."""
    return f"{value:,.2f}" if math.isfinite(value) and round(value, 2) % 1 else number(round(value, 2))


def number(value: float, decimals: int | None = None) -> str:
    """Return a formatted number: integers as such, others to `decimals` or as many digits as their size warrants,
    without trailing zeros."""
    if not math.isfinite(value):
        return "–"
    if float(value).is_integer() and abs(value) < 1e15:
        return _grouped(f"{int(value)}")
    if decimals is None and abs(value) < 1:
        return f"{value:.4g}"
    digits = f"{value:.{2 if decimals is None else decimals}f}"
    return _grouped(digits.rstrip("0").rstrip(".") if "." in digits else digits)


def _grouped(digits: str) -> str:
    whole, dot, rest = digits.partition(".")
    if len(whole.lstrip("-")) < 5:
        return digits
    return f"{int(whole):,}{dot}{rest}"


def with_unit(figure: str, unit: str | None) -> str:
    """Return a number with its unit: currency signs before it, all others after it."""
    if not unit or figure == "–":
        return figure
    if unit in _BEFORE:
        return f"-{unit}{figure[1:]}" if figure.startswith("-") else f"{unit}{figure}"
    if unit == "%" or not unit[0].isascii():
        return f"{figure}{unit}"
    return f"{figure} {unit}"


def figures_of(plan: Plan, datasets: Sequence[DatasetFacts]) -> Figures:
    """Return the formatter for the columns of a plan's results."""
    units: dict[str, str] = {}
    labels: set[str] = set()
    money: set[str] = set()
    for dataset in datasets:
        for column in dataset.columns:
            if column.unit:
                units[column.name] = column.unit
            if column.notation == "currency":
                money.add(column.name)
            if column.kind in {"integer", "number"} and _LABEL.search(column.name):
                labels.add(column.name)
    for node in nodes(plan):
        if not isinstance(node, Measure):
            continue
        unit = units.get(node.of.name) if isinstance(node.of, Col) and node.function in _KEEPS_UNIT else None
        if unit is not None and isinstance(node.of, Col):
            units[node.name] = unit
            money |= {node.name} if node.of.name in money else set()
        elif not isinstance(node.of, Col) or node.function not in _KEEPS_UNIT:
            units.pop(node.name, None)
            labels.discard(node.name)
            money.discard(node.name)
    units.update(dict.fromkeys(_percents(plan), "%"))
    return Figures(units=units, labels=frozenset(labels), money=frozenset(money))


def _percents(plan: Plan) -> set[str]:
    found: set[str] = set()
    for node in nodes(plan):
        if (
            (isinstance(node, Share) and node.percent)
            or (isinstance(node, Shift) and node.how == "growth")
            or (isinstance(node, Combine) and node.op in {"percent", "percent_change"})
            or (isinstance(node, Measure) and node.function == "missing_percent")
        ):
            found.add(node.name)
    return found
