"""The tool `file_reader`: the beginning of a file of the conversation, and saved code."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

from tablewright.data.base import ContentOptions, FileContent, ReadFormat
from tablewright.domain.events import CodeRetrieved, EventBody
from tablewright.domain.language import Language
from tablewright.errors import FileUnreadable
from tablewright.models.base import ToolSpec
from tablewright.models.facts import dataset_parts
from tablewright.models.streams import closing
from tablewright.tools.base import ResponseFormat, ToolContext, ToolFile, ToolFiles, ToolResult
from tablewright.tools.described import described
from tablewright.tools.digest.question import LIMIT_S, WHOLE_CHARS, answered
from tablewright.tools.prompt_files import phrase
from tablewright.tools.saved_code import code_id_of, cut
from tablewright.tools.shaping import Cap, shaped_table, shaped_text

NAME = "file_reader"
CAP = Cap(rows=1_000, chars=20_000)
CODE_CHARS = 200_000
_ARGUMENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "path": ("file_reader_path", {"type": "string", "minLength": 1}),
    "format": ("file_reader_format", {"type": "string", "enum": [*get_args(ReadFormat)]}),
    "encoding": ("file_reader_encoding", {"type": "string", "minLength": 1, "default": "utf-8"}),
    "sheet_name": ("file_reader_sheet", {"type": ["string", "integer"], "default": 0}),
    "nrows": ("file_reader_nrows", {"type": "integer", "minimum": 1}),
    "question": ("digest_question", {"type": "string", "minLength": 1}),
    "parse_metadata": ("file_reader_metadata", {"type": "boolean", "default": False}),
}


@dataclass(frozen=True, slots=True)
class FileReader:
    """Implements `Tool`."""

    @property
    def spec(self) -> ToolSpec:
        return self.spec_in("en")

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        return described(NAME, language, _ARGUMENTS, ("path",))

    @property
    def limit_s(self) -> float:
        """As long as a text is read for a question."""
        return LIMIT_S

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        if context.files is None:
            yield ToolResult(text=phrase("file_reader_none", context.language), failed=True)
            return
        file = await context.files.find(str(arguments["path"]))
        if (code_id := code_id_of(file.name)) is not None:
            content = (await context.files.read(file, ContentOptions(format="python", chars=CODE_CHARS))).text or ""
            words = cut(content, context.language)
            yield CodeRetrieved(code_id=code_id, content_length=len(content), truncated=words != content)
            yield ToolResult(text=words, shown=words)
            return
        if arguments.get("question") and (whole := await _whole(file, arguments, context)) is not None:
            async with closing(_asked(file, whole, arguments, context)) as items:
                async for item in items:
                    yield item
            return
        form: ResponseFormat = arguments["response_format"]
        found = await context.files.read(file, _options(arguments, form))
        parts = [_heading(file, found, context.language), _body(found, form, context.language)]
        if arguments["parse_metadata"] and found.table is not None:
            parts.append(await read_facts(context.files, file, context.language))
        if arguments.get("question"):
            parts.append(phrase("digest_table", context.language))
        words = "\n".join(part for part in parts if part)
        yield ToolResult(text=words, shown=words)


async def read_words(files: ToolFiles, file: ToolFile, form: ResponseFormat, language: Language) -> str:
    """Return the beginning of a file in words, as the tool tells it."""
    options = ContentOptions(rows=CAP.rows_of(form), chars=CAP.chars_of(form))
    found = await files.read(file, options)
    return f"{_heading(file, found, language)}\n{_body(found, form, language)}"


def _options(arguments: Mapping[str, Any], form: ResponseFormat) -> ContentOptions:
    rows = CAP.rows_of(form)
    return ContentOptions(
        format=arguments.get("format"),
        encoding=str(arguments["encoding"]),
        sheet=arguments["sheet_name"],
        rows=min(int(arguments.get("nrows", rows)), rows),
        chars=CAP.chars_of(form),
    )


async def _whole(file: ToolFile, arguments: Mapping[str, Any], context: ToolContext) -> FileContent | None:
    """Return a text as far as it is looked at for a question; None for a table."""
    assert context.files is not None
    found = await context.files.read(file, replace(_options(arguments, "brief"), chars=WHOLE_CHARS))
    return None if found.text is None else found


async def _asked(
    file: ToolFile, found: FileContent, arguments: Mapping[str, Any], context: ToolContext
) -> AsyncGenerator[EventBody | ToolResult]:
    form: ResponseFormat = arguments["response_format"]
    told = answered(found.text or "", str(arguments["question"]), form, context, CAP, total=found.chars)
    async with closing(told) as items:
        async for item in items:
            if isinstance(item, ToolResult):
                words = f"{_heading(file, found, context.language)}\n{item.text}"
                yield ToolResult(text=words, shown=words)
            else:
                yield item


def _heading(file: ToolFile, found: FileContent, language: Language) -> str:
    more = f", {found.encoding}" if found.encoding else ""
    lines = [phrase("file_reader_heading", language, name=file.name, format=found.format, more=more)]
    if len(found.sheets) > 1:
        names = phrase("list_comma", language).join(found.sheets)
        lines.append(phrase("file_reader_sheets", language, names=names))
    lines.append(phrase("file_reader_data", language))
    return "\n".join(lines)


def _body(found: FileContent, form: ResponseFormat, language: Language) -> str:
    if found.table is not None:
        return shaped_table(found.table, form, language, CAP)
    return shaped_text(found.text or "", form, language, CAP, total=found.chars, lines=found.lines)


async def read_facts(files: ToolFiles, file: ToolFile, language: Language) -> str:
    """Return the facts of all tables of the file; what cannot be profiled has none."""
    try:
        profile = await files.profile(file)
    except FileUnreadable:
        return ""
    facts = [
        part.text
        for number, dataset in enumerate(profile.datasets, start=1)
        for part in dataset_parts(dataset.facts, number, language)
        if part.origin != "sample"
    ]
    return "\n".join(facts)[: CAP.chars]
