"""What the writers of conditions and of named functions ask of the writer of expressions."""

from __future__ import annotations

from typing import Protocol

from tablewright.analyst.plan import Expr
from tablewright.analyst.writing.coded import Coded
from tablewright.domain.dataset import ColumnKind


class Operands(Protocol):
    """Writes the values that a condition tests and a function takes. `Expressions` is one."""

    def write(self, expr: Expr) -> Coded:
        """Return the code of `expr`."""
        ...

    def numbers(self, expr: Expr) -> Coded:
        """Return `expr` as numbers: text is parsed, and what cannot be parsed is missing."""
        ...

    def dates(self, expr: Expr) -> Coded:
        """Return `expr` as dates: text is parsed by its format, and what cannot be parsed is missing."""
        ...

    def texts(self, expr: Expr) -> Coded:
        """Return `expr` as text."""
        ...

    def first_number(self, coded: Coded) -> Coded:
        """Return the first number in each text."""
        ...

    def series(self, coded: Coded) -> Coded:
        """Return `coded` as a Series; a constant is repeated for each row of the table."""
        ...

    def hoisted(self, coded: Coded, code: str, kind: ColumnKind, *, name: str = "numbers") -> Coded:
        """Return a variable, as long as the table, that holds `code`; it is written only once."""
        ...
