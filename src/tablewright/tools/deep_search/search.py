"""The work of deep search: sub-queries, searches, reading, further rounds, and an answer with checked citations."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablewright.domain.events import EventBody, ToolFinished, ToolStarted
from tablewright.domain.ids import Ids
from tablewright.domain.language import Language
from tablewright.domain.task import Chat
from tablewright.errors import ModelCannotWrite, TablewrightError
from tablewright.models.base import Purpose
from tablewright.models.lenient_json import read_object
from tablewright.texts.errors import error_text
from tablewright.tools.deep_search.base import Document, SearchEngine
from tablewright.tools.deep_search.passages import Passage, best, passages_of
from tablewright.tools.prompt_files import phrase

SEARCH = "search"
"""The name under which each search stands in the log."""
QUERIES = 5
QUERY_CHARS = 300
DOCUMENTS = 5
PER_QUERY = 5
PASSAGES = 24
_CITED = re.compile(r"\[(\d{1,3})\]")
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"queries": {"type": "array", "items": {"type": "string"}, "maxItems": QUERIES}},
    "required": ["queries"],
}
Write = Callable[[Chat, Purpose], Awaitable[str]]
"""Has a model write; what it writes to `conclude` is the answer that a person is to see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedAnswer:
    """An answer and the passages it stands on, by the numbers with which they are cited."""

    text: str
    passages: dict[int, Passage]

    def written(self, language: Language) -> str:
        """Return the answer with the list of its passages."""
        if not self.passages:
            return self.text
        lines = [
            f"[{number}] {passage.document.title} — {passage.document.link}\n> {' '.join(passage.text.split())}"
            for number, passage in self.passages.items()
        ]
        return "\n\n".join((self.text, f"**{phrase('deep_search_sources', language)}**", *lines))


@dataclass(slots=True, kw_only=True)
class DeepSearch:
    """Searches for one question. `loops` bounds the rounds of searches; at most `QUERIES` go out in each."""

    engine: SearchEngine
    write: Write
    ids: Ids
    language: Language
    loops: int = 1
    _found: list[Passage] = field(default_factory=list[Passage])
    _asked: dict[str, None] = field(default_factory=dict[str, None])

    async def run(self, question: str) -> AsyncGenerator[EventBody | CitedAnswer]:
        """Yield what happens, and last the answer. Raises what the model raises."""
        for loop in range(1, self.loops + 1):
            queries = await self._queries(question, first=loop == 1)
            if not queries:
                break
            async for event in self._searched(queries, loop):
                yield event
        yield await self._answer(question)

    async def _queries(self, question: str, *, first: bool) -> tuple[str, ...]:
        """Return what is to be searched for next; without a model that can say it, the question itself."""
        order = phrase("deep_search_queries" if first else "deep_search_more", self.language, question=question)
        materials = () if first else self._materials(self._found[:PASSAGES])
        task = Chat(question=order, language=self.language, materials=materials, schema=_FORM)
        try:
            read = read_object(await self.write(task, "analyze"))
        except ModelCannotWrite:
            read = None
        said = read.get("queries") if isinstance(read, dict) else None
        words = [one for one in said if isinstance(one, str)] if isinstance(said, list) else []
        if first and not words:
            words = [question]
        fresh = dict.fromkeys(" ".join(one.split())[:QUERY_CHARS] for one in words)
        queries = tuple(one for one in fresh if one and one not in self._asked)[:QUERIES]
        self._asked.update(dict.fromkeys(queries))
        return queries

    async def _searched(self, queries: Sequence[str], loop: int) -> AsyncGenerator[EventBody]:
        """Search for all queries at the same time, and tell of each in their order."""
        calls = [self.ids.new() for _ in queries]
        for call, query in zip(calls, queries, strict=True):
            told = {"query": query, "queries": list(queries), "loop": loop}
            yield ToolStarted(tool_call_id=call, name=SEARCH, arguments=told)
        results = await asyncio.gather(*map(self._one, queries))
        for call, query, result in zip(calls, queries, results, strict=True):
            if isinstance(result, TablewrightError):
                words = error_text(result.code, self.language, result.params)
                yield ToolFinished(tool_call_id=call, name=SEARCH, text=words, failed=True)
                continue
            passages = [passage for document in result for passage in passages_of(document)]
            fitting = best(passages, query, PER_QUERY)
            self._found += [passage for passage in fitting if passage not in self._found]
            yield ToolFinished(tool_call_id=call, name=SEARCH, text=_told(result, fitting))

    async def _one(self, query: str) -> tuple[Document, ...] | TablewrightError:
        try:
            return await self.engine.search(query, DOCUMENTS)
        except TablewrightError as error:
            return error

    async def _answer(self, question: str) -> CitedAnswer:
        passages = self._found[:PASSAGES]
        if not passages:
            return CitedAnswer(text=phrase("deep_search_nothing", self.language), passages={})
        order = phrase("deep_search_answer", self.language, question=question)
        task = Chat(question=order, language=self.language, materials=self._materials(passages))
        try:
            words = await self.write(task, "conclude")
        except ModelCannotWrite:
            words = ""
        return cited(words, passages) or quoted(question, passages, self.language)

    def _materials(self, passages: Sequence[Passage]) -> tuple[tuple[str, str], ...]:
        return tuple(
            (f"[{number}] {passage.document.title}", passage.text) for number, passage in enumerate(passages, start=1)
        )


def cited(words: str, passages: Sequence[Passage]) -> CitedAnswer | None:
    """Return an answer with its passages; numbers of none are taken out. None where it stands on no passage."""
    numbers = {int(one) for one in _CITED.findall(words)}
    known = {number: passages[number - 1] for number in sorted(numbers) if 0 < number <= len(passages)}
    if not known:
        return None
    text = _CITED.sub(lambda found: found[0] if int(found[1]) in known else "", words).strip()
    return CitedAnswer(text=text, passages=known)


def quoted(question: str, passages: Sequence[Passage], language: Language) -> CitedAnswer:
    """Return the passages that fit best, where no answer in other words stands on them."""
    chosen = best(passages, question, PER_QUERY) or list(passages[:PER_QUERY])
    known = dict(enumerate(chosen, start=1))
    marks = " ".join(f"[{number}]" for number in known)
    return CitedAnswer(text=f"{phrase('deep_search_quoted', language)} {marks}", passages=known)


def _told(documents: Sequence[Document], passages: Sequence[Passage]) -> str:
    """Return the documents of a search as JSON, each with its passage that fits best."""
    by_link: dict[str, str] = {}
    for passage in passages:
        by_link.setdefault(passage.document.link, passage.text)
    told = [
        {"doc_type": one.kind, "content": by_link.get(one.link, one.text[:300]), "title": one.title, "link": one.link}
        for one in documents
    ]
    return json.dumps(told, ensure_ascii=False)
