"""A workbook in other formats than its own: one table as text, or all sheets for another program."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.domain.formats import Format, Shown
from tablewright.domain.scope import Scope
from tablewright.sandbox.base import LeaseScope
from tablewright.service.files.table_writer import TableWriter, is_book
from tablewright.service.workbooks.workbooks import Workbooks

LEASE = "format"


class WorkbookFormats:
    """Writes the newest state of a workbook of record in another format; values only."""

    def __init__(self, workbooks: Workbooks, writer: TableWriter) -> None:
        self._workbooks = workbooks
        self._writer = writer

    async def written(
        self,
        scope: Scope,
        workbook_id: str,
        kind: Format,
        *,
        sheet: str | None = None,
        rows: Shown = "all",
        guard: bool = True,
    ) -> AsyncIterator[bytes]:
        """Yield the file: as `csv` the largest table of `sheet` (of the first with a table if None), as `ods` all
        sheets. `guard`: in csv, texts that begin like formulas get an apostrophe.

        Raises `NotFound`, `FileEmpty` if there is no table, `SandboxLost`, and whatever leasing a session raises.
        """
        version = await self._workbooks.version(scope, workbook_id)
        content = self._workbooks.content(scope, version)
        lease, name = LeaseScope(run_id=version.workbook_id, scope=LEASE), f"workbook.{kind}"
        if kind == "ods" and is_book(version.name):
            pieces = self._writer.book_written(content, lease, name=name)
        else:
            pieces = self._writer.written(
                content,
                lease,
                name=name,
                source=version.name,
                sheet=sheet,
                filtered=rows == "visible",
                guard=guard,
            )
        async for piece in pieces:
            yield piece
