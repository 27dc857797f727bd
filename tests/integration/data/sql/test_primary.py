"""The files of a conversation are a database: every sheet a table, with the types that were found."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from tablewright.data.sql.base import SourceFile
from tablewright.data.sql.children import QueryChildren
from tablewright.data.sql.primary import PrimaryDatabase
from tablewright.errors import StatementRefused, TableUnknown

SALES = '日期,地区,金额,比例\n2024-01-31,华东,"¥1,234.50",12%\n2024-02-01,华北,¥99,7%\n2024-02-02,华东,,\n'


@pytest.fixture
async def primary(tmp_path: Path, children: QueryChildren) -> AsyncIterator[PrimaryDatabase]:
    (tmp_path / "1").write_text(SALES, encoding="utf-8")
    (tmp_path / "2").write_text('[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]', encoding="utf-8")
    (tmp_path / "3").write_bytes(b"\x00broken")
    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    first.title = "订单"
    for row in (("id", "when", "who"), (1, date(2024, 5, 1), "Ann"), (2, date(2024, 5, 2), "Bob")):
        first.append(row)
    book.create_sheet("Q1 (old)").append(("id", "x"))
    book["Q1 (old)"].append((1, 2.5))
    book.save(tmp_path / "4.xlsx")
    names = {"1": "销售 2024.csv", "2": "list.json", "3": "broken.xlsx", "4.xlsx": "book.xlsx"}
    made = PrimaryDatabase([SourceFile(path=tmp_path / own, name=name) for own, name in names.items()], children)
    yield made
    await made.close()


async def test_every_sheet_is_a_table_named_after_file_and_sheet(primary: PrimaryDatabase) -> None:
    shown = await primary.query("SHOW TABLES")
    assert {row[0] for row in shown.rows} == {"销售_2024", "list", "book_订单", "book_Q1_old"}


async def test_numbers_and_dates_can_be_computed_with(primary: PrimaryDatabase) -> None:
    found = await primary.query(
        "SELECT 地区, SUM(金额) AS s, MAX(日期) AS d FROM 销售_2024 GROUP BY 地区 ORDER BY s DESC"
    )
    assert found.rows == (("华东", 1234.5, "2024-02-02"), ("华北", 99, "2024-02-01"))
    dated = await primary.query('SELECT who FROM "book_订单" WHERE "when" > CAST(:day AS DATE)', {"day": "2024-05-01"})
    assert dated.rows == (("Bob",),)
    assert (await primary.query("SELECT SUM(a) FROM list")).rows == ((3,),)


async def test_whole_numbers_keep_all_their_digits(tmp_path: Path, children: QueryChildren) -> None:
    ids = [110101199001010000 + number for number in range(20)]
    (tmp_path / "1").write_text("id,n\n" + "".join(f"{one},7\n" for one in ids), encoding="utf-8")
    made = PrimaryDatabase([SourceFile(path=tmp_path / "1", name="people.csv")], children)
    counted = await made.query("SELECT COUNT(DISTINCT id), SUM(n), TYPEOF(MAX(n)) FROM people")
    assert counted.rows == ((20, 140, "BIGINT"),)
    await made.close()


async def test_no_other_file_can_be_read(primary: PrimaryDatabase) -> None:
    with pytest.raises(StatementRefused):
        await primary.query("SELECT * FROM read_csv('/etc/passwd')")
    with pytest.raises(TableUnknown):
        await primary.query("SELECT * FROM '/etc/passwd'")


async def test_what_was_built_is_removed(primary: PrimaryDatabase) -> None:
    await primary.query("SHOW TABLES")
    folder = primary._folder
    assert folder is not None
    await primary.close()
    assert not folder.exists()
