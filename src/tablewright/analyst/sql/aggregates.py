"""Aggregates of one column, with pandas' results for no values: a sum of nothing is 0, a mean of nothing is missing."""

from __future__ import annotations

from sqlglot import exp

from tablewright.analyst.plan import AggregateName
from tablewright.analyst.sql.operands import SqlValue, double, whole
from tablewright.analyst.sql.rows import Unwritable
from tablewright.domain.dataset import ColumnKind

_SPREADS: dict[tuple[AggregateName, bool], type[exp.AggFunc]] = {
    ("std", False): exp.StddevSamp,
    ("std", True): exp.StddevPop,
    ("var", False): exp.Variance,
    ("var", True): exp.VariancePop,
}
_COUNTS = frozenset({"count", "count_distinct", "missing", "missing_percent"})


def aggregated(
    name: AggregateName, of: SqlValue, where: exp.Expr | None, argument: float | None, dialect: str
) -> SqlValue:
    """Return an aggregate of the values, or of those where a condition holds. Raises `Unwritable`."""
    if name in _COUNTS:
        return _counted(name, of, where)
    if name in {"min", "max"} and of.kind != "boolean":
        node = exp.Min if name == "min" else exp.Max
        return of.but(node(this=_restricted(of.of, where)), missing=True)
    if not of.is_number:
        raise Unwritable(f"{name} of {of.kind}")
    kind: ColumnKind = "integer" if of.kind == "integer" and name in {"sum", "range"} else "number"
    return of.but(_computed(name, of, where, argument, dialect), kind, missing=name != "sum")


def counted(where: exp.Expr | None) -> SqlValue:
    """Return the number of rows, or of those where a condition holds."""
    of: exp.Expr = exp.Count(this=exp.Star())
    if where is not None:
        of = exp.Count(this=exp.Case(ifs=[exp.If(this=where, true=exp.Literal.number(1))]))
    return SqlValue(of=of, kind="integer", missing=False)


def _counted(name: AggregateName, of: SqlValue, where: exp.Expr | None) -> SqlValue:
    if name == "count":
        return of.but(exp.Count(this=_restricted(of.of, where)), "integer", missing=False)
    if name == "count_distinct":
        distinct = exp.Distinct(expressions=[_restricted(of.of, where)])
        return of.but(exp.Count(this=distinct), "integer", missing=False)
    if where is not None:
        raise Unwritable("missing values where a condition holds")
    missing = exp.paren(exp.Sub(this=exp.Count(this=exp.Star()), expression=exp.Count(this=of.of.copy())))
    if name == "missing":
        return of.but(missing, "integer", missing=False)
    total = exp.Nullif(this=exp.Count(this=exp.Star()), expression=exp.Literal.number(0))
    part = exp.Mul(this=exp.cast(missing, exp.DataType.Type.DOUBLE), expression=exp.Literal.number(100))
    share = exp.Div(this=part, expression=total, typed=False, safe=False)
    return of.but(share, "number", missing=False)


def _computed(
    name: AggregateName, of: SqlValue, where: exp.Expr | None, argument: float | None, dialect: str
) -> exp.Expr:
    numbers = _restricted(double(of), where)
    match name:
        case "sum":
            added = _restricted(whole(of) if of.kind != "number" else of.of, where)
            return exp.Coalesce(this=exp.Sum(this=added), expressions=[exp.Literal.number(0)])
        case "mean":
            return exp.Avg(this=numbers)
        case "range":
            exact = _restricted(whole(of) if of.kind != "number" else of.of, where)
            return exp.paren(exp.Sub(this=exp.Max(this=exact), expression=exp.Min(this=exact.copy())))
        case "std" | "var":
            if dialect == "sqlite":
                raise Unwritable(name)
            return _SPREADS[name, argument == 0 and argument is not None](this=numbers)
        case "median" | "quantile":
            share = 0.5 if name == "median" or argument is None else argument
            return _quantile(numbers, share, dialect)
        case _:
            raise Unwritable(name)


def _quantile(numbers: exp.Expr, share: float, dialect: str) -> exp.Expr:
    """Return a quantile, interpolated between neighbours."""
    if dialect == "duckdb":
        return exp.Anonymous(this="QUANTILE_CONT", expressions=[numbers, exp.Literal.number(repr(share))])
    if dialect != "postgres":
        raise Unwritable("quantile")
    within = exp.Order(expressions=[exp.Ordered(this=numbers)])
    return exp.WithinGroup(this=exp.PercentileCont(this=exp.Literal.number(repr(share))), expression=within)


def _restricted(of: exp.Expr, where: exp.Expr | None) -> exp.Expr:
    """Return values that are missing where a condition does not hold."""
    if where is None:
        return of.copy()
    return exp.Case(ifs=[exp.If(this=where.copy(), true=of.copy())])
