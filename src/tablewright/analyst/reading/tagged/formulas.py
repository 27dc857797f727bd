"""Arithmetic written out in a question: `Volatility = (High - Low) / Open`, `as Balance / Limit`."""

from __future__ import annotations

import re
from typing import Literal

from tablewright.analyst.plan import Col, Expr, Lit, Math
from tablewright.analyst.reading.tagged.columns_said import numeric_said
from tablewright.domain.dataset import DatasetFacts

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)(?![\w-])|(?P<sign>\*\*|[-+*/×÷()])"
    r"|[\"'“‘](?P<quoted>[^\"'”’]+)[\"'”’]|(?P<words>[^\W\d][\w.%]*(?:\s+[\w.%]+)*))"
)
_STARTS = re.compile(r"=|:|\bas\b|\bformula\b|\bby\b|\bis\b", re.IGNORECASE)
_SIGNS: dict[str, Literal["+", "-", "*", "/"]] = {"+": "+", "-": "-", "*": "*", "/": "/", "×": "*", "÷": "/"}


def formula(name: str, text: str, facts: DatasetFacts) -> Expr | None:
    """Return the arithmetic of columns with which a text defines the column `name`, or None."""
    for start in _STARTS.finditer(text):
        rest = text[start.end() :]
        expression = _Reader(rest, facts, name).read()
        if expression is not None:
            return expression
    return None


class _Reader:
    """Parses sums of products of columns and numbers; a formula has at least one operator and one column."""

    def __init__(self, text: str, facts: DatasetFacts, name: str) -> None:
        self._facts = facts
        self._name = name
        self._tokens: list[tuple[str, str]] = []
        place = 0
        while match := _TOKEN.match(text, place):
            kind = match.lastgroup or ""
            self._tokens.append((kind, match.group(kind)))
            place = match.end()
        self._next = 0

    def read(self) -> Expr | None:
        """Return the formula at the start of the text, or None."""
        try:
            expression = self._sum()
        except ValueError:
            return None
        return expression if isinstance(expression, Math) else None

    def _peek(self) -> str:
        return self._tokens[self._next][1] if self._next < len(self._tokens) else ""

    def _sum(self) -> Expr:
        left = self._product()
        while self._peek() in {"+", "-"}:
            sign = _SIGNS[self._take()[1]]
            left = Math(op=sign, left=left, right=self._product())
        return left

    def _product(self) -> Expr:
        left = self._atom()
        while self._peek() in {"*", "/", "×", "÷"}:
            sign = _SIGNS[self._take()[1]]
            left = Math(op=sign, left=left, right=self._atom())
        return left

    def _take(self) -> tuple[str, str]:
        if self._next >= len(self._tokens):
            raise ValueError("the formula ends early")
        self._next += 1
        return self._tokens[self._next - 1]

    def _atom(self) -> Expr:
        kind, said = self._take()
        if kind == "number":
            return Lit(value=float(said))
        if said == "(":
            inner = self._sum()
            if self._take()[1] != ")":
                raise ValueError("a bracket is not closed")
            return inner
        if kind == "sign":
            raise ValueError("a sign where a column is expected")
        columns = [column for column in numeric_said(said, self._facts) if column != self._name]
        if len(columns) != 1:
            raise ValueError(said)
        return Col(name=columns[0])
