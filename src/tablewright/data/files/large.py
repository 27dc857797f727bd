"""Text files too large for memory: read a few columns at a time, with a limit on rows."""

from __future__ import annotations

import csv
import io
import math
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import polars as pl

from tablewright.data.base import DatasetProfile
from tablewright.data.files.columns import ColumnProfile, profile_texts
from tablewright.data.files.delimited import TABLE_ID, TextLayout, region_of, text_layout, whole_lines
from tablewright.data.files.dialect import (
    HEAD_BYTES,
    WHITESPACE,
    Dialect,
    Encoding,
    detect_decimal,
    detect_dialect,
    detect_encoding,
    records_of,
    split,
)
from tablewright.data.files.headers import LOOKED_AT
from tablewright.data.files.integers import has_mark, integer_or_mark, plain_integers
from tablewright.data.files.region import SAMPLE_ROWS, assemble, dataset_profile, shown_text
from tablewright.domain.dataset import DistinctValues
from tablewright.domain.table import Table

LARGE_BYTES = 24 * 1024**2
"""Files larger than this are read this way."""
MOST_ROWS = 4_000_000
MOST_BYTES = 256 * 1024**2
"""Statistics are computed on at most this many rows, and this much text."""
_AT_ONCE_BYTES = 400 * 1024**2
_CELL_BYTES = 16
_SHORT_BYTES = 12
_NUMBER_BYTES = 8
"""A text of the column engine: up to so many bytes are held in the cell itself."""
_BLOCK_CHARS = 4 * 1024**2


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeText:
    """A text file prepared for the column engine: UTF-8, with data that begins after `skipped` lines.

    At most `rows_read` rows of it are read; `rows` and `size_bytes` estimate what those are.
    """

    path: str
    head: TextLayout
    skipped: int
    rows_read: int | None
    rows: float
    size_bytes: float


def profile_large(path: Path, name: str) -> DatasetProfile:
    """Profile the table of a large text file."""
    encoding = detect_encoding(path)
    text = _head_text(path, encoding)
    dialect = detect_dialect(text, complete=False)
    if dialect.quote is not None and dialect.escape is None and _count_bytes(path, dialect.quote.encode()) % 2:
        dialect = replace(dialect, quote=None)
    if dialect.escape is not None or dialect.delimiter == WHITESPACE:
        return _profile_start(path, encoding, dialect, name)
    try:
        return _profile_whole(path, text, encoding, dialect, name)
    except pl.exceptions.PolarsError:
        return _profile_start(path, encoding, dialect, name)


def _profile_whole(path: Path, text: str, encoding: Encoding, dialect: Dialect, name: str) -> DatasetProfile:
    records = list(split(text, dialect))
    head = text_layout(records, encoding, dialect)
    rows = [record for record in records if record][head.layout.first_row :]
    head = replace(
        head,
        read=replace(head.read, decimal=detect_decimal([c for r in rows[:LOOKED_AT] for c in r], dialect.delimiter)),
    )
    size = path.stat().st_size
    row_bytes = max(1.0, len(text.encode()) / max(1, len(records)))
    limit = int(min(MOST_ROWS, MOST_BYTES / row_bytes))
    with _plain_copy(path, head) as source:
        large = LargeText(
            path=source,
            head=head,
            skipped=_lines_above(text, head),
            rows=min(limit, size / row_bytes),
            rows_read=limit if size / row_bytes > limit * 0.8 else None,
            size_bytes=min(size, limit * row_bytes),
        )
        return _profile(large, rows, name)


def _profile_start(path: Path, encoding: Encoding, dialect: Dialect, name: str) -> DatasetProfile:
    """Profile the first rows of a file in a format that the column engine does not support."""
    with path.open(encoding=encoding.name, errors="replace", newline="") as file:
        region = region_of(whole_lines(file.read(LARGE_BYTES // 2 + 1), LARGE_BYTES // 2), encoding, dialect, name)
        file.seek(0)
        total = sum(1 for record in records_of(file, dialect) if record)
    read = replace(
        region.read, last_row=None, totals_row=None, inner_totals=(), headings=(), last_column=len(region.names) - 1
    )
    above = read.first_row or (read.header_rows[-1] + 1 if read.header_rows else 0)
    more = max(0, total - above - region.rows)
    return dataset_profile(replace(region, read=read), name, more_rows=more)


def _profile(large: LargeText, rows: list[list[str]], name: str) -> DatasetProfile:
    read, names = large.head.read, large.head.names
    profiles: list[ColumnProfile] = []
    blank: pl.Series | None = None
    total = 0
    for positions in _groups(large, rows):
        columns = _read(large, positions, [position for position in positions if _is_whole(rows, position)])
        for position in positions:
            column = columns.pop(position)
            total = len(column)
            blank = column.is_null() if blank is None else blank & column.is_null()
            profiles.append(profile_texts(names[position], column, decimal=read.decimal))
    blanks = int(blank.sum()) if blank is not None else 0
    everything = _count(large) if large.rows_read is not None and total >= large.rows_read else total
    facts = tuple(replace(profile.facts, missing=profile.facts.missing - blanks) for profile in profiles)
    values: dict[str, DistinctValues] = {p.facts.name: p.values for p in profiles if p.values is not None}
    as_text = tuple(profile.facts.name for profile in profiles if profile.as_text)
    sample = tuple(
        tuple(shown_text(cell, known) for cell, known in zip(row, facts, strict=False))
        for row in _shown(rows, len(names))
    )
    return assemble(
        region_id=TABLE_ID,
        name=Path(name).stem,
        file_name=name,
        read=replace(read, as_text=as_text, blank_rows=blanks > 0, last_column=len(names) - 1),
        rows=everything - blanks,
        columns=facts,
        sample=Table(columns=names, rows=sample, total_rows=everything - blanks),
        values=values,
        exact=everything == total,
    )


def _count_bytes(path: Path, mark: bytes) -> int:
    """Count the occurrences of a byte in a file: with an odd number of quotes, one is never closed."""
    with path.open("rb") as file:
        return sum(block.count(mark) for block in iter(lambda: file.read(_BLOCK_CHARS), b""))


def _head_text(path: Path, encoding: Encoding) -> str:
    with path.open(encoding=encoding.name, errors="replace", newline="") as file:
        return whole_lines(file.read(HEAD_BYTES + 1))


def _lines_above(text: str, head: TextLayout) -> int:
    """Count the lines of text above the first data row; a quoted cell may span several lines."""
    dialect = head.dialect
    lines = io.StringIO(text, newline="")
    if dialect.quote is None:
        reader = csv.reader(lines, delimiter=dialect.delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(lines, delimiter=dialect.delimiter, quotechar=dialect.quote)
    wanted = head.layout.first_row
    filled = (record for record in reader if record and (len(record) > 1 or record[0].strip()))
    for _ in islice(filled, wanted):
        pass
    return reader.line_num if wanted else 0


@contextmanager
def _plain_copy(path: Path, head: TextLayout) -> Iterator[str]:
    """Yield the path of the file in UTF-8 with uniform line breaks: the file itself, or an unnamed temporary copy."""
    with path.open("rb") as file:
        start = file.read(HEAD_BYTES)
    old_breaks = b"\r" in start and b"\n" not in start
    if head.encoding.name == "utf-8" and not head.encoding.damaged and not old_breaks:
        yield str(path)
        return
    newline = None if old_breaks else ""
    with (
        tempfile.TemporaryFile("w", encoding="utf-8", newline="") as copy,
        path.open(encoding=head.encoding.name, errors="replace", newline=newline) as original,
    ):
        while block := original.read(_BLOCK_CHARS):
            copy.write(block)
        copy.flush()
        yield f"/proc/{os.getpid()}/fd/{copy.fileno()}"


def _groups(large: LargeText, rows: Sequence[Sequence[str]]) -> list[list[int]]:
    """Divide the columns into groups that each fit in memory; `rows` are the first."""
    width = len(large.head.names)
    whole = large.size_bytes + large.rows * sum(_cell_bytes(rows, position) for position in range(width))
    parts = max(1, min(width, math.ceil(whole / _AT_ONCE_BYTES)))
    size = -(-width // parts)
    return [list(range(start, min(start + size, width))) for start in range(0, width, size)]


def _cell_bytes(rows: Sequence[Sequence[str]], position: int) -> float:
    """Estimate how much memory a cell of a column takes."""
    if _is_whole(rows, position):
        return _NUMBER_BYTES
    long = [size for row in rows if position < len(row) and (size := len(row[position].encode())) > _SHORT_BYTES]
    return _CELL_BYTES + sum(long) / max(1, len(rows))


def _is_whole(rows: Sequence[Sequence[str]], position: int) -> bool:
    """Return whether a column is likely to be one of whole numbers: its first cells are."""
    texts = pl.Series([row[position] or None for row in rows if position < len(row)], dtype=pl.String)
    return texts.null_count() < len(texts) and plain_integers(texts) is not None


def _read(large: LargeText, positions: Sequence[int], whole: Sequence[int]) -> dict[int, pl.Series]:
    """Read columns as String; those that are likely to be `whole` are read as Int64, or else once more."""
    wanted = [integer_or_mark(str(place)) if place in whole else pl.col(str(place)) for place in positions]
    frame = _scan(large, large.rows_read).select(wanted).collect(engine="streaming")
    columns = dict(zip(positions, frame.get_columns(), strict=True))
    marked = [place for place in whole if has_mark(columns[place])]
    return {**columns, **_read(large, marked, ())} if marked else columns


def _count(large: LargeText) -> int:
    """Count the rows of the whole file."""
    return int(_scan(large, None).select(pl.len()).collect(engine="streaming").item())


def _scan(large: LargeText, rows: int | None) -> pl.LazyFrame:
    read = large.head.read
    return pl.scan_csv(
        large.path,
        has_header=False,
        schema={str(position): pl.String for position in range(len(large.head.names))},
        skip_lines=large.skipped,
        n_rows=rows,
        separator=read.delimiter or ",",
        quote_char=read.quote,
        truncate_ragged_lines=True,
        encoding="utf8-lossy",
    )


def _shown(rows: list[list[str]], width: int) -> list[list[str | None]]:
    return [[*row[:width], *([None] * (width - len(row)))] for row in rows[:SAMPLE_ROWS]]
