"""Tables whose first column names each block of rows once, in its first row, and is empty below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablewright.data.files.cells import is_empty

_BLOCKS = 3
"""So many blocks there must be at least."""
_MOSTLY = 0.9


def fill_led(body: list[list[Any]], present: Sequence[int]) -> int:
    """Repeat what the first column says of a block of rows in those below its first, and return in how many; none of a
    table without such blocks.

    The first row has a value and no value comes twice; on average a block has two rows or more; all others of the
    columns but few are filled, so that an empty cell in the first column is no cell that was forgotten.
    """
    rows = [body[place] for place in present]
    heads = [row[0] for row in rows if not is_empty(row[0])]
    empty = len(rows) - len(heads)
    if len(heads) < _BLOCKS or empty < len(heads) or is_empty(rows[0][0]) or len(set(map(str, heads))) < len(heads):
        return 0
    others = range(1, len(rows[0]))
    filled = [sum(not is_empty(row[place]) for row in rows) >= _MOSTLY * len(rows) for place in others]
    if sum(filled) * 2 <= len(filled):
        return 0
    last: Any = None
    for row in rows:
        last = row[0] = last if is_empty(row[0]) else row[0]
    return empty
