"""Tables as facts: what a model, or the built-in analyst, is told about a data set without seeing all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.table import Cell, Table

FileKind = Literal["csv", "xlsx", "xls", "ods", "json", "parquet"]
ColumnKind = Literal["number", "integer", "text", "date", "datetime", "time", "boolean", "mixed", "empty"]
Notation = Literal["plain", "thousands", "percent", "currency", "unit", "date_text"]
"""How a column's values are written in the file where that is not how pandas would type them:
`thousands` 1,234.5 · `percent` 12.3% · `currency` ¥1,200 or $3.50 · `unit` a number with one constant unit, 12 km ·
`date_text` dates as text. `plain` needs no cleaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How to load one table region with pandas; everything counts from 0. `header_rows` is empty without a header."""

    kind: FileKind
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    decimal: str | None = None
    sheet: str | None = None
    header_rows: tuple[int, ...] = (0,)
    first_column: int = 0
    last_column: int | None = None
    last_row: int | None = None
    record_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """One column. `samples` are the first distinct values as the file writes them; `minimum` and `maximum` are ISO
    text for dates and numbers for numbers; `unit` is the constant unit, currency sign or percent sign."""

    name: str
    kind: ColumnKind
    notation: Notation = "plain"
    unit: str | None = None
    date_format: str | None = None
    missing: int = 0
    distinct: int | None = None
    minimum: Cell = None
    maximum: Cell = None
    mean: float | None = None
    samples: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetFacts:
    """One table: a CSV, a sheet, or a region of a sheet.

    `path` is where a sandbox session finds the file (`/data/shared/<name>`); `name` is what a person calls the table
    (file stem, or sheet name). `profile_ref` is the SHA-256 of the stored profile, the key of `ValueLookup`.
    """

    id: str
    name: str
    file_name: str
    path: str
    read: ReadOptions
    rows: int
    columns: tuple[ColumnFacts, ...]
    sample: Table
    profile_ref: str
    exact: bool = True
    """False when statistics come from a part of a very large file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistinctValues:
    """Distinct values of a text column, the most frequent first; `complete` when none was left out."""

    values: tuple[str, ...]
    counts: tuple[int, ...]
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file of an owner: uploaded, or made by a run (`run_id`)."""

    id: str
    name: str
    mime: str
    kind: FileKind | Literal["other"]
    size_bytes: int
    sha256: str
    datasets: tuple[DatasetFacts, ...] = ()
    run_id: str | None = None
