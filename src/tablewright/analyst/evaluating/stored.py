"""A table as it is held for the execution of plans."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tablewright.domain.table import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable:
    """The cells of a table by columns, in the order of its facts, all of the same length.

    Cells are as `domain.loading` reads them: numbers, and texts as they are written where a column has a notation of
    its own (dates as text, grouped numbers, percent); dates and times that the file has as such are ISO 8601 text, a
    missing cell is None. What a plan computes with is converted and cleaned when it is executed, as the facts say, and
    kept in `converted`.
    """

    columns: tuple[tuple[Cell, ...], ...]
    converted: dict[Any, list[Any]] = field(default_factory=dict[Any, list[Any]], compare=False, repr=False)

    @property
    def cells(self) -> int:
        """How many cells are held."""
        rows = len(self.columns[0]) if self.columns else 0
        return rows * (len(self.columns) + len(self.converted))
