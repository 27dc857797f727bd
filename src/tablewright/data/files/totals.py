"""Find the rows of a table that only add up others, by their numbers: last or first rows, and subtotals within."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from tablewright.data.files.cells import Row, classify, is_blank, is_empty
from tablewright.data.files.scaled import full_numbers

LOOKED_AT = 2_000
"""Only the last row of a longer table is looked at."""
_TOTAL = re.compile(
    r"\s*(\w[^,;:]{0,20}\s)?(sub-?\s*)?totals?\b.{0,20}|\s*sum\s*|.{0,8}(合\s*计|总\s*计|小\s*计|总\s*和|汇\s*总)[:：]?\s*"
    r"|\s*总数\s*|\s*总\s*",
    re.IGNORECASE,
)
_LABELS = 3
"""A label stands in one of the first so many columns."""
_MOSTLY = 0.9
_UNLABELLED = 10
_PARTLY_LABELLED = 1_000
_LIKE_DATA = 1_000_000
"""By accident a row agrees with the sums of others once in as many tables as its sums have values; so many are asked
of a row without any label, of one with some cells that others have empty, and of one that looks like all others."""
_MOST_VALUES = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """`rows` are the positions of rows that add up others, `named` the labels of rows that are only called so."""

    rows: tuple[int, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """The numbers of a column, None for other cells, and the power of ten that divides them all."""

    position: int
    numbers: tuple[float | None, ...]
    unit: float


@dataclass(slots=True)
class _Block:
    """Rows that a row may add up, by their positions."""

    rows: list[int] = field(default_factory=list[int])


def totals(rows: Sequence[Row], width: int) -> Totals:
    """Return which of the rows below a header add up others."""
    if len(rows) < 3:
        return Totals()
    if len(rows) > LOOKED_AT:
        return _of_last(rows, width)
    sheet = _Sheet(rows, width)
    if not sheet.columns:
        return Totals()
    if sheet.fits(0) and sheet.adds_up(0, range(1, len(rows))):
        return Totals(rows=(0,))
    found = tuple(_within(sheet))
    named = tuple(sheet.called(place) for place in range(len(rows)) if sheet.merely_called(place, found))
    return Totals(rows=found, named=tuple(dict.fromkeys(filter(None, named))))


def _of_last(rows: Sequence[Row], width: int) -> Totals:
    """Look only at the last row, and only where it differs from the first ones at sight."""
    last, head = rows[-1], rows[: LOOKED_AT // 10]
    empty = [
        position
        for position in range(width)
        if _is_empty_at(last, position) and sum(not _is_empty_at(row, position) for row in head) > _MOSTLY * len(head)
    ]
    if not (empty or _label(last)):
        return Totals()
    sheet = _Sheet(rows, width, [position for position in range(width) if _is_number_at(last, position)])
    at = len(rows) - 1
    return Totals(rows=(at,) if sheet.adds_up(at, range(at)) else ())


def _within(sheet: _Sheet) -> Iterator[int]:
    """Yield the rows that add up those since the last such row, or all that add up nothing."""
    block, every = _Block(), _Block()
    for place in range(sheet.height):
        if sheet.is_blank(place):
            continue
        last = place == sheet.height - 1
        apart = last or (sheet.stands_apart(place) and sheet.fits(place))
        if apart and (sheet.adds_up(place, block.rows) or sheet.adds_up(place, every.rows)):
            yield place
            block.rows.clear()
            continue
        block.rows.append(place)
        every.rows.append(place)


class _Sheet:
    """The rows of a table with the numbers of its columns."""

    def __init__(self, rows: Sequence[Row], width: int, looked_at: Sequence[int] | None = None) -> None:
        self._rows = rows
        self.height = len(rows)
        places = range(width) if looked_at is None else looked_at
        self.columns = [column for position in places if (column := _numbers(rows, position)) is not None]
        numeric = {column.position for column in self.columns}
        self._words = [position for position in range(width) if position not in numeric]
        self._texts = {position for position in self._words if _mostly_words(rows, position)}
        self._filled = [
            position
            for position in self._words
            if sum(not _is_empty_at(row, position) for row in rows) >= _MOSTLY * (len(rows) - 1) - 1
        ]

    def fits(self, place: int) -> bool:
        """Return whether the cells of a row are of the kinds of their columns, so that it can be read with the others:
        words stand only where the others have words, and what calls it a total where they have no numbers."""
        row = self._rows[place]
        label = self.called(place)
        return all(
            position in self._texts or classify(cell) != "text" or (cell == label and position in self._words[:_LABELS])
            for position, cell in enumerate(row)
            if not is_empty(cell)
        )

    def is_blank(self, place: int) -> bool:
        """Return whether a row is empty."""
        return is_blank(self._rows[place])

    def called(self, place: int) -> str:
        """Return the label of a row that is called a total, else nothing."""
        return _label(self._rows[place])

    def stands_apart(self, place: int) -> bool:
        """Return whether a row is called a total, or lacks a cell that nearly all others have."""
        return bool(self.called(place)) or self._lacks(place)

    def adds_up(self, place: int, others: Sequence[int]) -> bool:
        """Return whether the numbers of a row are the sums of `others`, and not by accident.

        A number that is no sum must lie among those of its column, as an average, a rate or a price does, or else
        another must be one beyond doubt in a row that is called a total: people err when they add up.
        """
        chance = 1.0
        agreed = compared = several = astray = 0
        for column in self.columns:
            value = column.numbers[place]
            summed = [number for row in others if (number := column.numbers[row]) is not None]
            if value is None or not summed:
                continue
            compared += 1
            if _is_sum(value, summed, column.unit, loose=bool(self.called(place))):
                agreed += 1
                several += sum(number != 0 for number in summed) > 1
                chance *= max(1.0, min(abs(value) / column.unit, _MOST_VALUES))
            elif not min(summed) <= value <= max(summed):
                astray += 1
        if not agreed or agreed * 2 < compared:
            return False
        if astray and not (self.called(place) and several and chance >= _PARTLY_LABELLED):
            return False
        return bool(self.called(place)) or (several > 0 and chance >= self._asked(place, agreed, compared))

    def merely_called(self, place: int, found: Sequence[int]) -> bool:
        """Return whether a row is called a total, but has a number below the sum of the rows that are no totals."""
        if place in found or not self.called(place):
            return False
        for column in self.columns:
            value = column.numbers[place]
            others = [
                number
                for row, number in enumerate(column.numbers)
                if number is not None and row != place and row not in found
            ]
            if value is not None and others and min(others) >= 0 and value < math.fsum(others) - column.unit / 2:
                return True
        return False

    def _lacks(self, place: int) -> bool:
        return any(_is_empty_at(self._rows[place], position) for position in self._filled)

    def _asked(self, place: int, agreed: int, compared: int) -> float:
        row = self._rows[place]
        if self._filled and all(_is_empty_at(row, position) for position in self._words):
            return _UNLABELLED if place in {0, self.height - 1} else _PARTLY_LABELLED
        if self._lacks(place):
            return _PARTLY_LABELLED
        return _LIKE_DATA if agreed > 1 and agreed == compared else math.inf


def _label(row: Row) -> str:
    """Return the cell that calls a row a total; empty if there is none."""
    return next((cell for cell in row[:_LABELS] if isinstance(cell, str) and _TOTAL.fullmatch(cell)), "")


def _is_empty_at(row: Row, position: int) -> bool:
    return position >= len(row) or is_empty(row[position])


def _mostly_words(rows: Sequence[Row], position: int) -> bool:
    classes = [classify(row[position]) for row in rows[:LOOKED_AT] if not _is_empty_at(row, position)]
    return classes.count("text") * 2 > len(classes)


def _is_number_at(row: Row, position: int) -> bool:
    return position < len(row) and classify(row[position]) == "number"


def _is_sum(value: float, summed: Sequence[float], unit: float, *, loose: bool) -> bool:
    """Return whether a number is a sum, but for rounding; that of a labelled row may be rounded on its own."""
    total = math.fsum(summed)
    if loose:
        return math.isclose(value, total, rel_tol=0.005, abs_tol=0.51 if abs(total) > 10 else 0.051)
    return math.isclose(value, total, rel_tol=1e-9, abs_tol=unit * 0.51 * math.sqrt(len(summed)) if unit < 1 else 1e-6)


def _numbers(rows: Sequence[Row], position: int) -> _Column | None:
    """Return the numbers of a column, most of whose cells are numbers, as the first rows tell; None of any other."""
    cells = [row[position] if position < len(row) else None for row in rows]
    classes = [classify(cell) for cell in cells[:LOOKED_AT]]
    if "number" not in classes or sum(found == "number" for found in classes) * 2 < sum(
        found != "empty" for found in classes
    ):
        return None
    numbers = [float(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else None for cell in cells]
    if any(isinstance(cell, str) for cell in cells):
        texts = [None if cell is None or isinstance(cell, bool) else str(cell) for cell in cells]
        numbers = list(full_numbers(pl.Series(texts, dtype=pl.String)))
    return _Column(position=position, numbers=tuple(numbers), unit=_unit([number for number in numbers if number]))


def _unit(numbers: Sequence[float]) -> float:
    """Return the largest power of ten of which all numbers are multiples, from a millionth to a million."""
    for power in range(6, -7, -1):
        unit = 10.0**power
        if all(abs(number / unit - round(number / unit)) < 1e-6 for number in numbers):
            return unit
    return 1e-6
