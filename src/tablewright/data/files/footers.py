"""Detect what is below a table without being part of its data: totals and notes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import polars as pl

from tablewright.data.files.cells import RawCell, Row, classify, filled, is_empty, repeats
from tablewright.data.files.numbers import number_parts

_TOTAL = re.compile(
    r"\s*(grand\s+|sub-?\s*)?totals?\b.{0,20}|\s*sum\s*|.{0,8}(合\s*计|总\s*计|小\s*计|总\s*和|汇\s*总)[:：]?\s*"
    r"|\s*总数\s*|\s*总\s*",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\s*(\*|※|†|注\d*[:：]|注释|备注[:：]|说明[:：]|来源|数据来源|资料来源|notes?\s*[:：]|sources?\s*[:：])",
    re.IGNORECASE,
)


def last_data_row(rows: Sequence[Row], first: int, width: int, header: Row | None) -> tuple[int, int | None]:
    """Return the last data row, and the totals row below it or None.

    Notes and a repeated header at the bottom are left out.
    """
    last = len(rows) - 1
    while last > first and (is_note(rows[last], width) or (header is not None and repeats(rows[last], header))):
        last -= 1
    if last > first + 1 and is_total_row(rows[last], rows[first:last]):
        return last - 1, last
    return last, None


def is_total_row(row: Row, above: Sequence[Row]) -> bool:
    """Return whether a row labelled as a total sums the rows above in most of its number columns."""
    if not any(isinstance(cell, str) and _TOTAL.fullmatch(cell) for cell in row[:3]):
        return False
    agreed = 0
    compared = 0
    for position, cell in enumerate(row):
        if classify(cell) != "number":
            continue
        total = _number(cell)
        summed = _sum([line[position] for line in above if position < len(line)])
        if total is None or summed is None:
            continue
        compared += 1
        agreed += math.isclose(total, summed, rel_tol=0.005, abs_tol=0.51 if abs(summed) > 10 else 0.051)
    return compared > 0 and agreed * 2 >= compared


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


def _number(cell: RawCell) -> float | None:
    if isinstance(cell, int | float):
        return float(cell)
    value = number_parts(pl.Series([str(cell)]))["value"][0]
    return None if value is None else float(value)


def _sum(cells: Sequence[RawCell]) -> float | None:
    numbers = [float(cell) for cell in cells if isinstance(cell, int | float) and not isinstance(cell, bool)]
    texts = [cell for cell in cells if isinstance(cell, str) and not is_empty(cell)]
    if texts:
        parsed = number_parts(pl.Series(texts))["value"].drop_nulls()
        numbers.extend(float(value) for value in parsed)
    return math.fsum(numbers) if numbers else None
