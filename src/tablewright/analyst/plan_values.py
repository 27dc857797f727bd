"""Values and conditions of a plan: what a relation computes from a row, or asks of it."""

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
"""`std` and `var` divide by n - 1 unless `argument` is 0 (then by n). `missing` counts the empty cells of the column.
`count` with `of` counts the cells that are not empty, without it rows. `skew` and `kurtosis` are pandas' own, corrected
for a sample, unless `argument` is 0 (then of the population, as scipy has them)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Col:
    """A column, by its name in the relation below."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lit:
    """A constant; dates as ISO text."""

    value: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """A date cut to a unit (`month` is year and month; `month_of_year`, `weekday` forget the year)."""

    of: Expr
    unit: TimeUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Math:
    """Arithmetic on two values."""

    op: Literal["+", "-", "*", "/", "%", "**"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Func:
    """A named function of one value: `abs`, `log`, `log1p`, `sqrt`, `round`, `length`, `lower`, `first_number`, `zscore`, `minmax`, `rank`."""

    name: str
    of: Expr
    argument: Cell = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A number put into a labelled interval, `edges[i] <= value < edges[i + 1]`."""

    of: Expr
    edges: tuple[float, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """One value from a column of the relation (`above the average`), of all rows or those where `where` holds;
    `argument` is the quantile."""

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
    """`left op right`. Text is compared without case and outer blanks."""

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
    """`low <= value <= high`; an open end is None; `high_open` makes the upper end exclusive."""

    of: Expr
    low: Cell
    high: Cell
    high_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """Text contains, starts or ends with `text`, without case."""

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
