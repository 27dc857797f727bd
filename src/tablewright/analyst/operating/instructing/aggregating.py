"""Totals, averages and counts of a column as formulas of one cell."""

from __future__ import annotations

from typing import Any

from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.filters import Filter

_PLAIN = {"sum": "SUM", "mean": "AVERAGE", "max": "MAX", "min": "MIN", "median": "MEDIAN"}
_SOME = {"sum": "SUMIFS", "mean": "AVERAGEIFS", "max": "MAXIFS", "min": "MINIFS"}
_SIGNS = {"=": "", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def cell_formula(clause: Clause, how: str, column: str | None, where: Filter | None) -> str | None:
    """Return the formula of a measure over the rows of a filter; None if no formula says that."""
    place = clause.place
    if column is None or how == "count":
        if where is None:
            return f"=COUNTA({place.fixed(column or place.names[0])})"
        tests = _criteria(clause, where)
        return f"=COUNTIFS({tests})" if tests else None
    if column not in place.letters:
        return None
    area = place.fixed(column)
    if where is None:
        return f"={_PLAIN[how]}({area})" if how in _PLAIN else None
    tests = _criteria(clause, where)
    return f"={_SOME[how]}({area},{tests})" if tests and how in _SOME else None


def _criteria(clause: Clause, where: Filter) -> str | None:
    """Return the tests as pairs of ranges and criteria; None unless each is said by one."""
    if where["match"] != "all" and len(where["tests"]) > 1:
        return None
    parts = [_criterion(clause, test) for test in where["tests"]]
    return ",".join(part for part in parts if part) if all(parts) else None


def _criterion(clause: Clause, test: dict[str, Any]) -> str | None:
    area, value, sign = clause.place.fixed(test["column"]), test.get("value"), _SIGNS.get(test["op"])
    if test["op"] in {"missing", "present"}:
        return f'{area},"{"" if test["op"] == "missing" else "<>"}"'
    if sign is None or test.get("than") or clause.place.dated(test["column"]):
        return None
    said = str(value).replace('"', '""')
    return f'{area},"{sign}{said}"' if sign or isinstance(value, str) else f"{area},{said}"
