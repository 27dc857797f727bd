"""Conversion between the XML of cells and their contents."""

from __future__ import annotations

import re
from typing import Protocol

from tablewright.domain.table import Cell
from tablewright.workbook.areas import column_number
from tablewright.workbook.formulas import translated
from tablewright.workbook.package.raw_rows import RawCell
from tablewright.workbook.package.strings import SharedStrings, plain_text, shortened
from tablewright.workbook.package.xml import decoded, escaped, unescaped
from tablewright.workbook.values import CellData, number, number_text, serial

FORMULA = re.compile(rb"<f\b([^>]*?)(?:/>|>(.*?)</f>)", re.DOTALL)
_VALUE = re.compile(rb"<v\b[^>]*>(.*?)</v>", re.DOTALL)
_CACHED = re.compile(rb"<v\b[^>]*/>|<v\b[^>]*>.*?</v>", re.DOTALL)
_SHARED = re.compile(rb'\bsi="(\d+)"')
_FUTURE = re.compile(
    r"(?<![\w.])(XLOOKUP|XMATCH|LET|LAMBDA|UNIQUE|SORT|SORTBY|FILTER|SEQUENCE|RANDARRAY|TEXTJOIN|CONCAT|IFS|SWITCH"
    r"|MAXIFS|"
    r"MINIFS|TEXTBEFORE|TEXTAFTER|TEXTSPLIT|VSTACK|HSTACK|STDEV\.S|STDEV\.P|VAR\.S|VAR\.P|PERCENTILE\.INC"
    r"|QUARTILE\.INC|"
    r"RANK\.EQ|RANK\.AVG|MODE\.SNGL|NORM\.DIST|FORECAST\.LINEAR|IFNA|DAYS|ISOWEEKNUM|NUMBERVALUE|XOR)\(",
    re.IGNORECASE,
)
_STRINGS = re.compile(r'("(?:[^"]|"")*")')
_NEW_PREFIXES = re.compile(r"_xl(?:fn|pm|ws)\.(?:_xlws\.)?")
_WORKSHEET_FUNCTIONS = frozenset({"SORT", "FILTER"})

Masters = dict[int, tuple[str, int, int]]
"""Shared formulas by number: the text, and the row and column of the cell it was written for."""


class Looks(Protocol):
    """What reading cells requires of the workbook's formats."""

    def is_date(self, style: int) -> bool: ...


def read(raw: RawCell, row: int, column: int, strings: SharedStrings, looks: Looks, masters: Masters) -> CellData:
    """Return a cell's content."""
    if not raw.body:
        return CellData(style=raw.style)
    formula = _formula(raw.body, row, column, masters)
    match = _VALUE.search(raw.body)
    value: Cell = None
    if raw.type == b"inlineStr":
        value = plain_text(raw.body, strings.longest)
    elif match is not None:
        value = _value(raw.type, match[1], strings)
    if value == "" and formula is None:
        value = None
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    return CellData(value, formula, raw.style, raw.type == b"e", numeric and raw.style > 0 and looks.is_date(raw.style))


def write(raw: RawCell, content: Cell, *, constant: bool = False) -> None:
    """Store a constant or a formula (text that starts with `=`) in a cell; its style is kept."""
    raw.rest = b""
    if content is None:
        raw.type, raw.body = b"", b""
    elif isinstance(content, str) and content.startswith("=") and len(content) > 1 and not constant:
        raw.type, raw.body = b"", b"<f>" + escaped(stored(content)) + b"</f>"
    elif isinstance(content, str):
        space = b' xml:space="preserve"' if content != content.strip() or "\n" in content else b""
        raw.type, raw.body = b"inlineStr", b"<is><t" + space + b">" + escaped(content) + b"</t></is>"
    else:
        raw.type = b"b" if isinstance(content, bool) else b""
        raw.body = b"<v>" + number_text(content).encode() + b"</v>"


def remember(raw: RawCell, value: Cell, *, error: bool = False) -> None:
    """Store a formula's last result beside it; None is no result. Errors: `ValueError` for infinite numbers."""
    kind, text = b"", b""
    if isinstance(value, bool):
        kind, text = b"b", b"1" if value else b"0"
    elif isinstance(value, int | float):
        text = number_text(value).encode()
    elif isinstance(value, str):
        kind, text = b"e" if error else b"str", escaped(value)
    result = b"" if value is None else b"<v>" + text + b"</v>"
    raw.type, raw.body = kind, _CACHED.sub(b"", raw.body) + result


def dated(content: Cell) -> float | None:
    """Return the serial number of an ISO 8601 date given as text, else None."""
    return serial(content) if isinstance(content, str) and content[:1].isdigit() else None


def stored(formula: str) -> str:
    """Return a formula as stored in files: without `=`, and with prefixes on newer functions."""
    text = formula.removeprefix("=").strip()
    return "".join(part if part.startswith('"') else _FUTURE.sub(_prefixed, part) for part in _STRINGS.split(text))


def shown(text: str) -> str:
    """Return a stored formula as a person types it, starting with `=`."""
    return "=" + (_NEW_PREFIXES.sub("", text) if "_xl" in text else text)


def masters_of(data: bytes, place: re.Pattern[bytes], first: int, last: int) -> Masters:
    """Collect the shared formulas between two places of a sheet's bytes; `place` matches the start of a cell up to its
    name."""
    found: Masters = {}
    if data.find(b'"shared"', first, last) < 0:
        return found
    for match in FORMULA.finditer(data, first, last):
        if match[2] and b'"shared"' in match[1] and (number_ := _SHARED.search(match[1])):
            start = data.rfind(b"<c ", 0, match.start())
            cell = place.match(data, start)
            if cell is not None:
                row, column = int(cell[2]), cell[1].decode()
                found[int(number_[1])] = (unescaped(match[2]), row, column_number(column))
    return found


def _prefixed(match: re.Match[str]) -> str:
    name = match[1].upper()
    return f"_xlfn.{'_xlws.' if name in _WORKSHEET_FUNCTIONS else ''}{match[0]}"


def _formula(body: bytes, row: int, column: int, masters: Masters) -> str | None:
    if b"<f" not in body or (match := FORMULA.search(body)) is None:
        return None
    if match[2]:
        return shown(unescaped(match[2]))
    shared = _SHARED.search(match[1])
    if shared and (master := masters.get(int(shared[1]))):
        text, from_row, from_column = master
        return shown(translated(text, row - from_row, column - from_column))
    return None


def _value(kind: bytes, text: bytes, strings: SharedStrings) -> Cell:
    if kind == b"s":
        return strings[int(text)] if text.strip().isdigit() else ""
    if kind in {b"str", b"e"}:
        return shortened(text, strings.longest)
    if kind == b"b":
        return text.strip() in {b"1", b"true"}
    if kind == b"d":
        return decoded(text.decode())
    try:
        return number(text.decode().strip())
    except (ValueError, OverflowError):
        return None
