"""The columns of a band of rows in another order, and where the areas and the formulas that refer to them are then."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tablewright.errors import InvalidInput
from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS, Area
from tablewright.workbook.formulas import Reference, arguments, rewrite

_BAGS = frozenset({
    "SUM", "SUMSQ", "AVERAGE", "AVERAGEA", "COUNT", "COUNTA", "COUNTBLANK", "COUNTIF", "MIN", "MINA", "MAX", "MAXA",
    "MEDIAN", "PRODUCT", "STDEV", "STDEVA", "STDEVP", "STDEV.S", "STDEV.P", "VAR", "VARA", "VARP", "VAR.S", "VAR.P",
    "LARGE", "SMALL", "AND", "OR", "XOR", "GEOMEAN", "HARMEAN", "DEVSQ", "AVEDEV", "RANK", "RANK.EQ", "RANK.AVG",
    "PERCENTILE", "PERCENTILE.INC", "PERCENTILE.EXC", "QUARTILE", "QUARTILE.INC", "QUARTILE.EXC", "TRIMMEAN",
    "SUBTOTAL", "AGGREGATE", "GCD", "LCM", "COLUMNS", "ROWS",
})  # fmt: skip
"""Functions to which the order of a range's cells makes no difference."""
_ONE_COLUMN = re.compile(r"(?:@?[^\[\]:#]+|(?:\[#[^\]]+\],)?\[[^\[\]:#]+\])\]")
"""The rest of a reference to one column of a table, after its name and bracket."""
_SHOWN = 200


@dataclass(frozen=True, kw_only=True)
class ColumnOrder:
    """`places` maps columns of a sheet that lie side by side to where they go; only rows of the band move.

    `filled`: those of the columns that hold something outside the band, which stays. `named`: the names of ranges and
    tables in which columns stand in another order afterwards.
    """

    sheet: str
    first_row: int
    last_row: int
    places: Mapping[int, int]
    filled: frozenset[int] = frozenset()
    named: frozenset[str] = frozenset()

    @cached_property
    def band(self) -> Area:
        """The area whose cells are put in another order."""
        return Area(self.first_row, min(self.places), self.last_row, max(self.places))

    @property
    def whole(self) -> bool:
        """Whether the columns move in their full height."""
        return self.first_row == 1 and self.last_row == MOST_ROWS

    def place(self, row: int, column: int) -> tuple[int, int]:
        """Return where a cell of the sheet is afterwards."""
        return (row, self.places.get(column, column) if self.first_row <= row <= self.last_row else column)

    def areas(self, area: Area) -> list[Area] | None:
        """Return where the cells of an area are, from left to right; None where only a part of its rows moves."""
        if not area.meets(self.band):
            return [area]
        inside = self._inside(area)
        moved = {self.places[column] for column in inside}
        if moved == set(inside):
            return [area]
        within = self.first_row <= area.first_row and area.last_row <= self.last_row
        if not within and (moved ^ set(inside)) & self.filled:
            return None
        parts = [(area.first_column, min(inside) - 1), (max(inside) + 1, area.last_column)]
        parts += [(column, column) for column in moved]
        return [
            Area(area.first_row, low, area.last_row, high)
            for low, high in _joined(sorted(part for part in parts if part[0] <= part[1]))
        ]

    def keeps_order(self, area: Area) -> bool:
        """Whether the cells of an area stand side by side as before."""
        if not area.meets(self.band) or area.first_column == area.last_column:
            return True
        low, high = max(area.first_column, self.band.first_column - 1), min(area.last_column, self.band.last_column + 1)
        return all(self._at(column + 1) == self._at(column) + 1 for column in range(low, high))

    def alike(self, area: Area, by: int) -> bool:
        """Whether each cell of an area has the cell `by` columns beside it at the same distance afterwards."""
        if not area.meets(self.band):
            low, high = area.first_column, area.first_column
        else:
            low = max(area.first_column, self.band.first_column - 1 - abs(by))
            high = min(area.last_column, self.band.last_column + 1 + abs(by))
        return len({self._at(column + by) - self._at(column) for column in range(low, high + 1)}) == 1

    def moved(self, area: Area) -> Area | None:
        """Return where an area is that must stay in one piece, with its columns as they were; None if it cannot."""
        found = self.areas(area)
        return found[0] if found and len(found) == 1 and self.keeps_order(area) else None

    def followed(self, formula: str, home: str) -> str:
        """Return a formula of sheet `home` that refers to the same cells as before.

        Errors: `InvalidInput` when a range would be torn apart, or its cells mean something by their order.
        """
        for found, function in arguments(formula):
            if function not in _BAGS and not self._means_the_same(found, formula, home):
                raise self._torn(found if isinstance(found, str) else found.text, formula)

        def move(found: Reference) -> str:
            area = self._area(found, home)
            if area is None or all(corner.column is None for corner in found.corners):
                return found.text
            places = self.areas(area)
            if places is None or len(places) > 1:
                raise self._torn(found.text, formula)
            ends = (places[0].first_column, places[0].last_column)
            if len(found.corners) > 1 and (found.corners[0].column or 0) > (found.corners[1].column or 0):
                ends = (ends[1], ends[0])
            corners = tuple(replace(corner, column=end) for corner, end in zip(found.corners, ends, strict=False))
            return replace(found, corners=corners).text

        return rewrite(formula, move)

    def _area(self, found: Reference, home: str) -> Area | None:
        if found.elsewhere or (found.sheet or home).casefold() != self.sheet.casefold():
            return None
        rows = sorted(corner.row for corner in found.corners if corner.row is not None) or [1, MOST_ROWS]
        columns = sorted(corner.column for corner in found.corners if corner.column is not None) or [1, MOST_COLUMNS]
        return Area(rows[0], columns[0], rows[-1], columns[-1])

    def _means_the_same(self, found: Reference | str, formula: str, home: str) -> bool:
        """Whether the cells that a formula refers to stand side by side as before, or their order is of no meaning:
        one range that has all columns which move is the whole, whatever their order."""
        if isinstance(found, str):
            name, _, rest = found.partition("[")
            return name.casefold() not in self.named or bool(_ONE_COLUMN.fullmatch(rest))
        across = found.elsewhere and "[" not in found.prefix  # over several sheets: which ones is not known here
        area = self._area(replace(found, elsewhere=False, sheet=self.sheet) if across else found, home)
        if area is None or not area.meets(self.band):
            return True
        return not across and (self.keeps_order(area) or (formula == found.text and self.areas(area) == [area]))

    def _torn(self, found: str, formula: str) -> InvalidInput:
        return InvalidInput("columns_torn", field="columns", range=found, where=formula[:_SHOWN])

    def _inside(self, area: Area) -> range:
        return range(max(area.first_column, self.band.first_column), min(area.last_column, self.band.last_column) + 1)

    def _at(self, column: int) -> int:
        return self.places.get(column, column)


def order_of(columns: range, moved: list[int], before: int) -> dict[int, int]:
    """Return the new places of `columns` with `moved` put in front of column `before`, which may be one past the end;
    only those from the first to the last that change are in it."""
    rest = [column for column in columns if column not in moved]
    at = sum(1 for column in rest if column < before)
    order = [*rest[:at], *moved, *rest[at:]]
    places = dict(zip(order, columns, strict=True))
    changed = [column for column in columns if places[column] != column]
    return {column: places[column] for column in columns if changed and changed[0] <= column <= changed[-1]}


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for low, high in spans:
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined
