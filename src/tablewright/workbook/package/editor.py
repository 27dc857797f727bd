"""The adapter that edits workbooks in child processes."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tablewright.domain.codec import from_json, to_json, to_python
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.outline import WorkbookOutline
from tablewright.errors import FileUnreadable, WorkbookSlow
from tablewright.workbook.base import (
    Applied,
    ApplyPolicy,
    CellPage,
    ChildWorker,
    Difference,
    FrameBlock,
    NewSheet,
    Watch,
)
from tablewright.workbook.package.progress import watched

JOB = "tablewright.workbook.applying.job"
READING = "tablewright.workbook.package.reader"
MAKING = "tablewright.workbook.package.creation"
SLOW = {
    f"{JOB}:apply": "workbook_slow_apply", f"{JOB}:apply_frame": "workbook_slow_apply",
    f"{JOB}:validate": "workbook_slow_check", f"{READING}:outline": "workbook_slow_read",
    f"{READING}:cells": "workbook_slow_read", f"{READING}:diff": "workbook_slow_read",
    f"{MAKING}:compute": "workbook_slow_compute",
}  # fmt: skip
"""What is said to have taken too long; other work is little more than opening the file."""
WARM = (JOB, READING, MAKING, "tablewright.workbook.package.windows")
log = logging.getLogger(__name__)


class PackageEditor:
    """`WorkbookEditor` over a pool of child processes. `WARM` lists the modules that they should have imported."""

    def __init__(self, worker: ChildWorker) -> None:
        self._worker = worker

    async def apply(
        self,
        source: Path,
        target: Path,
        operations: Sequence[AnyOperation],
        *,
        policy: ApplyPolicy | None = None,
        name: str | None = None,
        watch: Watch | None = None,
    ) -> Applied:
        arguments = {"operations": _plain(operations), "target": str(target), "policy": _policy(policy)}
        with watched(watch, len(operations)) as marks:
            applied = await self._call(f"{JOB}:apply", source, name, **arguments, marks=marks)
        return _logged(from_json(Applied, applied))

    async def apply_frame(
        self,
        source: Path,
        target: Path,
        frame: FrameBlock,
        *,
        sheet: str | None,
        at: str,
        overwrite: str | None = None,
        policy: ApplyPolicy | None = None,
        name: str | None = None,
    ) -> Applied:
        arguments = {
            "frame": to_python(FrameBlock, frame), "target": str(target), "sheet": sheet, "at": at, "overwrite":
            overwrite, "policy": _policy(policy),
        }  # fmt: skip
        return _logged(from_json(Applied, await self._call(f"{JOB}:apply_frame", source, name, **arguments)))

    async def validate(
        self, source: Path, operations: Sequence[AnyOperation], *, name: str | None = None
    ) -> tuple[tuple[Notice, ...], ...]:
        found = await self._call(f"{JOB}:validate", source, name, operations=_plain(operations))
        return from_json(tuple[tuple[Notice, ...], ...], found)

    async def outline(self, path: Path, *, tokens: int = 4_000, name: str | None = None) -> WorkbookOutline:
        return from_json(WorkbookOutline, await self._call(f"{READING}:outline", path, name, tokens=tokens))

    async def cells(
        self,
        path: Path,
        sheet: str | None,
        wanted: str | None = None,
        *,
        limit: int = 2_000,
        name: str | None = None,
    ) -> CellPage:
        found = await self._call(f"{READING}:cells", path, name, sheet=sheet, wanted=wanted, limit=limit)
        return from_json(CellPage, found)

    async def diff(self, before: Path, after: Path, *, cells_shown: int = 1_000) -> Difference:
        arguments = {"after": str(after), "cells_shown": cells_shown}
        return from_json(Difference, await self._call(f"{READING}:diff", before, None, **arguments))

    async def losses(self, path: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        return from_json(tuple[Notice, ...], await self._call(f"{JOB}:losses", path, name))

    async def create(self, target: Path, sheets: Sequence[NewSheet]) -> None:
        with tempfile.NamedTemporaryFile(suffix=".json") as given:
            content = to_json(tuple[NewSheet, ...], tuple(sheets))
            await asyncio.to_thread(Path(given.name).write_bytes, content)
            await self._call(f"{MAKING}:create", Path(given.name), target.name, target=str(target))

    async def convert(self, source: Path, target: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        found = await self._call(f"{MAKING}:convert", source, name, target=str(target))
        return from_json(tuple[Notice, ...], found)

    async def compute(self, source: Path, target: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        found = await self._call(f"{MAKING}:compute", source, name, target=str(target))
        return from_json(tuple[Notice, ...], found)

    async def cuts(self, path: Path, *, name: str | None = None) -> tuple[int, ...]:
        return from_json(tuple[int, ...], await self._call(f"{MAKING}:cuts", path, name))

    async def _call(self, operation: str, path: Path, name: str | None, **arguments: Any) -> bytes:
        try:
            return await self._worker.call(operation, path, {"name": name or path.name, **arguments})
        except FileUnreadable as error:
            if error.detail == "file_too_slow" and (detail := SLOW.get(operation)):
                limit_s = error.params.get("limit_s")
                raise WorkbookSlow(detail, name=name or path.name, limit_s=limit_s) from error
            raise


def _logged(applied: Applied) -> Applied:
    """Log the errors of steps that broke: the process in which they did has no log of its own."""
    for place, outcome in enumerate(applied.steps, 1):
        if outcome.traceback:
            log.error("step %d of a batch broke and was taken back:\n%s", place, outcome.traceback.rstrip())
    return applied


def _plain(operations: Sequence[AnyOperation]) -> list[Any]:
    return list(to_python(tuple[AnyOperation, ...], tuple(operations)))


def _policy(policy: ApplyPolicy | None) -> Any:
    return to_python(ApplyPolicy, policy or ApplyPolicy())
