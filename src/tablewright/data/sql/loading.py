"""The operation that builds `primary`, in the child process: every table of the given files becomes a table of DuckDB.

Columns get the types that the profile found: numbers as they are written (12.3 for 12.3%), dates as dates. Texts among
them that are no values (`N/A`, `缺考`) are NULL, which the comment of the column says. A column in which another cell
would be lost stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

import duckdb
import polars as pl
from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from tablewright.data.files.delimited import read_delimited
from tablewright.data.files.kinds import identify
from tablewright.data.files.records import read_json
from tablewright.data.files.region import TableRegion, dataset_profile
from tablewright.data.files.sheets import read_grid, read_sheet, sheet_names
from tablewright.data.sql.columns import typed
from tablewright.domain.codec import to_json
from tablewright.domain.dataset import FileKind
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
                for source in _sources(place, file["name"], beside):
                    own = _free(source.name, made)
                    _create(connection, own, source)
                    made.append(own)
            except FileUnreadable:
                continue
    beside.unlink(missing_ok=True)
    return to_json(list[str], made)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A table of a file: its name, a Parquet file with its rows, and what is to be said of its columns."""

    name: str
    rows: Path
    notes: Mapping[str, str] = field(default_factory=dict[str, str])


def _create(connection: duckdb.DuckDBPyConnection, name: str, source: _Source) -> None:
    table = _quoted(name)
    connection.execute(
        f"CREATE TABLE {table} AS SELECT * FROM read_parquet(?)",  # noqa: S608  # it is quoted
        [str(source.rows)],
    )
    for column, note in source.notes.items():
        written = note.replace("'", "''")
        connection.execute(f"COMMENT ON COLUMN {table}.{_quoted(column)} IS '{written}'")


def table_name(file: str, sheet: str | None) -> str:
    """Return what a table is called: after its file, and after its sheet where the file has several."""
    words = PurePath(file).stem if sheet is None else f"{PurePath(file).stem}_{sheet}"
    name = re.sub(r"\W+", "_", words).strip("_")[:TABLE_CHARS] or "table"
    return f"t_{name}" if name[0].isdigit() else name


def _sources(path: Path, name: str, beside: Path) -> Iterator[_Source]:
    """Yield each table of a file, with its rows in `beside`, which the next one overwrites."""
    form = identify(path, name)
    if form == "parquet":
        yield _Source(name=table_name(name, None), rows=path)
        return
    regions = _regions(path, name, form)
    for region in regions:
        frame, notes = _table(region, name)
        frame.write_parquet(beside)
        yield _Source(name=table_name(name, region.name if len(regions) > 1 else None), rows=beside, notes=notes)


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


def _table(region: TableRegion, name: str) -> tuple[pl.DataFrame, dict[str, str]]:
    """Return the rows of a table, and the notes on its columns, by their names."""
    facts = dataset_profile(region, name).facts.columns
    typed_ = [
        typed(column, known, decimal=region.read.decimal) for column, known in zip(region.columns, facts, strict=True)
    ]
    named = dict(zip(_unique(region.names), typed_, strict=True))
    frame = pl.DataFrame([column.values.alias(own) for own, column in named.items()])
    return frame, {own: column.note for own, column in named.items() if column.note}


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
