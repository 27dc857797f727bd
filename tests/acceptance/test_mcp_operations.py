"""`table_operation`: what changes a table, what makes another one, what is declined, and in which formats it is
written."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import json
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import ClientSession
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font
from tests.support.commands import Commands
from tests.support.mcp_bench import Heard, over_http, over_stdio, parameters
from tests.support.patience import PATIENCE_S

ORDERS = """Order,Date,City,Status,Amount,Revenue,Cost
001,2023-05-01,Beijing,ok,50.5,100,60
002,2024-01-15,Shanghai,cancelled,80,200,150
003,2024-03-02,Beijing,ok,100,150,70
004,2024-03-02,Guangzhou,ok,,90,95
004,2024-03-02,Guangzhou,ok,,90,95
"""
MACRO_KIND = "application/vnd.ms-office.vbaProject"
MACRO_LINK = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"
ZH = "编号,状态,金额\n1,完成,50\n2,取消,80\n3,完成,100\n"


@dataclass(slots=True, kw_only=True)
class Operator:
    """A client, and a folder with the tables."""

    session: ClientSession
    folder: Path
    made: int = 0
    told: str = ""

    async def call(self, instruction: str, *names: str, suffix: str = ".csv", **more: Any) -> tuple[Any, Path]:
        self.made += 1
        output = self.folder / f"out {self.made}{suffix}"
        inputs = [str(self.folder / name) for name in names or ("orders.csv",)]
        arguments = {"instruction": instruction, "input_paths": inputs, "output_path": str(output), **more}
        async with asyncio.timeout(PATIENCE_S):
            return await self.session.call_tool("table_operation", arguments), output

    async def rows(self, instruction: str, *names: str, **more: Any) -> list[list[str]]:
        """Carry out an instruction; returns the rows of the CSV file that it made."""
        result, output = await self.call(instruction, *names, **more)
        assert not result.is_error, result.content[0].text
        told = json.loads(result.content[0].text)
        self.told = told["path_desc"]
        assert told["file_path"] == str(output)
        assert told["path_desc"].startswith(output.name)
        with output.open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))


@asynccontextmanager
async def operator(folder: Path) -> AsyncIterator[Operator]:
    (folder / "orders.csv").write_text(ORDERS, encoding="utf-8")
    (folder / "订单.csv").write_text(ZH, encoding="utf-8")
    before = digests(folder)
    async with over_stdio(parameters(folder), Heard()) as session:
        yield Operator(session=session, folder=folder)
    assert {name: digest for name, digest in digests(folder).items() if name in before} == before


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


def column(rows: list[list[str]], name: str) -> list[str]:
    place = rows[0].index(name)
    return [row[place] for row in rows[1:]]


@pytest.mark.requirement("mcp-operations-change-a-copy")
async def test_what_changes_a_table_keeps_all_that_it_does_not_mention(tmp_path: Path) -> None:
    header = ORDERS.splitlines()[0].split(",")
    async with operator(tmp_path) as user:
        rows = await user.rows("sort by Amount descending")
        assert rows[0] == header
        assert column(rows, "Order") == ["003", "002", "001", "004", "004"]
        assert column(rows, "Date")[0] == "2024-03-02"
        assert len(await user.rows("remove duplicates")) == 5
        assert column(await user.rows("keep only 2024 rows"), "Order") == ["002", "003", "004", "004"]
        assert column(await user.rows("filter rows where Amount > 60"), "Order") == ["002", "003"]
        assert column(await user.rows("keep rows where Amount > 60"), "Order") == ["002", "003"]
        rows = await user.rows("add a column margin = Revenue - Cost")
        assert (rows[0], column(rows, "margin")) == ([*header, "margin"], ["40", "50", "80", "-5", "-5"])
        rows = await user.rows("删除状态为取消的行", "订单.csv")
        assert rows == [["编号", "状态", "金额"], ["1", "完成", "50"], ["3", "完成", "100"]]
        assert column(await user.rows("保留金额大于60的行", "订单.csv"), "编号") == ["2", "3"]
        assert column(await user.rows("按金额降序排序", "订单.csv"), "金额") == ["100", "80", "50"]


async def test_a_table_that_is_already_as_it_should_be_is_written_as_it_is(tmp_path: Path) -> None:
    async with operator(tmp_path) as user:
        assert column(await user.rows("sort by Order"), "Order") == ["001", "002", "003", "004", "004"]
        result, output = await user.call("sort by Order", suffix=".xlsx")
        assert not result.is_error, result.content[0].text
        rows = [[str(cell) for cell in row] for row in load_workbook(output).worksheets[0].iter_rows(values_only=True)]
        assert column(rows, "Order") == ["001", "002", "003", "004", "004"]


@pytest.mark.requirement("formula-guard-per-file")
@pytest.mark.parametrize("instruction", ["sort by amount descending", "sum amount by city"])
async def test_text_that_begins_like_a_formula_is_guarded_unless_the_caller_wants_it_as_it_is(
    tmp_path: Path, instruction: str
) -> None:
    (tmp_path / "cells.csv").write_text('city,amount\n"=HYPERLINK(""x"")",2\nOslo,3\n', encoding="utf-8")
    async with operator(tmp_path) as user:
        guarded = await user.rows(instruction, "cells.csv")
        assert sorted(column(guarded, "city")) == ['\'=HYPERLINK("x")', "Oslo"]
        if instruction.startswith("sum"):
            assert "1 cell that begins like a formula got an apostrophe" in user.told
        plain = await user.rows(instruction, "cells.csv", guard=False)
        assert sorted(column(plain, "city")) == ['=HYPERLINK("x")', "Oslo"]


@pytest.mark.requirement("mcp-operations-change-a-copy")
async def test_a_workbook_keeps_everything_else_and_other_formats_hold_the_table(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["City", "Amount"], ["Beijing", 1], ["Shanghai", 3], ["Beijing", 2]):
        sheet.append(row)
    sheet["A1"].font = Font(bold=True, color="FFFF0000")
    other = book.create_sheet("Notes")
    other["B2"] = "=SUM(Sheet!B2:B4)"
    book.save(tmp_path / "book.xlsx")
    async with operator(tmp_path) as user:
        result, output = await user.call("sort by Amount descending", "book.xlsx", suffix=".xlsx")
        assert not result.is_error, result.content[0].text
        sorted_book = load_workbook(output)
        assert list(sorted_book["Sheet"].iter_rows(values_only=True))[1:] == [
            ("Shanghai", 3),
            ("Beijing", 2),
            ("Beijing", 1),
        ]
        assert sorted_book["Sheet"]["A1"].font.color.rgb == "FFFF0000"
        assert sorted_book["Notes"]["B2"].value == "=SUM(Sheet!B2:B4)"
        result, output = await user.call("sort by Amount", "book.xlsx", suffix=".json")
        assert json.loads(output.read_bytes())[0] == {"City": "Beijing", "Amount": 1}
        again, output = await user.call("sort by Amount descending", output.name, suffix=".json")
        assert not again.is_error, again.content[0].text
        assert [row["Amount"] for row in json.loads(output.read_bytes())] == [3, 2, 1]
        result, output = await user.call("total Amount by City", "book.xlsx", suffix=".parquet")
        shown = await user.session.call_tool("get_preview_data", {"path_or_url": str(output)})
        assert {tuple(row.values()) for row in shown.structured_content["sample"]} == {("Beijing", 3), ("Shanghai", 3)}


def with_macros(plain: Path, target: Path) -> None:
    """Write the workbook `plain` as one with macros."""
    kinds, links = "[Content_Types].xml", "xl/_rels/workbook.xml.rels"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(target, "w") as made:
        for name in source.namelist():
            content = source.read(name).decode()
            if name == kinds:
                content = content.replace(
                    "openxmlformats-officedocument.spreadsheetml.sheet.main", "ms-excel.sheet.macroEnabled.main"
                ).replace("<Default ", f'<Default Extension="bin" ContentType="{MACRO_KIND}"/><Default ', 1)
            elif name == links:
                link = f'<Relationship Id="rId99" Type="{MACRO_LINK}" Target="vbaProject.bin"/></Relationships>'
                content = content.replace("</Relationships>", link)
            made.writestr(name, content)
        made.writestr("xl/vbaProject.bin", b"macros")


async def test_a_changed_copy_of_a_workbook_with_macros_keeps_them_under_its_own_ending_alone(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["City", "Amount"], ["Beijing", 1], ["Shanghai", 3]):
        sheet.append(row)
    book.save(tmp_path / "plain.xlsx")
    with_macros(tmp_path / "plain.xlsx", tmp_path / "macros.xlsm")
    async with operator(tmp_path) as user:
        result, output = await user.call("sort by Amount descending", "macros.xlsm", suffix=".xlsm")
        assert not result.is_error, result.content[0].text
        with zipfile.ZipFile(output) as made:
            assert made.read("xl/vbaProject.bin") == b"macros"
            assert b"macroEnabled" in made.read("[Content_Types].xml")
        assert [row[1] for row in load_workbook(output)["Sheet"].iter_rows(values_only=True)] == ["Amount", 3, 1]
        for instruction, names, suffix, remedy in (
            ("sort by Amount", ("macros.xlsm",), ".xlsx", "end the name in .xlsm"),
            ("sort by Amount", ("plain.xlsx",), ".xlsm", "end the name in .xlsx"),
            ("join the tables on City", ("macros.xlsm", "plain.xlsx"), ".xlsm", "end the name in .xlsx"),
        ):
            refused, output = await user.call(instruction, *names, suffix=suffix)
            assert refused.is_error
            assert remedy in refused.content[0].text
            assert not output.exists()
        result, output = await user.call("total Amount", "macros.xlsm", suffix=".xlsx")
        assert not result.is_error, result.content[0].text


async def test_what_asks_for_another_table_is_answered_and_several_tables_are_joined(tmp_path: Path) -> None:
    (tmp_path / "managers.csv").write_text("City,Manager\nBeijing,Ann\nShanghai,Bob\nGuangzhou,Cid\n")
    async with operator(tmp_path) as user:
        rows = await user.rows("total Amount by City")
        assert {row[0]: float(row[1]) for row in rows[1:]} == {"Beijing": 150.5, "Guangzhou": 0, "Shanghai": 80}
        assert column(await user.rows("average Cost by City"), "City") == ["Beijing", "Guangzhou", "Shanghai"]
        result, output = await user.call("join the two tables on City", "orders.csv", "managers.csv")
        if result.is_error:  # offered: the caller chooses, and nothing is written yet
            assert "the rows of both tables, joined: 5 rows" in result.content[0].text
            assert not output.exists()
        else:
            assert len(output.read_text(encoding="utf-8").splitlines()) == 6
        rows = await user.rows("total Revenue by Manager", "orders.csv", "managers.csv")
        assert {row[0]: float(row[1]) for row in rows[1:]} == {"Ann": 250, "Bob": 200, "Cid": 180}


@pytest.mark.requirement("mcp-operations-decline")
async def test_what_is_not_understood_is_declined_and_leaves_no_file(tmp_path: Path) -> None:
    async with operator(tmp_path) as user:
        for instruction in ("make it sing", "sort by Colour", "delete rows where Mood is bad", "让它唱歌"):
            result, output = await user.call(instruction)
            assert result.is_error, instruction
            assert len(result.content[0].text) > 20
            assert not output.exists()


async def test_over_http_a_file_of_the_callers_is_copied_before_it_is_changed(
    commands: Commands, tmp_path: Path
) -> None:
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        sent = await http.post("/api/v1/files", files={"file": ("orders.csv", ORDERS.encode())})
        file_id = sent.json()["id"]
        async with over_http(url, Heard()) as session:
            arguments = {"instruction": "remove duplicates", "input_paths": [file_id], "output_path": "clean.csv"}
            made = await session.call_tool("table_operation", arguments)
        content: Any = made.content[0]
        place = json.loads(content.text)["file_path"]
        assert (await http.get(place)).text.count("\n") == 5
        assert (await http.get(f"/api/v1/files/{file_id}/download")).content == ORDERS.encode()
