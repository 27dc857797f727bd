"""Formulas as text: references moved, copied and renamed. Nothing is evaluated here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS, AreaShift, Axis, column_number, letters

GONE = "#REF!"

_SHEET = r"(?:'(?:[^']|'')+'|(?:\[[^\]]+\])?[^\W\d][\w.]*(?::[\w.]+)?|(?:\[[^\]]+\])[\w.]+)!"
_COLUMN = r"\$?(?:[A-Za-z]{1,2}|[A-Wa-w][A-Za-z]{2}|[Xx][A-Ea-e][A-Za-z]|[Xx][Ff][A-Da-d])"
"""A column up to the last, XFD: `YTD2024` is a name."""
_CELL = rf"{_COLUMN}\$?[0-9]{{1,7}}"
_TOKEN = re.compile(
    rf"""(?P<string>"(?:[^"]|"")*")"""
    rf"|(?P<ref>(?<![\w.\\])(?P<sheet>{_SHEET})?"
    rf"(?P<body>{_CELL}(?::{_CELL})?|{_COLUMN}:{_COLUMN}|\$?[0-9]{{1,7}}:\$?[0-9]{{1,7}})(?![\w(.!\[]))"
    rf"|(?P<named>{_SHEET}(?=[^\W\d]|\#))"
    rf"|(?P<table>(?:[^\W\d][\w.]*)?\[(?:[^\[\]]|'.|\[(?:[^\[\]']|'.)*\])*\])"
    rf"|(?P<name>[^\W\d][\w.]*)"
    rf"|(?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)"
)
_CORNER = re.compile(r"(\$?)([A-Za-z]{1,3})?(\$?)([0-9]{1,7})?")


@dataclass(frozen=True, slots=True)
class Corner:
    """One end of a reference. A whole column has no row; a whole row has no column."""

    row: int | None
    column: int | None
    row_fixed: bool
    column_fixed: bool

    @property
    def text(self) -> str:
        column = "" if self.column is None else ("$" if self.column_fixed else "") + letters(self.column)
        row = "" if self.row is None else ("$" if self.row_fixed else "") + str(self.row)
        return column + row


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference within a formula.

    `sheet` is None when the reference names none; `elsewhere` means that it points to another workbook.
    """

    prefix: str
    sheet: str | None
    elsewhere: bool
    corners: tuple[Corner, ...]

    @property
    def text(self) -> str:
        return self.prefix + ":".join(corner.text for corner in self.corners)


def references(formula: str) -> Iterator[Reference]:
    """Yield the references of a formula in order."""
    for match in _TOKEN.finditer(formula):
        if match["ref"]:
            yield _reference(match)


def arguments(formula: str) -> Iterator[tuple[Reference | str, str]]:
    """Yield the references of a formula and the names and parts of tables in it, as texts, in order.

    Each comes with the name of the function that it is a whole argument of, in capitals; that is empty where it is part
    of an expression, or of no function.
    """
    calls: list[str] = []
    end, name = 0, ""
    for match in _TOKEN.finditer(formula):
        name = _opened(calls, formula[end : match.start()], name)
        before, after = formula[: match.start()].rstrip()[-1:], formula[match.end() :].lstrip()[:1]
        whole = before in {"(", ",", ";"} and after in {")", ",", ";"}
        if match["ref"]:
            yield _reference(match), calls[-1] if calls and whole else ""
        elif match["table"] or (match["name"] and after != "("):
            yield match[0], calls[-1] if calls and whole else ""
        end, name = match.end(), (match["name"] or "").upper().removeprefix("_XLFN.")


def _opened(calls: list[str], between: str, name: str) -> str:
    """Follow the brackets between two tokens, the first of which was `name`; a bracket of none belongs to the call
    around it."""
    for sign in between:
        if sign == "(":
            calls.append(name or (calls[-1] if calls else ""))
        elif sign == ")" and calls:
            calls.pop()
        name = ""
    return name


def rewrite(formula: str, change: Callable[[Reference], str]) -> str:
    """Return the formula with each reference replaced by the result of `change`; strings and names are kept."""
    return _TOKEN.sub(lambda match: change(_reference(match)) if match["ref"] else match[0], formula)


def shifted(formula: str, home: str, shift: AreaShift) -> str:
    """Return a formula of sheet `home` adjusted to rows or columns inserted or deleted on `shift.sheet`."""
    wanted = shift.sheet.casefold()

    def move(found: Reference) -> str:
        if found.elsewhere or (found.sheet or home).casefold() != wanted:
            return found.text
        return _moved(found, shift)

    return rewrite(formula, move)


def translated(formula: str, rows: int, columns: int) -> str:
    """Return a formula as it would read if copied by so many rows and columns."""
    if not rows and not columns:
        return formula

    def move(found: Reference) -> str:
        corners = [_offset(corner, rows, columns) for corner in found.corners]
        if any(corner is None for corner in corners):
            return found.prefix + GONE
        return found.prefix + ":".join(corner.text for corner in corners if corner)

    return rewrite(formula, move)


def copies_down(formula: str) -> tuple[list[str], list[int]]:
    """Return a formula as the texts around the row numbers that change as it is copied down, and these numbers.

    There is one text more than numbers. A copy `n` rows below has each number raised by `n`.
    """
    texts, numbers, end = [""], list[int](), 0
    for match in _TOKEN.finditer(formula):
        texts[-1] += formula[end : match.start()]
        end = match.end()
        if not match["ref"]:
            texts[-1] += match[0]
            continue
        found = _reference(match)
        texts[-1] += found.prefix
        for place, corner in enumerate(found.corners):
            texts[-1] += ":" * (place > 0)
            if corner.row is None or corner.row_fixed:
                texts[-1] += corner.text
                continue
            texts[-1] += replace(corner, row=None).text
            numbers.append(corner.row)
            texts.append("")
    texts[-1] += formula[end:]
    return texts, numbers


def renamed(formula: str, old: str, new: str | None) -> str:
    """Return a formula adjusted to sheet `old` being renamed to `new`, or deleted (None)."""

    def change(match: re.Match[str]) -> str:
        prefix = match["sheet"] if match["ref"] else match["named"]
        if not prefix or _is_elsewhere(prefix):
            return match[0]
        name = _unquoted(prefix)
        if name.casefold() == old.casefold():
            return (sheet_prefix(new) if new else GONE) + ("" if new is None else match[0][len(prefix) :])
        first, colon, last = name.partition(":")
        if not colon or new is None:
            return match[0]
        ends = [new if end.casefold() == old.casefold() else end for end in (first, last)]
        return sheet_prefix(":".join(ends)) + match[0][len(prefix) :]

    return _TOKEN.sub(change, formula)


def sheet_prefix(sheet: str) -> str:
    """Return the prefix by which a formula refers to a sheet: `Data!` or `'My sheet'!`."""
    return f"{sheet}!" if all(map(_is_plain, sheet.split(":"))) else "'" + sheet.replace("'", "''") + "'!"


def _is_plain(name: str) -> bool:
    """Whether a sheet's name needs no quotes: a single word that cannot be read as a cell."""
    return bool(re.fullmatch(r"[^\W\d][\w.]*", name)) and not re.fullmatch(
        r"(?i)[a-z]{1,3}[0-9]+|r[0-9]*(?:c[0-9]*)?|c[0-9]*", name
    )


def pattern(formula: str, row: int, column: int) -> str:
    """Return a formula in relative terms, such as `R[0]C[-2]*R[0]C[-1]`.

    It is equal for all cells that hold "the same" formula.
    """

    def relative(found: Reference) -> str:
        return found.prefix + ":".join(_relative(corner, row, column) for corner in found.corners)

    return rewrite(formula, relative)


def _reference(match: re.Match[str]) -> Reference:
    prefix = match["sheet"] or ""
    corners = tuple(_corner(part) for part in match["body"].split(":"))
    name = _unquoted(prefix) if prefix else None
    return Reference(prefix, name, _is_elsewhere(prefix) or (name is not None and ":" in name), corners)


def _is_elsewhere(prefix: str) -> bool:
    return "[" in prefix


def _unquoted(prefix: str) -> str:
    name = prefix[:-1]
    return name[1:-1].replace("''", "'") if name.startswith("'") else name


def _corner(text: str) -> Corner:
    match = _CORNER.fullmatch(text)
    assert match is not None
    column, row = match[2], match[4]
    if column is None:
        return Corner(int(row), None, "$" in text, False)  # noqa: FBT003  # positional on the hot path of every formula
    fixed = text.startswith("$")
    return Corner(int(row) if row else None, column_number(column), bool(match[3]), fixed)


def _moved(found: Reference, shift: AreaShift) -> str:
    indexes = [corner.row if shift.axis == "row" else corner.column for corner in found.corners]
    given = [index for index in indexes if index is not None]
    if not given:
        return found.text
    span = shift.span(min(given), max(given))
    if span is None:
        return found.prefix + GONE
    low = min(given)
    return found.prefix + ":".join(
        _placed(corner, shift.axis, span[0] if index == low and position == indexes.index(low) else span[1]).text
        for position, (corner, index) in enumerate(zip(found.corners, indexes, strict=True))
    )


def _placed(corner: Corner, axis: Axis, index: int) -> Corner:
    if axis == "row":
        return Corner(index, corner.column, corner.row_fixed, corner.column_fixed)
    return Corner(corner.row, index, corner.row_fixed, corner.column_fixed)


def _offset(corner: Corner, rows: int, columns: int) -> Corner | None:
    row = corner.row if corner.row is None or corner.row_fixed else corner.row + rows
    column = corner.column if corner.column is None or corner.column_fixed else corner.column + columns
    if (row is not None and not 1 <= row <= MOST_ROWS) or (column is not None and not 1 <= column <= MOST_COLUMNS):
        return None
    return Corner(row, column, corner.row_fixed, corner.column_fixed)


def _relative(corner: Corner, row: int, column: int) -> str:
    rows = "" if corner.row is None else f"R{corner.row}" if corner.row_fixed else f"R[{corner.row - row}]"
    columns = (
        "" if corner.column is None else f"C{corner.column}" if corner.column_fixed else f"C[{corner.column - column}]"
    )
    return rows + columns
