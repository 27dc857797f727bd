"""The tool `deep_search`: an answer from the web and the conversation's files, with the passages it stands on."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any

from tablewright.data.base import SearchProvider, WebPages
from tablewright.domain.events import EventBody
from tablewright.domain.language import Language
from tablewright.models.base import ToolSpec
from tablewright.tools.base import ToolContext, ToolFiles, ToolResult
from tablewright.tools.deep_search.base import SearchEngine
from tablewright.tools.deep_search.engines import FileEngine, Several, WebEngine
from tablewright.tools.deep_search.search import CitedAnswer, DeepSearch
from tablewright.tools.described import described
from tablewright.tools.untrusted import untrusted
from tablewright.tools.writer import Writer

NAME = "deep_search"
_ARGUMENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "query": ("deep_search_query", {"type": "string", "minLength": 1}),
}


def engine_of(files: ToolFiles | None, provider: SearchProvider | None, pages: WebPages | None) -> SearchEngine:
    """Return what is searched: the files of the conversation, and the web where an engine is configured."""
    web = () if provider is None or pages is None else (WebEngine(provider, pages),)
    own = () if files is None else (FileEngine(files),)
    return Several(*web, *own)


class DeepSearchTool:
    """Implements `Tool`. The model of the run says what is searched for, and writes the answer. Each search is a call
    of its own."""

    def __init__(self, provider: SearchProvider | None = None, pages: WebPages | None = None) -> None:
        self._provider = provider
        self._pages = pages

    @property
    def spec(self) -> ToolSpec:
        return self.spec_in("en")

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        return described(NAME, language, _ARGUMENTS, ("query",))

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        language, writer = context.language, Writer(context.model)
        search = DeepSearch(
            engine=engine_of(context.files, self._provider, self._pages),
            write=writer.write,
            ids=context.ids,
            language=language,
        )
        async for item in search.run(str(arguments["query"])):
            for used in writer.taken():
                yield used
            if isinstance(item, CitedAnswer):
                told = item.written(language)
                yield ToolResult(text=untrusted(told, NAME, language, context.ids), shown=told)
            else:
                yield item
