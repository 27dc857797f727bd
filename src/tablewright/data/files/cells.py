"""Classification of single cells by themselves, and the cell type used by everything that looks for tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Literal

from tablewright.data.missing_values import MORE_MISSING, PANDAS_MISSING

RawCell = str | int | float | bool | date | datetime | time | timedelta | None
Row = Sequence[RawCell]
CellClass = Literal["empty", "number", "moment", "truth", "text"]

NARROW = 3
"""In a table of so many columns, a row with one filled cell may well be data."""
_NUMBER = re.compile(
    r"[(（]?[-+−]?\s*[$¥￥€£₩₹]?\s*[-+]?(\d{1,3}([,  '’]\d{3})+(\.\d*)?|\d+([.,]\d*)?"
    r"|[.,]\d+)([eE][+-]?\d+)?[)）]?\s*[%％]?"
)
_MOMENT = re.compile(
    r"\d{4}[-/.年]\d{1,2}([-/.月]?\d{0,2})日?([ T]\d{1,2}:\d{2}.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}([ T].*)?"
    r"|\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"
)
_MISSING = PANDAS_MISSING | MORE_MISSING


def is_empty(cell: RawCell) -> bool:
    """Return whether the cell is empty or contains only blanks."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def is_blank(row: Row) -> bool:
    """Return whether all cells of the row are empty."""
    return all(cell is None or (isinstance(cell, str) and not cell.strip()) for cell in row)


def filled(row: Row) -> int:
    """Count the non-empty cells."""
    return sum(1 for cell in row if not is_empty(cell))


def is_alone(row: Row) -> bool:
    """Return whether a row is a text in its first cell and nothing else."""
    return filled(row) == 1 and isinstance(row[0], str) and any(map(str.isalpha, row[0]))


def repeats(row: Row, header: Row) -> bool:
    """Return whether a row repeats the header, ignoring line breaks."""
    pairs = [(_squeezed(cell), _squeezed(name)) for cell, name in zip(row, header, strict=False) if not is_empty(name)]
    return len(pairs) > 1 and all(cell == name for cell, name in pairs)


def _squeezed(cell: RawCell) -> str:
    return "".join(str(cell).split())


def classify(cell: RawCell) -> CellClass:
    """Classify a cell; texts that represent missing values count as empty."""
    if isinstance(cell, str):
        return _classify_text(cell.strip())
    if cell is None:
        return "empty"
    if isinstance(cell, bool):
        return "truth"
    return "number" if isinstance(cell, int | float) else "moment"


def _classify_text(text: str) -> CellClass:
    if text in _MISSING:
        return "empty"
    if not text[0].isdigit() and text[0].isalpha():
        return "truth" if text.lower() in {"true", "false"} else "text"
    if _NUMBER.fullmatch(text):
        return "number"
    return "moment" if _MOMENT.fullmatch(text) else "text"
