"""`WorkbookViewer` on the package, in child processes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tablewright.domain.codec import from_json, to_python
from tablewright.errors import FileUnreadable, NotFound, WorkbookSlow
from tablewright.workbook.base import ChildWorker
from tablewright.workbook.views import (
    ColumnTest,
    FilledRows,
    Found,
    RowOrder,
    SheetLayout,
    SheetTab,
    SheetWindow,
    Summary,
)

WINDOWS = "tablewright.workbook.package.windows"


class PackageViewer:
    """`WorkbookViewer` over a pool of child processes, which should have imported `WINDOWS`."""

    def __init__(self, worker: ChildWorker) -> None:
        self._worker = worker

    async def sheets(self, path: Path, *, name: str | None = None) -> tuple[SheetTab, ...]:
        return from_json(tuple[SheetTab, ...], await self._call("sheets", path, name))

    async def layout(self, path: Path, sheet: str | None, *, name: str | None = None) -> SheetLayout:
        return from_json(SheetLayout, await self._call("layout", path, name, sheet=sheet))

    async def window(
        self, path: Path, sheet: str | None, wanted: str, *, rows: Sequence[int] = (), name: str | None = None
    ) -> SheetWindow:
        found = await self._call("window", path, name, sheet=sheet, wanted=wanted, rows=list(rows))
        return from_json(SheetWindow, found)

    async def find(
        self, path: Path, sheet: str | None, text: str, *, from_row: int = 1, limit: int = 100, name: str | None = None
    ) -> Found:
        found = await self._call("find", path, name, sheet=sheet, text=text, from_row=from_row, limit=limit)
        return from_json(Found, found)

    async def filled(self, path: Path, sheet: str | None, wanted: str, *, name: str | None = None) -> FilledRows:
        return from_json(FilledRows, await self._call("filled", path, name, sheet=sheet, wanted=wanted))

    async def summary(self, path: Path, sheet: str | None, wanted: str, *, name: str | None = None) -> Summary:
        return from_json(Summary, await self._call("summary", path, name, sheet=sheet, wanted=wanted))

    async def order(
        self,
        path: Path,
        sheet: str | None,
        *,
        first_row: int,
        sort: int | None = None,
        descending: bool = False,
        tests: Sequence[ColumnTest] = (),
        name: str | None = None,
    ) -> RowOrder:
        given = to_python(tuple[ColumnTest, ...], tuple(tests))
        arguments = {"first_row": first_row, "sort": sort, "descending": descending, "tests": given}
        return from_json(RowOrder, await self._call("order", path, name, sheet=sheet, **arguments))

    async def image(self, path: Path, image: str, *, name: str | None = None) -> bytes:
        found = await self._call("image", path, name, image=image)
        if not found:
            raise NotFound(kind="image", id=image)
        return found

    async def _call(self, operation: str, path: Path, name: str | None, **arguments: Any) -> bytes:
        try:
            return await self._worker.call(f"{WINDOWS}:{operation}", path, {"name": name or path.name, **arguments})
        except FileUnreadable as error:
            if error.detail == "file_too_slow":
                limit_s = error.params.get("limit_s")
                raise WorkbookSlow("workbook_slow_read", name=name or path.name, limit_s=limit_s) from error
            raise
