"""`tablewright edit --out`: the format of the result is that of its name."""

from __future__ import annotations

import asyncio
import csv
import json
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook
from tests.support.commands import Commands

ORDERS = "id,city,amount,day\n001,Beijing,50.5,2024-01-05\n002,Shanghai,80,2024-01-06\n003,Wuhan,7,2024-02-01\n"
SORT = "sort by amount descending"


@pytest.fixture
def orders(commands: Commands) -> Path:
    path = commands.folder / "orders.csv"
    path.write_text(ORDERS, encoding="utf-8")
    return path


async def test_a_csv_is_edited_to_a_csv_and_one_that_hides_rows_leaves_them_out(
    commands: Commands, orders: Path
) -> None:
    said = await commands.run("edit", str(orders), SORT, "--yes", "--out", "sorted.csv")
    assert said.code == 0, said.out + said.err
    with (commands.folder / "sorted.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["id", "city", "amount", "day"]
    assert [row[1] for row in rows] == ["Shanghai", "Beijing", "Wuhan"]
    assert [row[0] for row in rows] == ["002", "001", "003"]
    said = await commands.run("edit", str(orders), "show only rows where amount > 10", "--yes", "--out", "shown.csv")
    assert said.code == 0, said.out + said.err
    assert (commands.folder / "shown.csv").read_text(encoding="utf-8").count("\n") == 3
    assert await asyncio.to_thread(orders.read_text, encoding="utf-8") == ORDERS


async def test_all_sheets_are_written_for_another_program(commands: Commands, orders: Path) -> None:
    said = await commands.run("edit", str(orders), f"{SORT} and add a sheet called Notes", "--yes", "--out", "all.ods")
    assert said.code == 0, said.out + said.err
    book = await asyncio.to_thread(CalamineWorkbook.from_path, str(commands.folder / "all.ods"))
    assert "Notes" in book.sheet_names
    header, *rows = book.get_sheet_by_index(0).to_python()
    assert [row[header.index("city")] for row in rows] == ["Shanghai", "Beijing", "Wuhan"]
    assert [row[header.index("amount")] for row in rows] == [80, 50.5, 7]


@pytest.mark.parametrize("name", ["out.pdf", "out", "out.xlsm", "out.json"])
async def test_a_name_that_tells_no_format_is_refused_before_any_work(
    commands: Commands, orders: Path, name: str
) -> None:
    said = await commands.run("edit", str(orders), SORT, "--yes", "--out", name)
    assert said.code == 2
    assert ".xlsx, .csv, .ods" in said.err
    assert said.out == ""
    assert not (commands.folder / name).exists()


async def test_text_that_begins_like_a_formula_is_guarded_in_csv_unless_that_is_switched_off(
    commands: Commands, orders: Path
) -> None:
    await asyncio.to_thread(orders.write_text, ORDERS.replace("Beijing", "@Beijing"), encoding="utf-8")
    for more, city in (((), "'@Beijing"), (("--no-guard", "--json"), "@Beijing"), (("--json",), "'@Beijing")):
        name = f"sorted{len(more)}.csv"
        said = await commands.run("edit", str(orders), SORT, "--yes", "--out", name, *more)
        assert said.code == 0, said.out + said.err
        assert ("1 cell that begins like a formula" in said.out) == (not more)
        assert "--json" not in more or json.loads(said.out).get("guarded") == (1 if city.startswith("'") else None)
        with (commands.folder / name).open(encoding="utf-8", newline="") as file:
            assert [row[1] for row in csv.reader(file)] == ["city", "Shanghai", city, "Wuhan"]
    said = await commands.run("edit", str(orders), SORT, "--yes", "--out", "all.ods")
    book = await asyncio.to_thread(CalamineWorkbook.from_path, str(commands.folder / "all.ods"))
    assert "@Beijing" in [row[1] for row in book.get_sheet_by_index(0).to_python()]
