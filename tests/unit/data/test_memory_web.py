"""The web for tests behaves as the real one."""

from __future__ import annotations

import pytest

from tablewright.data.base import SearchProvider, WebPage, WebPages
from tablewright.data.web.conformance import FOUND, TITLE, WORDS, PagesConformance, SearchConformance
from tablewright.data.web.memory import MemoryPages, MemorySearch

PLACE = "https://example.org/figures"


class TestMemorySearch(SearchConformance):
    @pytest.fixture
    def search(self) -> SearchProvider:
        return MemorySearch(FOUND)

    @pytest.fixture
    def away(self) -> SearchProvider:
        return MemorySearch(None)


class TestMemoryPages(PagesConformance):
    @pytest.fixture
    def pages(self) -> WebPages:
        return MemoryPages({PLACE: WebPage(url=PLACE, title=TITLE, text="\n\n".join(WORDS))})

    @pytest.fixture
    def place(self) -> str:
        return PLACE

    @pytest.fixture
    def nowhere(self) -> str:
        return "https://example.org/nowhere"
