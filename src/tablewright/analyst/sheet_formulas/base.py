"""What a formula is written about: the place of a table's columns in a workbook, and why there may be no formula."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from tablewright.analyst.plan import Condition, Expr
from tablewright.domain.dataset import ColumnKind
from tablewright.workbook.formulas import sheet_prefix

ValueKind = Literal["number", "text", "date", "datetime", "boolean", "nothing"]
LOOSEST, COMPARED, JOINED, ADDED, MULTIPLIED, RAISED, ATOM = range(7)
"""How strongly the outermost operator of a formula binds."""


class NoFormula(Exception):
    """No formula means what the expression means; `reason` names the part that none can say."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"no formula says: {reason}")
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetColumn:
    """A column of a sheet: its letters, the kind of its values, whether cells of it are empty (or hold the empty
    text), and whether its texts have blanks around them."""

    letters: str
    kind: ColumnKind
    missing: bool = True
    blanks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """A column of another table, found by keys: pairs of a column here and the equal one `there`."""

    there: SheetTable
    column: str
    keys: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTable:
    """Where the columns of a relation are: data from `first_row` to `last_row`, counted from 1. `sheet` is given if the
    formula stands on another one."""

    columns: Mapping[str, SheetColumn | Lookup]
    first_row: int
    last_row: int
    sheet: str | None = None

    def column(self, name: str) -> SheetColumn | Lookup:
        """Return a column. Errors: `NoFormula`."""
        try:
            return self.columns[name]
        except KeyError as error:
            raise NoFormula(f"column {name}") from error

    def cell(self, column: SheetColumn, row: int) -> str:
        """Return the reference to a cell of a row."""
        return f"{self._prefix}{column.letters}{row}"

    def area(self, column: SheetColumn, first: int | None = None, last: int | None = None) -> str:
        """Return the reference to a column's data, which stays as it is when copied down; of another sheet, also when
        copied across."""
        start, end = self.first_row if first is None else first, self.last_row if last is None else last
        sign = "" if self.sheet is None else "$"
        return f"{self._prefix}{sign}{column.letters}${start}:{sign}{column.letters}${end}"

    @property
    def _prefix(self) -> str:
        if self.sheet is None:
            return ""
        return f"'{self.sheet}'!" if self.sheet.casefold() in {"true", "false"} else sheet_prefix(self.sheet)


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A written expression.

    It is missing where a reference in `missing` is empty or a number in `zeros` is 0, and, with `fails`, where it is
    an error. `reference` is set if it is nothing but one; `unsure` if it may be the empty text, though it is no text,
    so that nothing more can be computed of it.
    """

    code: str
    kind: ValueKind
    level: int = ATOM
    missing: tuple[str, ...] = ()
    zeros: tuple[str, ...] = ()
    fails: bool = False
    reference: bool = False
    blanks: bool = False
    unsure: bool = False

    def at(self, level: int) -> str:
        """Return the code as an operand of an operator that binds as strongly as `level` - 1."""
        return self.code if self.level >= level else f"({self.code})"

    def made(self, code: str, kind: ValueKind, level: int = ATOM) -> Value:
        """Return what is computed of this value, missing where it is. Errors: `NoFormula` if that cannot be told."""
        _sure(self)
        return replace(self, code=code, kind=kind, level=level, reference=False, blanks=False)

    @property
    def absent(self) -> tuple[str, ...]:
        """Tests that hold where the value is missing."""
        return (*(f'{one}=""' for one in self.missing), *(f"{one}=0" for one in self.zeros))

    @property
    def may_be_missing(self) -> bool:
        return bool(self.missing or self.zeros or self.fails or self.unsure or self.kind == "nothing")


_KINDS: dict[ColumnKind, ValueKind] = {
    "number": "number", "integer": "number", "text": "text", "date": "date", "datetime": "datetime",
    "boolean": "boolean", "empty": "nothing",
}  # fmt: skip


def value_kind(column: SheetColumn) -> ValueKind:
    """Return what the values of a column are in formulas. Errors: `NoFormula` if that differs from cell to cell."""
    if column.kind not in _KINDS:
        raise NoFormula(f"cells of kind {column.kind}")
    return _KINDS[column.kind]


def merged(code: str, kind: ValueKind, level: int, *of: Value) -> Value:
    """Return what is computed of several values, missing where one of them is.

    Errors: `NoFormula` if that cannot be told.
    """
    _sure(*of)
    return Value(
        code=code,
        kind=kind,
        level=level,
        missing=tuple(dict.fromkeys(one for value in of for one in value.missing)),
        zeros=tuple(dict.fromkeys(one for value in of for one in value.zeros)),
        fails=any(value.fails for value in of),
    )


def _sure(*of: Value) -> None:
    if any(value.unsure for value in of):
        raise NoFormula("what is computed of results that may be missing")


def guarded(value: Value, otherwise: str = '""') -> str:
    """Return the code of a value that is `otherwise` where it is missing."""
    code = value.code
    if value.fails:
        code = f"IFERROR({code},{otherwise})"
    if tests := value.absent:
        code = f"IF({any_of(tests)},{otherwise},{code})"
    return code


def any_of(tests: tuple[str, ...]) -> str:
    """Return a test that one of `tests` holds."""
    return tests[0] if len(tests) == 1 else f"OR({','.join(tests)})"


class Operands(Protocol):
    """Writes the parts of an expression: for one row or, with `many`, for all rows of the table at once."""

    @property
    def table(self) -> SheetTable: ...
    @property
    def many(self) -> bool: ...
    def write(self, expr: Expr) -> Value: ...
    def test(self, condition: Condition) -> str: ...
    def area(self, expr: Expr) -> str: ...
    def column(self, expr: Expr) -> SheetColumn | None: ...
