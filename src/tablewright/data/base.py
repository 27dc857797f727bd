"""The ports to users' tables. Files are hostile: whatever opens one does so in a child process that may be killed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from tablewright.domain.codec import to_json
from tablewright.domain.dataset import DatasetFacts, DistinctValues, FileKind
from tablewright.domain.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLimits:
    """What opening a file may use."""

    memory_bytes: int = 1024**3
    timeout_s: float = 20.0
    size_bytes: int = 512 * 1024**2


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetProfile:
    """One table of a file: its facts (with the profile's content hash as `profile_ref`) and, per text column, its
    distinct values (at most 10,000, then the most frequent)."""

    facts: DatasetFacts
    values: dict[str, DistinctValues]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProfile:
    """What a file is. `notes` are codes of the catalogue (such as `sheet_skipped`) with their parameters. `uncomputed`: it
    holds formulas without a stored value, which read as empty cells."""

    kind: FileKind
    datasets: tuple[DatasetProfile, ...]
    uncomputed: bool = False
    notes: tuple[tuple[str, dict[str, str | int | float | None]], ...] = ()


def stored_values(values: Mapping[str, DistinctValues]) -> bytes:
    """Encode the distinct values of a profile as they are stored."""
    return to_json(dict[str, DistinctValues], dict(values))


def profile_ref(values: Mapping[str, DistinctValues]) -> str:
    """Return the key of a profile's distinct values: the SHA-256 of their stored form."""
    return sha256(stored_values(values)).hexdigest()


class TableFiles(Protocol):
    """Opens users' files. Errors: `FileUnreadable` and its kinds, `FileTooLarge`."""

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        """Read the file at `path`, called `name` by its owner; every table in every sheet, with its facts."""
        ...

    async def preview(self, path: Path, name: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        """Return the first rows (at most 1,000) of the first table of a sheet, by its name or its place from 0; fast on
        files larger than memory. Errors: also `InvalidInput` when there is no such sheet."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A file that is being fetched: `name` as its server calls it, `content` in pieces."""

    name: str
    mime: str
    content: AsyncIterator[bytes]


class Downloads(Protocol):
    """Fetches files from the web. Errors: `DownloadRefused`, `DownloadFailed`, `FileTooLarge` while reading."""

    def open(self, url: str) -> AbstractAsyncContextManager[Download]:
        """Fetch what is at `url`, an http or https address of a public machine; its content is read within."""
        ...


class ValueLookup(Protocol):
    """Distinct values of text columns, for linking words of a question to cells."""

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        """Return the distinct values of `column` in the profile stored under `profile_ref`; None if unknown."""
        ...
