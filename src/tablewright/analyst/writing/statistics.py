"""Aggregates as code: over a whole column, and as arguments of `groupby(...).agg`."""

from __future__ import annotations

from tablewright.analyst.plan import AggregateName
from tablewright.analyst.writing.literals import literal

_WHOLE: dict[AggregateName, str] = {
    "count": "{x}.count()",
    "count_distinct": "{x}.nunique()",
    "sum": "{x}.sum()",
    "mean": "{x}.mean()",
    "median": "{x}.median()",
    "min": "{x}.min()",
    "max": "{x}.max()",
    "std": "{x}.std({ddof})",
    "var": "{x}.var({ddof})",
    "mode": "next(iter({x}.mode()), np.nan)",
    "range": "{x}.max() - {x}.min()",
    "quantile": "{x}.quantile({argument})",
    "first": "next(iter({x}.dropna()), np.nan)",
    "last": "next(iter({x}.dropna()[::-1]), np.nan)",
    "skew": "{x}.skew()",
    "kurtosis": "{x}.kurt()",
    "missing": "{x}.isna().sum()",
    "missing_percent": "{x}.isna().mean() * 100",
    "any": "{x}.any()",
    "all": "{x}.all()",
}

_POPULATION: dict[AggregateName, str] = {
    "skew": "stats.skew({x}.dropna())",
    "kurtosis": "stats.kurtosis({x}.dropna())",
}
"""Higher moments without the correction for sample bias."""

_BY_NAME: dict[AggregateName, str] = {
    "count": "count",
    "count_distinct": "nunique",
    "sum": "sum",
    "mean": "mean",
    "median": "median",
    "min": "min",
    "max": "max",
    "std": "std",
    "var": "var",
    "first": "first",
    "last": "last",
    "skew": "skew",
    "any": "any",
    "all": "all",
}

COUNTING: frozenset[AggregateName] = frozenset({"count", "count_distinct", "missing"})
MISSING: frozenset[AggregateName] = frozenset({"missing", "missing_percent"})
SPREADS: frozenset[AggregateName] = frozenset({"std", "var", "skew", "kurtosis"})
"""Aggregates that a single value does not have."""
UNTYPED: frozenset[AggregateName] = COUNTING | {"missing_percent", "mode", "first", "last"}
"""Aggregates that take a column of any kind; all others need numbers or dates."""


def statistic(name: AggregateName, series: str, argument: float | None) -> str:
    """Return the code of one aggregate over `series`."""
    if name in _POPULATION and argument == 0:
        return _POPULATION[name].format(x=series)
    return _WHOLE[name].format(x=series, argument=literal(0.5 if argument is None else argument), ddof=_ddof(argument))


def group_function(name: AggregateName, argument: float | None) -> str:
    """Return the code of an aggregate as it stands in `agg(new=(column, …))`."""
    if name in _BY_NAME and not (name in {"std", "var", "skew"} and argument == 0):
        return f'"{_BY_NAME[name]}"'
    return f"lambda values: {statistic(name, 'values', argument)}"


def missing_marks(name: AggregateName, series: str) -> tuple[str, str]:
    """Return the code of a column of marks for the missing cells of `series`, and what groups do with them."""
    return (f"{series}.isna()", '"sum"') if name == "missing" else (f"{series}.isna() * 100", '"mean"')


def _ddof(argument: float | None) -> str:
    return "ddof=0" if argument == 0 and argument is not None else ""
