"""The operation that builds `primary`, in the child process: every table of the given files becomes a table of DuckDB.

Columns get the types that the profile found: numbers as they are written (12.3 for 12.3%), dates as dates. A column in
which a cell would be lost by that stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path, PurePath
from typing import Any

import duckdb
import polars as pl
from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from tablewright.data.files.dates import written_dates
from tablewright.data.files.delimited import read_delimited
from tablewright.data.files.kinds import identify
from tablewright.data.files.numbers import plain_numbers, written_numbers
from tablewright.data.files.records import read_json
from tablewright.data.files.region import TableRegion, dataset_profile, shown
from tablewright.data.files.sheets import read_grid, read_sheet, sheet_names
from tablewright.domain.codec import to_json
from tablewright.domain.dataset import ColumnFacts, FileKind
from tablewright.errors import FileEncrypted, FileUnreadable

KINDS: Mapping[str, FileKind] = {"xlsx": "xlsx", "xlsb": "xlsx", "xls": "xls", "ods": "ods"}
TABLE_CHARS = 60


def build(path: Path, *, name: str, files: Sequence[Mapping[str, str]]) -> bytes:  # noqa: ARG001  # of an operation
    """Write the tables of `files` (each `path` and `name`) to a new DuckDB file; return their names as JSON.

    Files in which there is no table, or which cannot be read, are left out: another answer tells of them.
    """
    made: list[str] = []
    beside = path.with_suffix(".parquet")
    with duckdb.connect(str(path)) as connection:
        for file in files:
            place = Path(file["path"])
            try:
                for table, source in _sources(place, file["name"], beside):
                    own = _free(table, made)
                    connection.execute(
                        f"CREATE TABLE {_quoted(own)} AS SELECT * FROM read_parquet(?)",  # noqa: S608  # it is quoted
                        [str(source)],
                    )
                    made.append(own)
            except FileUnreadable:
                continue
    beside.unlink(missing_ok=True)
    return to_json(list[str], made)


def table_name(file: str, sheet: str | None) -> str:
    """Return what a table is called: after its file, and after its sheet where the file has several."""
    words = PurePath(file).stem if sheet is None else f"{PurePath(file).stem}_{sheet}"
    name = re.sub(r"\W+", "_", words).strip("_")[:TABLE_CHARS] or "table"
    return f"t_{name}" if name[0].isdigit() else name


def _sources(path: Path, name: str, beside: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name of each table of a file and a Parquet file with its rows, which the next one overwrites."""
    form = identify(path, name)
    if form == "parquet":
        yield table_name(name, None), path
        return
    regions = _regions(path, name, form)
    for region in regions:
        _frame(region, name).write_parquet(beside)
        yield table_name(name, region.name if len(regions) > 1 else None), beside


def _regions(path: Path, name: str, form: str) -> list[TableRegion]:
    if form == "text":
        return [read_delimited(path, name)]
    if form == "json":
        return read_json(path, name)
    try:
        with path.open("rb") as file:
            workbook = CalamineWorkbook.from_filelike(file)
            return [
                region
                for sheet in sheet_names(workbook)
                for region in read_sheet(read_grid(workbook.get_sheet_by_name(sheet)), sheet, KINDS[form])
            ]
    except PasswordError as error:
        raise FileEncrypted(name=name) from error
    except CalamineError as error:
        raise FileUnreadable("file_damaged", name=name) from error


def _frame(region: TableRegion, name: str) -> pl.DataFrame:
    facts = dataset_profile(region, name).facts.columns
    columns = [
        _of_texts(column, known) if isinstance(column, pl.Series) else _of_cells(column, known)
        for column, known in zip(region.columns, facts, strict=True)
    ]
    return pl.DataFrame([column.alias(own) for column, own in zip(columns, _unique(region.names), strict=True)])


def _unique(names: Sequence[str]) -> list[str]:
    """Return names that differ in more than case, as DuckDB wants them."""
    made: list[str] = []
    for name in names:
        made.append(_free(name, made))
    return made


def _free(name: str, taken: Sequence[str]) -> str:
    known = {one.lower() for one in taken}
    tries = (name, *(f"{name}_{number}" for number in range(2, len(known) + 3)))
    return next(one for one in tries if one.lower() not in known)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _of_texts(texts: pl.Series, facts: ColumnFacts) -> pl.Series:
    blank = texts.is_null() | (texts.str.strip_chars() == "") | texts.is_in([*facts.missing_texts])
    there = blank.not_().arg_true()
    given = texts.gather(there)
    read: pl.Series | None = None
    if facts.kind in {"integer", "number"}:
        numbers = plain_numbers(given) or written_numbers(given)
        read = None if numbers is None else numbers.values
        if read is not None and facts.kind == "integer" and read.is_finite().all():
            read = read.cast(pl.Int64, strict=False)
    elif facts.kind in {"date", "datetime"}:
        dates = written_dates(given)
        read = None if dates is None else dates.values
        if read is not None and facts.kind == "date":
            read = read.cast(pl.Date, strict=False)
    if read is None or len(read) != len(given) or read.null_count():
        return texts
    return pl.Series([None] * len(texts), dtype=read.dtype).scatter(there, read)


def _of_cells(cells: Sequence[Any], facts: ColumnFacts) -> pl.Series:
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds and kinds <= {int, float}:
        return pl.Series(cells, dtype=pl.Int64 if facts.kind == "integer" else pl.Float64, strict=False)
    if kinds in ({bool}, {date}, {datetime}):
        return pl.Series(cells, strict=False)
    texts = pl.Series([None if cell is None else str(shown(cell)) for cell in cells], dtype=pl.String)
    return _of_texts(texts, facts) if kinds == {str} else texts
