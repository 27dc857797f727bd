"""How the values of a column are distributed, in a few numbers that can be drawn."""

from __future__ import annotations

from dataclasses import dataclass

BARS = 12
"""So many equal parts a range has at most."""
COMMON = 5
"""So many of a column's texts are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnShape:
    """The shape of a column: of numbers and dates the cells in each equal part of its range (`parts`, lowest first), of
    others the most frequent values with their cells (`common`) and the cells of all further ones (`others`)."""

    column: str
    parts: tuple[int, ...] = ()
    common: tuple[tuple[str, int], ...] = ()
    others: int = 0
