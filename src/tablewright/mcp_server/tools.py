"""The three tools."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Any, TypeVar

from fastmcp import Context
from fastmcp.exceptions import ToolError
from fastmcp.tools.base import ToolResult
from mcp.types import ContentBlock, ImageContent, TextContent
from pydantic import Field

from tablewright.domain.language import Language, language_of
from tablewright.domain.table_markdown import markdown
from tablewright.errors import CallerError, TablewrightError
from tablewright.mcp_server.calls import CallObserver, CallQuestion, answered, ask
from tablewright.mcp_server.detached import CallStopped, detached
from tablewright.mcp_server.operations import TableOperationCall, kept_place
from tablewright.mcp_server.results import Results
from tablewright.mcp_server.schemas import AnalysisOut, PreviewOut
from tablewright.mcp_server.translate import key_step, preview, words
from tablewright.service.app import App
from tablewright.service.files.local_outputs import check_kind, check_name, check_target, write_new
from tablewright.service.files.sources import Caller
from tablewright.texts.catalogue import text
from tablewright.texts.errors import describe

log = logging.getLogger(__name__)

T = TypeVar("T")
TYPED_ROWS = 100
"""So many rows are looked at to name the types of columns, however few are shown."""

Question = Annotated[str, Field(description="What to find out about the table, in Chinese or English.", min_length=1)]
Place = Annotated[
    str,
    Field(
        description="A workbook or text table (xlsx, xls, ods, csv, tsv, json, parquet): a path, a file:// or "
        "http(s):// address; over a network a path in the shared folder, or the id, address or name of one of your "
        "files.",
        min_length=1,
    ),
]
Instruction = Annotated[
    str,
    Field(
        description="What to do: change a copy of one table (sort it, remove or keep rows, add or rename columns, "
        "fill gaps, remove duplicates), or make another table of one or several (totals, the best, a join). In "
        "Chinese or English.",
        min_length=1,
    ),
]
Places = Annotated[list[Place], Field(description="The tables to work on; they are never changed.", min_length=1)]
Output = Annotated[
    str,
    Field(
        description="The file to write: .xlsx, .csv, .json or .parquet, or .xlsm for a changed copy of a workbook with "
        "macros. It must not exist yet and cannot be an input.",
        min_length=1,
    ),
]
Guarded = Annotated[
    bool,
    Field(
        description="For .csv: put an apostrophe before texts that a spreadsheet program would run as formulas. False "
        "writes them as they are, for a program that reads the file."
    ),
]
Sheet = Annotated[str | int, Field(description="A sheet's name, or its number from 0.")]
Rows = Annotated[int, Field(description="How many rows to show.", ge=0, le=1000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """Who calls, and in which language errors are told that no question sets. `gone` is set when the client has closed
    the connection that it waits at for the answer."""

    caller: Caller
    language: Language
    gone: asyncio.Event | None = None


@dataclass(frozen=True, slots=True)
class ContextTeller:
    """Tells a client by log notifications, and by progress where it asked for that."""

    context: Context

    async def step(self, name: str) -> None:
        await self.context.info(key_step(name))

    async def progress(self, moves: int, message: str) -> None:
        await self.context.report_progress(moves, message=message or None)


class TableTools:
    """The tools over an application. `speaker` says on whose behalf the present request speaks."""

    def __init__(self, app: Callable[[], App], speaker: Callable[[], Speaker]) -> None:
        self._app = app
        self._speaker = speaker

    async def analyze_data(self, question: Question, path_or_url: Place, ctx: Context) -> ToolResult:
        """Answer a question about a table by writing code and running it in a sandbox.

        Gives the answer in words, and its steps, tables, figures and files as data."""
        speaker = self._speaker()
        language = language_of(question, speaker.language)
        asked = CallQuestion(question=question, places=(path_or_url,))
        return await called(self._analyzed(speaker, asked, ContextTeller(ctx), language), speaker, language)

    async def table_operation(
        self, instruction: Instruction, input_paths: Places, output_path: Output, ctx: Context, *, guard: Guarded = True
    ) -> str:
        """Make a new file from one table or several: filter, sort, join, compute, reshape, clean.

        A changed workbook that is written as .xlsx keeps everything else it holds. Gives JSON with `file_path` and
        `path_desc`. The inputs are only read."""
        speaker = self._speaker()
        language = language_of(instruction, speaker.language)
        name = PurePath(output_path.replace("\\", "/")).name
        asked = CallQuestion(question=instruction, places=input_paths, deliver=name, guard=guard)
        work = self._operated(speaker, asked, output_path, ContextTeller(ctx), language)
        return await called(work, speaker, language)

    async def get_preview_data(self, path_or_url: Place, sheet_name: Sheet = 0, nrows: Rows = 20) -> ToolResult:
        """Show what a table looks like: its columns with their types, its size and its first rows.

        Quick also for files that are larger than memory; nothing is kept."""
        speaker = self._speaker()
        return await called(self._previewed(speaker, path_or_url, sheet_name, nrows), speaker, speaker.language)

    async def _analyzed(
        self, speaker: Speaker, asked: CallQuestion, teller: CallObserver, language: Language
    ) -> ToolResult:
        app = self._app()
        ended = await ask(app, speaker.caller, asked, teller, language)
        answer = answered(ended)
        results = Results(app=app, caller=speaker.caller, ended=ended)
        return _analyzed(await results.analysis(answer))

    async def _operated(
        self, speaker: Speaker, asked: CallQuestion, output: str, teller: CallObserver, language: Language
    ) -> str:
        app, caller = self._app(), speaker.caller
        check_kind(output)
        placed = [await app.sources.check(caller, place) for place in asked.places]
        target = check_target(output, [each.path for each in placed]) if caller.local else None
        names = tuple(each.name for each in placed)
        if not caller.local:
            check_name(output, names)
        operation = TableOperationCall(
            app=app, caller=caller, asked=asked, names=names, teller=teller, language=language
        )  # fmt: skip
        made = await operation.made()
        if target is None:
            place = await kept_place(app, caller, made)
        else:
            await write_new(target, made.content)
            place = str(target)
        return json.dumps({"file_path": place, "path_desc": made.description}, ensure_ascii=False)

    async def _previewed(self, speaker: Speaker, place: str, sheet: str | int, rows: int) -> ToolResult:
        table = await self._app().sources.preview(speaker.caller, place, sheet=sheet, rows=max(rows, TYPED_ROWS))
        shown: PreviewOut = preview(table, rows)
        size = text("mcp.shape", speaker.language, rows=shown.shape[0], columns=shown.shape[1])
        said = f"{size}\n\n{markdown(table, rows=rows)}"
        return ToolResult(content=said, structured_content=shown.model_dump(mode="json"))


async def called(work: Coroutine[Any, Any, T], speaker: Speaker, language: Language) -> T:
    """Work on a call, and tell errors of the tree in the caller's words; what is not the caller's doing is also
    logged."""
    try:
        return await detached(work, speaker.gone)
    except TablewrightError as error:
        if not isinstance(error, CallerError):
            log.warning("a tool call failed: %s", error)
        raise ToolError(describe(error, language)) from error
    except CallStopped:
        raise ToolError(text("mcp.stopped", language)) from None


def _analyzed(found: AnalysisOut) -> ToolResult:
    content: list[ContentBlock] = [TextContent(type="text", text=words(found))]
    content.extend(
        ImageContent(type="image", data=image.data, mime_type=image.mime)
        for image in found.images
        if image.data is not None
    )
    return ToolResult(content=content, structured_content=found.model_dump(mode="json"))
