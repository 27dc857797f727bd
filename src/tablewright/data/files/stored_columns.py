"""The cells of a table, read as its facts say: the same rows and values as the loading code of `domain.loading`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl
from python_calamine import CalamineError, CalamineWorkbook

from tablewright.data.files.dialect import Dialect, split
from tablewright.data.files.records import read_json
from tablewright.data.files.sheets import read_grid
from tablewright.data.missing_values import PANDAS_MISSING
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.table import Cell
from tablewright.errors import FileTooLarge, FileUnreadable

MOST_BYTES = 48 * 1024**2
"""Larger files are not read this way."""
MOST_CELLS = 4_000_000
_LARGEST = 2**63
"""Whole numbers from here on stay fractions."""
_DIGITS = frozenset({"%Y%m%d", "%Y%m%d%H%M%S"})
_TRUTHS = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}
Column = tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    path: Path
    written_ns: int
    size: int
    read: ReadOptions
    rows: int
    columns: tuple[ColumnFacts, ...]


_last: list[tuple[_Table, tuple[Column, ...]]] = []
"""The table that was read last, if any: shapes of its columns and questions about it need it in turn."""


def stored_columns(path: Path, dataset: DatasetFacts) -> tuple[Column, ...]:
    """Return the cells of each column of `dataset`, in the order of its facts.

    Numbers are numbers where the file has them as such (or pandas would take them for it), moments are ISO 8601 text,
    a missing cell is None. Errors: `FileTooLarge`, and `FileUnreadable` where the file is not as the facts say.
    """
    state = path.stat()
    if state.st_size > MOST_BYTES or not dataset.exact or dataset.rows * len(dataset.columns) > MOST_CELLS:
        raise FileTooLarge(name=dataset.file_name, limit_bytes=MOST_BYTES)
    table = _Table(
        path=path,
        written_ns=state.st_mtime_ns,
        size=state.st_size,
        read=dataset.read,
        rows=dataset.rows,
        columns=dataset.columns,
    )
    for known, columns in _last:
        if known == table:
            return columns
    _last.clear()  # both together may be more than the process may hold
    try:
        found = _READERS[dataset.read.kind](path, dataset)
    except (CalamineError, pl.exceptions.PolarsError, LookupError, UnicodeError) as error:
        raise FileUnreadable("file_damaged", name=dataset.file_name, cause=type(error).__name__) from error
    if len(found) != len(dataset.columns) or any(len(column) != dataset.rows for column in found):
        raise FileUnreadable("file_damaged", name=dataset.file_name, cause="rows")
    _last.append((table, found))
    return found


def _text(path: Path, dataset: DatasetFacts) -> tuple[Column, ...]:
    read = dataset.read
    text = path.read_bytes().decode(read.encoding or "utf-8", "replace")
    dialect = Dialect(delimiter=read.delimiter or ",", quote=read.quote, escape=read.escape)
    end = None if read.last_row is None else read.last_row + 1
    records = list(islice((record for record in split(text, dialect) if record), end))
    return _columns(records, dataset, [_of_text(facts, dataset.read) for facts in dataset.columns])


def _sheet(path: Path, dataset: DatasetFacts) -> tuple[Column, ...]:
    with path.open("rb") as file:
        workbook = CalamineWorkbook.from_filelike(file)
        sheet = dataset.read.sheet
        grid = read_grid(workbook.get_sheet_by_index(0) if sheet is None else workbook.get_sheet_by_name(sheet))
    return _columns(grid.rows, dataset, [_of_cells(facts, dataset.read) for facts in dataset.columns])


def _columns(
    rows: Sequence[Sequence[Any]], dataset: DatasetFacts, makes: Sequence[Callable[[Sequence[Any]], list[Any]]]
) -> tuple[Column, ...]:
    """Return the columns of the rows that belong to the table: without empty rows and those that sum others."""
    read = dataset.read
    first = _first_row(read)
    body = rows[first : None if read.last_row is None else read.last_row + 1]
    given = _across(body, read.first_column, read.first_column + len(makes))
    columns = [make(cells) for make, cells in zip(makes, given, strict=True)]
    names = [column.name for column in dataset.columns]
    for name, ranges in read.fill_ranges:
        column = columns[names.index(name)]
        for start, end in ranges:
            column[start : end + 1] = [column[start]] * len(column[start : end + 1])
    if read.left_out:
        dropped = set(read.left_out)
        columns = [[cell for place, cell in enumerate(column) if place not in dropped] for column in columns]
    if read.blank_rows:
        kept = [place for place, row in enumerate(zip(*columns, strict=True)) if any(cell is not None for cell in row)]
        columns = [[column[place] for place in kept] for column in columns]
    for name in read.fill_down:
        columns[names.index(name)] = _filled_down(columns[names.index(name)])
    return tuple(map(tuple, columns))


def _across(rows: Sequence[Sequence[Any]], first: int, end: int) -> Sequence[Sequence[Any]]:
    """Return the columns from `first` to before `end`; a row that is too short has no cells there."""
    if rows and set(map(len, rows)) == {len(rows[0])} and end <= len(rows[0]):
        return [*zip(*rows, strict=True)][first:end]
    return [[row[place] if place < len(row) else None for row in rows] for place in range(first, end)]


def _first_row(read: ReadOptions) -> int:
    if read.first_row is not None:
        return read.first_row
    return read.header_rows[-1] + 1 if read.header_rows else 0


def _filled_down(column: list[Any]) -> list[Any]:
    last: Any = None
    found: list[Any] = []
    for cell in column:
        last = last if cell is None else cell
        found.append(last)
    return found


def _is_plain_number(facts: ColumnFacts) -> bool:
    """Return whether pandas takes the texts of a column for numbers; dates in digits only are such, too."""
    return (facts.notation == "plain" and facts.kind in {"number", "integer"}) or facts.date_format in _DIGITS


def _of_text(facts: ColumnFacts, read: ReadOptions) -> Callable[[Sequence[Any]], list[Any]]:
    """Return what turns the texts of a column into its cells."""
    missing = PANDAS_MISSING | set(facts.missing_texts)
    as_text = facts.name in read.as_text

    def make(texts: Sequence[Any]) -> list[Any]:
        cells = [None if text in missing else text for text in texts]
        if facts.kind == "boolean":
            return [_TRUTHS.get(cell.strip(), cell) if isinstance(cell, str) else cell for cell in cells]
        if as_text or not _is_plain_number(facts):
            return cells
        return [_number(cell, read.decimal) for cell in cells]

    return make


def _number(cell: Any, decimal: str | None) -> Any:
    """Return a text as the number that pandas takes it for; other texts stay as they are."""
    if not isinstance(cell, str):
        return cell
    text = cell.strip()
    if text.isascii() and text.lstrip("+-").isdigit():
        return int(text)
    try:
        return float(text.replace(",", ".") if decimal == "," else text) if "_" not in text else cell
    except ValueError:
        return cell


def _of_cells(facts: ColumnFacts, read: ReadOptions) -> Callable[[Sequence[Any]], list[Any]]:
    """Return what turns the typed cells of a column into its cells."""
    missing = PANDAS_MISSING | set(facts.missing_texts)
    as_text = facts.name in read.as_text
    numbers = _is_plain_number(facts) and not as_text

    def make(cells: Sequence[Any]) -> list[Any]:
        found = _plain(cells, missing)
        if numbers and str in set(map(type, found)):
            return [_number(cell, None) for cell in found]
        if as_text:
            return [None if cell is None else str(cell) for cell in found]
        return found

    return make


def _plain(cells: Sequence[Any], missing: frozenset[str]) -> list[Any]:
    """Return typed cells as plain ones. Most columns are of one type, and need no look at each cell's."""
    types = set(map(type, cells))
    if types == {str}:
        return [None if cell in missing else cell for cell in cells]
    if types <= {date, datetime}:
        return [cell.isoformat() for cell in cells]
    if types == {float}:
        return [int(cell) if cell.is_integer() and -_LARGEST < cell < _LARGEST else _known(cell) for cell in cells]
    return [None if isinstance(cell, str) and cell in missing else plain_cell(cell) for cell in cells]


def _known(number: float) -> float | None:
    return number if number == number else None  # noqa: PLR0124


def plain_cell(cell: Any) -> Cell:
    """Return a typed cell as a plain one: whole floats as integers, moments as ISO 8601 text."""
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and -_LARGEST < cell < _LARGEST else _known(cell)
    if isinstance(cell, datetime | date | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    return cell  # type: ignore[no-any-return]


def _json(path: Path, dataset: DatasetFacts) -> tuple[Column, ...]:
    read = dataset.read
    regions = read_json(path, dataset.file_name)
    region = next((one for one in regions if one.read.record_path == read.record_path), None)
    if region is None:
        raise FileUnreadable("file_damaged", name=dataset.file_name, cause="records")
    return tuple(tuple(None if cell != cell else cell for cell in column) for column in region.columns)  # noqa: PLR0124


def _parquet(path: Path, dataset: DatasetFacts) -> tuple[Column, ...]:
    lazy = pl.scan_parquet(path)
    given = list(lazy.collect_schema())
    names = [column.name for column in dataset.columns]
    if not dataset.read.renamed:
        given = [name for name in given if name in set(names)]
    frame = lazy.select(given).collect()
    found: list[Column] = []
    for column in frame.iter_columns():
        series = column.cast(pl.Float64) if column.dtype == pl.Decimal else column
        found.append(tuple(_typed(cell) for cell in series.to_list()))
    return tuple(found)


def _typed(cell: Any) -> Cell:
    if isinstance(cell, float):
        return None if cell != cell else cell  # noqa: PLR0124
    return plain_cell(cell)


_READERS: dict[str, Callable[[Path, DatasetFacts], tuple[Column, ...]]] = {
    "csv": _text,
    "xlsx": _sheet,
    "xls": _sheet,
    "ods": _sheet,
    "json": _json,
    "parquet": _parquet,
}
