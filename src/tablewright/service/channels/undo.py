"""Undo and redo on a channel, returning the whole workbook for the client to show."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.domain.scope import Scope
from tablewright.domain.table import Cell
from tablewright.domain.workbook import Version
from tablewright.errors import NotFound
from tablewright.service.channels.channels import Channels
from tablewright.service.channels.client_sheets import CELLS_TAKEN, Place, bounding_area
from tablewright.service.workbooks.workbooks import Workbooks
from tablewright.workbook.areas import Area, cell_place


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetCells:
    """A sheet's values, row by row from the top-left cell of `range`; `truncated` if there are more."""

    name: str
    range: str
    rows: tuple[tuple[Cell, ...], ...]
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredWorkbook:
    """The version that the workbook is at now, and all its sheets."""

    version: Version
    sheets: tuple[SheetCells, ...]


class ChannelUndo:
    """Undoes and redoes rounds of channels. A channel of another owner raises `NotFound`."""

    def __init__(self, channels: Channels, workbooks: Workbooks) -> None:
        self._channels = channels
        self._workbooks = workbooks

    async def rollback(self, scope: Scope, key: str, request_id: str) -> RestoredWorkbook:
        """Restore the state before the round `request_id`, or before all rounds of the plan with that id.

        Raises `NotFound` (channel, round) or `RunInProgress`.
        """
        workbook_id = await self._resting(scope, key)
        try:
            version = await self._workbooks.rollback(scope, workbook_id, request_id)
        except NotFound as error:
            raise NotFound(kind="round", id=request_id, field="requestId") from error
        return await self._whole(scope, workbook_id, version)

    async def redo(self, scope: Scope, key: str) -> RestoredWorkbook:
        """Take back the last undo.

        Raises `NotFound` (channel), `Conflict` when nothing was undone, or `RunInProgress`.
        """
        workbook_id = await self._resting(scope, key)
        version = await self._workbooks.redo(scope, workbook_id)
        return await self._whole(scope, workbook_id, version)

    async def _resting(self, scope: Scope, key: str) -> str:
        channel = await self._channels.find(scope, key)
        channel.must_rest()
        if channel.workbook is None:
            raise NotFound(kind="workbook", id=key, field="channelId")
        return channel.workbook.id

    async def _whole(self, scope: Scope, workbook_id: str, version: Version) -> RestoredWorkbook:
        outline = await self._workbooks.outline(scope, workbook_id, tokens=500)
        sheets: list[SheetCells] = []
        left = CELLS_TAKEN
        for name in (sheet.name for sheet in outline.sheets if sheet.kind == "worksheet" or sheet.used):
            cells, truncated = await self._cells(scope, workbook_id, name, left)
            left -= len(cells)
            sheets.append(_sheet(name, cells, truncated=truncated))
        return RestoredWorkbook(version=version, sheets=tuple(sheets))

    async def _cells(self, scope: Scope, workbook_id: str, sheet: str, most: int) -> tuple[dict[Place, Cell], bool]:
        found: dict[Place, Cell] = {}
        page = await self._workbooks.cells(scope, workbook_id, sheet, limit=CELLS_TAKEN)
        while True:
            found.update({cell_place(view.ref): view.value for view in page.cells})
            if page.next_range is None:
                return found, False
            if len(found) >= most:
                return found, True
            page = await self._workbooks.cells(scope, workbook_id, sheet, page.next_range, limit=CELLS_TAKEN)


def _sheet(name: str, cells: dict[Place, Cell], *, truncated: bool) -> SheetCells:
    if not cells:
        return SheetCells(name=name, range="A1", rows=(), truncated=truncated)
    last = bounding_area(cells)
    area = Area(1, 1, last.last_row, last.last_column)
    columns = range(1, last.last_column + 1)
    rows = tuple(tuple(cells.get((row, column)) for column in columns) for row in range(1, last.last_row + 1))
    return SheetCells(name=name, range=f"A1:{area.text.rpartition(':')[2]}", rows=rows, truncated=truncated)
