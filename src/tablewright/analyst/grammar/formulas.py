"""Formulas of columns as a tenant writes them (`revenue - cost`): numbers, columns, signs and brackets only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.grammar.scene import ColumnLink, Scene
from tablewright.analyst.plan import Col, Expr, Lit, Math

_SIGNS: dict[str, Literal["+", "-", "*", "/"]] = {
    "+": "+", "-": "-", "−": "-", "–": "-", "*": "*", "×": "*", "/": "/", "÷": "/",
}  # fmt: skip
_OPEN, _CLOSE = frozenset("(（"), frozenset(")）")
NAMES_FROM = 0.85
DEEPEST = 8
"""Brackets in brackets are followed so far."""


class _NoFormula(Exception):
    """The text is no formula."""


@dataclass(slots=True)
class _Reader:
    scene: Scene
    place: int = 0
    depth: int = 0

    def sum(self) -> Expr:
        """Read terms that are added or subtracted."""
        return self._chain(("+", "-"))

    def _chain(self, signs: tuple[str, ...]) -> Expr:
        read = self._product if "+" in signs else self._atom
        left = read()
        while True:
            sign, end = self._sign()
            if sign is None or sign not in signs:
                return left
            self.place = end
            left = Math(op=sign, left=left, right=read())

    def _sign(self) -> tuple[Literal["+", "-", "*", "/"] | None, int]:
        """Return the sign or the words for it that come next, and where they end."""
        said = [word for word in self.scene.of("sign_said") if word.start == self.place]
        if said:
            return _SIGNS[said[0].meaning], said[0].end
        return _SIGNS.get(self._norm()), self.place + 1

    def _product(self) -> Expr:
        return self._chain(("*", "/"))

    def _atom(self) -> Expr:
        if self._norm() in _OPEN:
            return self._bracketed()
        for number in self.scene.numbers:
            if number.start == self.place:
                self.place = number.end
                return Lit(value=number.value)
        link = _column_at(self.scene, self.place)
        if link is None:
            raise _NoFormula
        self.place = link.end
        return Col(name=link.column.name)

    def _bracketed(self) -> Expr:
        self.place, self.depth = self.place + 1, self.depth + 1
        if self.depth > DEEPEST:
            raise _NoFormula
        inner = self.sum()
        if self._norm() not in _CLOSE:
            raise _NoFormula
        self.place, self.depth = self.place + 1, self.depth - 1
        return inner

    def _norm(self) -> str:
        return self.scene.tokens[self.place].norm if self.place < len(self.scene.tokens) else "end"


def formula(scene: Scene) -> Expr | None:
    """Return the formula that a text consists of, or None if it is none or names a single column."""
    reader = _Reader(scene)
    try:
        found = reader.sum()
    except _NoFormula:
        return None
    whole = reader.place == len(scene.tokens)
    return found if whole and isinstance(found, Math) and columns_of(found) else None


def formula_at(scene: Scene, place: int) -> tuple[Expr, int] | None:
    """Return the formula that begins at a place, of columns and at least one sign, and where it ends."""
    opened = scene.tokens[place].norm in _OPEN
    if not opened and _column_at(scene, place) is None and not any(one.start == place for one in scene.numbers):
        return None
    reader = _Reader(scene, place)
    try:
        found = reader.sum()
    except _NoFormula:
        return None
    return (found, reader.place) if isinstance(found, Math) and columns_of(found) else None


def columns_of(expr: Expr) -> tuple[str, ...]:
    """Return the columns of a formula, in order."""
    match expr:
        case Col():
            return (expr.name,)
        case Math():
            return (*columns_of(expr.left), *columns_of(expr.right))
        case _:
            return ()


def is_ratio(expr: Expr) -> bool:
    """Return whether a formula divides columns by columns."""
    return isinstance(expr, Math) and expr.op == "/" and bool(columns_of(expr.left) and columns_of(expr.right))


def adds(expr: Expr, scene: Scene) -> bool | None:
    """Return whether the results of a formula may be added up: not if a column of it is a level, unless it is
    multiplied with an amount."""
    match expr:
        case Col():
            return scene.column(expr.name).adds
        case Math():
            sides = {adds(expr.left, scene), adds(expr.right, scene)}
            if expr.op == "*" and True in sides:
                return True
            return False if False in sides else True if True in sides else None
        case _:
            return None


def _column_at(scene: Scene, place: int) -> ColumnLink | None:
    """Return the number that the longest words from a place name best."""
    here = [
        link
        for link in scene.links
        if link.start == place and link.score >= NAMES_FROM and link.column.role == "number"
    ]
    return max(here, key=lambda link: (link.end, link.score), default=None)
