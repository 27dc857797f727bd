"""Show the sheets of a workbook to a person: layouts, windows, what is found, views that are sorted or filtered."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tablewright.domain.scope import Scope
from tablewright.domain.workbook import Version
from tablewright.errors import NotFound
from tablewright.service.workbooks.states import WorkbookStates
from tablewright.store.base import Store
from tablewright.workbook.views import (
    ColumnTest,
    FilledRows,
    Found,
    RowOrder,
    SheetLayout,
    SheetTab,
    SheetWindow,
    Summary,
    WorkbookViewer,
)


@dataclass(frozen=True, slots=True)
class _Open:
    path: Path
    version: Version


class WorkbookViews:
    """What is shown of a workbook, at its head or at another version.

    `workbook_id` is as in `Workbooks`. Methods raise `NotFound`, `InvalidInput`, `FileUnreadable` and its subclasses.
    """

    def __init__(self, store: Store, states: WorkbookStates, viewer: WorkbookViewer) -> None:
        self._store = store
        self._states = states
        self._viewer = viewer

    async def sheets(self, scope: Scope, workbook_id: str) -> tuple[SheetTab, ...]:
        """List the sheets of the head."""
        async with self._opened(scope, workbook_id, None) as found:
            return await self._viewer.sheets(found.path, name=found.version.name)

    async def layout(
        self, scope: Scope, workbook_id: str, sheet: str, *, version: int | None = None
    ) -> tuple[int, SheetLayout]:
        """Return the number of the version that is shown, and a sheet's layout."""
        async with self._opened(scope, workbook_id, version) as found:
            layout = await self._viewer.layout(found.path, sheet, name=found.version.name)
            return found.version.number, layout

    async def window(
        self,
        scope: Scope,
        workbook_id: str,
        sheet: str,
        wanted: str,
        *,
        rows: Sequence[int] = (),
        version: int | None = None,
    ) -> tuple[int, SheetWindow]:
        """Return the number of the version that is shown, and cells of it."""
        async with self._opened(scope, workbook_id, version) as found:
            window = await self._viewer.window(found.path, sheet, wanted, rows=rows, name=found.version.name)
            return found.version.number, window

    async def find(
        self, scope: Scope, workbook_id: str, sheet: str, text: str, *, from_row: int = 1, limit: int = 100
    ) -> Found:
        """Find a text in the cells of a sheet."""
        async with self._opened(scope, workbook_id, None) as found:
            return await self._viewer.find(
                found.path, sheet, text, from_row=from_row, limit=limit, name=found.version.name
            )

    async def filled(
        self, scope: Scope, workbook_id: str, sheet: str, wanted: str, *, version: int | None = None
    ) -> FilledRows:
        """Return the rows in which a range has a filled cell."""
        async with self._opened(scope, workbook_id, version) as found:
            return await self._viewer.filled(found.path, sheet, wanted, name=found.version.name)

    async def summary(self, scope: Scope, workbook_id: str, sheet: str, wanted: str) -> Summary:
        """Count and add up the cells of a range."""
        async with self._opened(scope, workbook_id, None) as found:
            return await self._viewer.summary(found.path, sheet, wanted, name=found.version.name)

    async def order(
        self,
        scope: Scope,
        workbook_id: str,
        sheet: str,
        *,
        first_row: int,
        sort: int | None,
        descending: bool,
        tests: Sequence[ColumnTest],
    ) -> RowOrder:
        """Return the rows of a sorted or filtered view of a sheet."""
        async with self._opened(scope, workbook_id, None) as found:
            return await self._viewer.order(
                found.path,
                sheet,
                first_row=first_row,
                sort=sort,
                descending=descending,
                tests=tests,
                name=found.version.name,
            )

    async def image(self, scope: Scope, workbook_id: str, image: str) -> bytes:
        """Return the bytes of a picture."""
        async with self._opened(scope, workbook_id, None) as found:
            return await self._viewer.image(found.path, image, name=found.version.name)

    @asynccontextmanager
    async def _opened(self, scope: Scope, workbook_id: str, number: int | None) -> AsyncIterator[_Open]:
        state = await self._states.state(scope, workbook_id)
        if number in {None, state.head.number}:
            # The head's own file, not a copy of it: the reader keeps the file open that it was given last.
            yield _Open(await self._states.path(scope, state), state.head)
            return
        if not state.stored:
            raise NotFound(kind="version", id=str(number))
        version = await self._store.workbooks.version(scope, state.file.id, number or 0)
        async with self._states.opened(scope, state, version) as path:
            yield _Open(path, version)
