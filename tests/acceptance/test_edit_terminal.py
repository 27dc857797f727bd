"""`tablewright edit` with a person at the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.support.commands import Commands
from tests.support.sales_book import loaded, sales_rows, write_sales
from tests.support.terminal import in_terminal

SORT = "sort by Amount descending and highlight the top 3"
PROMPT = "what should be different"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_sales(tmp_path / "sales.xlsx")


def amounts(path: Path) -> list[object]:
    return [cell.value for cell in loaded(path)["Data"]["B"][1:]]


@pytest.mark.requirement("edit-person-decides")
async def test_a_person_sees_the_plan_agrees_and_gets_the_file(commands: Commands, book: Path) -> None:
    async with in_terminal(commands, "edit", str(book), SORT, "--diff") as terminal:
        shown = await terminal.until(PROMPT)
        assert "sort_rows" in shown
        terminal.type("y")
        shown = await terminal.until("Saved:")
        assert "→" in shown
        assert await terminal.end() == 0
    assert amounts(book.with_name("sales-edited.xlsx")) == sorted((row[1] for row in sales_rows(10)), reverse=True)


async def test_a_person_says_no_and_nothing_is_written(commands: Commands, book: Path) -> None:
    async with in_terminal(commands, "edit", str(book), SORT) as terminal:
        await terminal.until(PROMPT)
        terminal.type("n")
        assert await terminal.end() == 3
    assert not book.with_name("sales-edited.xlsx").exists()


async def test_a_person_asks_for_another_plan_in_words(commands: Commands, book: Path) -> None:
    async with in_terminal(commands, "edit", str(book), SORT) as terminal:
        await terminal.until(PROMPT)
        terminal.type("only the top 2")
        shown = await terminal.until(PROMPT)
        assert "2" in shown
        terminal.type("y")
        assert await terminal.end() == 0
    sheet = loaded(book.with_name("sales-edited.xlsx"))["Data"]
    assert sum(row[0].fill.fgColor.rgb == "FFFFFF00" for row in sheet.iter_rows(min_row=2)) == 2


async def test_a_person_edits_the_plan_in_their_editor(commands: Commands, book: Path) -> None:
    editor = commands.folder / "editor.py"
    editor.write_text(
        "import json, pathlib, sys\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "plan = json.loads(path.read_text(encoding='utf-8'))\n"
        "plan['execution_plan'] = [step for step in plan['execution_plan'] if step['function'] != 'sort_rows']\n"
        "path.write_text(json.dumps(plan), encoding='utf-8')\n",
        encoding="utf-8",
    )
    commands.environ = {"VISUAL": f"{sys.executable} {editor}"}
    async with in_terminal(commands, "edit", str(book), SORT) as terminal:
        await terminal.until(PROMPT)
        terminal.type("e")
        assert await terminal.end() == 0
    assert amounts(book.with_name("sales-edited.xlsx")) == [row[1] for row in sales_rows(10)]


async def test_a_saved_plan_is_shown_and_asked_about_before_it_is_applied(commands: Commands, book: Path) -> None:
    made = await commands.run("edit", str(book), SORT, "--save-plan", "plan.json")
    assert made.code == 3, made.out + made.err
    longer = write_sales(commands.folder / "longer.xlsx", 20)
    for answer, code in (("n", 3), ("y", 0)):
        async with in_terminal(commands, "apply", "plan.json", str(longer)) as terminal:
            assert "sort_rows" in await terminal.until("[y/n]")
            terminal.type(answer)
            assert await terminal.end() == code
        assert longer.with_name("longer-edited.xlsx").exists() == (code == 0)
    assert amounts(longer.with_name("longer-edited.xlsx")) == sorted((row[1] for row in sales_rows(20)), reverse=True)
