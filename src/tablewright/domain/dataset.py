"""Facts about tables: what a model, or the built-in analyst, learns about a data set without seeing all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from tablewright.domain.database import ForeignKey
from tablewright.domain.spans import Spans
from tablewright.domain.table import Cell, Table
from tablewright.domain.table_facts import Irregularity, RepeatedRows
from tablewright.domain.vocabulary import Word

FileKind = Literal["csv", "xlsx", "xls", "ods", "json", "parquet"]
ColumnKind = Literal["number", "integer", "text", "date", "datetime", "time", "boolean", "mixed", "empty"]
Notation = Literal["plain", "thousands", "percent", "currency", "unit", "date_text"]
"""How a column's values are written in the file:

`plain` as pandas reads it, no cleaning needed · `thousands` 1,234.5, or a plain number kept as text where pandas does
not
convert texts (JSON, Parquet) · `percent` 12.3% · `currency` ¥1,200 or $3.50 · `unit` a number with one constant unit,
12 km · `date_text` dates as text, or as digits (20210203).

`minimum`, `maximum` and `mean` are those of the numbers as written: 12.3 for 12.3%, 1.2 for 1.2万. Numbers with a
currency, percent sign or unit may be grouped in thousands too; (1,234) is negative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How to load one table region with pandas; `tablewright.domain.loading` generates the code.

    Rows and columns count from 0, and ends are included. In a sheet they count from A1, including empty ones; in a text
    file a row is a record and blank lines are not counted, like `header=` of `pandas.read_csv`. Workbooks are loaded
    with `engine="calamine"`. `header_rows` is empty if there is no header; of a header of several rows, pandas is given
    the last one, and the names are assigned. The columns are named by `tablewright.data.column_naming`.
    """

    kind: FileKind
    encoding: str | None = None
    delimiter: str | None = None
    """One character, or the regular expression `\\s+`; None where it means nothing."""
    quote: str | None = None
    """The quote character of a text file; None if quotes have no meaning."""
    escape: str | None = None
    """The character that escapes a quote, if quotes are not escaped by doubling."""
    damaged: bool = False
    """Some bytes of a text file are invalid in its encoding: replace them (`encoding_errors="replace"`)."""
    decimal: str | None = None
    """The decimal mark of a text file, if it is a comma throughout."""
    sheet: str | None = None
    header_rows: tuple[int, ...] = (0,)
    first_row: int | None = None
    """The first data row, if it is not the one after the header."""
    first_column: int = 0
    last_column: int | None = None
    last_row: int | None = None
    """The last data row; None means the end of the file or sheet."""
    record_path: tuple[str, ...] = ()
    """JSON only: the keys that lead to the list of records; nested objects become columns `a.b`."""
    lines: bool = False
    """JSON only: one object per line."""
    by_column: bool = False
    """JSON only: an object of columns instead of a list of records."""
    blank_lines: int = 0
    """Blank lines of a text file above its first data row (`skiprows` counts them, `header` does not)."""
    ragged: bool = False
    """Some rows of a text file have more fields than the header, so pandas must be given the names."""
    renamed: bool = False
    """pandas would name some column differently: assign the names in the facts."""
    blank_rows: bool = False
    """Some rows are entirely empty; they are not counted and have to be dropped."""
    as_text: tuple[str, ...] = ()
    """Columns of digits that are not numbers (leading zeros, very long), to be loaded as text."""
    fill_down: tuple[str, ...] = ()
    """Columns with vertically merged cells: each cell's value also applies to the empty cells below it."""
    fill_ranges: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = ()
    """Columns with vertically merged cells beside cells that are empty by themselves: the first and last rows of the
    merged ones, counted from the first data row, before rows are dropped."""
    totals_row: int | None = None
    """A row at the bottom that sums the rows above; it is not part of the data."""
    inner_totals: tuple[int, ...] = ()
    """Rows at the top or among the data that sum others, counted from the first data row; they have to be dropped."""
    headings: Annotated[tuple[int, ...], Field(exclude_if=lambda rows: not rows)] = ()
    """Rows among the data with nothing but a heading of those below (`APRIL`), counted likewise; they are dropped."""
    named_totals: tuple[str, ...] = ()
    """Labels of rows that are called totals, but whose numbers are no sums of others; they are data."""

    @property
    def left_out(self) -> tuple[int, ...]:
        """Return the rows that have to be dropped, counted from the first data row."""
        return tuple(sorted({*self.inner_totals, *self.headings}))


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanFacts:
    """What a column of words holds once its irregular cells are cleaned: numbers, or dates in one of `date_formats`.

    `powers` are the words behind numbers that multiply them by a power of ten, each with its exponent, the longest
    first; then `minimum`, `maximum` and `mean` are those of the numbers in full: 18000 for 1.8万. With `spans` the
    numbers are spans of time that are written in several units, and count in `unit`. Dates in a format without a year,
    if there are any, are days of `year`. `marks` are all texts that are neither, in `marked` cells: they count as
    missing. The other facts are as in `ColumnFacts`.
    """

    kind: ColumnKind
    notation: Notation
    unit: str | None = None
    units: Annotated[tuple[str, ...], Field(exclude_if=lambda units: not units)] = ()
    powers: Annotated[tuple[tuple[str, int], ...], Field(exclude_if=lambda powers: not powers)] = ()
    limits: Annotated[bool, Field(exclude_if=lambda limits: not limits)] = False
    """Some numbers are only known to lie below or above a limit (`<0.5`): each counts as its limit."""
    spans: Annotated[Spans | None, Field(exclude_if=lambda spans: spans is None)] = None
    date_formats: tuple[str, ...] = ()
    weekdays: Annotated[bool, Field(exclude_if=lambda weekdays: not weekdays)] = False
    """The Chinese name of its weekday stands beside some date; `date_formats` are those without it."""
    year: Annotated[int | None, Field(exclude_if=lambda year: year is None)] = None
    marks: tuple[str, ...] = ()
    marked: int = 0
    distinct: int | None = None
    minimum: Cell = None
    maximum: Cell = None
    mean: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """The facts about one column.

    `samples` are the first distinct values as written in the file; `minimum` and `maximum` are ISO 8601 text for dates
    and numbers for numbers; `unit` is the constant unit, currency or percent sign, `units` are all ways in which it is
    written, if there are several, the longest first.
    """

    name: str
    kind: ColumnKind
    notation: Notation = "plain"
    unit: str | None = None
    units: Annotated[tuple[str, ...], Field(exclude_if=lambda units: not units)] = ()
    date_format: str | None = None
    missing: int = 0
    missing_texts: tuple[str, ...] = ()
    """Texts that represent a missing value in this column, beyond those that pandas recognizes (such as `-`)."""
    distinct: int | None = None
    minimum: Cell = None
    maximum: Cell = None
    mean: float | None = None
    samples: tuple[Cell, ...] = ()
    irregular: tuple[Irregularity, ...] = ()
    clean: CleanFacts | None = None
    """What the column holds once it is cleaned, if that is another kind of values."""
    aliases: Annotated[tuple[str, ...], Field(exclude_if=lambda aliases: not aliases)] = ()
    """What the tenant calls the column besides, once its words are looked up in the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseColumn:
    """A column of a table of a database, and its type as the database declares it."""

    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseTable:
    """The table of a database whose first rows are a data set; with `complete`, they are all of its rows.

    `connection` is its name among the databases of the run, empty if only others read it. `dialect` is how it writes
    SQL (as sqlglot names it), `columns` are in the order of the facts, and `held` is the number of rows that the data
    set has.
    """

    connection: str
    dialect: Literal["postgres", "mysql", "sqlite", "duckdb"]
    name: str
    schema: str | None = None
    columns: tuple[DatabaseColumn, ...] = ()
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    held: int = 0
    complete: bool = False

    @property
    def label(self) -> str:
        """The name with its schema, if it needs one."""
        return self.name if self.schema is None else f"{self.schema}.{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetFacts:
    """The facts about one table: a CSV, a sheet, or a region of a sheet.

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
    """False if statistics were computed on a part of a very large file."""
    table: DatabaseTable | None = None
    """The table of a database that the file is an excerpt of; `rows` are those of the table."""
    content: str | None = None
    """The SHA-256 of the stored content that the table is read from, in the facts that a run is given."""
    repeated: RepeatedRows | None = None
    """Rows that repeat earlier ones, if there are few of them; not looked for in very large files."""
    notes: Annotated[tuple[str, ...], Field(exclude_if=lambda notes: not notes)] = ()
    """What the sheet says above or below its only table: a title, a unit, a remark."""
    words: Annotated[tuple[Word, ...], Field(exclude_if=lambda words: not words)] = ()
    """The words of the tenant, in the facts that a run is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistinctValues:
    """Distinct values of a text column, most frequent first; `complete` if none were left out."""

    values: tuple[str, ...]
    counts: tuple[int, ...]
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file of an owner: uploaded, fetched from a web address (`downloaded`), or made by a run (`run_id`).

    If its formulas have no stored values, `computed` is the SHA-256 of a copy that has them, and tables are read from
    that copy.
    """

    id: str
    name: str
    mime: str
    kind: FileKind | Literal["other"]
    size_bytes: int
    sha256: str
    datasets: tuple[DatasetFacts, ...] = ()
    run_id: str | None = None
    downloaded: bool = False
    computed: str | None = None

    @property
    def read_from(self) -> str:
        """The SHA-256 of the content from which tables are read."""
        return self.computed or self.sha256

    @property
    def of_one_call(self) -> bool:
        """Whether it holds rows that came with the call of a tool, which are for that call alone: the tables of a
        database that only its caller reads."""
        return any(facts.table is not None and not facts.table.connection for facts in self.datasets)
