"""`tablewright workflow`, with the real sandbox."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.commands import Commands
from tests.support.terminal import in_terminal

ORDERS = "Order,City,Amount\nA-1,Beijing,10\nA-2,Shanghai,20\nA-2,Shanghai,5\n"
SALES = "Date,City,Amount\n" + "".join(
    f"2026-0{month}-1{day},Beijing,{month * 10 + day}.5\n" for month in (1, 2) for day in range(9)
)


async def test_a_workflow_asks_at_the_terminal_until_it_finds_the_order(commands: Commands, tmp_path: Path) -> None:
    file = tmp_path / "orders.csv"
    file.write_text(ORDERS, encoding="utf-8")
    async with in_terminal(commands, "workflow", "run", "order_query", str(file)) as terminal:
        await terminal.until("order number.")
        terminal.type("A-9")
        await terminal.until("Not found")
        terminal.type("a-2")
        shown = await terminal.until("Rows found: 2")
        assert await terminal.end() == 0
    assert "search[1]/found" in shown


async def test_a_monthly_report_adds_up_by_month_and_writes_a_workbook(commands: Commands, tmp_path: Path) -> None:
    file = tmp_path / "sales.csv"
    file.write_text(SALES, encoding="utf-8")
    said = await commands.run("workflow", "run", "monthly_report", str(file), "--json", "--out", str(tmp_path))
    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert told["outputs"]["totals"]["rows"] == [["2026-01", 130.5], ["2026-02", 220.5]]
    assert (tmp_path / "monthly_report.xlsx").is_file()


async def test_code_that_fails_ends_the_workflow_with_its_error(commands: Commands, tmp_path: Path) -> None:
    file = tmp_path / "words.csv"
    file.write_text("word\na\nb\n", encoding="utf-8")
    said = await commands.run("workflow", "run", "monthly_report", str(file))
    assert said.code == 1
    assert "ValueError: the first sheet has no column of dates" in said.err


async def test_faults_of_a_definition_are_listed(commands: Commands, tmp_path: Path) -> None:
    flow = {"id": "x", "name": "x", "nodes": [{"id": "start", "kind": "start"}], "edges": []}
    file = tmp_path / "flow.json"
    file.write_text(json.dumps(flow), encoding="utf-8")
    said = await commands.run("workflow", "validate", str(file))
    assert said.code == 1
    assert "nodes.start" in said.err
    assert (await commands.run("workflow", "run", str(file))).code == 1
    assert (await commands.run("workflow", "validate", "order_query")).code == 0
    assert (await commands.run("workflow", "run", "order_query", "--input", "no=1")).code == 1
