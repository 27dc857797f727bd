"""The work of deep search: what is searched for, read and cited, and what is done where a model fails it."""

from __future__ import annotations

import json
from collections.abc import Callable

from tablewright.domain.events import EventBody, ToolFinished, ToolStarted
from tablewright.domain.ids import Uuid7Ids
from tablewright.domain.task import Chat
from tablewright.errors import ModelCannotWrite
from tablewright.models.base import Purpose
from tablewright.tools.deep_search.base import Document
from tablewright.tools.deep_search.memory import MemoryEngine
from tablewright.tools.deep_search.passages import PASSAGE_CHARS, best, passages_of, terms_of
from tablewright.tools.deep_search.search import QUERIES, CitedAnswer, DeepSearch

TEA = Document(kind="web", title="Tea", link="https://a.org/tea", text="Tea rose by twelve percent in 2025.")
COFFEE = Document(kind="file", title="coffee.txt", link="coffee.txt", text="Coffee fell by three percent.")
QUESTION = "How did tea and coffee change?"


class Searching:
    """Runs a search with a model that says what it is given, each in turn."""

    def __init__(self, said: list[str | Callable[[], str]], *, loops: int = 1, found: bool = True) -> None:
        self._said = list(said)
        self.tasks: list[tuple[Chat, Purpose]] = []
        self.engine = MemoryEngine((TEA, COFFEE) if found else None)
        self.search = DeepSearch(engine=self.engine, write=self._write, ids=Uuid7Ids(), language="en", loops=loops)

    async def _write(self, task: Chat, purpose: Purpose) -> str:
        self.tasks.append((task, purpose))
        said = self._said.pop(0)
        return said if isinstance(said, str) else said()

    async def run(self) -> tuple[list[EventBody], CitedAnswer]:
        items = [item async for item in self.search.run(QUESTION)]
        last = items.pop()
        assert isinstance(last, CitedAnswer)
        return [item for item in items if not isinstance(item, CitedAnswer)], last


def cannot() -> str:
    raise ModelCannotWrite(model="builtin")


def queries(*words: str) -> str:
    return json.dumps({"queries": words})


async def test_an_answer_cites_passages_and_shows_them() -> None:
    searching = Searching([queries("tea price", "coffee price"), "Tea rose [1], coffee fell [2]."])
    events, answer = await searching.run()
    assert [event.arguments["query"] for event in events if isinstance(event, ToolStarted)] == [
        "tea price",
        "coffee price",
    ]
    assert searching.engine.asked == ["tea price", "coffee price"]
    assert answer.passages[1].document == TEA
    written = answer.written("en")
    assert "[1] Tea — https://a.org/tea\n> Tea rose by twelve percent in 2025." in written
    assert "[2] coffee.txt — coffee.txt\n> Coffee fell by three percent." in written


async def test_each_search_stands_in_the_log_with_what_it_found() -> None:
    events, _ = await Searching([queries("tea"), "Up [1]."]).run()
    (ended,) = [event for event in events if isinstance(event, ToolFinished)]
    assert json.loads(ended.text) == [{"doc_type": "web", "content": TEA.text, "title": "Tea", "link": TEA.link}]


async def test_a_citation_of_no_passage_is_taken_out() -> None:
    _, answer = await Searching([queries("tea"), "Tea rose [1], and gold too [9]."]).run()
    assert answer.text == "Tea rose [1], and gold too ."
    assert list(answer.passages) == [1]


async def test_what_cites_nothing_is_replaced_by_the_passages() -> None:
    _, answer = await Searching([queries("tea"), "I believe tea rose."]).run()
    assert "believe" not in answer.written("en")
    assert [passage.document for passage in answer.passages.values()] == [TEA]


async def test_without_a_model_that_writes_the_question_is_searched_for_and_passages_answer() -> None:
    searching = Searching([cannot, cannot])
    _, answer = await searching.run()
    assert searching.engine.asked == [QUESTION]
    assert {passage.document for passage in answer.passages.values()} == {TEA, COFFEE}


async def test_further_rounds_search_for_what_is_missing_and_never_the_same_again() -> None:
    searching = Searching([queries("tea"), queries("tea", "coffee"), queries(), "Both [1][2]."], loops=3)
    events, _ = await searching.run()
    assert searching.engine.asked == ["tea", "coffee"]
    assert [event.arguments["loop"] for event in events if isinstance(event, ToolStarted)] == [1, 2]


async def test_no_more_searches_go_out_than_are_allowed() -> None:
    searching = Searching([queries(*(f"tea {number}" for number in range(50))), "Up [1]."])
    await searching.run()
    assert len(searching.engine.asked) == QUERIES


async def test_where_nothing_can_be_reached_that_is_said() -> None:
    searching = Searching([queries("tea")], found=False)
    events, answer = await searching.run()
    assert [event.failed for event in events if isinstance(event, ToolFinished)] == [True]
    assert answer.passages == {}
    assert answer.text


def test_passages_lose_nothing_and_are_bounded() -> None:
    text = "\n".join(["short line"] * 200 + ["x" * 2_000])
    parts = list(passages_of(Document(kind="file", title="t", link="t", text=text)))
    assert all(len(part.text) <= PASSAGE_CHARS + len(part.text.splitlines()) for part in parts)
    assert "".join(part.text for part in parts).replace("\n", "") == text.replace("\n", "")


def test_words_of_both_languages_are_found() -> None:
    assert terms_of("Tea 茶叶价格 1,200") == ["tea", "茶叶", "叶价", "价格", "1,200"]
    parts = [*passages_of(TEA), *passages_of(COFFEE)]
    assert best(parts, "coffee", 5) == [parts[1]]
    assert best(parts, "gold", 5) == []
