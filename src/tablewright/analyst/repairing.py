"""Repairs that need no understanding: a step that failed on text where it needed numbers is rewritten to convert it
first."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tablewright.analyst.writing.literals import quoted

_WANTED_NUMBERS = re.compile(
    r"could not convert|cannot perform|unsupported operand|agg function failed|not supported between|"
    r"Cannot convert|does not support|expected .*numeric|can't multiply|must be (a )?real number|nlargest|nsmallest",
    re.IGNORECASE,
)
_CELL = re.compile(r'\b([a-z_]\w*)\["((?:[^"\\]|\\.)+)"\]')
_TAKEN = re.compile(r'=\("((?:[^"\\]|\\.)+)", ')
_HEAD = re.compile(r"^\w+ = \(?\s*([a-z_]\w*)$|^\w+ = ([a-z_]\w*)\.", re.MULTILINE)


def repaired(code: str, error: str, columns: Iterable[str]) -> str | None:
    """Return the step's code with its `columns` converted to numbers first; None if that is not why it failed."""
    if not _WANTED_NUMBERS.search(error):
        return None
    wanted = set(columns)
    pairs = dict.fromkeys((table, column) for table, column in _CELL.findall(code) if column in wanted)
    heads = [first or second for first, second in _HEAD.findall(code)]
    pairs.update({(heads[0], column): None for column in _TAKEN.findall(code) if heads and column in wanted})
    lines = [
        f"{table}[{quoted(column)}] = pd.to_numeric(\n"
        f'    {table}[{quoted(column)}].astype("str").str.replace(",", ""), errors="coerce"\n)'
        for table, column in pairs
    ]
    return "\n".join([*lines, code]) if lines else None
