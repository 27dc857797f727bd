"""Conditions as tests of one row or, for aggregates, as factors over all rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablewright.analyst.plan import (
    AllOf,
    AnyOf,
    Between,
    Bucket,
    Col,
    Compare,
    Condition,
    Expr,
    Lit,
    Matches,
    Missing,
    Not,
    OneOf,
)
from tablewright.analyst.sheet_formulas.base import JOINED, NoFormula, Operands, Value, any_of
from tablewright.analyst.sheet_formulas.buckets import bucket_number
from tablewright.analyst.sheet_formulas.literals import moment, number, span, text
from tablewright.analyst.writing.conditions import bucket_unit_number, number_of
from tablewright.domain.table import Cell

_MIRRORED: dict[str, Any] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_SIGNS = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Conditions:
    """Writes the conditions on the rows whose values `operands` writes."""

    def __init__(self, operands: Operands) -> None:
        self._operands = operands

    def write(self, condition: Condition) -> str:
        """Return the test: TRUE or FALSE for a row, 1 or 0 or TRUE or FALSE in brackets for each of many."""
        match condition:
            case Compare():
                return self._compare(condition)
            case OneOf():
                return self._one_of(condition)
            case Between():
                return self._between(condition)
            case Matches():
                return self._matches(condition)
            case Missing():
                return self._empty(condition.of, present=False)
            case Not():
                return self._negated(condition.of)
            case AllOf():
                return self._all([self._operands.test(part) for part in condition.parts])
            case AnyOf():
                return self._any([self._operands.test(part) for part in condition.parts])

    def _all(self, tests: list[str]) -> str:
        if len(tests) == 1:
            return tests[0]
        if self._operands.many:
            return "*".join(tests)
        parts = dict.fromkeys(part for one in tests for part in _arguments(one, "AND"))
        return f"AND({','.join(parts)})" if len(parts) > 1 else next(iter(parts))

    def _any(self, tests: list[str], *, apart: bool = False) -> str:
        """Return that one of the tests holds; of those `apart`, never more than one does."""
        if len(tests) == 1:
            return tests[0]
        if self._operands.many:
            either = f"({'+'.join(tests)})"
            return either if apart else f"({either}>0)"
        return any_of(tuple(dict.fromkeys(part for one in tests for part in _arguments(one, "OR"))))

    def _not(self, test: str) -> str:
        return f"(1-{test})" if self._operands.many else f"NOT({test})"

    def _empty(self, expr: Expr, *, present: bool) -> str:
        value = self._operands.write(expr)
        if not value.reference:
            raise NoFormula("missing results")
        code = f'{value.code}<>""' if present else f'{value.code}=""'
        return f"({code})" if self._operands.many else code

    def _negated(self, condition: Condition) -> str:
        if isinstance(condition, Missing):
            return self._empty(condition.of, present=True)
        tested = [self._operands.write(expr) for expr in _tested(condition)]
        test = self._not(self._operands.test(condition))
        filled = dict.fromkeys(one for value in tested for one in value.missing)
        many = self._operands.many
        return self._all([*(f'({one}<>"")' if many else f'{one}<>""' for one in filled), test])

    def _compare(self, compare: Compare) -> str:
        left, right, op = compare.left, compare.right, compare.op
        if isinstance(left, Lit) and not isinstance(right, Lit):
            left, right, op = right, left, _MIRRORED[op]
        if isinstance(right, Lit):
            return self._against(left, op, right.value)
        first, second = self._operands.write(left), self._operands.write(right)
        kinds = {"date" if one.kind == "datetime" else one.kind for one in (first, second)}
        if kinds == {"text"}:
            first, second = self._plain(first, op), self._plain(second, op)
        elif kinds not in ({"number"}, {"date"}, {"boolean"}):
            raise NoFormula("values of two kinds compared")
        return self._tested(f"{first.at(JOINED)}{_SIGNS[op]}{second.at(JOINED)}", first, second)

    def _tested(self, code: str, *of: Value, never: bool = False) -> str:
        """Return a test that does not hold where a value in it is missing; a test of a reference `never` does, where
        the cell is empty."""
        if never:
            of = tuple(replace(value, missing=()) if value.reference else value for value in of)
        absent = tuple(dict.fromkeys(one for value in of for one in value.absent))
        fails = any(value.fails for value in of)
        if any(value.kind == "nothing" or value.unsure for value in of):
            raise NoFormula("missing results")
        if self._operands.many:
            if fails or any(value.zeros for value in of):
                raise NoFormula("quotients over many rows")
            present = [f'({one}<>"")' for one in dict.fromkeys(one for value in of for one in value.missing)]
            return "*".join([*present, f"({code})"])
        if fails:
            code = f"IFERROR({code},FALSE)"
        if not absent:
            return code
        if all(value.reference for value in of) and not any(value.zeros for value in of):
            present = [f'{one}<>""' for one in dict.fromkeys(one for value in of for one in value.missing)]
            return f"AND({','.join(present)},{code})"
        return f"IF({any_of(absent)},FALSE,{code})"

    def _plain(self, value: Value, op: str) -> Value:
        if op not in {"=", "!="}:
            raise NoFormula("the order of texts")
        return self._trimmed(value)

    def _trimmed(self, value: Value) -> Value:
        if not value.blanks:
            return value
        if self._operands.many:
            raise NoFormula("texts with blanks over many rows")
        return value.made(f"TRIM({value.code})", "text")

    def _against(self, expr: Expr, op: str, value: Cell) -> str:
        if value is None:
            return self._empty(expr, present=op == "!=")
        if isinstance(expr, Bucket) and not isinstance(value, bool):
            wanted = bucket_unit_number(expr, value)
            if wanted is not None:
                return self._bucketed(expr, op, wanted)
        found = self._operands.write(expr)
        if found.kind in {"date", "datetime"}:
            return self._dated(found, op, value)
        if isinstance(value, bool) or found.kind == "boolean":
            if found.kind != "boolean" or not isinstance(value, bool) or op not in {"=", "!="}:
                raise NoFormula("truth values among others")
            return self._tested(f"{found.code}{_SIGNS[op]}{number(value)}", found)
        if found.kind == "number":
            wanted_number = number_of(value)
            if wanted_number is None:
                raise NoFormula("numbers compared with text")
            never = op == "=" and wanted_number != 0
            return self._tested(f"{found.at(JOINED)}{_SIGNS[op]}{number(wanted_number)}", found, never=never)
        if not isinstance(value, str):
            raise NoFormula("text compared with numbers")
        plain, wanted_text = self._plain(found, op), value.strip()
        code = f"{plain.at(JOINED)}{_SIGNS[op]}{text(wanted_text)}"
        return self._tested(code, found, never=op == "=" and wanted_text != "")

    def _bucketed(self, expr: Bucket, op: str, wanted: int) -> str:
        if self._operands.many:
            if expr.unit == "year":
                return self._dated(self._operands.write(expr.of), op, wanted)
            raise NoFormula(f"each {expr.unit} of many rows")
        if expr.unit == "weekday":
            found = self._operands.write(expr.of)
            code = bucket_number(found, "weekday").code.removesuffix("-1")
            return self._tested(f"{code}{_SIGNS[op]}{wanted + 1}", found.made(code, "number"))
        found = bucket_number(self._operands.write(expr.of), expr.unit)
        return self._tested(f"{found.code}{_SIGNS[op]}{wanted}", found)

    def _dated(self, found: Value, op: str, value: Cell) -> str:
        code = found.at(JOINED)
        whole = span(value)
        if whole is None:
            return self._tested(f"{code}{_SIGNS[op]}{moment(value)}", found, never=op == "=")
        start, end = whole
        if op in {"=", "!="}:
            if found.kind == "date" and end == f"{start}+1":
                return self._tested(f"{code}{_SIGNS[op]}{start}", found, never=op == "=")
            return self._within(found, (f"{code}>={start}", f"{code}<{end}"), inside=op == "=")
        edge = start if op in {"<", ">="} else end
        if found.kind == "date" and end == f"{start}+1":
            return self._tested(f"{code}{op}{start}", found)
        return self._tested(f"{code}{ {'<=': '<', '>': '>='}.get(op, op) }{edge}", found)

    def _within(self, found: Value, tests: tuple[str, str], *, inside: bool) -> str:
        if self._operands.many:
            both = f"({tests[0]})*({tests[1]})"
            return self._tested(both[1:-1] if inside else f"1-{both}", found, never=inside)
        both = f"AND({','.join(tests)})"
        return self._tested(both if inside else f"NOT({both})", found, never=inside)

    def _one_of(self, condition: OneOf) -> str:
        given = {(value.strip().lower() if isinstance(value, str) else value): value for value in condition.values}
        given.pop(None, None)
        tests = [self._against(condition.of, "=", value) for value in given.values()]
        if None in condition.values:
            tests.append(self._empty(condition.of, present=False))
        if not tests:
            return self._empty(condition.of, present=False)
        return self._any(tests, apart=True)

    def _between(self, between: Between) -> str:
        below = "<" if between.high_open else "<="
        tests = []
        if between.low is not None:
            tests.append(self._against(between.of, ">=", between.low))
        if between.high is not None or not tests:
            tests.append(self._against(between.of, below, between.high))
        return self._all(tests)

    def _matches(self, matches: Matches) -> str:
        if self._operands.many:
            raise NoFormula("parts of texts of many rows")
        found = self._operands.write(matches.of)
        if found.kind != "text":
            raise NoFormula("parts of other values than texts")
        wanted = matches.text.strip() or matches.text
        if matches.how == "contains":
            part = text("".join(f"~{char}" if char in "*?~" else char for char in wanted))
            return self._tested(f"ISNUMBER(SEARCH({part},{found.code}))", found, never=wanted != "")
        side = "LEFT" if matches.how == "starts" else "RIGHT"
        code = f"{side}({self._trimmed(found).code},{len(wanted)})={text(wanted)}"
        return self._tested(code, found, never=wanted != "")


def _arguments(code: str, name: str) -> list[str]:
    """Return the arguments of a formula that is one call of a function, else the formula itself."""
    if not code.startswith(f"{name}(") or not code.endswith(")"):
        return [code]
    found, start, depth, quote = list[str](), len(name) + 1, 0, ""
    for place, char in enumerate(code):
        if quote or char in "\"'":
            quote = char if not quote else "" if char == quote else quote
            continue
        depth += (char in "({") - (char in ")}")
        if (char == "," and depth == 1) or (char == ")" and depth == 0):
            found.append(code[start:place])
            start = place + 1
        if depth == 0 and char == ")" and place < len(code) - 1:
            return [code]
    return found


def _tested(condition: Condition) -> tuple[Expr, ...]:
    """Return the expressions that must be present for the negated condition to hold."""
    if isinstance(condition, Compare):
        return tuple(side for side in (condition.left, condition.right) if isinstance(side, Col))
    if isinstance(condition, OneOf | Between | Matches):
        return (condition.of,)
    return ()
