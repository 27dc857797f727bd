"""The tool `report`: a document that the run's model writes from material and files."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from pathlib import Path, PurePath
from typing import Any

from tablewright.domain.events import (
    ArtifactCreated,
    EventBody,
    OutputText,
    StepAnnounced,
    StepFinished,
    StepStarted,
)
from tablewright.domain.language import Language
from tablewright.domain.naming import storable
from tablewright.domain.task import Chat
from tablewright.models.base import ToolSpec
from tablewright.report.blocks import ReportMeta
from tablewright.report.documents import DocumentKind, read_view, write_document
from tablewright.tools.base import ToolContext, ToolResult
from tablewright.tools.described import described
from tablewright.tools.file_reader import read_words
from tablewright.tools.prompt_files import phrase
from tablewright.tools.shaping import Cap, shaped_text
from tablewright.tools.writer import Writer

NAME = "report"
CAP = Cap(rows=1_000, chars=20_000)
FILES = 10
TITLE_CHARS = 80
KINDS: Mapping[str, tuple[str, str, DocumentKind | None]] = {
    "markdown": (".md", "text/markdown", None),
    "html": (".html", "text/html", "html"),
    "ppt": (".html", "text/html", "slides.html"),
}
"""The ending of a report's file, its type, and the document that it is written as, by what it is to be."""
_ARGUMENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "task": ("report_task", {"type": "string", "minLength": 1}),
    "file_type": ("report_file_type", {"type": "string", "enum": [*KINDS], "default": "markdown"}),
    "file_name": ("report_file_name", {"type": "string", "minLength": 1}),
    "material": ("report_material", {"type": "string"}),
    "files": ("report_files", {"type": "array", "items": {"type": "string"}, "maxItems": FILES, "default": []}),
}


class ReportTool:
    """Implements `Tool`. What is written is seen as it comes, as the output of a step; then it is a file."""

    @property
    def spec(self) -> ToolSpec:
        return self.spec_in("en")

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        return described(NAME, language, _ARGUMENTS, ("task",))

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        language, kind = context.language, str(arguments["file_type"])
        materials = await _materials(arguments, context)
        order = phrase(f"report_order_{kind}", language, task=str(arguments["task"]))
        task = Chat(question=order, language=language, materials=materials)
        writer, written, began = Writer(context.model), "", context.clock.monotonic()
        yield StepAnnounced(name=_title(arguments))
        yield StepStarted()
        async with aclosing(_lines(writer.pieces(task, "conclude"))) as lines:
            async for line in lines:
                written += line
                yield OutputText(text=storable(line))
        for used in writer.taken():
            yield used
        if not written.strip():
            yield StepFinished(status="error", elapsed_s=context.clock.monotonic() - began)
            yield ToolResult(text=phrase("report_silent", language), failed=True)
            return
        suffix, mime, document = KINDS[kind]
        content = await asyncio.to_thread(_document, storable(written), _title(arguments), language, document)
        made = await context.artifacts.put(_file_name(arguments, suffix), mime, content)
        yield ArtifactCreated(artifact=made)
        yield StepFinished(status="ok", elapsed_s=context.clock.monotonic() - began)
        shaped = shaped_text(written, arguments["response_format"], language, CAP)
        yield ToolResult(text=phrase("report_written", language, name=made.name, text=shaped), shown=made.name)


async def _lines(pieces: AsyncGenerator[str]) -> AsyncGenerator[str]:
    """Join pieces to lines: each is an event of its own."""
    line = ""
    async with aclosing(pieces):
        async for piece in pieces:
            before, ended, line = (line + piece).rpartition("\n")
            if ended:
                yield before + ended
    if line:
        yield line


async def _materials(arguments: Mapping[str, Any], context: ToolContext) -> tuple[tuple[str, str], ...]:
    """Return what the report is written from. Raises `FileNotNamed`, and what reading a file raises."""
    given = str(arguments.get("material", "")).strip()
    found = [(phrase("report_material_heading", context.language), given)] if given else []
    for name in dict.fromkeys(str(name) for name in arguments["files"]):
        if context.files is not None:
            file = await context.files.find(name)
            found.append((file.name, await read_words(context.files, file, "full", context.language)))
    return tuple(found)


def _document(words: str, title: str, language: Language, kind: DocumentKind | None) -> bytes:
    if kind is None:
        return words.encode()
    with tempfile.TemporaryDirectory(prefix="tablewright-report-") as folder:
        path = Path(folder) / f"report.{kind}"
        meta = ReportMeta(title=title, language=language)
        write_document(kind, read_view(words, codes=frozenset()), meta, path)
        return path.read_bytes()


def _title(arguments: Mapping[str, Any]) -> str:
    return storable(" ".join(str(arguments["task"]).split())[:TITLE_CHARS])


def _file_name(arguments: Mapping[str, Any], suffix: str) -> str:
    name = PurePath(str(arguments.get("file_name", NAME)).replace("\\", "/")).name or NAME
    return storable(name if name.lower().endswith(suffix) else f"{PurePath(name).stem or NAME}{suffix}")
