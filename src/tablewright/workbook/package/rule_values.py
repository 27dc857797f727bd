"""What rules compare a cell with: the values of all cells that they look at, and formulas beside each cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import formualizer

from tablewright.domain.table import Cell
from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS, Area, runs_of
from tablewright.workbook.formulas import Corner, references, translated
from tablewright.workbook.package.cell_rules import Bound, CellRule
from tablewright.workbook.package.sheet import WorkbookSheet

_SCRATCH = 12_000
"""The column from which on formulas stand while they are computed: beyond what sheets use."""
MOST_COMPUTED = 4_000
_MOST_REFERRED = 40_000
_NO_PLACE = ("COLUMN()", "CELL(", "INDIRECT(")
"""What asks where a formula stands, which is elsewhere while it is computed."""


@dataclass(frozen=True, slots=True)
class RuleValues:
    """The values of the cells that a rule looks at: numbers in order, and how often each value is there."""

    numbers: tuple[float, ...]
    counts: Counter[Cell]

    @property
    def mean(self) -> float:
        return sum(self.numbers) / len(self.numbers) if self.numbers else 0.0

    def at(self, bound: Bound) -> float | None:
        """Return where an end of a scale is; None for what only a formula tells."""
        if not self.numbers:
            return None
        least, most = self.numbers[0], self.numbers[-1]
        if bound.kind in {"min", "max"}:
            return least if bound.kind == "min" else most
        try:
            value = float(bound.value)
        except ValueError:
            return None
        if bound.kind == "percent":
            return least + (most - least) * value / 100
        if bound.kind == "percentile":
            place = (len(self.numbers) - 1) * min(max(value, 0.0), 100.0) / 100
            low = self.numbers[int(place)]
            high = self.numbers[min(int(place) + 1, len(self.numbers) - 1)]
            return low + (high - low) * (place - int(place))
        return value if bound.kind == "num" else None

    def rank(self, rule: CellRule) -> float | None:
        """Return the number that the last of the first (or lowest) ones has."""
        count = len(self.numbers)
        wanted = max(1, count * rule.rank // 100) if rule.percent else rule.rank
        if not count or wanted < 1:
            return None
        return self.numbers[min(wanted, count) - 1] if rule.bottom else self.numbers[max(count - wanted, 0)]


def values_of(sheet: WorkbookSheet, areas: Sequence[Area], used: Area) -> RuleValues:
    """Read every cell that a rule looks at."""
    numbers: list[float] = []
    counts: Counter[Cell] = Counter()
    for area in areas:
        cut = area.cut(used)
        for _, cells in sheet.scan(cut) if cut is not None else ():
            for cell in cells.values():
                if cell.value is None or cell.value == "":
                    continue
                counts[folded(cell.value)] += 1
                if is_number(cell.value):
                    numbers.append(float(cell.value))
    return RuleValues(tuple(sorted(numbers)), counts)


def folded(value: Cell) -> Cell:
    """Return a value as rules compare it: texts whatever their case."""
    return value.casefold() if isinstance(value, str) else value


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a value counts as a number in a scale."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def computed(
    sheet: WorkbookSheet, formula: str, home: tuple[int, int], places: Sequence[tuple[int, int]], used: Area
) -> list[Any] | None:
    """Return what a formula that is written for the cell `home` comes to for each of `places`, by rows; None where
    that cannot be told here: it reads other sheets, very many cells, or asks where it stands."""
    compact = formula.upper().replace(" ", "")
    if len(places) > MOST_COMPUTED or any(word in compact for word in _NO_PLACE):
        return None
    wanted = [translated(f"={formula}", row - home[0], column - home[1]) for row, column in places]
    read = _referred(wanted, sheet.name, used)
    if read is None:
        return None
    book = formualizer.Workbook()
    book.add_sheet(sheet.name)
    for area in read:
        book.set_values_batch(sheet.name, area.first_row, area.first_column, _block(sheet, area))
    columns = sorted({column for _, column in places})
    rows = sorted({row for row, _ in places})
    beside = {column: _SCRATCH + at for at, column in enumerate(columns)}
    texts = dict(zip(places, wanted, strict=True))
    for column in columns:
        for first, last in runs_of(row for row in rows if (row, column) in texts):
            block = [[texts[row, column]] for row in range(first, last + 1)]
            book.set_formulas_batch(sheet.name, first, beside[column], block)
    return list(book.evaluate_cells([(sheet.name, row, beside[column]) for row, column in places]))


def _referred(formulas: Sequence[str], home: str, used: Area) -> list[Area] | None:
    """Return one area for each column range that the formulas read."""
    found: dict[tuple[int, int], Area] = {}
    for formula in formulas:
        for reference in references(formula):
            if reference.elsewhere or (reference.sheet or home).casefold() != home.casefold():
                return None
            area = _area(reference.corners[0], reference.corners[-1]).cut(used)
            if area is not None:
                key = area.first_column, area.last_column
                found[key] = found[key].joined(area) if key in found else area
    whole = list(found.values())
    return whole if sum(area.height * area.width for area in whole) <= _MOST_REFERRED else None


def _area(first: Corner, last: Corner) -> Area:
    rows = sorted((first.row or 1, last.row or MOST_ROWS))
    columns = sorted((first.column or 1, last.column or MOST_COLUMNS))
    return Area(rows[0], columns[0], rows[1], columns[1])


def _block(sheet: WorkbookSheet, area: Area) -> list[list[Cell]]:
    filled: list[list[Cell]] = [[None] * area.width for _ in range(area.height)]
    for number, cells in sheet.scan(area):
        for column, cell in cells.items():
            filled[number - area.first_row][column - area.first_column] = cell.value
    return filled
