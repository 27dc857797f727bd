"""The web for tests: pages and search results as they are given, refused by the same rules as real ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from tablewright.data.base import SearchHit, WebPage
from tablewright.data.download import is_public
from tablewright.data.web.search import hits_of
from tablewright.errors import DownloadFailed, DownloadRefused, SearchFailed


class MemoryPages:
    """Implements `WebPages`; an address without a page cannot be reached."""

    def __init__(self, pages: Mapping[str, WebPage]) -> None:
        self._pages = dict(pages)

    async def read(self, url: str) -> WebPage:
        if url in self._pages:
            return self._pages[url]
        address = urlsplit(url)
        if address.scheme not in {"http", "https"} or not address.hostname:
            raise DownloadRefused("download_scheme", url=url)
        if _is_private(address.hostname):
            raise DownloadRefused("download_address", url=url)
        raise DownloadFailed("download_unreachable", url=url)


class MemorySearch:
    """Implements `SearchProvider` over results `{title, url, content}`; without any it cannot be reached."""

    def __init__(self, results: Sequence[Mapping[str, Any]] | None) -> None:
        self._results = results
        self.asked: list[tuple[str, int]] = []

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        self.asked.append((query, count))
        if self._results is None:
            raise SearchFailed("search_unreachable", provider="memory")
        return hits_of({"results": [dict(result) for result in self._results]}, count)


def _is_private(host: str) -> bool:
    try:
        return not is_public(ip_address(host))
    except ValueError:
        return False
