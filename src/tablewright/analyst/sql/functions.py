"""Named functions of one value: those that servers compute as pandas does."""

from __future__ import annotations

from sqlglot import exp

from tablewright.analyst.plan import Func
from tablewright.analyst.sql.operands import Operands, SqlValue, double, whole
from tablewright.analyst.sql.rows import Key, Scribe, Unwritable, number

_EXACT: dict[str, type[exp.Func]] = {"floor": exp.Floor, "ceil": exp.Ceil}


def function(operands: Operands, expr: Func, scribe: Scribe) -> SqlValue:
    """Return a named function of a value. Raises `Unwritable`."""
    if expr.name == "length":
        text = operands.write(expr.of)
        if text.kind != "text":
            raise Unwritable("length")
        return text.but(exp.Length(this=text.of), "integer")
    value = operands.numbers(expr.of)
    if value.kind == "boolean" or value.constant:
        raise Unwritable(expr.name)
    match expr.name:
        case "abs":
            return value.but(exp.Abs(this=_plain(value)))
        case "square":
            plain = _plain(value)
            return value.but(exp.paren(exp.Mul(this=plain, expression=plain.copy())))
        case "floor" | "ceil":
            return value.but(_EXACT[expr.name](this=double(value)), "number")
        case "sqrt":
            there = exp.GTE(this=value.of.copy(), expression=exp.Literal.number(0))
            root = exp.Case(ifs=[exp.If(this=there, true=exp.Sqrt(this=double(value)))])
            return value.but(root, "number", missing=True)
        case "fill" if isinstance(expr.argument, int | float) and not isinstance(expr.argument, bool):
            filled = exp.Coalesce(this=double(value), expressions=[number(expr.argument)])
            return value.but(filled, "number", missing=False)
        case _:
            return _compared(expr.name, value, scribe)


def _compared(name: str, value: SqlValue, scribe: Scribe) -> SqlValue:
    """Return a value in relation to those of all rows."""
    if name in {"rank", "rank_ascending"}:
        key = Key(of=value.of, descending=name == "rank")
        rank = scribe.window(exp.Rank(), (key,))
        there = exp.Not(this=exp.Is(this=value.of.copy(), expression=exp.Null()))
        return value.but(exp.Case(ifs=[exp.If(this=there, true=double(_whole(rank)))]), "number")
    if name == "center":
        return value.but(
            exp.paren(exp.Sub(this=double(value), expression=scribe.window(exp.Avg(this=double(value))))), "number"
        )
    if name == "minmax":
        low, high = scribe.window(exp.Min(this=double(value))), scribe.window(exp.Max(this=double(value)))
        width = exp.Nullif(this=exp.paren(exp.Sub(this=high, expression=low)), expression=exp.Literal.number(0))
        above = exp.paren(exp.Sub(this=double(value), expression=low.copy()))
        return value.but(
            exp.paren(exp.Div(this=above, expression=width, typed=False, safe=False)), "number", missing=True
        )
    raise Unwritable(name)


def _plain(value: SqlValue) -> exp.Expr:
    return whole(value) if value.kind == "integer" else value.of.copy()


def _whole(of: exp.Expr) -> SqlValue:
    return SqlValue(of=of, kind="integer")
