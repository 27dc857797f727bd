"""The ports to users' tables. Files are untrusted: they are opened only in child processes, which can be killed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Literal, Protocol

from tablewright.domain.codec import to_json
from tablewright.domain.column_shape import ColumnShape
from tablewright.domain.dataset import DatasetFacts, DistinctValues, FileKind
from tablewright.domain.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLimits:
    """Resource limits for opening a file."""

    memory_bytes: int = 1024**3
    timeout_s: float = 20.0
    size_bytes: int = 512 * 1024**2


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetProfile:
    """The profile of one table of a file.

    It consists of the table's facts, whose `profile_ref` is the hash of the profile, and of the distinct values of each
    text column (the 10,000 most frequent if there are more).
    """

    facts: DatasetFacts
    values: dict[str, DistinctValues]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProfile:
    """The profile of a file.

    `notes` are codes of the catalogue (such as `sheet_skipped`) with their parameters. `uncomputed` means that the file
    holds formulas without stored values, which read as empty cells.
    """

    kind: FileKind
    datasets: tuple[DatasetProfile, ...]
    uncomputed: bool = False
    notes: tuple[tuple[str, dict[str, str | int | float | None]], ...] = ()


def stored_values(values: Mapping[str, DistinctValues]) -> bytes:
    """Encode the distinct values of a profile for storage."""
    return to_json(dict[str, DistinctValues], dict(values))


def profile_ref(values: Mapping[str, DistinctValues]) -> str:
    """Return the key of a profile's distinct values: the SHA-256 of their stored form."""
    return sha256(stored_values(values)).hexdigest()


class TableFiles(Protocol):
    """Opens users' files. Errors: `FileUnreadable` and its subclasses, `FileTooLarge`."""

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        """Read the file at `path`, which its owner calls `name`, and profile every table in every sheet."""
        ...

    async def preview(self, path: Path, name: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        """Return the first rows (at most 1,000) of the first table of a sheet, given by name or index from 0.

        Fast even on files larger than memory. Errors: also `InvalidInput` when there is no such sheet.
        """
        ...

    async def uncomputed(self, path: Path, name: str) -> bool:
        """Return whether the file holds formulas without stored values, which a preview shows as empty cells."""
        ...


ReadFormat = Literal["csv", "excel", "json", "text", "python", "sql", "parquet", "ods"]
"""How a file is read: as tables, or (`text`, `python`, `sql`) as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentOptions:
    """How much of a file is read, and how.

    Without a `format` the content and the name decide. An `encoding` in which the text is not written, or None, is
    replaced by the one it is found to be in.
    """

    format: ReadFormat | None = None
    encoding: str | None = None
    sheet: str | int = 0
    rows: int = 20
    chars: int = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """The beginning of a file: of a table (`table`), or of a text (`text`, of `chars` characters in `lines` lines).

    `sheets` are the names of all sheets of a workbook, `encoding` that of a text file.
    """

    format: ReadFormat
    table: Table | None = None
    text: str | None = None
    chars: int = 0
    lines: int = 0
    encoding: str | None = None
    sheets: tuple[str, ...] = ()


class FileContents(Protocol):
    """Reads the beginnings of files of any kind. Errors: as `TableFiles`."""

    async def read(self, path: Path, name: str, options: ContentOptions) -> FileContent:
        """Read the file at `path`, which its owner calls `name`: at most 1,000 rows or 2,000,000 characters.

        Errors: also `InvalidInput` when there is no such sheet or encoding.
        """
        ...


class TableShapes(Protocol):
    """Says how the values of tables are distributed. Errors: as `TableFiles`."""

    async def shapes(self, path: Path, dataset: DatasetFacts) -> tuple[ColumnShape, ...]:
        """Return the shape of every column of a table in the file at `path`. Errors: also `FileTooLarge`."""
        ...


class FileReaders(TableFiles, FileContents, TableShapes, Protocol):
    """Reads files in every way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """A page of the web: its main text in markdown, and where it was found in the end."""

    url: str
    title: str
    text: str


class WebPages(Protocol):
    """Reads pages of the web. Errors: `DownloadRefused`, `DownloadFailed`, `FileTooLarge`, `FileUnreadable`."""

    async def read(self, url: str) -> WebPage:
        """Fetch `url`, an http or https address of a public machine, and return its main text."""
        ...


HttpMethod = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
READING: frozenset[HttpMethod] = frozenset({"GET", "HEAD"})
"""The methods that change nothing at the other end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebRequest:
    """A request to a public machine. `query` is added to what the address has.

    Without `content_wanted`, only the status of the answer counts: its content is not read.
    """

    method: HttpMethod
    url: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None
    content_wanted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class WebResponse:
    """What a machine answered, as text; names of `headers` are in lower case."""

    url: str
    status: int
    headers: Mapping[str, str]
    text: str


class WebRequests(Protocol):
    """Sends requests to the web. Errors: `DownloadRefused`, `DownloadFailed`, `FileTooLarge`."""

    async def send(self, request: WebRequest) -> WebResponse:
        """Send `request`, once, and return what is answered, whatever its status.

        Only a request that changes nothing follows redirects; its own headers stay with the machine they were for.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A page that a search engine has found."""

    title: str
    url: str
    snippet: str = ""


class SearchProvider(Protocol):
    """A search engine. Errors: `SearchFailed`."""

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        """Return at most `count` pages, best first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A file being fetched: `name` as given by the server, `content` in pieces; `url` is where redirects have led."""

    name: str
    mime: str
    content: AsyncIterator[bytes]
    url: str = ""


class Downloads(Protocol):
    """Fetches files from the web. Errors: `DownloadRefused`, `DownloadFailed`; `FileTooLarge` while reading."""

    def open(self, url: str) -> AbstractAsyncContextManager[Download]:
        """Fetch `url`, an http or https address of a public machine; its content is read within the context."""
        ...


class ValueLookup(Protocol):
    """Distinct values of text columns, for linking words of a question to cells."""

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        """Return the distinct values of `column` in the profile stored under `profile_ref`, or None if unknown."""
        ...
