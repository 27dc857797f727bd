"""The beginnings of files of every kind, opened in a child."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlwt
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

from tablewright.data.base import ContentOptions, FileContent
from tablewright.data.files.tables import FileTables
from tablewright.errors import FileUnreadable, InvalidInput

pytestmark = pytest.mark.asyncio(loop_scope="module")
ROWS = (("上海", 2), ("北京", 3))


def _ods(path: Path) -> None:
    book = OpenDocumentSpreadsheet()
    sheet = Table(name="门店")
    for row in (("city", "n"), *ROWS):
        line = TableRow()
        for cell in row:
            kind: dict[str, Any] = (
                {"valuetype": "string"} if isinstance(cell, str) else {"valuetype": "float", "value": cell}
            )
            held = TableCell(**kind)
            held.addElement(P(text=str(cell)))
            line.addElement(held)
        sheet.addElement(line)
    book.spreadsheet.addElement(sheet)
    book.save(str(path))


def _xls(path: Path) -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("门店")
    for number, row in enumerate((("city", "n"), *ROWS)):
        for place, cell in enumerate(row):
            sheet.write(number, place, cell)
    book.save(str(path))


WRITERS: dict[str, Callable[[Path], object]] = {
    "t.csv": lambda path: path.write_text("city,n\n上海,2\n北京,3\n"),
    "t.tsv": lambda path: path.write_text("city\tn\n上海\t2\n北京\t3\n"),
    "t.txt": lambda path: path.write_text("city;n\n上海;2\n北京;3\n"),
    "t.json": lambda path: path.write_text(json.dumps([{"city": city, "n": n} for city, n in ROWS])),
    "t.jsonl": lambda path: path.write_text("\n".join(json.dumps({"city": city, "n": n}) for city, n in ROWS)),
    "t.parquet": lambda path: pl.DataFrame(ROWS, schema=["city", "n"], orient="row").write_parquet(path),
    "t.ods": _ods,
    "t.xls": _xls,
}


async def read(tables: FileTables, path: Path, **options: Any) -> FileContent:
    return await tables.read(path, path.name, ContentOptions(**options))


@pytest.mark.parametrize("name", WRITERS)
async def test_every_format_of_a_table_is_recognized(tables: FileTables, tmp_path: Path, name: str) -> None:
    WRITERS[name](tmp_path / name)
    found = await read(tables, tmp_path / name)
    assert found.table is not None
    assert (found.table.columns, found.table.rows, found.table.total_rows) == (("city", "n"), ROWS, 2)
    assert found.format == {"parquet": "parquet", "ods": "ods", "xls": "excel", "json": "json", "jsonl": "json"}.get(
        name[2:], "csv"
    )


async def test_a_sheet_is_named_or_counted(
    tables: FileTables, workbook: Callable[[Callable[[Any], None]], Path]
) -> None:
    def write(book: Any) -> None:
        for name, value in (("一", 1), ("二", 2)):
            book.add_worksheet(name).write_column(0, 0, ["n", value])

    path = workbook(write)
    for sheet in (1, "二"):
        found = await read(tables, path, sheet=sheet)
        assert found.table is not None
        assert (found.table.rows, found.sheets) == (((2,),), ("一", "二"))
    with pytest.raises(InvalidInput) as raised:
        await read(tables, path, sheet="三")
    assert raised.value.params["known"] == "一, 二"


@pytest.mark.parametrize(("name", "form"), [("a.py", "python"), ("a.sql", "sql"), ("a.md", "text"), ("a.txt", "text")])
async def test_text_is_read_as_text(tables: FileTables, tmp_path: Path, name: str, form: str) -> None:
    text = "Some words, and more of them.\nA second line\n" * 200
    (tmp_path / name).write_text(text)
    found = await read(tables, tmp_path / name, chars=50)
    assert (found.format, found.text, found.chars, found.lines) == (form, text[:50], len(text), 400)


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16", "latin-1"])
@pytest.mark.parametrize("wanted", [None, "utf-8", "ascii"])
async def test_an_encoding_that_does_not_fit_is_replaced_by_one_that_does(
    tables: FileTables, tmp_path: Path, encoding: str, wanted: str | None
) -> None:
    text = "café, señor, Ärger" if encoding == "latin-1" else "各地区的销售金额与上月相比有所增长"
    (tmp_path / "a.md").write_bytes(text.encode(encoding))
    assert (await read(tables, tmp_path / "a.md", encoding=wanted)).text == text
    (tmp_path / "a.csv").write_bytes(f"名称,n\n{text.split(',', maxsplit=1)[0]},1\n".encode(encoding, "replace"))
    table = (await read(tables, tmp_path / "a.csv", encoding=wanted)).table
    assert table is not None
    assert table.rows == ((text.split(",", maxsplit=1)[0], 1),)


async def test_an_encoding_that_fits_is_used(tables: FileTables, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("城市,n\n臺北,1\n".encode("big5"))
    found = await read(tables, tmp_path / "a.csv", encoding="big5")
    assert found.table is not None
    assert (found.encoding, found.table.rows) == ("big5", (("臺北", 1),))


@pytest.mark.parametrize("encoding", ["klingon", "base64", "rot13", "utf-8\0"])
async def test_what_is_no_text_encoding_is_refused(tables: FileTables, tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InvalidInput) as raised:
        await read(tables, tmp_path / "a.csv", encoding=encoding)
    assert raised.value.detail == "encoding_unknown"


async def test_a_format_that_the_content_has_not_is_told(tables: FileTables, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(FileUnreadable) as raised:
        await read(tables, tmp_path / "a.csv", format="excel")
    assert (raised.value.params["found"], raised.value.params["wanted"]) == ("csv", "excel")
    assert (await read(tables, tmp_path / "a.csv", format="text")).text == "a,b\n1,2\n"


async def test_text_is_read_as_the_table_that_it_is_said_to_be(tables: FileTables, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("a,b\n1,2\n")
    found = await read(tables, tmp_path / "a.log", format="csv")
    assert found.table is not None
    assert found.table.rows == ((1, 2),)
