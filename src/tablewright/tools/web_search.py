"""The tool `web_search`: pages that a search engine finds. The engine is set by configuration."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any

from tablewright.data.base import SearchHit, SearchProvider
from tablewright.domain.events import EventBody
from tablewright.domain.language import Language
from tablewright.errors import SearchFailed
from tablewright.models.base import ToolSpec
from tablewright.tools.base import ResponseFormat, ToolContext, ToolResult
from tablewright.tools.described import described
from tablewright.tools.prompt_files import phrase
from tablewright.tools.shaping import Cap
from tablewright.tools.untrusted import untrusted

NAME = "web_search"
CAP = Cap(chars=20_000)
MOST_RESULTS = 50
QUERY_CHARS = 400
_ARGUMENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "query": ("web_search_query", {"type": "string", "minLength": 1}),
    "num_results": ("web_search_count", {"type": "integer", "minimum": 1, "maximum": MOST_RESULTS, "default": 10}),
}


@dataclass(frozen=True, slots=True)
class WebSearch:
    """Implements `Tool`; without a provider every call fails and says how to configure one."""

    provider: SearchProvider | None = None

    @property
    def spec(self) -> ToolSpec:
        return self.spec_in("en")

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        return described(NAME, language, _ARGUMENTS, ("query",))

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        if self.provider is None:
            raise SearchFailed("search_not_set_up", provider="")
        query, language = str(arguments["query"])[:QUERY_CHARS], context.language
        hits = await self.provider.search(query, int(arguments["num_results"]))
        if not hits:
            words = phrase("web_search_none", language, query=query)
            yield ToolResult(text=words, shown=words)
            return
        told = _told(hits, arguments["response_format"], language)
        yield ToolResult(text=untrusted(told, NAME, language, context.ids), shown=told)


def _told(hits: tuple[SearchHit, ...], form: ResponseFormat, language: Language) -> str:
    """Return the hits as a list, as many of them as are told, each with its excerpt where there is room for it."""
    lines: list[str] = []
    shown = hits[: CAP.rows_of(form)]
    room = CAP.chars_of(form) // len(shown)
    for number, hit in enumerate(shown, start=1):
        lines.append(f"{number}. {hit.title}\n   {hit.url}")
        left = max(0, room - len(lines[-1]))
        if snippet := hit.snippet[:left]:
            lines.append(f"   {snippet}")
    if (more := len(hits) - len(shown)) > 0:
        lines.append(phrase("more_rows", language, count=more))
    return "\n".join(lines)
