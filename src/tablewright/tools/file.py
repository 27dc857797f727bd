"""The tool `file`: the conversation's files: which there are, what is in them, and texts that become files."""

from __future__ import annotations

import mimetypes
from collections.abc import AsyncGenerator, Mapping
from pathlib import PurePath
from typing import Any

from tablewright.domain.events import ArtifactCreated, EventBody
from tablewright.domain.language import Language
from tablewright.domain.naming import storable
from tablewright.models.base import ToolSpec
from tablewright.tools.base import ToolContext, ToolFiles, ToolResult
from tablewright.tools.described import described
from tablewright.tools.file_reader import read_facts, read_words
from tablewright.tools.prompt_files import phrase

NAME = "file"
COMMANDS = ("list", "get", "preview", "download", "upload")
MOST_NAMES = 200
_ARGUMENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "command": ("file_command", {"type": "string", "enum": [*COMMANDS]}),
    "name": ("file_name", {"type": "string", "minLength": 1}),
    "content": ("file_content", {"type": "string"}),
}


class FileTool:
    """Implements `Tool`."""

    @property
    def spec(self) -> ToolSpec:
        return self.spec_in("en")

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        return described(NAME, language, _ARGUMENTS, ("command",))

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        command, language = str(arguments["command"]), context.language
        name = str(arguments.get("name", "")).strip()
        if command != "list" and not name:
            yield ToolResult(text=phrase("file_name_missing", language, command=command), failed=True)
        elif command == "upload":
            content = storable(str(arguments.get("content", "")))
            kept = storable(PurePath(name.replace("\\", "/")).name) or NAME
            mime = mimetypes.guess_type(kept)[0] or "text/plain"
            made = await context.artifacts.put(kept, mime, content.encode())
            yield ArtifactCreated(artifact=made)
            yield ToolResult(text=phrase("file_kept", language, name=made.name), shown=made.name)
        elif context.files is None:
            yield ToolResult(text=phrase("file_reader_none", language), failed=True)
        else:
            words = await _read(context.files, command, name, language)
            yield ToolResult(text=words, shown=words)


async def _read(files: ToolFiles, command: str, name: str, language: Language) -> str:
    """Return what a command gives that reads. Raises `FileNotNamed`, and what reading a file raises."""
    if command == "list":
        names = [file.name for file in await files.all()]
        more = len(names) - MOST_NAMES
        lines = [*names[:MOST_NAMES], *([phrase("file_more", language, count=str(more))] if more > 0 else ())]
        return "\n".join(lines) or phrase("file_none", language)
    file = await files.find(name)
    if command == "get":
        return await read_facts(files, file, language) or file.name
    return await read_words(files, file, "brief" if command == "preview" else "full", language)
