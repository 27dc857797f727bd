"""The tool `code_interpreter`: code that the run's model writes for a task, executed, and mended where it fails."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any

from tablewright.domain.events import ArtifactCreated, EventBody
from tablewright.domain.language import Language
from tablewright.domain.task import Chat
from tablewright.models.base import ToolSpec
from tablewright.models.streams import closing
from tablewright.tools.base import Tool, ToolContext, ToolFile, ToolResult
from tablewright.tools.described import described
from tablewright.tools.file_reader import read_words
from tablewright.tools.prompt_files import phrase
from tablewright.tools.toolset import spec_in
from tablewright.tools.writer import Writer

NAME = "code_interpreter"
TRIES = 3
FILES = 10
TIMEOUT_S = 60
FENCE = "```"
_ARGUMENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "task": ("code_interpreter_task", {"type": "string", "minLength": 1}),
    "files": ("code_interpreter_files", {"type": "array", "items": {"type": "string"}, "maxItems": FILES}),
}


class CodeInterpreter:
    """Implements `Tool`. `run` executes the code: the run's own `run_python`, whose session it shares."""

    def __init__(self, run: Tool) -> None:
        self._run = run

    @property
    def spec(self) -> ToolSpec:
        return self.spec_in("en")

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        return described(NAME, language, _ARGUMENTS, ("task",))

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        language, writer = context.language, Writer(context.model)
        how = spec_in(self._run, language).description
        order = phrase("code_interpreter_order", language, how=how, task=str(arguments["task"]))
        materials = [*await _materials(arguments, context)]
        result = ToolResult(text=phrase("code_interpreter_silent", language), failed=True)
        for _ in range(TRIES):
            code = _code_in(
                await writer.write(Chat(question=order, language=language, materials=(*materials,)), "analyze")
            )
            for used in writer.taken():
                yield used
            if not code:
                break
            names: list[str] = []
            executed = self._run.call(_call(code, arguments), context)
            async with closing(executed) as items:
                async for item in items:
                    if isinstance(item, ToolResult):
                        result = _result(code, item, names, language)
                        continue
                    if isinstance(item, ArtifactCreated):
                        names.append(item.artifact.name)
                    yield item
            if not result.failed:
                break
            materials.append((phrase("code_interpreter_failed", language), result.text))
        yield result


def _call(code: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {"code": code, "timeout": TIMEOUT_S, "response_format": arguments["response_format"]}


def _result(code: str, executed: ToolResult, names: list[str], language: Language) -> ToolResult:
    """Return the code with what it put out, and the files that it made."""
    parts = [f"{FENCE}python\n{code}\n{FENCE}", executed.text]
    if names:
        parts.append(phrase("code_interpreter_made", language, names=phrase("list_comma", language).join(names)))
    return ToolResult(text="\n".join(parts), shown=executed.shown, detail=executed.detail, failed=executed.failed)


async def _materials(arguments: Mapping[str, Any], context: ToolContext) -> tuple[tuple[str, str], ...]:
    """Return the beginnings of the files. Raises `FileNotNamed`, and what reading a file raises."""
    if context.files is None:
        return ()
    named = arguments.get("files")
    chosen: list[ToolFile] = (
        [*await context.files.all()][:FILES]
        if named is None
        else [await context.files.find(str(name)) for name in named]
    )
    return tuple([
        (file.name, await read_words(context.files, file, "brief", context.language)) for file in chosen
    ])  # fmt: skip


def _code_in(words: str) -> str:
    """Return the code in what a model wrote: its first fenced block, or all of it."""
    _, opened, rest = words.partition(FENCE)
    if not opened:
        return words.strip()
    first, _, body = rest.partition("\n")
    return (body if first.strip().isalnum() or not first.strip() else rest).partition(FENCE)[0].strip()
