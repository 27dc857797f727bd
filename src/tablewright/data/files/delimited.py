"""Delimited text files that fit in memory: csv, tsv, txt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from tablewright.data.column_naming import column_names, pandas_names
from tablewright.data.files.cells import RawCell, Row, is_blank, is_empty
from tablewright.data.files.dialect import (
    HEAD_BYTES,
    Dialect,
    Encoding,
    detect_decimal,
    detect_dialect,
    detect_encoding,
    split,
)
from tablewright.data.files.footers import footing
from tablewright.data.files.headers import LOOKED_AT, Layout, find_layout
from tablewright.data.files.led import fill_led
from tablewright.data.files.region import TableRegion
from tablewright.data.missing_values import PANDAS_MISSING
from tablewright.domain.dataset import ReadOptions
from tablewright.errors import FileEmpty

TABLE_ID = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLayout:
    """How to read a text file, derived from its head alone. `header` contains the rows that name the columns."""

    encoding: Encoding
    dialect: Dialect
    layout: Layout
    header: tuple[tuple[RawCell, ...], ...]
    names: tuple[str, ...]
    read: ReadOptions


def read_delimited(path: Path, name: str) -> TableRegion:
    """Read the table of a text file. Errors: `FileEmpty`."""
    encoding = detect_encoding(path)
    text = path.read_bytes().decode(encoding.name, "replace")
    if not text.strip():
        raise FileEmpty(name=name)
    head = whole_lines(text)
    return region_of(text, encoding, detect_dialect(head, complete=len(head) == len(text)), name)


def region_of(text: str, encoding: Encoding, dialect: Dialect, name: str) -> TableRegion:
    """Find the table in the text of a file."""
    records = list(split(text, dialect))
    head = text_layout(records, encoding, dialect)
    rows = [record for record in records if record]
    read, body = _body(rows, head)
    kept = [row for row in body if not is_blank(row)]
    led = _filled(kept, len(head.names))
    read = replace(
        read,
        blank_rows=len(kept) < len(body),
        ragged=read.ragged or _overflows(body, head),
        fill_down=head.names[:1] if led else (),
        decimal=detect_decimal([cell for row in kept[:LOOKED_AT] for cell in row], dialect.delimiter),
    )
    columns = tuple(_column(kept, position) for position in range(len(head.names)))
    merged = {head.names[0]: led} if led else {}
    return TableRegion(id=TABLE_ID, name=Path(name).stem, read=read, names=head.names, columns=columns, merged=merged)


def whole_lines(text: str, limit: int = HEAD_BYTES) -> str:
    """Return the head of `text`; if it is longer than `limit`, it is cut at the end of a line."""
    if len(text) <= limit:
        return text
    cut = max(text.rfind("\n", 0, limit), text.rfind("\r", 0, limit))
    return text[: cut + 1] if cut > 0 else text[:limit]


def text_layout(records: Sequence[list[str]], encoding: Encoding, dialect: Dialect) -> TextLayout:
    """Find header, columns and names in the first records of a text file. A blank line is an empty record."""
    rows: Sequence[Row] = [record for record in records[: LOOKED_AT * 2] if record][:LOOKED_AT]
    found = find_layout(rows)
    header = tuple(tuple(rows[number]) for number in found.header_rows)
    width = found.width
    lacking = bool(header) and _lacks_first_name(header[-1], rows[found.first_row :])
    if lacking:
        header = tuple((None, *row) for row in header)
    named = header[-1] if header else ()
    names = column_names(header, width)
    ragged = lacking or len(named) < width or len(rows[found.header_rows[-1]] if header else ()) > width
    read = ReadOptions(
        kind="csv",
        encoding=encoding.name,
        damaged=encoding.damaged,
        delimiter=dialect.delimiter,
        quote=dialect.quote,
        escape=dialect.escape,
        header_rows=found.header_rows,
        first_row=None if header or found.first_row == 0 else found.first_row,
        last_column=width - 1 if ragged or any(len(row) > width for row in rows) else None,
        blank_lines=_blank_lines(records, found.first_row),
        ragged=ragged if header else False,
        renamed=not header or names != pandas_names(named)[:width],
    )
    return TextLayout(encoding=encoding, dialect=dialect, layout=found, header=header, names=names, read=read)


def _blank_lines(records: Sequence[list[str]], first_row: int) -> int:
    blanks = rows = 0
    for record in records:
        if rows == first_row and record:
            break
        rows += bool(record)
        blanks += not record
    return blanks


def _lacks_first_name(header: Row, body: Sequence[Row]) -> bool:
    """Return whether every row has an extra first field, a row name that the header has no column for."""
    named = len(header)
    return len(body) > 1 and all(len(row) == named + 1 and not is_empty(row[-1]) for row in body)


def _body(rows: Sequence[list[str]], head: TextLayout) -> tuple[ReadOptions, list[list[str]]]:
    """Return the read options and the data rows, without notes at the bottom and rows that add up others."""
    first = head.layout.first_row
    header = rows[head.layout.header_rows[-1]] if head.header else None
    found = footing(rows, first, head.layout.width, header)
    inner = tuple(place - first for place in found.inside)
    headings = tuple(place - first for place in found.headings)
    read = replace(
        head.read,
        last_row=found.last if found.last < len(rows) - 1 else None,
        totals_row=found.totals,
        inner_totals=inner,
        headings=headings,
        named_totals=found.named,
    )
    return read, [row for place, row in enumerate(rows[first : found.last + 1]) if place not in {*inner, *headings}]


def _filled(rows: list[list[str]], width: int) -> int:
    """Repeat what the first column says of a block of rows in those below its first, and return in how many.

    pandas must take the same cells of the column for empty ones: a field of blanks is none, and `NA` is one.
    """
    first = [row[0] for row in rows]
    if "" not in first or any(cell and (not cell.strip() or cell in PANDAS_MISSING) for cell in first):
        return 0
    body: list[list[Any]] = [[row[at] if at < len(row) else None for at in range(width)] for row in rows]
    filled = fill_led(body, range(len(body)))
    for row, (led, *_) in zip(rows, body, strict=True):
        row[0] = led
    return filled


def _overflows(rows: Sequence[Row], head: TextLayout) -> bool:
    """Return whether a row is longer than the header, which pandas does not accept."""
    lengths = Counter(map(len, rows))
    most = max(lengths, default=0)
    return most > (len(head.header[-1]) if head.header else len(rows[0]) if rows else 0)


def _column(rows: Sequence[Sequence[str]], position: int) -> pl.Series:
    cells = [row[position] if position < len(row) else None for row in rows]
    return pl.Series(cells, dtype=pl.String)
