"""`tablewright workflow`, with the real sandbox."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
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


async def test_an_agent_a_tool_and_a_database_that_there_are_not_are_faults(commands: Commands, tmp_path: Path) -> None:
    named: list[dict[str, str]] = [
        {"id": "a", "kind": "agent", "question": "?", "agent": "code_analist"},
        {"id": "t", "kind": "tool", "tool": "web_raeder"},
        {"id": "d", "kind": "database", "query": "select 1", "database": "sales"},
    ]
    ids = ["start", *(each["id"] for each in named), "end"]
    flow = {
        "id": "x",
        "name": "x",
        "nodes": [{"id": "start", "kind": "start"}, *named, {"id": "end", "kind": "end"}],
        "edges": [{"source": one, "target": other} for one, other in pairwise(ids)],
    }
    file = tmp_path / "flow.json"
    file.write_text(json.dumps(flow), encoding="utf-8")
    said = await commands.run("workflow", "validate", str(file))
    assert said.code == 1
    for place, known in (("a.agent", "code_analyst"), ("t.tool", "web_reader"), ("d.database", "primary")):
        assert any(f"nodes.{place}" in line and known in line for line in said.err.splitlines()), said.err


GREETING = {
    "id": "greeting",
    "name": "Greeting",
    "inputs": [{"name": "name"}],
    "nodes": [{"id": "start", "kind": "start"}, {"id": "end", "kind": "end", "text": "Hello {{ inputs.name }}!"}],
    "edges": [{"source": "start", "target": "end"}],
}


async def test_a_workflow_is_kept_mended_published_listed_taken_out_and_run(commands: Commands, tmp_path: Path) -> None:
    file = tmp_path / "greeting.json"
    file.write_text(json.dumps(GREETING | {"edges": []}), encoding="utf-8")
    kept = await commands.run("workflow", "new", str(file))
    assert kept.code == 0, kept.err
    assert "no edge leads on" in kept.err
    own_id = kept.out.strip()
    refused = await commands.run("workflow", "publish", "greeting")
    assert refused.code == 1
    assert "no edge leads on" in refused.err
    file.write_text(json.dumps(GREETING), encoding="utf-8")
    published = await commands.run("workflow", "publish", str(file))
    assert published.code == 0, published.err
    assert "version 1" in published.out
    listed = (await commands.run("workflow", "list")).out.splitlines()
    assert listed[-1].split("\t")[:3] == [own_id, "private, version 1", "Greeting"]
    assert json.loads((await commands.run("workflow", "export", "greeting")).out) == GREETING
    ran = await commands.run("workflow", "run", own_id, "--input", "name=Ann")
    assert ran.code == 0, ran.err
    assert "Hello Ann!" in ran.out


async def test_a_file_may_run_a_workflow_that_is_kept(commands: Commands, tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.json", tmp_path / "outer.json"
    inner.write_text(json.dumps(GREETING), encoding="utf-8")
    nodes = [
        {"id": "start", "kind": "start"},
        {"id": "part", "kind": "sub_workflow", "workflow": "greeting", "inputs": {"name": "you"}},
        {"id": "end", "kind": "end", "text": "({{ part.text }})"},
    ]
    edges = [{"source": "start", "target": "part"}, {"source": "part", "target": "end"}]
    outer.write_text(json.dumps({"id": "outer", "name": "outer", "nodes": nodes, "edges": edges}), encoding="utf-8")
    assert (await commands.run("workflow", "validate", str(outer))).code == 1
    assert (await commands.run("workflow", "publish", str(inner))).code == 0
    ran = await commands.run("workflow", "run", str(outer))
    assert ran.code == 0, ran.err
    assert "(Hello you!)" in ran.out


async def test_what_is_no_workflow_is_said_to_be_none(commands: Commands, tmp_path: Path) -> None:
    for action in ("run", "export", "validate"):
        said = await commands.run("workflow", action, "nothing")
        assert said.code == 2
        assert "nothing" in said.err
    file = tmp_path / "list.json"
    file.write_text("[1, 2]", encoding="utf-8")
    for action in ("run", "new", "publish", "validate"):
        said = await commands.run("workflow", action, str(file))
        assert said.code == 1
        assert "Traceback" not in said.err


@pytest.mark.requirement("workflow-from-conversation")
async def test_an_answered_question_becomes_a_workflow_for_next_months_file(commands: Commands, tmp_path: Path) -> None:
    may, june, other = (tmp_path / name for name in ("may.csv", "june.csv", "other.csv"))
    may.write_text(ORDERS, encoding="utf-8")
    june.write_text(ORDERS + "A-3,Beijing,7\nA-4,Xian,1\n", encoding="utf-8")
    other.write_text(ORDERS.replace("City", "Town"), encoding="utf-8")
    asked = await commands.run("ask", str(may), "What is the total amount per city?", "--json")
    assert asked.code == 0, asked.err
    drafted = await commands.run("workflow", "from", json.loads(asked.out)["id"], "--name", "Totals")
    assert drafted.code == 0, drafted.err
    assert (await commands.run("workflow", "publish", "totals")).code == 0
    ran = await commands.run("workflow", "run", "totals", str(june), "--json")
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    assert sorted(told["result"]["rows"]) == [["Beijing", 17], ["Shanghai", 25], ["Xian", 1]]
    assert [Path(file).name for file in told["files"]] == ["answer_1.csv"]
    refused = await commands.run("workflow", "run", "totals", str(other))
    assert refused.code == 1
    assert "Town" in refused.err
    assert (await commands.run("workflow", "run", "totals")).code == 1
    assert (await commands.run("workflow", "withdraw", "totals")).code == 0
    assert (await commands.run("workflow", "run", "totals", str(june))).code == 1
