"""Detect what is below or among a table's rows without being part of its data: totals, notes and headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tablewright.data.files.cells import NARROW, Row, filled, is_alone, is_empty, repeats
from tablewright.data.files.totals import LOOKED_AT, totals

_NOTE = re.compile(
    r"\s*(\*|※|†|注\d*[:：]|注释|备注[:：]|说明[:：]|来源|数据来源|资料来源|notes?\s*[:：]|sources?\s*[:：])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """Where the data of a table ends, and which rows add up others, as positions of the given rows.

    `totals` is the row below the data that adds it up, `inside` are those within it, `headings` rows that only head
    those below, `named` the labels of rows that are only called totals.
    """

    last: int
    totals: int | None = None
    inside: tuple[int, ...] = ()
    headings: tuple[int, ...] = ()
    named: tuple[str, ...] = ()


def footing(rows: Sequence[Row], first: int, width: int, header: Row | None) -> Footing:
    """Return where the data that begins at row `first` ends. Notes and a repeated header at the bottom are left out."""
    last = len(rows) - 1
    while last > first and (is_note(rows[last], width) or (header is not None and repeats(rows[last], header))):
        last -= 1
    last = _before_remarks(rows, first, last, width)
    found = totals(rows[first : last + 1], width)
    inside = [first + place for place in found.rows]
    below = inside.pop() if inside and inside[-1] == last else None
    last = last if below is None else last - 1
    headings = _headings(rows, first, last, width, set(inside))
    return Footing(last=last, totals=below, inside=tuple(inside), headings=headings, named=found.named)


def _before_remarks(rows: Sequence[Row], first: int, last: int, width: int) -> int:
    """Return the last row ahead of remarks that an empty row parts from the data, each a text at the left alone."""
    at = last
    while width > NARROW and at > first and is_alone(rows[at]):
        at -= 1
    if at == last or at <= first or filled(rows[at]):
        return last
    while at > first and not filled(rows[at]):
        at -= 1
    return at


def _headings(rows: Sequence[Row], first: int, last: int, width: int, inside: set[int]) -> tuple[int, ...]:
    """Return the rows with nothing but a text at the left that heads the rows below: none of a table whose other rows
    mostly have an empty cell there, as that is what the rows are called by. A long table is a list without headings,
    and its cells are not counted."""
    if width <= NARROW or last - first >= LOOKED_AT:
        return ()
    body = [at for at in range(first, last + 1) if at not in inside and filled(rows[at])]
    found = [at for at, behind in pairwise([*body, last]) if is_alone(rows[at]) and filled(rows[behind]) > 1]
    others = [at for at in body if not is_alone(rows[at])]
    named = sum(not is_empty(rows[at][0]) for at in others)
    said = {str(rows[at][0]).strip() for at in found}
    if not 1 < len(found) == len(said) or len(found) * 2 > len(others) or named * 2 < len(others):
        return ()
    return tuple(found)


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
