"""Detect what is below a table without being part of its data: totals and notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.data.files.cells import Row, filled, is_empty, repeats
from tablewright.data.files.totals import totals

_NOTE = re.compile(
    r"\s*(\*|※|†|注\d*[:：]|注释|备注[:：]|说明[:：]|来源|数据来源|资料来源|notes?\s*[:：]|sources?\s*[:：])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """Where the data of a table ends, and which rows add up others, as positions of the given rows.

    `totals` is the row below the data that adds it up, `inside` are those within it, `named` the labels of rows that
    are only called totals.
    """

    last: int
    totals: int | None = None
    inside: tuple[int, ...] = ()
    named: tuple[str, ...] = ()


def footing(rows: Sequence[Row], first: int, width: int, header: Row | None) -> Footing:
    """Return where the data that begins at row `first` ends. Notes and a repeated header at the bottom are left out."""
    last = len(rows) - 1
    while last > first and (is_note(rows[last], width) or (header is not None and repeats(rows[last], header))):
        last -= 1
    found = totals(rows[first : last + 1], width)
    inside = [first + place for place in found.rows]
    below = inside.pop() if inside and inside[-1] == last else None
    last = last if below is None else last - 1
    return Footing(last=last, totals=below, inside=tuple(inside), named=found.named)


def is_note(row: Row, width: int) -> bool:
    """Return whether a row is a remark.

    That is a single cell at the left of a table of several columns that reads like a note or is long.
    """
    if width < 2 or filled(row) != 1:
        return False
    cell = next(cell for cell in row if not is_empty(cell))
    return (
        isinstance(cell, str) and not is_empty(row[0]) and (bool(_NOTE.match(cell)) or (width > 2 and len(cell) > 60))
    )
