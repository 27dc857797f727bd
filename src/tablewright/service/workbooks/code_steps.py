"""Code steps of a plan: a range becomes a data frame in a sandbox session, and the code's result becomes rows again."""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tablewright.domain.notice import Notice
from tablewright.domain.operations.code import WORKBOOK_PATH, RunPython
from tablewright.domain.outline import RegionOutline, SheetOutline
from tablewright.domain.sheet_names import sheet_named
from tablewright.domain.table import Cell, Table
from tablewright.errors import InvalidInput, TablewrightError
from tablewright.sandbox.base import (
    Done,
    ErrorOutput,
    Input,
    LeaseScope,
    Limits,
    Sandbox,
    Session,
    TableOutput,
)
from tablewright.workbook.areas import MOST_ROWS, Area, column_number, letters, parse_area
from tablewright.workbook.base import CellPage, WorkbookEditor

BOOK = PurePosixPath(WORKBOOK_PATH).name
MOST_HEADERS = 16_384
_CHUNK_ROWS = 10_000
_KEPT = "_tablewright_result"


class StepRefused(Exception):
    """A step cannot be executed; `notice` says why."""

    def __init__(self, notice: Notice) -> None:
        super().__init__(notice.code)
        self.notice = notice


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeInput:
    """The data frame given to a code step: rows of a sheet under their headers."""

    sheet: str
    headers: tuple[str, ...]
    data: Area | None


class CodeSteps:
    """Executes code steps, each in a session of its own that is released right afterwards."""

    def __init__(self, sandbox: Sandbox, editor: WorkbookEditor, limits: Limits | None = None) -> None:
        self._sandbox = sandbox
        self._editor = editor
        self._limits = limits

    async def run(self, operation: RunPython, book: Path, scope: LeaseScope) -> Table:
        """Return all rows of what the code left in `result`.

        `book` must be xlsx. Raises `StepRefused` with the reason.
        """
        try:
            given = await self._given(operation, book)
            session = await self._sandbox.acquire(scope, [Input(path=book, name=BOOK)], self._limits)
        except TablewrightError as error:
            raise StepRefused(_notice(error)) from error
        try:
            await _executed(session, loading(given), "load")
            table = await _executed(session, operation.code, "code")
            if table is None:
                raise StepRefused(Notice(code="code_without_result", params={}, field="code"))
            return table if len(table.rows) >= table.total_rows else await _whole(session, table)
        finally:
            await session.release()

    async def _given(self, operation: RunPython, book: Path) -> CodeInput:
        outline = await self._editor.outline(book, tokens=20_000)
        found = _region_named(operation.range, outline.sheets)
        sheet, wanted = (operation.sheet, operation.range) if found is None else (found[0].name, found[1].range)
        wanted = next((meaning.lstrip("=") for name, meaning in outline.names if name == wanted), wanted)
        home = _sheet(parse_area(wanted)[0] or sheet if wanted else sheet, outline.sheets)
        if not wanted:
            table = max(home.regions, key=_size, default=None)
            if table is None:
                raise InvalidInput("no_table", sheet=home.name)
            return await self._of_region(home, table, book)
        area = parse_area(wanted)[1]
        if (
            same := next((table for table in home.regions if area in {_whole_of(table), _data(table)}), None)
        ) is not None:
            return await self._of_region(home, same, book)
        return await self._of_area(home, area, book)

    async def _of_region(self, home: SheetOutline, table: RegionOutline, book: Path) -> CodeInput:
        area, data = _whole_of(table), _data(table)
        if table.header_rows is None:
            return CodeInput(sheet=home.name, headers=_lettered(area), data=data)
        header = Area(table.header_rows[0], area.first_column, table.header_rows[1], area.last_column)
        page = await self._editor.cells(book, home.name, header.text, limit=MOST_HEADERS)
        return CodeInput(sheet=home.name, headers=_headers(page, header), data=data)

    async def _of_area(self, home: SheetOutline, area: Area, book: Path) -> CodeInput:
        """Return the data of a range that is not a whole table: its first row is the header if it holds only text."""
        used = parse_area(home.used)[1] if home.used else None
        area = (area.cut(used) if used else None) or Area(
            area.first_row, area.first_column, area.first_row, area.first_column
        )
        first = Area(area.first_row, area.first_column, area.first_row, area.last_column)
        page = await self._editor.cells(book, home.name, first.text, limit=MOST_HEADERS)
        if area.height == 1 or not page.cells or not all(isinstance(cell.value, str) for cell in page.cells):
            return CodeInput(sheet=home.name, headers=_lettered(area), data=area)
        rest = Area(area.first_row + 1, area.first_column, area.last_row, area.last_column)
        return CodeInput(sheet=home.name, headers=_headers(page, first), data=rest)


def loading(given: CodeInput) -> str:
    """Return the code that loads the rows into `df`."""
    names = json.dumps(given.headers, ensure_ascii=False)
    if given.data is None:
        return f"import pandas as pd\ndf = pd.DataFrame(columns={names})"
    data = given.data
    place = json.dumps(WORKBOOK_PATH)
    rows = f"skiprows={data.first_row - 1}, nrows={data.height}"
    columns = f"usecols=range({data.first_column - 1}, {data.last_column}), names={names}"
    sheet = json.dumps(given.sheet, ensure_ascii=False)
    return (
        "import pandas as pd\n"
        f'df = pd.read_excel({place}, sheet_name={sheet}, engine="calamine", header=None, {rows}, {columns})'
    )


async def _executed(session: Session, code: str, step_id: str) -> Table | None:
    """Execute code and return the result it bound, or else the last table it showed."""
    result: Table | None = None
    shown: Table | None = None
    error: ErrorOutput | None = None
    async with aclosing(session.execute(code, step_id=step_id)) as outputs:
        async for output in outputs:
            match output:
                case TableOutput(role="result"):
                    result = output.table
                case TableOutput():
                    shown = output.table
                case ErrorOutput():
                    error = output
                case Done() if output.status != "ok":
                    raise StepRefused(_failure(output, error))
    return result or shown


def _failure(done: Done, error: ErrorOutput | None) -> Notice:
    if error is not None and done.status == "error":
        cause = f"{error.name}: {error.message}"[:500]
        return Notice(code="code_failed", params={"cause": cause}, field="code")
    return Notice(code="code_stopped", params={"status": done.status}, field="code")


async def _whole(session: Session, first: Table) -> Table:
    """Fetch, piece by piece, the rows that did not fit into one output."""
    if first.total_rows >= MOST_ROWS:
        raise StepRefused(Notice(code="code_result_too_long", params={"rows": first.total_rows}, field="code"))
    await _executed(session, f"{_KEPT} = result", "keep")
    rows: list[tuple[Cell, ...]] = list(first.rows)
    while len(rows) < first.total_rows:
        piece = f"result = {_KEPT}.iloc[{len(rows)}:{len(rows) + _CHUNK_ROWS}]"
        table = await _executed(session, piece, "piece")
        if table is None or not table.rows:
            raise StepRefused(Notice(code="code_without_result", params={}, field="code"))
        rows.extend(table.rows)
    return Table(columns=first.columns, rows=tuple(rows), total_rows=len(rows))


def _notice(error: TablewrightError) -> Notice:
    params = {name: value for name, value in error.params.items() if name != "detail"}
    return Notice(code=error.detail or error.code, params=params, field=error.field)


def _sheet(name: str | None, sheets: tuple[SheetOutline, ...]) -> SheetOutline:
    visible = next((sheet for sheet in sheets if sheet.state == "visible"), sheets[0])
    if name is None:
        return visible
    names = [sheet.name for sheet in sheets]
    wanted = sheet_named(name, names)
    if wanted is None:
        raise InvalidInput("sheet_missing", field="sheet", id=name, known=", ".join(names))
    return next(sheet for sheet in sheets if sheet.name == wanted)


def _region_named(wanted: str | None, sheets: tuple[SheetOutline, ...]) -> tuple[SheetOutline, RegionOutline] | None:
    return next(
        ((sheet, region) for sheet in sheets for region in sheet.regions if wanted and region.name == wanted), None
    )


def _whole_of(table: RegionOutline) -> Area:
    return parse_area(table.range)[1]


def _size(table: RegionOutline) -> tuple[bool, int]:
    area = _whole_of(table)
    return table.header_rows is not None, area.height * area.width


def _data(table: RegionOutline) -> Area | None:
    area = _whole_of(table)
    if table.data_rows is None:
        return None
    return Area(table.data_rows[0], area.first_column, table.data_rows[1], area.last_column)


def _headers(page: CellPage, header: Area) -> tuple[str, ...]:
    """Return the column headers: the texts of the header rows joined, or the column letters where there are none."""
    found: dict[int, list[str]] = {}
    for cell in page.cells:
        column = column_number(cell.ref.rstrip("0123456789"))
        if cell.value is not None:
            found.setdefault(column, []).append(str(cell.value).strip())
    names = [
        " / ".join(dict.fromkeys(found.get(column, []))) or letters(column)
        for column in range(header.first_column, header.last_column + 1)
    ]
    return tuple(_unique(names))


def _lettered(area: Area) -> tuple[str, ...]:
    return tuple(letters(column) for column in range(area.first_column, area.last_column + 1))


def _unique(names: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    unique: list[str] = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        unique.append(name if seen[name] == 1 else f"{name}.{seen[name] - 1}")
    return unique
