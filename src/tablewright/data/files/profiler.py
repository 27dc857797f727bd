"""The operation `profile`: the facts about a file, in the child process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from tablewright.data.base import DatasetProfile, FileProfile
from tablewright.data.files.delimited import read_delimited
from tablewright.data.files.kinds import Format, identify
from tablewright.data.files.large import LARGE_BYTES, profile_large
from tablewright.data.files.parquet import profile_parquet
from tablewright.data.files.records import read_json
from tablewright.data.files.region import dataset_profile
from tablewright.data.files.sheets import Grid, read_grid, read_sheet, sheet_names
from tablewright.data.files.uncomputed import has_uncomputed
from tablewright.data.files.xlsx_head import large_sheet, read_head
from tablewright.domain.codec import to_json
from tablewright.domain.dataset import FileKind
from tablewright.errors import FileEmpty, FileEncrypted, FileUnreadable

LARGE_SHEET_BYTES = 160 * 1024**2
"""If a sheet's XML is larger than this, statistics are computed on its first rows."""
SAMPLED_ROWS = 50_000
Note = tuple[str, dict[str, str | int | float | None]]


def profile(path: Path, *, name: str) -> bytes:
    """Return the `FileProfile` of a file as JSON."""
    return to_json(FileProfile, profile_file(path, name))


def profile_file(path: Path, name: str) -> FileProfile:
    """Profile every table in a file. Errors: `FileUnreadable` and its subclasses."""
    form = identify(path, name)
    return _READERS[form](path, name, form)


def _text(path: Path, name: str, _form: Format) -> FileProfile:
    large = path.stat().st_size > LARGE_BYTES
    table = profile_large(path, name) if large else dataset_profile(read_delimited(path, name), name)
    return FileProfile(kind="csv", datasets=(table,))


def _workbook(path: Path, name: str, form: Format) -> FileProfile:
    kinds: dict[str, FileKind] = {"xlsx": "xlsx", "xlsb": "xlsx", "xls": "xls", "ods": "ods"}
    kind = kinds[form]
    datasets: list[DatasetProfile] = []
    notes: list[Note] = []
    try:
        with path.open("rb") as file:
            workbook = CalamineWorkbook.from_filelike(file)
            for sheet in sheet_names(workbook):
                found = _sheet(path, workbook, sheet, kind, name)
                datasets += found
                notes += [] if found else [("sheet_without_table", {"sheet": sheet})]
    except PasswordError as error:
        raise FileEncrypted(name=name) from error
    except CalamineError as error:
        raise FileUnreadable("file_damaged", name=name) from error
    if not datasets:
        raise FileEmpty(name=name)
    uncomputed = form == "xlsx" and has_uncomputed(path)
    return FileProfile(kind=kind, datasets=tuple(datasets), uncomputed=uncomputed, notes=tuple(notes))


def _sheet(path: Path, workbook: CalamineWorkbook, sheet: str, kind: FileKind, name: str) -> list[DatasetProfile]:
    large = large_sheet(path, sheet, limit_bytes=LARGE_SHEET_BYTES) if kind == "xlsx" else None
    if large is None:
        regions = read_sheet(read_grid(workbook.get_sheet_by_name(sheet)), sheet, kind)
        return [dataset_profile(region, name) for region in regions]
    head = read_head(path, large.member, SAMPLED_ROWS)
    regions = read_sheet(Grid(rows=head.rows), sheet, kind)
    more = head.total - len(head.rows)
    return [dataset_profile(region, name, more_rows=0 if region.read.last_row else more) for region in regions]


def _json(path: Path, name: str, _form: Format) -> FileProfile:
    tables = tuple(dataset_profile(region, name) for region in read_json(path, name))
    return FileProfile(kind="json", datasets=tables)


def _parquet(path: Path, name: str, _form: Format) -> FileProfile:
    return FileProfile(kind="parquet", datasets=(profile_parquet(path, name),))


_READERS: dict[str, Callable[[Path, str, Format], FileProfile]] = {
    "text": _text,
    "json": _json,
    "parquet": _parquet,
    "xlsx": _workbook,
    "xlsb": _workbook,
    "xls": _workbook,
    "ods": _workbook,
}
