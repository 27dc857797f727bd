"""The fake of `SearchEngine`: documents as they are given."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.errors import SearchFailed
from tablewright.tools.deep_search.base import Document
from tablewright.tools.deep_search.passages import best, passages_of


class MemoryEngine:
    """Finds documents by the words of their passages; without any (None) it cannot be reached."""

    def __init__(self, documents: Sequence[Document] | None) -> None:
        self._documents = documents
        self.asked: list[str] = []

    async def search(self, query: str, count: int) -> tuple[Document, ...]:
        self.asked.append(query)
        if self._documents is None:
            raise SearchFailed("search_unreachable", provider="memory")
        passages = [passage for document in self._documents for passage in passages_of(document)]
        fitting = best(passages, query, len(passages))
        return tuple({passage.document.link: passage.document for passage in fitting}.values())[:count]
