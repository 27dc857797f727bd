"""`tablewright edit` and `tablewright apply`, with the built-in analyst, on real workbooks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from openpyxl.worksheet.worksheet import Worksheet
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.office import MISSING, SOFFICE, converted
from tests.support.sales_book import loaded, sales_rows, write_sales
from tests.support.wire import Say
from tests.support.workbooks import read_parts, write_xlsx

from tablewright.samples import sample_files

SORT_EN = "sort by Amount descending and highlight the top 3"
SORT_ZH = "按销售额降序排序并高亮前3名"
YELLOW = "FFFFFF00"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_sales(tmp_path / "sales.xlsx")


def sheet_of(path: Path, name: str = "Data") -> Worksheet:
    sheet = loaded(path)[name]
    assert isinstance(sheet, Worksheet)
    return sheet


def column(path: Path, letter: str, sheet: str = "Data") -> list[object]:
    return [cell.value for cell in sheet_of(path, sheet)[letter][1:]]


def filled(path: Path, sheet: str = "Data") -> list[int]:
    """The rows whose first cell is yellow."""
    return [row[0].row for row in sheet_of(path, sheet).iter_rows(min_row=2) if row[0].fill.fgColor.rgb == YELLOW]


def assert_kept(before: Path, after: Path) -> None:
    """Everything that was not touched is as it was, byte for byte."""
    old, new = read_parts(before), read_parts(after)
    assert old.keys() <= new.keys()
    for name in old:
        if "pivot" in name.lower() or "drawing" in name.lower():
            assert old[name] == new[name], name
    assert b"dataBar" in new["xl/worksheets/sheet1.xml"]
    assert b"x14:conditionalFormatting" in new["xl/worksheets/sheet1.xml"]


@pytest.mark.requirement("edit-shows-plan-and-writes-beside")
async def test_a_workbook_with_chart_pivot_and_formats_is_edited_and_keeps_them(commands: Commands, book: Path) -> None:
    before = read_parts(book)
    said = await commands.run("edit", str(book), SORT_EN, "--yes", "--diff")
    assert said.code == 0, said.out + said.err
    written = book.with_name("sales-edited.xlsx")
    assert f"Saved: {written}" in said.out
    assert "Plan (" in said.out
    assert "sort_rows" in said.out
    assert "→" in said.out
    assert read_parts(book) == before
    amounts = [row[1] for row in sales_rows(10)]
    assert column(written, "B") == sorted(amounts, reverse=True)
    assert filled(written) == [2, 3, 4]
    assert_kept(book, written)


async def test_the_chinese_sample_is_edited_in_chinese(commands: Commands) -> None:
    source = next(path for path in sample_files() if path.suffix == ".xlsx")
    said = await commands.run("edit", str(source), SORT_ZH, "--yes", "--out", "结果.xlsx")
    assert said.code == 0, said.out + said.err
    assert "计划（" in said.out
    assert "已保存：结果.xlsx" in said.out
    amounts = column(commands.folder / "结果.xlsx", "I", "销售明细")
    assert amounts == sorted(amounts, reverse=True, key=lambda value: float(str(value)))
    assert len(amounts) == 5400
    other = sheet_of(commands.folder / "结果.xlsx", "月度目标")
    assert other["A1"].value == "2024年各大区月度销售目标（元）"


@pytest.mark.requirement("edit-asks-before-it-changes")
async def test_without_a_person_nothing_is_changed_and_the_plan_can_be_applied_later(
    commands: Commands, book: Path
) -> None:
    said = await commands.run("edit", str(book), SORT_EN, "--save-plan", "plan.json")
    assert said.code == 3, said.out + said.err
    assert "Nothing was changed" in said.out
    assert "--yes" in said.out
    assert not book.with_name("sales-edited.xlsx").exists()
    plan = json.loads((commands.folder / "plan.json").read_text(encoding="utf-8"))
    assert plan["format"] == 1
    assert plan["request"] == SORT_EN
    applied = await commands.run("apply", "plan.json", str(book), "--yes")
    assert applied.code == 0, applied.out + applied.err
    assert filled(book.with_name("sales-edited.xlsx")) == [2, 3, 4]


async def test_json_is_the_result_alone_with_the_file_that_was_written(commands: Commands, book: Path) -> None:
    said = await commands.run("edit", str(book), SORT_EN, "--yes", "--json", "--out", "out.xlsx")
    assert said.code == 0, said.out + said.err
    result = json.loads(said.out)
    assert set(result) == {"id", "answer", "result", "charts", "files", "declined", "seconds"}
    assert result["files"] == [str(commands.folder / "out.xlsx")]
    assert not result["declined"]
    waiting = await commands.run("edit", str(book), SORT_EN, "--json")
    assert waiting.code == 3
    assert json.loads(waiting.out)["declined"]


@pytest.mark.requirement("edit-never-overwrites-unasked")
async def test_the_file_itself_is_changed_only_where_it_is_named(commands: Commands, book: Path) -> None:
    other = commands.folder / "other.xlsx"
    other.write_bytes(b"mine")
    refused = await commands.run("edit", str(book), SORT_EN, "--yes", "--out", "other.xlsx")
    assert refused.code == 2
    assert "other.xlsx" in refused.err
    assert other.read_bytes() == b"mine"
    said = await commands.run("edit", str(book), SORT_EN, "--yes", "--out", str(book))
    assert said.code == 0, said.out + said.err
    assert filled(book) == [2, 3, 4]


async def test_what_is_not_understood_changes_nothing_and_ends_with_3(commands: Commands, book: Path) -> None:
    said = await commands.run("edit", str(book), "please compose a sonnet about zebras", "--yes")
    assert said.code == 3, said.out
    assert not book.with_name("sales-edited.xlsx").exists()


async def test_a_workbook_without_any_table_is_edited_too(commands: Commands) -> None:
    blank = write_xlsx(commands.folder / "blank.xlsx", {"Sheet1": []})
    step = {"step": 1, "function": "set_values", "parameters": {"range": "A1", "values": [["Total"]]}}
    async with FakeOpenAI() as model:
        model.says(Say(text=json.dumps({"execution_plan": [step]})))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        said = await commands.run("edit", str(blank), "write Total in A1", "--yes", "--model", "openai:fake")
    assert said.code == 0, said.out + said.err
    assert sheet_of(commands.folder / "blank-edited.xlsx", "Sheet1")["A1"].value == "Total"
    refused = await commands.run("ask", str(blank), "how many rows are there?")
    assert refused.code == 1
    assert "holds no table" in refused.err


async def test_over_http_it_is_the_same(commands: Commands, book: Path) -> None:
    async with commands.serving() as (url, _process):
        said = await commands.run(
            "edit", str(book), SORT_EN, "--yes", "--server", url, "--out", "out.xlsx", "--save-plan", "plan.json"
        )
        assert said.code == 0, said.out + said.err
        longer = write_sales(commands.folder / "longer.xlsx", 30)
        applied = await commands.run("apply", "plan.json", str(longer), "--yes", "--server", url)
        assert applied.code == 0, applied.out + applied.err
        other = write_sales(commands.folder / "other.xlsx", headers=("Region", "Turnover", "Product", "Cost"))
        refused = await commands.run("apply", "plan.json", str(other), "--yes", "--server", url)
        assert refused.code == 1
        assert "Turnover" in refused.err
    assert filled(commands.folder / "out.xlsx") == [2, 3, 4]
    amounts = sorted((row[1] for row in sales_rows(30)), reverse=True)
    assert column(commands.folder / "longer-edited.xlsx", "B") == amounts


@pytest.mark.parametrize(("rows", "last"), [(25, 26), (4, 5)])
async def test_an_applied_plan_covers_the_whole_table_whatever_its_length(
    commands: Commands, book: Path, rows: int, last: int
) -> None:
    made = await commands.run(
        "edit", str(book), "add a column Margin = Amount - Cost", "--yes", "--save-plan", "p.json"
    )
    assert made.code == 0, made.out + made.err
    other = write_sales(commands.folder / "other.xlsx", rows)
    said = await commands.run("apply", "p.json", str(other), "--yes", "--diff")
    assert said.code == 0, said.out + said.err
    formulas = column(commands.folder / "other-edited.xlsx", "E")
    assert len(formulas) == rows
    assert all(re.fullmatch(rf"=B{row}-D{row}", str(formula)) for row, formula in enumerate(formulas, 2)), formulas
    assert f"E{last}" in said.out
    assert_kept(other, commands.folder / "other-edited.xlsx")


async def test_another_shape_is_refused_naming_what_differs(commands: Commands, book: Path) -> None:
    made = await commands.run("edit", str(book), SORT_EN, "--yes", "--save-plan", "p.json")
    assert made.code == 0, made.out + made.err
    for name, path in (
        ("Turnover", write_sales(commands.folder / "a.xlsx", headers=("Region", "Turnover", "Product", "Cost"))),
        ("Sheet9", write_sales(commands.folder / "b.xlsx", sheet="Sheet9")),
    ):
        said = await commands.run("apply", "p.json", str(path), "--yes")
        assert said.code == 1
        assert name in said.err
        assert not path.with_name(f"{path.stem}-edited.xlsx").exists()


async def test_a_file_that_is_no_plan_is_told_in_one_line(commands: Commands, book: Path) -> None:
    (commands.folder / "p.json").write_text('{"format": 9}', encoding="utf-8")
    said = await commands.run("apply", "p.json", str(book), "--yes")
    assert said.code == 1
    assert said.err.count("\n") == 1
    assert "format 9" in said.err


@pytest.mark.skipif(SOFFICE is None, reason=MISSING)
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_libreoffice_opens_the_full_example_with_its_chart(commands: Commands, book: Path, language: str) -> None:
    wanted = {
        "en": "create a chart of amount by product and highlight the top 3 products by amount",
        "zh": "按 Product 画 Amount 的柱状图，并高亮 Amount 最高的前3行",
    }[language]
    said = await commands.run("edit", str(book), wanted, "--yes", "--out", "out.xlsx")
    assert said.code == 0, said.out + said.err
    written = commands.folder / "out.xlsx"
    assert_charts(written, more_than=book)
    opened = commands.folder / "opened"
    opened.mkdir()
    again = converted(written, "xlsx", opened)
    assert_charts(again, more_than=book)
    assert column(again, "B") == column(written, "B")
    assert len(filled(again)) == 3


def assert_charts(path: Path, *, more_than: Path) -> None:
    def charts(file: Path) -> int:
        return sum(bool(re.fullmatch(r"xl/charts/chart\d+\.xml", name)) for name in read_parts(file))

    assert charts(path) == charts(more_than) + 1
