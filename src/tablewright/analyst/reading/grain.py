"""How many rows a question is about, estimated from the facts of the table."""

from __future__ import annotations

import math
from datetime import date

from tablewright.analyst.plan import Between, Bucket, Col, Compare, Condition, Lit
from tablewright.analyst.reading.parse import Clause, Parse, merged

_FEW = 1.5
_HALF = 0.5
_UNKNOWN = 0.3
"""Assumed fraction of rows that a condition of unknown selectivity keeps."""
_PARTS = {"year": 1 / 3, "quarter": 0.25, "month": 1 / 12, "month_of_year": 1 / 12, "weekday": 1 / 7,
    "day_of_month": 1 / 31}  # fmt: skip


def expected_rows(parse: Parse) -> float:
    """Return the estimated number of rows that the conditions select."""
    share = math.prod(_share(parse, clause) for clause in merged(parse.clauses)) if parse.clauses else 1.0
    return parse.table.facts.rows * share


def many_rows(parse: Parse) -> bool:
    """Return whether the conditions select several rows per thing named, rather than one."""
    named = math.prod(max(1, len(clause.values)) for clause in merged(parse.clauses) if not clause.negated)
    return expected_rows(parse) / named > _FEW


def repeats(parse: Parse, column: str) -> bool:
    """Return whether each value of a column occurs, on average, in two rows or more."""
    facts = parse.facts(column)
    return facts.distinct is not None and facts.distinct <= _HALF * parse.table.facts.rows


def _share(parse: Parse, clause: Clause) -> float:
    distinct = parse.facts(clause.column).distinct
    if clause.negated:
        return 1.0
    if clause.values:
        return min(1.0, len(clause.values) / distinct) if distinct else _UNKNOWN
    return _of_condition(parse, clause.column, clause.condition, distinct)


def _of_condition(parse: Parse, column: str, condition: Condition, distinct: int | None) -> float:
    facts = parse.facts(column)
    match condition:
        case Compare(op="=", left=Bucket(unit=unit)):
            return _PARTS.get(unit, _UNKNOWN)
        case Compare(op="=", left=Col(), right=Lit()):
            return 1 / distinct if distinct else _UNKNOWN
        case Between(low=str() as low, high=str() as high):
            whole = days_between(str(facts.minimum), str(facts.maximum))
            part = days_between(low, high)
            return min(1.0, (part + 1) / (whole + 1)) if whole is not None and part is not None else _UNKNOWN
        case _:
            return _UNKNOWN


def days_between(low: str, high: str) -> int | None:
    """Return the days from one ISO date to another; None if either is no date."""
    try:
        return (date.fromisoformat(high[:10]) - date.fromisoformat(low[:10])).days
    except ValueError:
        return None
