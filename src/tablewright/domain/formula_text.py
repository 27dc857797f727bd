"""Text that a spreadsheet program would run as a formula when it opens a text file, and how it is kept text.

The sandbox worker, which imports nothing of ours, has the same rule in `sandbox/worker/formula_text.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

_BEGINS = re.compile('[\\s"\u200b\ufeff]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]')
_HARMLESS = re.compile(
    " *[+\\-\uff0b\uff0d] ?[$¥€£\uffe5]? ?(?:[0-9][0-9,]*(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})? ?%? *"
    "| *[+\uff0b][0-9]{1,4}(?: [0-9]{7,12}|(?: [0-9]{2,12}){2,5}) *"
    "| *-?[0-9]{1,4}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]+)?)? *|[+\\-\uff0b\uff0d]+"
)
_COUNTED = re.compile(
    r"^(?:[^\n]*: )?tw\.guard: an apostrophe before (\d+) cells that begin like formulas$", re.MULTILINE
)
"""What the sandbox prints for each table that it guards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedRow:
    """Cells of a text file, and how many of them were given an apostrophe."""

    cells: tuple[Any, ...]
    changed: int


def is_formula_text(text: str) -> bool:
    """Return whether a cell with this text would be read as a formula; plain numbers, times and dashes are not."""
    return _BEGINS.match(text) is not None and _HARMLESS.fullmatch(text) is None


def guarded(row: Iterable[Any]) -> GuardedRow:
    """Return the cells of `row` with an apostrophe before each text that would be read as a formula."""
    cells = tuple(row)
    made = tuple(f"'{cell}" if isinstance(cell, str) and is_formula_text(cell) else cell for cell in cells)
    return GuardedRow(cells=made, changed=sum(new is not old for new, old in zip(made, cells, strict=True)))


def guarded_cells(printed: str) -> int:
    """Return how many cells were given an apostrophe in the sandbox, by what was printed there."""
    return sum(int(count) for count in _COUNTED.findall(printed))
