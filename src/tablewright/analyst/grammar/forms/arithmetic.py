"""Arithmetic that a task writes out: `Volatility = (High - Low) / Open`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tablewright.analyst.grammar.forms.phrases import Linker, Phrase
from tablewright.analyst.grammar.forms.words import words_of
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.plan import Col, Expr, Lit, Math

Sign = Literal["+", "-", "*", "/"]
SIGNS: dict[str, Sign] = {"+": "+", "-": "-", "−": "-", "*": "*", "/": "/", "×": "*", "÷": "/"}
_SUMS, _PRODUCTS = frozenset("+-−"), frozenset("*/×÷")
_STOPS = frozenset(",.;:，。")


class NoFormulaError(ValueError):
    """The text is no formula."""


def formula(phrase: Phrase, name: str, linker: Linker) -> Expr | None:
    """Return the arithmetic of columns with which a sentence defines the column `name`, or None."""
    starts = [word.end for word in phrase.of("defined")]
    starts += [place for place, token in enumerate(phrase.tokens) if token.norm == "("]
    for start in starts:
        try:
            found = _Parser(phrase, start, name, linker).sum()
        except NoFormulaError:
            continue
        if isinstance(found, Math):
            return found
    return None


def spoken(text: str, said: Sequence[str]) -> Expr | None:
    """Return arithmetic on columns (`said`) that is given in words, or None: `the difference between A and B`, `by
    subtracting B from A`, `the sum of A, B and C`."""
    words = words_of(tokenize(text))
    ops = [word for word in words if word.type == "op"]
    op = next((word for word in ops if word.meaning != "mean"), ops[0] if ops else None)
    if op is None or len(said) < len("AB"):
        return None
    taken = any(word.type == "taken" for word in words)
    turned = taken and any(word.type == "turned" and word.start > op.start for word in words)
    return combined(op.meaning, said, turned=turned)


def combined(op: str, said: Sequence[str], *, turned: bool) -> Expr:
    """Return arithmetic on columns in the order in which they are named, or (`turned`) the other way round."""
    columns: list[Expr] = [Col(name=name) for name in said]
    if op in {"-", "/"}:
        left, right = (columns[1], columns[0]) if turned and op == "-" else (columns[0], columns[1])
        return Math(op=SIGNS[op], left=left, right=right)
    total = columns[0]
    for column in columns[1:]:
        total = Math(op="*" if op == "*" else "+", left=total, right=column)
    return Math(op="/", left=total, right=Lit(value=len(columns))) if op == "mean" else total


class _Parser:
    """Parses sums of products of columns and numbers."""

    def __init__(self, phrase: Phrase, start: int, name: str, linker: Linker) -> None:
        self._phrase, self._place, self._name, self._linker = phrase, start, name, linker

    def _sign(self) -> str:
        tokens = self._phrase.tokens
        return tokens[self._place].norm if self._place < len(tokens) else ""

    def sum(self) -> Expr:
        """Return the sum that begins here. Raises `NoFormulaError`."""
        left = self._product()
        while (sign := self._sign()) in _SUMS and sign:
            self._place += 1
            left = Math(op=SIGNS[sign], left=left, right=self._product())
        return left

    def _product(self) -> Expr:
        left = self._atom()
        while (sign := self._sign()) in _PRODUCTS and sign:
            self._place += 1
            left = Math(op=SIGNS[sign], left=left, right=self._atom())
        return left

    def _atom(self) -> Expr:
        tokens, start = self._phrase.tokens, self._place
        while self._place < len(tokens) and not self._ends(self._place):
            self._place += 1
        if self._place > start:
            return self._operand(start)
        if self._sign() != "(":
            raise NoFormulaError
        self._place += 1
        inner = self.sum()
        if self._sign() != ")":
            raise NoFormulaError
        self._place += 1
        return inner

    def _ends(self, place: int) -> bool:
        norm = self._phrase.tokens[place].norm
        inside = any(link.start < place < link.end - 1 for link in self._phrase.links)
        return not inside and (norm in SIGNS or norm in "()" or norm in _STOPS)

    def _operand(self, start: int) -> Expr:
        own = [one for one in self._phrase.numbers if one.start == start and one.end == self._place]
        if own:
            return Lit(value=float(own[0].value))
        links = [link for link in self._phrase.links if start <= link.start and link.end <= self._place]
        names = {link.column for link in links if link.column != self._name and self._linker.numeric(link.column)}
        if len(names) != 1:
            raise NoFormulaError
        return Col(name=names.pop())
