"""Files made by runs, and blobs: the bytes behind every file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class BlobRef:
    """Immutable bytes, identified by their SHA-256 (hex) within a tenant."""

    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactRef:
    """A file made by a run; `id` is its file id in the API."""

    id: str
    name: str
    mime: str
    size_bytes: int


class ArtifactSink(Protocol):
    """Accepts the files that an agent makes; the service stores them for the run's owner."""

    async def put(self, name: str, mime: str, content: bytes | AsyncIterator[bytes]) -> ArtifactRef:
        """Store `content` and return its reference. A number is added to a name that the owner already uses."""
        ...
