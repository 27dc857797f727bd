"""The tool `web_reader`: the main text of a public page of the web."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any

from tablewright.data.base import WebPages
from tablewright.domain.events import EventBody
from tablewright.domain.language import Language
from tablewright.models.base import ToolSpec
from tablewright.models.streams import closing
from tablewright.tools.base import ToolContext, ToolResult
from tablewright.tools.described import described
from tablewright.tools.digest.question import LIMIT_S, answered
from tablewright.tools.prompt_files import phrase
from tablewright.tools.shaping import Cap, shaped_text
from tablewright.tools.untrusted import untrusted

NAME = "web_reader"
CAP = Cap(chars=20_000)
_ARGUMENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "url": ("web_reader_url", {"type": "string", "minLength": 1}),
    "question": ("digest_question", {"type": "string", "minLength": 1}),
}


@dataclass(frozen=True, slots=True)
class WebReader:
    """Implements `Tool`."""

    pages: WebPages

    @property
    def spec(self) -> ToolSpec:
        return self.spec_in("en")

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        return described(NAME, language, _ARGUMENTS, ("url",))

    @property
    def limit_s(self) -> float:
        """As long as a text is read for a question."""
        return LIMIT_S

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        language = context.language
        page = await self.pages.read(str(arguments["url"]).strip())
        if not page.text:
            yield ToolResult(text=phrase("web_reader_empty", language, url=page.url), failed=True)
            return
        text = f"# {page.title}\n\n{page.text}" if page.title else page.text
        if question := arguments.get("question"):
            told = answered(text, str(question), arguments["response_format"], context, CAP)
            async with closing(told) as items:
                async for item in items:
                    yield _marked(item.text, page.url, context) if isinstance(item, ToolResult) else item
            return
        shown = shaped_text(text, arguments["response_format"], language, CAP)
        yield _marked(shown, page.url, context)


def _marked(shown: str, url: str, context: ToolContext) -> ToolResult:
    return ToolResult(text=untrusted(shown, url, context.language, context.ids), shown=shown)
