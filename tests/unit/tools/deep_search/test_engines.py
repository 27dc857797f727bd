"""What deep search searches: the fake, the files of a conversation, the web, and several together."""

from __future__ import annotations

import pytest

from tablewright.data.base import FileContent, SearchHit, WebPage
from tablewright.data.web.memory import MemoryPages, MemorySearch
from tablewright.domain.table import Table
from tablewright.errors import SearchFailed
from tablewright.tools.deep_search.base import Document
from tablewright.tools.deep_search.conformance import TEXTS, EngineConformance
from tablewright.tools.deep_search.engines import FileEngine, Several, WebEngine
from tablewright.tools.deep_search.memory import MemoryEngine
from tablewright.tools.memory import MemoryFiles

FILES = {name: FileContent(format="text", text=words, chars=len(words), lines=1) for name, words in TEXTS.items()}
DOCUMENTS = tuple(Document(kind="web", title=name, link=name, text=words) for name, words in TEXTS.items())


class WordSearch:
    """A search engine over `TEXTS` that ranks by the words of a query."""

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        found = await MemoryEngine(DOCUMENTS).search(query, count)
        return tuple(SearchHit(title=one.title, url=f"https://example.org/{one.title}") for one in found)


PAGES = {
    f"https://example.org/{name}": WebPage(url=f"https://example.org/{name}", title=name, text=words)
    for name, words in TEXTS.items()
}


class TestMemoryEngine(EngineConformance):
    @pytest.fixture
    def engine(self) -> MemoryEngine:
        return MemoryEngine(DOCUMENTS)


class TestFileEngine(EngineConformance):
    @pytest.fixture
    def engine(self) -> FileEngine:
        return FileEngine(MemoryFiles(FILES))


class TestWebEngine(EngineConformance):
    @pytest.fixture
    def engine(self) -> WebEngine:
        return WebEngine(WordSearch(), MemoryPages(PAGES))


class TestSeveral(EngineConformance):
    @pytest.fixture
    def engine(self) -> Several:
        return Several(FileEngine(MemoryFiles(FILES)))


async def test_a_page_that_cannot_be_read_is_told_by_its_excerpt() -> None:
    results = [{"title": "a", "url": "http://10.0.0.1/a", "content": "inside"}, {"title": "b", "url": "https://b.org/"}]
    (found,) = await WebEngine(MemorySearch(results), MemoryPages({})).search("a", 5)
    assert (found.link, found.text) == ("http://10.0.0.1/a", "inside")


async def test_a_row_of_a_table_says_its_columns() -> None:
    table = Table(columns=("city", "sales"), rows=(("Bern", 7), ("Basel", None)), total_rows=2)
    engine = FileEngine(MemoryFiles({"a.csv": FileContent(format="csv", table=table)}))
    (found,) = await engine.search("Bern", 1)
    assert found.text == "city: Bern; sales: 7\ncity: Basel"


async def test_an_engine_that_is_away_loses_nothing_of_the_others() -> None:
    away = WebEngine(MemorySearch(None), MemoryPages({}))
    both = await Several(away, FileEngine(MemoryFiles(FILES))).search("tea rose", 1)
    assert both[0].title == "tea.txt"
    with pytest.raises(SearchFailed):
        await Several(away).search("tea", 1)


async def test_what_a_run_has_made_is_not_searched() -> None:
    words = "Bern sold 7."
    content = FileContent(format="text", text=words, chars=len(words), lines=1)
    engine = FileEngine(MemoryFiles({"report.html": content, "sales.md": content}, made={"report.html"}))
    assert [one.title for one in await engine.search("Bern", 5)] == ["sales.md"]
