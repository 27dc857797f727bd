"""The tool `remember`: keeps a note about the person's data, once the person has allowed it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from tablewright.domain.events import EventBody
from tablewright.domain.language import Language
from tablewright.domain.note import LONGEST_NOTE, note_text
from tablewright.models.base import ToolSpec
from tablewright.tools.base import ToolContext, ToolResult
from tablewright.tools.described import described
from tablewright.tools.prompt_files import phrase

NAME = "remember"
_ARGUMENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "text": ("remember_text", {"type": "string", "minLength": 1}),
}


class Remember:
    """Implements `Tool` and `ConsentTool`. What a person is shown is what is kept, to the letter."""

    @property
    def spec(self) -> ToolSpec:
        return self.spec_in("en")

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        return described(NAME, language, _ARGUMENTS, ("text",), most=str(LONGEST_NOTE))

    def consent(self, arguments: Mapping[str, Any], language: Language) -> str:
        """Return the question whether the note may be kept. Raises `InvalidInput`."""
        return phrase("remember_consent", language, text=note_text(str(arguments["text"])))

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        if context.notes is None:
            yield ToolResult(text=phrase("remember_none", context.language), failed=True)
            return
        kept = await context.notes.keep(str(arguments["text"]))
        yield ToolResult(text=phrase("remember_kept", context.language, text=kept))
