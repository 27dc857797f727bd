"""The names of columns: one pure rule, for whoever states facts and whoever writes code.

The rule, for one header row: a cell becomes text (2021.0 is `2021`, a date is ISO), blanks at its ends and line breaks
go, runs of blanks become one. Of several header rows the upper ones are carried to the right over their empty
neighbours, then the parts of a column are joined with " / ", equal neighbours once. An empty name becomes `column_n`,
n from 1. A name that came before gets `.1`, `.2`, … as pandas does.
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
    """Name `width` columns from the header's rows (none: every name is `column_n`)."""
    rows = [[_cleaned(cell) for cell in _padded(row, width)] for row in header]
    carried = [_carried(row) for row in rows[:-1]] + rows[-1:]
    names = [_joined(parts) for parts in zip(*carried, strict=True)] if carried else [""] * width
    return distinct_names([name or f"column_{number}" for number, name in enumerate(names, start=1)])


def pandas_names(header: Sequence[HeaderCell]) -> tuple[object, ...]:
    """Name the columns as pandas itself does from one whole header row; a number or a date stays one."""
    named = [f"Unnamed: {position}" if cell in {None, ""} else _plain(cell) for position, cell in enumerate(header)]
    told = iter(distinct_names([name for name in named if isinstance(name, str)]))
    return tuple(next(told) if isinstance(name, str) else name for name in named)


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """Tell equal names apart by `.1`, `.2`, …, never with a name that stands elsewhere."""
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
    """Write a cell as text: whole numbers without a fraction, midnight as a date, true as `True`."""
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
