"""Expressions and conditions of a plan: what a relation computes from a row or tests on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.table import Cell

TimeUnit = Literal[
    "year", "quarter", "month", "week", "day", "hour", "weekday", "month_of_year", "day_of_month", "year_month_day"
]
AggregateName = Literal[
    "count",
    "count_distinct",
    "sum",
    "mean",
    "median",
    "min",
    "max",
    "std",
    "var",
    "mode",
    "range",
    "quantile",
    "first",
    "last",
    "skew",
    "kurtosis",
    "missing",
    "missing_percent",
    "any",
    "all",
]
"""`std` and `var` divide by n - 1, or by n if `argument` is 0. `count` counts the non-empty cells of `of`, or rows
without it; `missing` counts the empty cells. `skew` and `kurtosis` are pandas' bias-corrected ones, or scipy's
population ones if `argument` is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Col:
    """A column, by its name in the relation below."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lit:
    """A constant; dates are ISO text."""

    value: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """A date truncated to a unit. `month` is year and month; `month_of_year` and `weekday` drop the year."""

    of: Expr
    unit: TimeUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Math:
    """Arithmetic on two expressions."""

    op: Literal["+", "-", "*", "/", "%", "**"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Func:
    """A named function of one expression, such as `abs`, `log`, `round`, `length`, `first_number`, `zscore` or
    `rank`; `writing.functions` lists and defines all of them."""

    name: str
    of: Expr
    argument: Cell = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A number assigned to a labelled interval, `edges[i] <= value < edges[i + 1]`."""

    of: Expr
    edges: tuple[float, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """One statistic of a column of the relation (`above the average`), over all rows or those where `where` holds;
    for quantiles `argument` is the fraction."""

    name: AggregateName
    of: Expr
    argument: float | None = None
    where: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The value of the first branch whose condition holds, else `otherwise`."""

    branches: tuple[tuple[Condition, Expr], ...]
    otherwise: Expr


Expr = Col | Lit | Bucket | Math | Func | Cut | Statistic | Case

# ---- conditions ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare:
    """`left op right`. Text is compared ignoring case and surrounding blanks."""

    op: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf:
    """The value is among `values`."""

    of: Expr
    values: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """`low <= value <= high`; None leaves an end open, `high_open` makes the upper end exclusive."""

    of: Expr
    low: Cell
    high: Cell
    high_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """Text contains, starts with or ends with `text`, ignoring case."""

    of: Expr
    how: Literal["contains", "starts", "ends"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """The value is missing."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """The condition does not hold."""

    of: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class AllOf:
    """Every condition holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyOf:
    """At least one condition holds."""

    parts: tuple[Condition, ...]


Condition = Compare | OneOf | Between | Matches | Missing | Not | AllOf | AnyOf
