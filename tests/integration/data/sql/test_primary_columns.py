"""Columns of `primary` are what the facts say once they are cleaned; what became NULL is told, and no digit is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from tablewright.data.sql.base import QueryRows, SourceFile
from tablewright.data.sql.children import QueryChildren
from tablewright.data.sql.primary import PrimaryDatabase
from tablewright.domain.table import Cell

Open = Callable[[str, str | bytes], Awaitable[PrimaryDatabase]]

SCORES = """姓名,数学,单价,人数,进度,比例
陈,90,"¥1,200.50",12人,1.8万,12%
罗,缺考,¥99,7,22000,7%
杨,77.5,—,9人,3万,N/A
王,—,免费,8人,25000,9%
"""


@pytest.fixture
async def opened(tmp_path: Path, children: QueryChildren) -> AsyncIterator[Open]:
    made: list[PrimaryDatabase] = []

    async def open_(name: str, content: str | bytes) -> PrimaryDatabase:
        place = tmp_path / f"{len(made)}"
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        made.append(PrimaryDatabase([SourceFile(path=place, name=name)], children))
        return made[-1]

    yield open_
    for database in made:
        await database.close()


async def _described(database: PrimaryDatabase, table: str) -> dict[str, tuple[Cell, Cell]]:
    """Return the type and the comment of each column."""
    found: QueryRows = await database.query(f"DESCRIBE {table}")
    comment = found.columns.index("comment") if "comment" in found.columns else None
    return {str(row[0]): (row[1], None if comment is None else row[comment]) for row in found.rows}


async def test_numbers_with_texts_among_them_are_summed(opened: Open) -> None:
    database = await opened("scores.csv", SCORES)
    sums = await database.query("SELECT SUM(数学), SUM(单价), SUM(人数), SUM(进度), SUM(比例), COUNT(数学) FROM scores")
    assert sums.rows == ((167.5, 1299.5, 36, 95000, 28, 2),)


async def test_the_description_says_how_many_cells_are_null_and_what_they_said(opened: Open) -> None:
    database = await opened("scores.csv", SCORES)
    told = await _described(database, "scores")
    assert told["姓名"] == ("varchar", None)
    assert told["数学"] == ("double", 'cells with a text in the file that are NULL: 2 ("缺考" ×1, "—" ×1)')
    assert told["单价"] == ("double", 'in "¥"; cells with a text in the file that are NULL: 2 ("—" ×1, "免费" ×1)')
    assert told["进度"] == ("bigint", '"万" multiplied out')
    assert told["比例"] == ("bigint", 'in "%"; cells with a text in the file that are NULL: 1 ("N/A" ×1)')


async def test_numbers_of_a_sheet_are_numbers_beside_texts_too(opened: Open, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    rows = (
        ("name", "score", "when"),
        ("Ann", 1.5, date(2024, 5, 1)),
        ("Bob", "缺考", "待定"),
        ("Eve", 2, date(2024, 5, 3)),
        ("Joe", "N/A", date(2024, 5, 4)),
        ("Tim", "3", date(2024, 5, 5)),
    )
    for row in rows:
        sheet.append(row)
    book.save(tmp_path / "book.xlsx")
    database = await opened("book.xlsx", (tmp_path / "book.xlsx").read_bytes())
    found = await database.query('SELECT SUM(score), COUNT(score), MAX("when"), COUNT("when") FROM book')
    assert found.rows == ((6.5, 3, "2024-05-05", 4),)
    told = await _described(database, "book")
    assert told["when"] == ("date", 'cells with a text in the file that are NULL: 1 ("待定" ×1)')


@pytest.mark.parametrize(
    "values",
    [
        ["110101199001010010", "110101199001010011", "无", "110101199001010013"],
        ["00123", "00124", "—", "00999"],
        ["1,234,567,890,123,456,781", "1,234,567,890,123,456,782", "N/A"],
        ["6222021234567890123", "缺", "6222021234567890124", "6222021234567890125"],
    ],
)
async def test_digits_that_tell_things_apart_stay_text(values: list[str], opened: Open) -> None:
    database = await opened("ids.csv", "id;n\n" + "".join(f"{value};1\n" for value in values))
    found = await database.query("SELECT id FROM ids")
    assert [row[0] for row in found.rows] == values
    assert (await _described(database, "ids"))["id"][0] == "varchar"


async def test_words_stay_words(opened: Open) -> None:
    database = await opened("words.csv", "a,b\n1,x\n1,—\ntwo,y\nthree,z\nfour,N/A\n")
    assert {kind for kind, _ in (await _described(database, "words")).values()} == {"varchar"}


async def test_a_decimal_comma_is_none_of_thousands(opened: Open) -> None:
    database = await opened("comma.csv", "a;b\nx;1,234\ny;2,5\nz;n/a\n")
    assert (await database.query("SELECT SUM(b) FROM comma")).rows == ((3.734,),)


async def test_dates_in_several_notations_are_dates(opened: Open) -> None:
    database = await opened("dates.csv", "d,n\n2024-01-05,1\n2024/1/17,2\n2024年2月3日,3\n待定,4\n")
    assert (await database.query("SELECT MAX(d), COUNT(d) FROM dates")).rows == (("2024-02-03", 3),)
