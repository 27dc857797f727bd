"""Builds the result of a finished run: small parts inline, the rest as files that the caller can reach."""

from __future__ import annotations

import asyncio
import base64
import csv
import io
from collections.abc import AsyncIterator
from dataclasses import dataclass

from tablewright.domain.answer import Answer
from tablewright.domain.answer_note import with_note
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.formula_text import guarded
from tablewright.domain.table import Table
from tablewright.mcp_server.calls import CallOutcome
from tablewright.mcp_server.schemas import AnalysisOut, DataFrameOut, ImageOut, TableFileOut, ToolFileOut
from tablewright.mcp_server.translate import INLINE_BYTES, dataframe, fits_in_line, shape, tables_of
from tablewright.service.app import App
from tablewright.service.files.local_outputs import write_new
from tablewright.service.files.sources import DOWNLOAD_PATH, Caller

SAVED_RESULTS = ("result.csv", "result.parquet")
"""File names under which a session saves the complete `result`."""
TEXT_CELLS = 1_000_000
"""The number of cells up to which the CSV file is preferred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Builds the result of one run for one caller."""

    app: App
    caller: Caller
    ended: CallOutcome

    async def analysis(self, answer: Answer) -> AnalysisOut:
        """Return the complete result."""
        ended = self.ended
        whole = saved_result(answer)
        tables = [await self._table(table, whole if table == answer.result else None) for table in tables_of(answer)]
        images = [await self._image(image) for image in ended.seen.images]
        shown = {image.id for image in ended.seen.images}
        shown |= {whole.id} if whole is not None else set()
        files = [await self._file(file) for file in answer.files if file.id not in shown]
        steps = list(ended.seen.steps.values())
        words = with_note(answer, ended.language)
        return AnalysisOut(answer=words, steps=steps, tables=tables, images=images, files=files)

    async def place(self, artifact: ArtifactRef) -> str:
        """Return where the caller finds a file: a local path, or a download path that the tools also accept."""
        if not self.caller.local:
            return DOWNLOAD_PATH.format(id=artifact.id)
        folder = self.app.calls.outputs / self.ended.run_id
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        target = folder / artifact.name
        await write_new(target, self.content(artifact))
        return str(target)

    async def content(self, artifact: ArtifactRef) -> AsyncIterator[bytes]:
        """Yield the bytes of a file."""
        opened = await self.app.files.open(self.caller.scope, artifact.id)
        async for piece in opened.content:
            yield piece

    async def _table(self, table: Table, whole: ArtifactRef | None) -> DataFrameOut | TableFileOut:
        """Return a table inline, or as the file that contains all of it.

        A table that was only shown in part stays inline.
        """
        if whole is not None:
            return TableFileOut(title=table.title, file_path=await self.place(whole), shape=shape(table))
        if fits_in_line(table) or len(table.rows) < table.total_rows:
            return dataframe(table)
        kept = await self.app.files.upload(self.caller.scope, name="table.csv", content=_csv(table))
        await self.app.calls.note(self.caller.scope, self.ended.conversation_id, [kept.id])
        ref = ArtifactRef(id=kept.id, name=kept.name, mime=kept.mime, size_bytes=kept.size_bytes)
        return TableFileOut(title=table.title, file_path=await self.place(ref), shape=shape(table))

    async def _image(self, image: ArtifactRef) -> ImageOut:
        if image.size_bytes >= INLINE_BYTES:
            return ImageOut(type="file", name=image.name, mime=image.mime, file_path=await self.place(image))
        content = b"".join([piece async for piece in self.content(image)])
        return ImageOut(type="image", name=image.name, mime=image.mime, data=base64.b64encode(content).decode())

    async def _file(self, file: ArtifactRef) -> ToolFileOut:
        return ToolFileOut(name=file.name, mime=file.mime, size_bytes=file.size_bytes, file_path=await self.place(file))


def left_as(answer: Answer, name: str) -> ArtifactRef | None:
    """Return the file delivered as `name`, or None.

    If the owner already had a file of that name, a number has been added.
    """
    stem, dot, suffix = name.rpartition(".")
    for file in reversed(answer.files):
        begins, ends = file.name.startswith(stem), file.name.endswith(dot + suffix)
        number = file.name[len(stem) : len(file.name) - len(dot + suffix)].strip(" ()") if begins and ends else "-"
        if file.name == name or number.isdecimal():
            return file
    return None


def saved_result(answer: Answer) -> ArtifactRef | None:
    """Return the file that the sandbox wrote for a result too long to be output completely, or None."""
    result = answer.result
    if result is None or (fits_in_line(result) and len(result.rows) == result.total_rows):
        return None
    is_text = result.total_rows * len(result.columns) <= TEXT_CELLS
    found = [left_as(answer, name) for name in sorted(SAVED_RESULTS, reverse=not is_text)]
    return next((file for file in found if file is not None), None)


async def _csv(table: Table) -> AsyncIterator[bytes]:
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow(guarded(table.columns).cells)
    writer.writerows(guarded(row).cells for row in table.rows)
    yield written.getvalue().encode()
