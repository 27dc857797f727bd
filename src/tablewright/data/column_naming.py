"""The naming of columns: one pure rule, shared by the code that derives facts and the code that writes pandas code.

With one header row, each cell becomes text (2021.0 is `2021`, a date is ISO 8601); surrounding blanks and line breaks
are removed, and runs of blanks become one. With several header rows, the upper ones are carried to the right over empty
neighbours, and the parts of a column are joined with " / ", omitting repeated neighbours. An empty name becomes
`column_n`, with n from 1. A repeated name gets `.1`, `.2`, … as in pandas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from tablewright.domain.table import Cell

HeaderCell = Cell | date | time | timedelta

SEPARATOR = " / "
_INVISIBLE = re.compile("[\ufeff\u200b-\u200f\u2060]")
_WIDE_BREAK = re.compile(r"(?<=[\u2e80-\u9fff\uff00-\uffef])\s*[\r\n]\s*(?=[\u2e80-\u9fff\uff00-\uffef])")


def column_names(header: Sequence[Sequence[HeaderCell]], width: int) -> tuple[str, ...]:
    """Return the names of `width` columns from the header's rows; without rows, every name is `column_n`."""
    rows = [[_cleaned(cell) for cell in _padded(row, width)] for row in header]
    carried = [_carried(row) for row in rows[:-1]] + rows[-1:]
    names = [_joined(parts) for parts in zip(*carried, strict=True)] if carried else [""] * width
    return distinct_names([name or f"column_{number}" for number, name in enumerate(names, start=1)])


def pandas_names(header: Sequence[HeaderCell]) -> tuple[object, ...]:
    """Return the names that pandas itself assigns from one complete header row; numbers and dates keep their types."""
    named = [f"Unnamed: {position}" if cell in {None, ""} else _plain(cell) for position, cell in enumerate(header)]
    told = iter(distinct_names([name for name in named if isinstance(name, str)]))
    return tuple(next(told) if isinstance(name, str) else name for name in named)


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """Make names unique by appending `.1`, `.2`, …, never producing a name that occurs elsewhere."""
    given = set(names)
    seen: set[str] = set()
    result: list[str] = []
    for name in names:
        candidate, number = name, 0
        while candidate in seen or (number and candidate in given):
            number += 1
            candidate = f"{name}.{number}"
        seen.add(candidate)
        result.append(candidate)
    return tuple(result)


def cell_text(cell: HeaderCell) -> str:
    """Convert a cell to text: whole numbers without a fraction, midnight as a date, true as `True`."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(sep=" ")
    if isinstance(cell, date | time):
        return cell.isoformat()
    return str(cell)


def _plain(cell: HeaderCell) -> object:
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _padded(row: Sequence[HeaderCell], width: int) -> list[HeaderCell]:
    return [*row[:width], *([None] * (width - len(row)))]


def _cleaned(cell: HeaderCell) -> str:
    text = _INVISIBLE.sub("", cell_text(cell))
    return " ".join(_WIDE_BREAK.sub("", text).split())


def _carried(row: Sequence[str]) -> list[str]:
    carried: list[str] = []
    for cell in row:
        carried.append(cell or (carried[-1] if carried else ""))
    return carried


def _joined(parts: Sequence[str]) -> str:
    kept = [part for position, part in enumerate(parts) if part and part != (parts[position - 1] if position else "")]
    return SEPARATOR.join(kept)
