"""The workbook of record, created from what a client sends and updated with the client's edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tablewright.domain.dataset import StoredFile
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.scope import Scope
from tablewright.domain.table import Cell
from tablewright.errors import NotFound, PlanInvalid, WorkbookChanged
from tablewright.service.channels.client_edits import (
    ChosenEdits,
    chosen_edits,
    contested,
    new_sheet,
    operations_of,
    outdated,
    still_edits,
)
from tablewright.service.channels.client_memory import ChannelClient, ClientMemory, ClientState
from tablewright.service.channels.client_sheets import Cells, ClientSheet, Place, SeenSheet, bounding_area, changed
from tablewright.service.labels import file_name
from tablewright.service.runs.preparation import Preparation, Prepared
from tablewright.service.workbooks.workbooks import Workbooks
from tablewright.workbook.areas import cell_name, cell_place
from tablewright.workbook.base import CellView, NewSheet

TRIES = 3
REFUSED = 20
"""The number of edits of one request that may be refused before the request fails."""
CELLS_READ = 50_000
"""The number of cells read at once: each page opens the file again."""
CELLS_NAMED = 5
Views = Mapping[Place, CellView]
Contents = Mapping[str, Mapping[Place, Cell]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncOutcome:
    """The id of the workbook of record, if there is one; `warnings` name the edits that could not be applied."""

    workbook_id: str | None
    warnings: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientBaseline:
    """What a client was given last: `cells` holds the earlier content of cells that others have changed since.

    `current`: nobody has changed anything since.
    """

    cells: Mapping[str, Views] = field(default_factory=dict[str, Views])
    current: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Sync:
    """The sheets of one request being brought into the workbook; `warnings` accumulates."""

    scope: Scope
    client: ChannelClient
    workbook: StoredFile
    known: ClientState
    sheets: Sequence[ClientSheet]
    warnings: list[Notice] = field(default_factory=list[Notice])


class ClientWorkbook:
    """Brings what clients send into their workbooks."""

    def __init__(self, memory: ClientMemory, workbooks: Workbooks) -> None:
        self._memory = memory
        self._workbooks = workbooks

    async def bring(self, scope: Scope, client: ChannelClient, sheets: Sequence[ClientSheet]) -> SyncOutcome:
        """Create the workbook of record, or commit the client's edits to it.

        Raises `InvalidInput` if the sheets cannot form a workbook.
        """
        workbook = client.channel.workbook
        if not sheets:
            return SyncOutcome(workbook_id=None if workbook is None else workbook.id)
        known, warnings = ClientState(), list[Notice]()
        if workbook is None:
            workbook = await self._made(scope, client, sheets)
        else:
            known = await self._memory.known(scope, client, workbook)
            bringing = Sync(
                scope=scope, client=client, workbook=workbook, known=known, sheets=sheets, warnings=warnings
            )
            await self._take(bringing)
        now = {
            **known.sheets,
            **{sheet.name: known.sheets.get(sheet.name, SeenSheet()).then(sheet) for sheet in sheets},
        }
        if now != known.sheets:
            head = (await self._workbooks.version(scope, workbook.id)).number
            await self._memory.remember(scope, client, workbook.id, ClientState(sheets=now, version=head))
        return SyncOutcome(workbook_id=workbook.id, warnings=tuple(warnings))

    def preparation(self, scope: Scope, client: ChannelClient, sheets: Sequence[ClientSheet]) -> Preparation | None:
        """Return bringing the sheets as what a run does first, or None without any."""

        async def prepare() -> Prepared:
            brought = await self.bring(scope, client, sheets)
            file_ids = () if brought.workbook_id is None else (brought.workbook_id,)
            return Prepared(file_ids=file_ids, warnings=brought.warnings)

        return prepare if sheets else None

    async def _made(self, scope: Scope, client: ChannelClient, sheets: Sequence[ClientSheet]) -> StoredFile:
        new = [NewSheet(name=sheet.name, rows=_rows(sheet), at=_corner(sheet)) for sheet in sheets]
        name = f"{file_name(client.channel.key[:80]) or 'workbook'}.xlsx"
        return await self._workbooks.create(
            scope, name=name, sheets=new, conversation_id=client.channel.conversation.id
        )

    async def _take(self, bringing: Sync) -> None:
        """Commit the client's edits: first plain values, then values written over formulas."""
        seen = bringing.known.sheets
        if not seen or all(_untouched(sheet, seen) for sheet in bringing.sheets):
            return
        for left in reversed(range(TRIES)):
            try:
                waiting = await self._write(bringing)
                if waiting:
                    await self._write_over_formulas(bringing, waiting)
                return
            except WorkbookChanged:
                if not left:
                    raise

    async def _write(self, bringing: Sync) -> dict[str, Cells]:
        """Commit what is plainly an edit; return, by sheet, what would replace formulas."""
        head = (await self._workbooks.version(bringing.scope, bringing.workbook.id)).number
        given = await self._given(bringing, head)
        names = await self._sheet_names(bringing)
        operations: list[AnyOperation] = []
        waiting: dict[str, Cells] = {}
        for sheet in bringing.sheets:
            if sheet.name not in names:
                operations += () if sheet.name in bringing.known.sheets else new_sheet(sheet)
            elif sheet.name in bringing.known.sheets:
                chosen = await self._chosen(bringing, sheet, given, head)
                operations += operations_of(sheet.name, chosen.plain)
                waiting |= {sheet.name: chosen.computed} if chosen.computed else {}
        await self._commit(bringing, operations, base=head)
        return waiting

    async def _chosen(self, bringing: Sync, sheet: ClientSheet, given: ClientBaseline, head: int) -> ChosenEdits:
        seen = bringing.known.sheets[sheet.name]
        changes = changed(sheet, seen)
        record = await self._cells(bringing, sheet.name, changes)
        chosen = chosen_edits(changes, seen, record, {**record, **given.cells.get(sheet.name, {})})
        if not given.current:  # a former formula result cannot be told from a typed value
            chosen = replace(chosen, computed={})
        disputed = contested(chosen, seen, record)
        if not disputed or len(chosen.plain) + len(chosen.computed) < len(changes) or head == bringing.known.version:
            return chosen  # a client that shows some current content has seen the rest too
        now = (await self._differences(bringing, bringing.known.version, head, after=True)).get(sheet.name, {})
        others = {place: value for place, value in now.items() if place not in disputed}
        if not outdated(sheet, others):
            return chosen
        named = ", ".join(cell_name(*place) for place in sorted(disputed)[:CELLS_NAMED])
        bringing.warnings.append(Notice(code="excel_edit_outdated", params={"sheet": sheet.name, "range": named}))
        return chosen.without(disputed)

    async def _write_over_formulas(self, bringing: Sync, waiting: Mapping[str, Cells]) -> None:
        head = (await self._workbooks.version(bringing.scope, bringing.workbook.id)).number
        operations: list[AnyOperation] = []
        for name, cells in waiting.items():
            record = await self._cells(bringing, name, cells)
            operations += operations_of(name, still_edits(cells, record))
        await self._commit(bringing, operations, base=head)

    async def _commit(self, bringing: Sync, operations: list[AnyOperation], *, base: int) -> None:
        """Commit the operations as one version. Those that cannot be done are left out, with a warning."""
        refused: list[Notice] = []
        while operations:
            try:
                await self._workbooks.edit(
                    bringing.scope, bringing.workbook.id, operations, author="client", base_version=base
                )
                break
            except PlanInvalid as error:
                left_out = operations.pop(int(error.params["step"] or 1) - 1)
                area = getattr(left_out, "range", None) or ""
                refused.append(Notice(code="excel_edit_refused", params={"sheet": left_out.sheet, "range": area}))
                if len(refused) > REFUSED:
                    raise
        bringing.warnings.extend(refused)

    async def _cells(self, bringing: Sync, sheet: str, places: Iterable[Place]) -> Views:
        wanted = set(places)
        found: dict[Place, CellView] = {}
        area: str | None = bounding_area(wanted).text if wanted else None
        while area is not None:
            page = await self._workbooks.cells(bringing.scope, bringing.workbook.id, sheet, area, limit=CELLS_READ)
            found.update({cell_place(view.ref): view for view in page.cells})
            area = page.next_range
        return {place: view for place, view in found.items() if place in wanted}

    async def _sheet_names(self, bringing: Sync) -> frozenset[str]:
        outline = await self._workbooks.outline(bringing.scope, bringing.workbook.id, tokens=500)
        return frozenset(sheet.name for sheet in outline.sheets)

    async def _given(self, bringing: Sync, head: int) -> ClientBaseline:
        version = await self._memory.given(bringing.scope, bringing.client, bringing.workbook)
        if version == head:
            return ClientBaseline()
        if version is None:
            return ClientBaseline(current=False)
        before = await self._differences(bringing, version, head, after=False)
        cells = {name: {place: _view(place, value) for place, value in sheet.items()} for name, sheet in before.items()}
        return ClientBaseline(cells=cells, current=False)

    async def _differences(self, bringing: Sync, earlier: int, later: int, *, after: bool) -> Contents:
        """Return the cells that differ between two versions, with their later (`after`) or earlier content."""
        try:
            difference = await self._workbooks.compare(bringing.scope, bringing.workbook.id, earlier, later)
        except NotFound:
            return {}
        return {
            sheet.sheet: {cell_place(cell.ref): cell.after if after else cell.before for cell in sheet.cells}
            for sheet in difference.sheets
        }


def _untouched(sheet: ClientSheet, seen: Mapping[str, SeenSheet]) -> bool:
    return sheet.name in seen and not changed(sheet, seen[sheet.name])


def _view(place: Place, content: Cell) -> CellView:
    formula = content if isinstance(content, str) and content.startswith("=") else None
    return CellView(ref=cell_name(*place), value=content, formula=formula)


def _corner(sheet: ClientSheet) -> str:
    return cell_name(sheet.area.first_row, sheet.area.first_column)


def _rows(sheet: ClientSheet) -> tuple[tuple[Cell, ...], ...]:
    if not sheet.cells:
        return ()
    last = bounding_area(sheet.cells)
    top, left = sheet.area.first_row, sheet.area.first_column
    return tuple(
        tuple(sheet.cells.get((row, column)) for column in range(left, last.last_column + 1))
        for row in range(top, last.last_row + 1)
    )
