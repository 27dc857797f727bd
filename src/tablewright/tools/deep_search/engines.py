"""What is searched: the web by a configured engine, and the conversation's files, which need no configuration."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tablewright.data.base import ContentOptions, FileContent, SearchHit, SearchProvider, WebPages
from tablewright.domain.table import Table
from tablewright.errors import TablewrightError
from tablewright.tools.base import ToolFile, ToolFiles
from tablewright.tools.deep_search.base import Document
from tablewright.tools.deep_search.passages import best, passages_of

AT_ONCE = 4
READ_S = 30.0
PAGE_CHARS = 100_000
FILES = 50
ROWS = 1_000
FILE_CHARS = 200_000
MATCHES = 5


class WebEngine:
    """Implements `SearchEngine`: pages that `provider` finds, read under the guard of `pages`.

    A page that cannot be read is told by its excerpt.
    """

    def __init__(self, provider: SearchProvider, pages: WebPages) -> None:
        self._provider = provider
        self._pages = pages
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def search(self, query: str, count: int) -> tuple[Document, ...]:
        hits = await self._provider.search(query, count)
        read = await asyncio.gather(*map(self._read, hits))
        return tuple(document for document in read if document.text.strip())

    async def _read(self, hit: SearchHit) -> Document:
        text = hit.snippet
        async with self._turn:
            try:
                async with asyncio.timeout(READ_S):
                    page = await self._pages.read(hit.url)
                text = page.text[:PAGE_CHARS] or text
            except (TablewrightError, TimeoutError):
                pass
        return Document(kind="web", title=hit.title, link=hit.url, text=text)


class FileEngine:
    """Implements `SearchEngine` over the files of a conversation; those without a word of the query do not fit.

    What runs have made, such as reports, is not searched: an answer would cite what was answered before.
    """

    def __init__(self, files: ToolFiles) -> None:
        self._files = files
        self._read: dict[str, Document] = {}

    async def search(self, query: str, count: int) -> tuple[Document, ...]:
        passages = [passage for document in await self._all() for passage in passages_of(document)]
        fitting = best(passages, query, MATCHES * count)
        named = {passage.document.link: passage.document for passage in fitting}
        return tuple(named.values())[:count]

    async def _all(self) -> Sequence[Document]:
        given = [file for file in await self._files.all() if not file.made]
        for file in given[:FILES]:
            if file.name not in self._read and (text := await self._text(file)).strip():
                self._read[file.name] = Document(kind="file", title=file.name, link=file.name, text=text)
        return tuple(self._read.values())

    async def _text(self, file: ToolFile) -> str:
        try:
            return _text_of(await self._files.read(file, ContentOptions(rows=ROWS, chars=FILE_CHARS)))
        except TablewrightError:
            return ""  # a picture, or a damaged file: nothing to be searched


class Several:
    """Implements `SearchEngine` over several, whose documents take turns; one that fails gives none.

    Raises what the first has raised where all fail.
    """

    def __init__(self, *engines: WebEngine | FileEngine) -> None:
        self._engines = engines

    async def search(self, query: str, count: int) -> tuple[Document, ...]:
        asked = [engine.search(query, count) for engine in self._engines]
        found = await asyncio.gather(*asked, return_exceptions=True)
        faults = [one for one in found if isinstance(one, BaseException)]
        for fault in faults:
            if not isinstance(fault, TablewrightError):
                raise fault
        lists = [one for one in found if not isinstance(one, BaseException)]
        if faults and not lists:
            raise faults[0]
        turns = (one[at] for at in range(count) for one in lists if at < len(one))
        return tuple({document.link: document for document in turns}.values())[:count]


def _text_of(content: FileContent) -> str:
    return content.text or ("" if content.table is None else _lines(content.table))


def _lines(table: Table) -> str:
    """Return a table as lines that each say their columns: a passage of it can be understood alone."""
    rows = (zip(table.columns, row, strict=False) for row in table.rows)
    return "\n".join("; ".join(f"{name}: {cell}" for name, cell in row if cell is not None) for row in rows)
