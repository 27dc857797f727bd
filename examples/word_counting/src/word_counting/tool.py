"""A tool: what it is called with is described by a JSON schema, what it returns is text for the model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from tablewright.domain.events import EventBody
from tablewright.models.base import ToolSpec
from tablewright.tools.base import ToolContext, ToolResult


class CountWords:
    """Counts the words of a text."""

    @property
    def spec(self) -> ToolSpec:
        """The description that a model reads."""
        return ToolSpec(
            name="count_words",
            description="Counts the words of a text.",
            parameters={
                "type": "object",
                "properties": {"text": {"type": "string", "description": "The text."}},
                "required": ["text"],
            },
        )

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        """Yield what happens meanwhile (here nothing), and last the result."""
        yield ToolResult(text=str(len(str(arguments["text"]).split())))
