"""The port of what is searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

DocumentKind = Literal["web", "file"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Something that was found, with as much of its text as was read; `link` names it once and for all."""

    kind: DocumentKind
    title: str
    link: str
    text: str


class SearchEngine(Protocol):
    """Finds documents."""

    async def search(self, query: str, count: int) -> tuple[Document, ...]:
        """Return at most `count` documents with text, best first, each once. Raises `SearchFailed` and its kin."""
        ...
