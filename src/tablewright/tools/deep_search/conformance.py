"""Tests that every engine of deep search must pass.

Derive a test class and provide the fixtures that it names. They need only pytest with asyncio in automatic mode.
"""

from __future__ import annotations

import asyncio

import pytest

from tablewright.tools.deep_search.base import SearchEngine

TEXTS = {
    "tea.txt": "Tea rose by twelve percent in 2025.\n茶叶价格上涨。",
    "coffee.txt": "Coffee fell by three percent in 2025.",
    "empty.txt": "",
}
"""The documents that an engine has, by their titles."""


class EngineConformance:
    """Behaviour of `SearchEngine`. Fixtures: `engine` has `TEXTS`, and finds `tea.txt` first for words of it."""

    @pytest.mark.parametrize("query", ["tea rose", "茶叶价格", 'tea "rose" & % #'])
    async def test_the_best_comes_first_with_its_text(self, engine: SearchEngine, query: str) -> None:
        first = (await engine.search(query, 5))[0]
        assert first.title == "tea.txt"
        assert "twelve percent" in first.text

    @pytest.mark.parametrize("count", [1, 2, 5])
    async def test_no_more_than_asked_for_and_each_once(self, engine: SearchEngine, count: int) -> None:
        links = [document.link for document in await engine.search("percent 2025", count)]
        assert len(links) == len(set(links)) == min(count, 2)

    async def test_what_has_no_text_is_not_found(self, engine: SearchEngine) -> None:
        assert all(document.text.strip() for document in await engine.search("percent empty", 5))

    async def test_searches_go_on_beside_each_other(self, engine: SearchEngine) -> None:
        found = await asyncio.gather(*(engine.search("tea rose", 1) for _ in range(5)))
        assert {documents[0].title for documents in found} == {"tea.txt"}
