"""What was understood, said shortly in the language of the asker."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.analyst.date_words import named_date
from tablewright.analyst.grammar.aggregating import joined
from tablewright.analyst.grammar.composed import Parts
from tablewright.analyst.grammar.durations import SIZES, clock_of
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.semantics import MeasurePart, OrderPart
from tablewright.analyst.plan import (
    AllOf,
    AnyOf,
    Between,
    Bucket,
    Col,
    Compare,
    Condition,
    Expr,
    Func,
    Lit,
    Matches,
    Math,
    Missing,
    Not,
    OneOf,
    Statistic,
)
from tablewright.texts.catalogue import text

_ARITHMETIC = {"*": "×", "/": "÷", "-": "−"}
_SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥"}
MOST_VALUES = 4
_RANKED = frozenset(
    {
        "opposites",
        "extreme_opposites",
        "of_first",
        "step_most",
        "against_most",
        "best",
        "best_each",
        "extreme",
        "extreme_each",
        "nested",
        "top_share",
    }
)


def said(frame: str, parts: Parts, names: Names, *, charted: bool) -> str:
    """Return what a reading understands."""
    where = _where(parts, names)
    if where and parts.measure is not None and parts.measure.kind == "rate":
        where = names.say("among_rows", tests=_tests(parts, names))
    chart = names.say("chart") if charted else ""
    return f"{_asked(frame, parts, names)}{where}{_sorted(parts, names, frame)}{chart}"


def _asked(frame: str, parts: Parts, names: Names) -> str:
    comma = names.say("comma")
    columns = comma.join(part.column for part in parts.projections)
    keys = comma.join(names.key(key) for key in parts.keys)
    if parts.measure is None:
        return _shown(frame, parts, names, columns)
    what = _measure(parts.measure, names)
    if frame in _SAID:
        return _SAID[frame](parts, what, keys, names)
    if parts.second is not None:
        what = names.say("and").join((what, _measure(parts.second, names)))
    if frame in {"having", "having_count"} and parts.having is not None and parts.having.than:
        op = _SIGNS.get(parts.having.op, parts.having.op)
        return names.say("having_mean", keys=keys, what=what, op=op)
    if frame == "top_share" and parts.order is not None:
        rank = names.say("max_rank" if parts.order.descending else "min_rank")
        return names.say("top_share", keys=keys, what=what, count=str(parts.order.count or 1), rank=rank)
    if frame in {"having", "having_count"} and parts.having is not None:
        op = _SIGNS.get(parts.having.op, parts.having.op)
        return names.say(frame, keys=keys, what=what, op=op, value=f"{parts.having.value:g}")
    if frame in {"best", "best_each"} and parts.order is not None:
        rank = _rank(parts.order, names)
        count = parts.order.count or 1
        top = names.say("top", count=str(count)) if count > 1 else ""
        return top + names.say("best", what=keys, rank=rank, measure=what)
    if frame in {"difference", "change", "steps"} and parts.operator is not None:
        what = names.say(parts.operator.name, what=what)
    return names.say("per", what=what, keys=keys) if keys else what


def _opposites(parts: Parts, what: str, keys: str, names: Names) -> str:
    first, last = (_rank(order, names) if order else "" for order in (parts.inner, parts.order))
    return names.say("opposites", what=keys, first=first, last=last, measure=what)


def _of_rows(parts: Parts, what: str, _keys: str, names: Names) -> str:
    if parts.operator is not None:
        rows = names.say(f"look_{parts.operator.name}", count=parts.operator.option)
        return names.say("of_rows", what=what, rows=rows)
    order = parts.order
    by = _inner(order, names) if order is not None else ""
    return f"{what}{by}"


def _than_rows(parts: Parts, what: str, _keys: str, names: Names) -> str:
    operator = parts.operator
    if operator is None:
        return what
    op = names.say("more" if operator.option == ">" else "less")
    return names.say("of_rows", what=what, rows=names.say("than_rows", by=operator.columns[0], op=op))


def _against_most(parts: Parts, what: str, keys: str, names: Names) -> str:
    falls = parts.operator is not None and parts.operator.option == "down"
    first = parts.order is None or parts.order.descending != falls
    rank = names.say("max_rank" if first else "min_rank")
    return names.say("best", what=keys, rank=rank, measure=names.say("growth", what=what))


def _against_more(parts: Parts, what: str, keys: str, names: Names) -> str:
    falls = parts.operator is not None and parts.operator.option in {"min", "down"}
    op = names.say("less" if falls else "more")
    if parts.having is not None:
        op = f"{op} ({_SIGNS.get(parts.having.op, parts.having.op)} {parts.having.value:g})"
    return names.say("against_more", what=what, keys=keys, op=op)


_SAID: dict[str, Callable[[Parts, str, str, Names], str]] = {
    "opposites": _opposites,
    "of_first": _of_rows,
    "of_head": _of_rows,
    "step_most": lambda _parts, what, keys, names: names.say("step_most", what=what, keys=keys),
    "exists": lambda _parts, _what, _keys, names: names.say("exists"),
    "mean_each": lambda _parts, what, keys, names: names.say("mean_each", what=what, keys=keys),
    "shares": lambda _parts, what, keys, names: names.say("shares", keys=keys, what=what),
    "verdict_yes": lambda _parts, what, _keys, names: names.say("verdict", what=what),
    "than_row_count": _than_rows,
    "against_each": lambda _parts, what, keys, names: names.say("per", what=names.say("growth", what=what), keys=keys),
    "against_most": _against_most,
    "against_more": _against_more,
    "verdict": lambda _parts, what, _keys, names: names.say("verdict", what=what),
}


def _shown(frame: str, parts: Parts, names: Names, columns: str) -> str:
    if frame == "look" and parts.operator is not None:
        return names.say(f"look_{parts.operator.name}", count=parts.operator.option)
    if frame in {"streak", "rising"}:
        return names.say(frame, columns=columns)
    if frame == "than_row" and parts.operator is not None:
        op, by = parts.operator.option, parts.operator.columns[0]
        return names.say("than_row", columns=columns, by=by, op=names.say("more" if op == ">" else "less"))
    if frame == "alike":
        return names.say("alike", columns=columns, keys=parts.keys[0].column)
    if frame == "extreme_opposites" and parts.order is not None:
        return _opposites(parts, parts.order.by or "", columns, names)
    if frame in {"extreme", "extreme_each", "nested"} and parts.order is not None:
        rank = _rank(parts.order, names)
        count = parts.order.count or 1
        top = names.say("top", count=str(count)) if count > 1 else ""
        found = top + names.say("best", what=columns, rank=rank, measure=parts.order.by or "")
        found = names.say("per", what=found, keys=names.key(parts.keys[0])) if parts.keys else found
        return found + (_inner(parts.inner, names) if parts.inner is not None else "")
    if frame == "joined":
        return names.say("joined")
    if frame == "never":
        return names.say("never", columns=names.say("comma").join(names.key(key) for key in parts.keys))
    if frame in {"related", "neighbour", "position"} and parts.operator is not None:
        name = parts.operator.name
        return names.say(f"row_{name}" if frame == "position" else name, columns=columns)
    return names.say("list", columns=columns)


def _rank(order: OrderPart, names: Names) -> str:
    """Return which end of an order is meant, and how many are passed over."""
    rank = names.say("max_rank" if order.descending else "min_rank")
    return names.say("rank_after", rank=rank, place=str(order.offset + 1)) if order.offset else rank


def _inner(order: OrderPart, names: Names) -> str:
    rank = _rank(order, names)
    return names.say("among_top", count=str(order.count or 1), rank=rank, by=order.by or "")


def _measure(part: MeasurePart, names: Names) -> str:
    if part.kind == "rate" and part.where is not None:
        tests = tested(part.where, names)
        if part.of is None:
            return names.say("share_of_rows", tests=tests)
        return names.say("share_of_total", tests=tests, column=_expr(part.of, names))
    if part.kind == "ratio" and part.of is not None and part.below is not None:
        if part.function == "count":
            sides = (names.say("rows_with", column=_expr(side, names)) for side in (part.of, part.below))
            return " / ".join(sides)
        return f"{_expr(part.of, names)} / {_expr(part.below, names)}"
    if part.kind == "aggregate" and part.of is not None and not isinstance(part.of, Col):
        return names.say(part.function, column=_expr(part.of, names))
    return names.measure(part)


def _where(parts: Parts, names: Names) -> str:
    return names.say("where", tests=_tests(parts, names)) if parts.conditions else ""


def _tests(parts: Parts, names: Names) -> str:
    where = joined(parts.conditions, parts.alternatives)
    return "" if where is None else tested(where, names)


def _sorted(parts: Parts, names: Names, frame: str) -> str:
    if parts.order is None or frame in _RANKED:
        return ""
    by = parts.order.by or (names.measure(parts.measure) if parts.measure else parts.list_order)
    return names.say("sorted", by=f"{by} {'↓' if parts.order.descending else '↑'}")


def tested(where: Condition, names: Names) -> str:
    """Return a condition in words."""
    if (named := named_date(where, names.language)) is not None:
        code, time, dated = named
        return text(code, names.language, of=_expr(dated.of, names), time=time)
    match where:
        case Compare():
            sign = _SIGNS.get(where.op, where.op)
            return f"{_expr(where.left, names)} {sign} {_expr(where.right, names)}"
        case OneOf():
            values = [str(value) for value in where.values[:MOST_VALUES]]
            more = "…" if len(where.values) > MOST_VALUES else ""
            listed = names.say("or").join(values) + more
            return names.say("among", column=_expr(where.of, names), values=listed)
        case Between():
            return names.say("between", column=_expr(where.of, names), low=str(where.low), high=str(where.high))
        case Matches():
            return names.say("contains", column=_expr(where.of, names), value=where.text)
        case Missing():
            return names.say("missing_test", column=_expr(where.of, names))
        case Not():
            return names.say("not", test=tested(where.of, names))
        case AllOf() | AnyOf():
            word = names.say("and" if isinstance(where, AllOf) else "or")
            return word.join(tested(part, names) for part in where.parts)


def _expr(expr: Expr, names: Names) -> str:
    match expr:
        case Col():
            return expr.name
        case Lit():
            return f"{expr.value:g}" if isinstance(expr.value, float) else str(expr.value)
        case Bucket():
            return names.say("unit", unit=names.say(expr.unit), column=_expr(expr.of, names))
        case Math() if (clock := clock_of(expr)) is not None:
            return _elapsed(*clock, names)
        case Math():
            sign = _ARITHMETIC.get(expr.op, expr.op)
            return f"{_side(expr, expr.left, names)} {sign} {_side(expr, expr.right, names)}"
        case Func() if expr.name in SIZES and isinstance(expr.of, Math):
            return _elapsed(expr.name, expr.of, names)
        case Func(name="abs"):
            return names.say("abs", column=_expr(expr.of, names))
        case Statistic():
            return names.say(expr.name, column=_expr(expr.of, names))
        case _:
            return ""


def _elapsed(unit: str, between: Math, names: Names) -> str:
    return names.say(unit, first=_expr(between.right, names), last=_expr(between.left, names))


def _side(whole: Math, part: Expr, names: Names) -> str:
    """Return a side of an operation, in brackets if it would be read otherwise without them."""
    said = _expr(part, names)
    loose = isinstance(part, Math) and part.op in {"+", "-"}
    return f"({said})" if loose and (whole.op not in {"+", "-"} or part is whole.right) else said


def worded(expr: Expr, names: Names) -> str:
    """Return an expression in words; empty where there are none."""
    return _expr(expr, names)
