"""Tests of rows as filters of operations, as formulas and as code."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tablewright.analyst.plan import AllOf, AnyOf, Between, Col, Compare, Condition, Lit, Matches, Missing, Not, OneOf
from tablewright.domain.table import Cell

Filter = dict[str, Any]
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "missing": "present",
             "present": "missing"}  # fmt: skip
_YEAR = 4
"""A date of so many digits is a year."""
_SIZES = frozenset({"<", "<=", ">", ">="})


def filter_of(condition: Condition, dates: Collection[str] = ()) -> Filter | None:
    """Return a condition as a filter of operations; None unless it is all or any of some simple tests. In the columns
    `dates` a year alone is all of its days."""
    if isinstance(condition, AllOf | AnyOf):
        return combined([filter_of(part, dates) for part in condition.parts], every=isinstance(condition, AllOf))
    match condition:
        case Compare(op="=" | "!=" as op, left=Col(name=name), right=Lit(value=str(value))) if (
            name in dates and len(value) == _YEAR
        ):
            days = _year(name, int(value))
            return days if op == "=" else opposite(days)
        case Compare(op=op, left=Col(name=name), right=Lit(value=value)):
            return _one(name, op, value)
        case Compare(op=op, left=Col(name=name), right=Col(name=other)):
            return {"tests": [{"column": name, "op": op, "than": other}], "match": "all"}
        case OneOf(of=Col(name=name), values=values):
            tests = [{"column": name, "op": "=", "value": value} for value in values]
            return {"tests": tests, "match": "any" if len(values) > 1 else "all"}
        case Between(of=Col(name=name), low=low, high=high):
            bounds = [(">=", low), ("<" if condition.high_open else "<=", high)]
            tests = [{"column": name, "op": op, "value": value} for op, value in bounds if value is not None]
            return {"tests": tests, "match": "all"}
        case Matches(of=Col(name=name), how=how, text=said):
            return _one(name, how, said)
        case Missing(of=Col(name=name)):
            return {"tests": [{"column": name, "op": "missing"}], "match": "all"}
        case Not(of=inner):
            found = filter_of(inner, dates)
            return opposite(found) if found else None
        case _:
            return None


def _year(column: str, year: int) -> Filter:
    bounds = [(">=", f"{year}-01-01"), ("<", f"{year + 1}-01-01")]
    return {"tests": [{"column": column, "op": op, "value": value} for op, value in bounds], "match": "all"}


def _one(column: str, op: str, value: Cell) -> Filter:
    return {"tests": [{"column": column, "op": op, "value": value}], "match": "all"}


def combined(parts: list[Filter | None], *, every: bool) -> Filter | None:
    """Return several filters as one; None if it would mix `and` with `or`."""
    match = "all" if every else "any"
    if any(part is None or (len(part["tests"]) > 1 and part["match"] != match) for part in parts):
        return None
    return {"tests": [test for part in parts if part for test in part["tests"]], "match": match}


def opposite(found: Filter) -> Filter | None:
    """Return the filter with every test turned round; None if a test has no opposite."""
    if any(test["op"] not in _OPPOSITE for test in found["tests"]):
        return None
    tests = [{**test, "op": _OPPOSITE[test["op"]]} for test in found["tests"]]
    return {"tests": tests, "match": "any" if found["match"] == "all" and len(tests) > 1 else "all"}


def others(found: Filter) -> Filter | None:
    """Return the filter of all rows that `found` leaves out, those without a value to compare among them; None if no
    filter says that."""
    other = opposite(found)
    sized = list(dict.fromkeys(test["column"] for test in found["tests"] if test["op"] in _SIZES))
    if other is None or not sized:
        return other
    if len(other["tests"]) > 1 and other["match"] == "all":
        return None
    missing = [{"column": column, "op": "missing"} for column in sized]
    return {"tests": [*other["tests"], *missing], "match": "any"}


def in_formula(found: Filter) -> str | None:
    """Return a filter as a formula of one row, in which `[Header]` is that row's cell; None if it cannot be said."""
    every = found["match"] == "all"
    sized = {test["column"] for test in found["tests"] if every and test["op"] in {"=", ">", ">="}}
    tests = [_test_formula(test, filled=test["column"] in sized) for test in found["tests"]]
    if any(test is None for test in tests):
        return None
    if len(tests) == 1:
        return tests[0]
    return f"{'AND' if found['match'] == 'all' else 'OR'}({','.join(str(test) for test in tests)})"


def _test_formula(test: dict[str, Any], *, filled: bool) -> str | None:
    """Return a test as a formula; an empty cell, which counts as 0, is not below a bound, unless the other tests see
    to it that the cell is `filled`."""
    cell, op, value = f"[{test['column']}]", test["op"], test.get("value")
    if op in {"missing", "present"}:
        return f'{cell}{"=" if op == "missing" else "<>"}""'
    if test.get("than"):
        return f"{cell}{'<>' if op == '!=' else op}[{test['than']}]"
    if op == "contains":
        return f"ISNUMBER(SEARCH({in_cell(value)},{cell}))"
    if op in {"starts", "ends"}:
        side = "LEFT" if op == "starts" else "RIGHT"
        return f"{side}({cell},{len(str(value))})={in_cell(value)}"
    compared = f"{cell}{'<>' if op == '!=' else op}{in_cell(value)}"
    return f'AND({cell}<>"",{compared})' if op in {"<", "<="} and not filled else compared


def in_cell(value: Cell) -> str:
    """Return a constant as a formula writes it."""
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return "TRUE" if value is True else "FALSE" if value is False else f"{value}"


def in_code(found: Filter) -> str:
    """Return a pandas expression over `df` that is true for the rows of a filter."""
    return (" & " if found["match"] == "all" else " | ").join(_test_code(test) for test in found["tests"])


def _test_code(test: dict[str, Any]) -> str:
    cells, op, value = f"df[{test['column']!r}]", test["op"], test.get("value")
    if test.get("than"):
        return f"({cells} {'==' if op == '=' else op} df[{test['than']!r}])"
    if op in {"missing", "present"}:
        return f"({cells}.{'isna' if op == 'missing' else 'notna'}())"
    if op in {"contains", "starts", "ends"}:
        how = {"contains": "contains", "starts": "startswith", "ends": "endswith"}[str(op)]
        return f"({cells}.astype(str).str.{how}({value!r}{', regex=False' if op == 'contains' else ''}))"
    return f"({cells} {'==' if op == '=' else op} {value!r})"
