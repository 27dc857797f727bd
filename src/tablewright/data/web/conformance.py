"""Tests that every search engine and every reader of pages must pass.

Derive a test class and provide the fixtures that it names. They need only pytest with asyncio in automatic mode.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablewright.data.base import SearchHit, SearchProvider, WebPages
from tablewright.errors import DownloadFailed, DownloadRefused, SearchFailed

FOUND: tuple[dict[str, Any], ...] = (
    {"title": "Tea prices\n in  2024", "url": "https://example.org/tea", "content": "Tea rose\nby 12%."},
    {"title": "茶叶价格", "url": "https://example.org/zh?q=%E8%8C%B6&a=1", "content": "上涨"},
    {"title": "The same again", "url": "https://example.org/tea", "content": "Twice."},
    {"title": "", "url": "http://example.org/untitled"},
    {"title": "Not of the web", "url": "javascript:alert(1)", "content": "x"},
    {"title": "Not an address", "url": "https://example.org/a b", "content": "x"},
)
"""Results as engines send them; only the first three that differ are pages of the web."""
HITS = (
    SearchHit(title="Tea prices in 2024", url="https://example.org/tea", snippet="Tea rose by 12%."),
    SearchHit(title="茶叶价格", url="https://example.org/zh?q=%E8%8C%B6&a=1", snippet="上涨"),
    SearchHit(title="http://example.org/untitled", url="http://example.org/untitled"),
)
QUERIES = ("tea", "茶叶 价格", 'a "quoted" & odd=query#1%', "x" * 400)

TITLE = "Quarterly figures"
WORDS = ("Revenue rose by twelve percent in the third quarter", "第三季度收入增长了百分之十二")
PAGE = f"""<!doctype html><html><head><title>{TITLE}</title><script>alert('script text')</script></head><body>
<nav><a href="/a">Home</a> <a href="/b">Products</a></nav><article><h1>{TITLE}</h1>
<p>{WORDS[0]}, the company said on Monday, while costs stayed where they were a year before, and
the number of employees fell slightly.</p><p>{WORDS[1]}，公司周一表示，成本与去年同期持平，员工人数略有下降。</p>
</article></body></html>"""
"""A page whose main text is the article."""


class SearchConformance:
    """Behaviour of `SearchProvider`.

    Fixtures: `search` finds `FOUND` whatever it is asked, `away` cannot be reached.
    """

    @pytest.mark.parametrize("count", [1, 2, 3, 10])
    async def test_pages_come_best_first_each_once_on_one_line(self, search: SearchProvider, count: int) -> None:
        assert await search.search("tea", count) == HITS[:count]

    @pytest.mark.parametrize("query", QUERIES)
    async def test_any_words_can_be_searched_for(self, search: SearchProvider, query: str) -> None:
        assert await search.search(query, 2) == HITS[:2]

    async def test_searches_go_on_beside_each_other(self, search: SearchProvider) -> None:
        found = await asyncio.gather(*(search.search(query, 3) for query in QUERIES))
        assert found == [HITS] * len(QUERIES)

    async def test_an_engine_that_is_away_is_told_as_such(self, away: SearchProvider) -> None:
        with pytest.raises(SearchFailed) as caught:
            await away.search("tea", 3)
        assert caught.value.detail == "search_unreachable"
        assert caught.value.params["provider"]


class PagesConformance:
    """Behaviour of `WebPages`.

    Fixtures: `pages` reads `PAGE` at `place`, and nothing answers at `nowhere`.
    """

    async def test_the_main_text_comes_with_its_title_and_its_address(self, pages: WebPages, place: str) -> None:
        page = await pages.read(place)
        assert (page.url, page.title) == (place, TITLE)
        assert all(words in page.text for words in WORDS)
        assert "script text" not in page.text

    async def test_a_page_is_read_as_often_as_it_is_asked_for(self, pages: WebPages, place: str) -> None:
        first, second = await asyncio.gather(pages.read(place), pages.read(place))
        assert first == second

    async def test_an_address_where_nothing_answers_is_told_as_such(self, pages: WebPages, nowhere: str) -> None:
        with pytest.raises(DownloadFailed):
            await pages.read(nowhere)

    @pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org/x", "gopher://x", "not an address", ""])
    async def test_only_addresses_of_the_web_are_read(self, pages: WebPages, url: str) -> None:
        with pytest.raises(DownloadRefused) as caught:
            await pages.read(url)
        assert caught.value.detail == "download_scheme"

    @pytest.mark.parametrize("url", ["http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://[::1]:1/"])
    async def test_private_addresses_are_never_read(self, pages: WebPages, url: str) -> None:
        with pytest.raises(DownloadRefused) as caught:
            await pages.read(url)
        assert caught.value.detail == "download_address"
