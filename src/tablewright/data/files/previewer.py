"""The operation `preview`: the first rows of a file, in the child process. Large files are not read completely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from tablewright.data.column_naming import column_names
from tablewright.data.files.columns import profile_texts
from tablewright.data.files.delimited import text_layout, whole_lines
from tablewright.data.files.dialect import HEAD_BYTES, Encoding, detect_dialect, detect_encoding, split
from tablewright.data.files.kinds import Format, identify
from tablewright.data.files.records import read_json
from tablewright.data.files.region import TableRegion, shown, shown_text
from tablewright.data.files.sheets import Grid, read_grid, read_sheet, sheet_names
from tablewright.data.files.uncomputed import has_uncomputed
from tablewright.data.files.xlsx_head import STREAMED_BYTES, SheetMember, large_sheet, read_head
from tablewright.domain.codec import to_json
from tablewright.domain.table import Cell, Table
from tablewright.errors import FileEmpty, FileEncrypted, FileUnreadable, InvalidInput

MOST_ROWS = 1000
_ROW_CHARS = 16 * 1024
_TITLE_ROWS = 60
"""Extra rows to read, since there may be titles above the table."""


def preview(path: Path, *, name: str, sheet: str | int, rows: int) -> bytes:
    """Return the first `rows` (at most 1,000) of a sheet's first table as the JSON of a `Table`."""
    return to_json(Table, table_of(path, name, identify(path, name), sheet=sheet, rows=rows))


def uncomputed(path: Path, *, name: str) -> bytes:
    """Return as JSON whether a file holds formulas without stored values."""
    return to_json(bool, identify(path, name) == "xlsx" and has_uncomputed(path))


def table_of(
    path: Path, name: str, form: Format, *, sheet: str | int, rows: int, encoding: Encoding | None = None
) -> Table:
    """Return the first rows of a sheet's first table, of a text file in `encoding` where that is known."""
    rows = max(0, min(rows, MOST_ROWS))
    if form == "text" and encoding is not None:
        return _text_in(encoding, path, name, rows)
    return _READERS[form](path, name, form, sheet, rows)


def _text(path: Path, name: str, _form: Format, _sheet: str | int, rows: int) -> Table:
    return _text_in(detect_encoding(path), path, name, rows)


def _text_in(encoding: Encoding, path: Path, name: str, rows: int) -> Table:
    wanted = max(HEAD_BYTES, min(rows * _ROW_CHARS, 16 * 1024**2))
    with path.open(encoding=encoding.name, errors="replace", newline="") as file:
        text = file.read(wanted + 1)
    if not text.strip():
        raise FileEmpty(name=name)
    start = whole_lines(text)
    dialect = detect_dialect(start, complete=len(start) == len(text))
    cut = text[: text.rfind("\n") + 1] if len(text) > wanted and "\n" in text else text
    records = list(split(cut, dialect))
    head = text_layout(records, encoding, dialect)
    body = [record for record in records if record][head.layout.first_row :]
    width = len(head.names)
    columns = [
        _shown_column([row[place] if place < len(row) else None for row in body[:rows]]) for place in range(width)
    ]
    complete = len(cut) == len(text) and len(text) <= wanted
    total = len(body) if complete else _lines(path) - head.layout.first_row - head.read.blank_lines
    return Table(columns=head.names, rows=tuple(zip(*columns, strict=True)), total_rows=max(total, len(body)))


def _shown_column(texts: list[str | None]) -> list[Cell]:
    facts = profile_texts("", pl.Series(texts, dtype=pl.String)).facts
    return [shown_text(text, facts) for text in texts]


def _lines(path: Path) -> int:
    """Count the lines of a file that is too large to be split into records."""
    count, last = 0, b""
    with path.open("rb") as file:
        while block := file.read(4 * 1024**2):
            count += block.count(b"\n")
            last = block
    return count + (not last.endswith(b"\n"))


def _workbook(path: Path, name: str, form: Format, sheet: str | int, rows: int) -> Table:
    if form == "xlsx" and (large := large_sheet(path, sheet, limit_bytes=STREAMED_BYTES)) is not None:
        return _large(path, large, rows)
    try:
        with path.open("rb") as file:
            workbook = CalamineWorkbook.from_filelike(file)
            chosen = _chosen(sheet_names(workbook), sheet)
            regions = read_sheet(read_grid(workbook.get_sheet_by_name(chosen)), chosen, "xlsx")
    except PasswordError as error:
        raise FileEncrypted(name=name) from error
    except CalamineError as error:
        raise FileUnreadable("file_damaged", name=name) from error
    return _of_region(regions[0], rows) if regions else Table(columns=(), rows=(), total_rows=0, title=chosen)


def _large(path: Path, sheet: SheetMember, rows: int) -> Table:
    head = read_head(path, sheet.member, rows + _TITLE_ROWS)
    regions = read_sheet(Grid(rows=head.rows), sheet.name, "xlsx")
    if not regions:
        return Table(columns=(), rows=(), total_rows=0, title=sheet.name)
    found = _of_region(regions[0], rows)
    above = len(head.rows) - regions[0].rows
    return replace(found, total_rows=max(head.total - above, len(found.rows)))


def _chosen(names: Sequence[str], sheet: str | int) -> str:
    if isinstance(sheet, int) and 0 <= sheet < len(names):
        return names[sheet]
    if isinstance(sheet, str) and sheet in names:
        return sheet
    raise InvalidInput("sheet_unknown", field="sheet", sheet=str(sheet), known=", ".join(names))


def _json(path: Path, name: str, _form: Format, sheet: str | int, rows: int) -> Table:
    regions = read_json(path, name)
    by_name = {region.name: region for region in regions}
    return _of_region(by_name.get(str(sheet), regions[0]), rows)


def _parquet(path: Path, name: str, _form: Format, _sheet: str | int, rows: int) -> Table:
    try:
        lazy = pl.scan_parquet(path)
        head, total = lazy.head(rows).collect(), int(lazy.select(pl.len()).collect().item())
    except pl.exceptions.PolarsError as error:
        raise FileUnreadable("file_damaged", name=name) from error
    cells = tuple(tuple(shown(cell) for cell in row) for row in head.rows())
    return Table(columns=column_names([head.columns], head.width), rows=cells, total_rows=total)


def _of_region(region: TableRegion, rows: int) -> Table:
    columns = [[shown(cell) for cell in column[:rows]] for column in region.columns]
    return Table(
        columns=region.names,
        rows=tuple(zip(*columns, strict=True)),
        total_rows=region.rows,
        title=region.read.sheet,
    )


_READERS: dict[str, Callable[[Path, str, Format, str | int, int], Table]] = {
    "text": _text,
    "json": _json,
    "parquet": _parquet,
    "xlsx": _workbook,
    "xlsb": _workbook,
    "xls": _workbook,
    "ods": _workbook,
}
