"""Workbooks: files with a head, and their versions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tablewright.domain.artifact import BlobRef

Author = Literal["upload", "client", "person", "round"]
"""The origin of a version: the upload, a client's own edits reported with a request, a person in the page or
through the API, or a round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A state of a workbook.

    Versions are numbered from 1 without gaps; `parent` is the version that this one is based on. `request_id` is the id
    of the round, or of whatever else made it; `changes` is a stored list of `SheetChanges`. `manifest` lists the stored
    parts that together are `blob`; without one, the blob itself is stored.
    """

    workbook_id: str
    number: int
    parent: int | None
    blob: BlobRef
    name: str
    author: Author
    request_id: str
    created_at: datetime
    summary: str = ""
    changes: BlobRef | None = None
    manifest: BlobRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbook:
    """A file with a head: the version that is its current state. It has the file's id."""

    id: str
    head: int
    latest: int
    """The highest version number; `head` is lower after an undo."""
