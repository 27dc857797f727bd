"""The workbook of record and a client's own idea of it: made of what the client sends, brought up to date by its edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tablewright.domain.dataset import StoredFile
from tablewright.domain.ids import Clock
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.scope import Scope
from tablewright.domain.table import Cell
from tablewright.errors import NotFound, PlanInvalid, WorkbookChanged
from tablewright.service.channels import Channel
from tablewright.service.client_cells import (
    Cells,
    ClientSheet,
    Place,
    SeenSheet,
    changed,
    from_stored,
    to_stored,
    told_area,
)
from tablewright.service.client_edits import Taken, new_sheet, operations_of, still_edits, taken
from tablewright.service.workbook_states import FACE
from tablewright.service.workbooks import Workbooks
from tablewright.store.base import Store
from tablewright.store.workbook_store import FaceMessage
from tablewright.workbook.areas import cell_name, cell_place
from tablewright.workbook.base import CellView, NewSheet

SEEN_FACE = "excel.seen"
TRIES = 3
REFUSED = 20
"""So many edits of one request may be refused."""
LAST_ANSWERS = 20
CELLS_READ = 50_000
"""So many cells are read at once; a page costs an opening of the file."""
Views = Mapping[Place, CellView]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a client was given last: of cells that others have changed since, what they held then. `current`: nobody has
    changed anything since."""

    cells: Mapping[str, Views] = field(default_factory=dict[str, Views])
    current: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Who sends: clients of one channel are told apart by `uid`."""

    channel: Channel
    uid: str = ""

    @property
    def key(self) -> str:
        """The key of what is known of the client."""
        return f"{self.channel.conversation.id}:{self.uid}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """The workbook of record, where there is one; `warnings` name the edits that could not be taken."""

    workbook_id: str | None
    warnings: tuple[Notice, ...] = ()


class ClientBook:
    """Takes what clients send of their workbooks."""

    def __init__(self, store: Store, workbooks: Workbooks, clock: Clock) -> None:
        self._store = store
        self._workbooks = workbooks
        self._clock = clock

    async def bring(self, scope: Scope, client: Client, sheets: Sequence[ClientSheet]) -> Brought:
        """Make the workbook of record, or commit what the client edited.

        `InvalidInput` where what was sent cannot be a workbook."""
        workbook = client.channel.workbook
        if not sheets:
            return Brought(workbook_id=None if workbook is None else workbook.id)
        seen: dict[str, SeenSheet] = {}
        warnings: list[Notice] = []
        if workbook is None:
            workbook = await self._made(scope, client, sheets)
        else:
            seen = await self._seen(scope, client, workbook)
            await self._take(scope, client, workbook, sheets, seen, warnings)
        now = dict(seen)
        for sheet in sheets:
            now[sheet.name] = seen.get(sheet.name, SeenSheet()).then(sheet)
        if now != seen:
            await self._remember(scope, client, workbook, now)
        return Brought(workbook_id=workbook.id, warnings=tuple(warnings))

    async def _made(self, scope: Scope, client: Client, sheets: Sequence[ClientSheet]) -> StoredFile:
        new = [NewSheet(name=sheet.name, rows=_rows(sheet), at=_corner(sheet)) for sheet in sheets]
        name = f"{client.channel.key[:80]}.xlsx"
        return await self._workbooks.create(
            scope, name=name, sheets=new, conversation_id=client.channel.conversation.id
        )

    async def _take(
        self,
        scope: Scope,
        client: Client,
        workbook: StoredFile,
        sheets: Sequence[ClientSheet],
        seen: Mapping[str, SeenSheet],
        warnings: list[Notice],
    ) -> None:
        """Commit the client's edits: first what it wrote, then what it wrote over formulas."""
        if not seen or all(_untouched(sheet, seen) for sheet in sheets):
            return
        for left in reversed(range(TRIES)):
            try:
                waiting = await self._write(scope, client, workbook, sheets, seen, warnings)
                if waiting:
                    await self._write_over_formulas(scope, workbook, waiting, warnings)
                return
            except WorkbookChanged:
                if not left:
                    raise

    async def _write(
        self,
        scope: Scope,
        client: Client,
        workbook: StoredFile,
        sheets: Sequence[ClientSheet],
        seen: Mapping[str, SeenSheet],
        warnings: list[Notice],
    ) -> dict[str, Cells]:
        """Commit what is plainly an edit; return what would replace formulas, by sheet."""
        head = (await self._workbooks.version(scope, workbook.id)).number
        given = await self._given(scope, client, workbook, head)
        names = await self._sheet_names(scope, workbook)
        operations: list[AnyOperation] = []
        waiting: dict[str, Cells] = {}
        for sheet in sheets:
            if sheet.name not in names:
                operations += () if sheet.name in seen else new_sheet(sheet)
            elif sheet.name in seen:
                chosen = await self._chosen(scope, workbook, sheet, seen[sheet.name], given)
                operations += operations_of(sheet.name, chosen.plain)
                waiting |= {sheet.name: chosen.computed} if chosen.computed else {}
        await self._commit(scope, workbook, operations, base=head, warnings=warnings)
        return waiting

    async def _chosen(
        self, scope: Scope, workbook: StoredFile, sheet: ClientSheet, seen: SeenSheet, given: Given
    ) -> Taken:
        changes = changed(sheet, seen)
        record = await self._cells(scope, workbook, sheet.name, changes)
        chosen = taken(changes, seen, record, {**record, **given.cells.get(sheet.name, {})})
        # what a formula gave before others changed its cells cannot be told from what a hand wrote over it
        return chosen if given.current else replace(chosen, computed={})

    async def _write_over_formulas(
        self, scope: Scope, workbook: StoredFile, waiting: Mapping[str, Cells], warnings: list[Notice]
    ) -> None:
        head = (await self._workbooks.version(scope, workbook.id)).number
        operations: list[AnyOperation] = []
        for name, cells in waiting.items():
            record = await self._cells(scope, workbook, name, cells)
            operations += operations_of(name, still_edits(cells, record))
        await self._commit(scope, workbook, operations, base=head, warnings=warnings)

    async def _commit(
        self,
        scope: Scope,
        workbook: StoredFile,
        operations: list[AnyOperation],
        *,
        base: int,
        warnings: list[Notice],
    ) -> None:
        """Commit as one version; what cannot be done is left out and told."""
        while operations:
            try:
                await self._workbooks.edit(scope, workbook.id, operations, author="client", base_version=base)
            except PlanInvalid as error:
                place = int(error.params["step"] or 1) - 1
                refused = operations.pop(place)
                area = getattr(refused, "range", None) or ""
                warnings.append(Notice(code="excel_edit_refused", params={"sheet": refused.sheet, "range": area}))
                if len(warnings) > REFUSED:
                    raise
            else:
                return

    async def _cells(self, scope: Scope, workbook: StoredFile, sheet: str, places: Iterable[Place]) -> Views:
        wanted = set(places)
        if not wanted:
            return {}
        found: dict[Place, CellView] = {}
        area: str | None = told_area(wanted).text
        while area is not None:
            page = await self._workbooks.cells(scope, workbook.id, sheet, area, limit=CELLS_READ)
            found.update({cell_place(view.ref): view for view in page.cells})
            area = page.next_range
        return {place: view for place, view in found.items() if place in wanted}

    async def _sheet_names(self, scope: Scope, workbook: StoredFile) -> frozenset[str]:
        outline = await self._workbooks.outline(scope, workbook.id, tokens=500)
        return frozenset(sheet.name for sheet in outline.sheets)

    async def _given(self, scope: Scope, client: Client, workbook: StoredFile, head: int) -> Given:
        answers = await self._store.faces.latest(scope, FACE, client.channel.key, limit=LAST_ANSWERS)
        told = (_version(one, workbook) for one in answers if one.uid == client.uid)
        version = next((one for one in told if one is not None), None)
        if version == head:
            return Given()
        if version is None:
            return Given(current=False)
        try:
            difference = await self._workbooks.compare(scope, workbook.id, version, head)
        except NotFound:
            return Given(current=False)
        cells = {
            sheet.sheet: {cell_place(cell.ref): _view(cell.ref, cell.before) for cell in sheet.cells}
            for sheet in difference.sheets
        }
        return Given(cells=cells, current=False)

    async def _seen(self, scope: Scope, client: Client, workbook: StoredFile) -> dict[str, SeenSheet]:
        try:
            known = await self._store.faces.get(scope, SEEN_FACE, client.key)
        except NotFound:
            return {}
        return from_stored(known.details["sheets"]) if known.details["workbook"] == workbook.id else {}

    async def _remember(
        self, scope: Scope, client: Client, workbook: StoredFile, seen: Mapping[str, SeenSheet]
    ) -> None:
        await self._store.faces.put(
            scope,
            FaceMessage(
                id=client.key,
                face=SEEN_FACE,
                message_id=client.key,
                channel_id=client.channel.key,
                uid=client.uid,
                created_at=self._clock.now(),
                details={"workbook": workbook.id, "sheets": to_stored(seen)},
            ),
        )


def _untouched(sheet: ClientSheet, seen: Mapping[str, SeenSheet]) -> bool:
    return sheet.name in seen and not changed(sheet, seen[sheet.name])


def _view(ref: str, content: Cell) -> CellView:
    formula = content if isinstance(content, str) and content.startswith("=") else None
    return CellView(ref=ref, value=content, formula=formula)


def _version(message: FaceMessage, workbook: StoredFile) -> int | None:
    response = message.response or {}
    version = response.get("version")
    return version if isinstance(version, int) and response.get("workbookId") == workbook.id else None


def _corner(sheet: ClientSheet) -> str:
    return cell_name(sheet.area.first_row, sheet.area.first_column)


def _rows(sheet: ClientSheet) -> tuple[tuple[Cell, ...], ...]:
    if not sheet.cells:
        return ()
    last = told_area(sheet.cells)
    top, left = sheet.area.first_row, sheet.area.first_column
    return tuple(
        tuple(sheet.cells.get((row, column)) for column in range(left, last.last_column + 1))
        for row in range(top, last.last_row + 1)
    )
