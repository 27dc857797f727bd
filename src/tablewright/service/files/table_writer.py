"""Writes a table of one file as a file of another kind, in a sandbox."""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path, PurePath

from tablewright.agent.code.result_file import result_code, result_path
from tablewright.data.base import TableFiles
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.loading import load_lines
from tablewright.errors import FileEmpty, SandboxLost
from tablewright.sandbox.base import SHARED_FOLDER, Done, Input, LeaseScope, Sandbox
from tablewright.tools.execution.artifact_delivery import OUTPUT_FOLDER

BOOK = "workbook.xlsx"
_PIECE_BYTES = 1024**2
_SHOWN = """\
import openpyxl
_rows = openpyxl.load_workbook({path})[{sheet}].row_dimensions
result = result[[not _rows[{first} + place].hidden for place in range(len(result))]]
"""


_PLAIN = """\
result = result.convert_dtypes(convert_string=False, convert_boolean=False)
for name in result.select_dtypes("floating"):
    result[name] = result[name].map(lambda value: float(f"{value:.15g}"), na_action="ignore")"""
"""Keeps whole numbers as integers and rounds others to the digits that a spreadsheet shows."""


_BOOK = """\
import datetime
import os

import openpyxl
import pandas as pd


def plain(value):
    return value.isoformat() if isinstance(value, datetime.time) else value


os.makedirs({folder}, exist_ok=True)
with pd.ExcelWriter({target}, engine="odf") as book:
    for sheet in openpyxl.load_workbook({source}, data_only=True).worksheets:
        rows = pd.DataFrame([[plain(value) for value in row] for row in sheet.values], dtype=object)
        rows.to_excel(book, sheet_name=sheet.title, header=False, index=False)
"""
"""Writes every sheet of a workbook, its values alone, as an OpenDocument workbook."""


def is_book(name: str) -> bool:
    """Return whether a file called `name` is a workbook of Excel's own format, as every changed version is."""
    return PurePath(name).suffix.lower() in {".xlsx", ".xlsm"}


class TableWriter:
    """Writes the visible rows of a sheet, values only: no formulas or formats."""

    def __init__(self, sandbox: Sandbox, tables: TableFiles) -> None:
        self._sandbox = sandbox
        self._tables = tables

    async def written(
        self,
        content: AsyncIterator[bytes],
        scope: LeaseScope,
        *,
        name: str,
        source: str,
        sheet: str | None = None,
        filtered: bool = False,
        guard: bool = True,
    ) -> AsyncIterator[bytes]:
        """Yield the content of a file called `name`, whose suffix gives its kind.

        It holds the largest table of `sheet`, or of the first sheet with a table if None. `content` is that of a file
        called `source`; `filtered`: rows may be hidden in a workbook; `guard`: in csv, texts that begin like
        formulas get an apostrophe. Raises `FileEmpty` if there is no table, `SandboxLost` if
        writing failed, and whatever leasing a session raises.
        """
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            path = Path(folder) / f"source{PurePath(source).suffix.lower()}"
            with path.open("wb") as book:
                async for piece in content:
                    book.write(piece)
            table = await self._table(path, sheet)
            async for piece in self._run(_code(table, name, filtered=filtered, guard=guard), path, scope, name):
                yield piece

    async def book_written(
        self, content: AsyncIterator[bytes], scope: LeaseScope, *, name: str
    ) -> AsyncIterator[bytes]:
        """Yield the content of an OpenDocument workbook called `name`: all sheets of the xlsx `content`, values only.

        Raises `SandboxLost` if writing failed, and whatever leasing a session raises.
        """
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            path = Path(folder) / BOOK
            with path.open("wb") as book:
                async for piece in content:
                    book.write(piece)
            places = {"source": f"{SHARED_FOLDER}/{BOOK}", "folder": OUTPUT_FOLDER, "target": result_path(name)}
            code = _BOOK.format(**{word: json.dumps(place, ensure_ascii=False) for word, place in places.items()})
            async for piece in self._run(code, path, scope, name):
                yield piece

    async def _run(self, code: str, path: Path, scope: LeaseScope, name: str) -> AsyncIterator[bytes]:
        """Run code that reads the file at `path` and writes `name`, and yield what it wrote."""
        session = await self._sandbox.acquire(scope, [Input(path=path, name=path.name)])
        try:
            async with aclosing(session.execute(code, step_id="write")) as outputs:
                async for output in outputs:
                    if isinstance(output, Done) and output.status != "ok":
                        raise SandboxLost("lost_writing", name=name, status=output.status)
            async for piece in session.read(result_path(name)):
                yield piece
        finally:
            await session.release()

    async def _table(self, path: Path, sheet: str | None) -> DatasetFacts:
        found = [dataset.facts for dataset in (await self._tables.profile(path, path.name)).datasets]
        first = found[0].read.sheet if found else None
        there = [facts for facts in found if facts.read.sheet == (sheet or first)]
        if not there:
            raise FileEmpty(name=sheet or path.name)
        largest = max(there, key=lambda facts: facts.rows * len(facts.columns))
        return replace(largest, path=f"{SHARED_FOLDER}/{path.name}")


def _code(table: DatasetFacts, name: str, *, filtered: bool, guard: bool) -> str:
    lines = ["import json\nimport pandas as pd", *load_lines(table, "result")]
    if filtered and is_book(table.path) and not table.read.blank_rows and not table.read.left_out:
        header = table.read.header_rows
        first = table.read.first_row if table.read.first_row is not None else (header[-1] + 1 if header else 0)
        place, sheet = json.dumps(table.path), json.dumps(table.read.sheet, ensure_ascii=False)
        lines.append(_SHOWN.format(path=place, sheet=sheet, first=first + 1))
    lines.append(_PLAIN)
    return "\n".join((*lines, result_code(name, guard=guard)))
