"""The web for tests: pages and search results as they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablewright.data.base import SearchHit, WebPage
from tablewright.errors import DownloadFailed, SearchFailed


class MemoryPages:
    """Implements `WebPages`; an address without a page cannot be reached."""

    def __init__(self, pages: Mapping[str, WebPage]) -> None:
        self._pages = dict(pages)

    async def read(self, url: str) -> WebPage:
        if url not in self._pages:
            raise DownloadFailed("download_unreachable", url=url)
        return self._pages[url]


class MemorySearch:
    """Implements `SearchProvider`; without hits it cannot be reached."""

    def __init__(self, hits: Sequence[SearchHit] | None) -> None:
        self._hits = hits
        self.asked: list[tuple[str, int]] = []

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        self.asked.append((query, count))
        if self._hits is None:
            raise SearchFailed("search_unreachable", provider="memory")
        return tuple(self._hits)[:count]
