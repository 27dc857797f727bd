"""Reports in structured rounds, as a person and as a program have them: real processes, a model over real HTTP."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S
from tests.support.structured_bench import call, calls, report
from tests.support.wire import Say


@pytest.fixture
async def model(commands: Commands) -> AsyncIterator[FakeOpenAI]:
    """Return the model that all commands use."""
    async with FakeOpenAI() as endpoint:
        commands.environ = {
            "TABLEWRIGHT_MODEL": "openai:gpt-4o-fake",
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": endpoint.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        yield endpoint


async def ask(http: httpx2.AsyncClient, **asked: Any) -> dict[str, Any]:
    got = await http.post("/api/v1/agent/query", json=asked)
    assert got.status_code == 200, got.text
    data: dict[str, Any] = got.json()["data"]
    return data


@pytest.mark.requirement("structured-steps")
@pytest.mark.requirement("structured-taken-up")
async def test_a_report_is_let_go_on_step_by_step_also_after_a_restart(
    commands: Commands, model: FakeOpenAI, sales: Path
) -> None:
    model.says(Say(text=calls(call("no_such_tool", "c1", text="x"))))
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        content = await asyncio.to_thread(sales.read_bytes)
        await http.post("/api/v1/files", files={"file": (sales.name, content)})
        first = await ask(http, query="Which city sells most?", files=["sales.csv"], step=True)
        assert first["metadata"]["status"] == "processing"
        assert first["metadata"]["tool_calls"][0]["tool_name"] == "no_such_tool"

    model.says(Say(text=report("Beijing: **150.5**", recommended_questions=["And tea?"])))
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        last = await ask(http, conversation_id=first["conversation_id"], step=True)
        assert last["response"] == "Beijing: **150.5**"
        assert last["metadata"]["recommended_questions"] == ["And tea?"]

    asked, again = (request.json for request in model.requests)
    assert asked["response_format"]["type"] == "json_schema"
    told = "".join(json.dumps(message, ensure_ascii=False) for message in again["messages"])
    assert "no_such_tool: failed" in told
    assert "sales.csv" in told


async def test_a_report_is_seen_round_by_round_and_written_as_a_file(
    commands: Commands, model: FakeOpenAI, sales: Path
) -> None:
    model.says(Say(text=calls(call("no_such_tool", "c1", text="x"))))
    model.says(Say(text=report("# Sales\n\nBeijing leads.")))

    done = await commands.run("report", sales.name, "which city leads", "--out", "sales.md")

    assert done.code == 0, done.err
    assert (sales.parent / "sales.md").read_text("utf-8") == "# Sales\n\nBeijing leads.\n"
    lines = done.out.splitlines()
    assert [line for line in lines if line.startswith("Round")] == [
        "Round 1: R1: look; R2: report",
        "Round 2: the report",
    ]
    assert any("✗ no_such_tool" in line for line in lines)


async def test_a_report_is_asked_for_without_a_question_and_as_a_page(
    commands: Commands, model: FakeOpenAI, sales: Path
) -> None:
    model.says(Say(text=report("Three cities.", number=1, recommended_questions=["Which city grows?"])))

    done = await commands.run("report", sales.name, "--out", "sales.html")

    assert done.code == 0, done.err
    assert "Three cities." in (sales.parent / "sales.html").read_text("utf-8")
    assert "  · Which city grows?" in done.out
    assert "No question was asked" in model.requests[0].body.decode()


async def test_the_built_in_analyst_tells_a_break_with_its_chart_and_questions(commands: Commands) -> None:
    """What it measures in one round is longer than what a language model is told again of it in the next but one."""
    days = (date(2024, 1, 1) + timedelta(days=day) for day in range(240))
    rows = [
        f"{day},{('east', 'west')[place % 2]},{(50, 90)[place > 119] + place * 7 % 5}" for place, day in enumerate(days)
    ]
    table = "\n".join(("day,region,visits", *rows))
    await asyncio.to_thread((commands.folder / "visits.csv").write_text, table, encoding="utf-8")

    done = await commands.run("report", "visits.csv", "--out", "visits.md")

    assert done.code == 0, done.err
    told = (commands.folder / "visits.md").read_text("utf-8")
    assert '"visits" changes its level at 2024-0' in told
    assert "| 2024-05-08 | 91 |" in told  # the chart
    assert "setOption(" not in told
    assert re.search(r"changes its level at 2024-0.*\]\(#origin-3\)", told)
    assert '<a id="origin-3"></a>\n\n### Step 3: Trend, breaks and season in visits\n\n```python\n' in told
    assert "failed" not in told
    assert "You can ask:" in done.out


async def test_a_program_gets_all_that_the_http_result_has_with_tables_and_charts(commands: Commands) -> None:
    rows = "\n".join(f"{('east', 'west', 'south')[place % 3]},{place % 3 * 50 + place * 7 % 11}" for place in range(90))
    await asyncio.to_thread((commands.folder / "visits.csv").write_text, f"region,visits\n{rows}", encoding="utf-8")

    done = await commands.run("report", "visits.csv", "--json")

    assert done.code == 0, done.err
    told = json.loads(done.out)
    metadata = told["metadata"]
    assert metadata["status"] == "complete"
    assert metadata["recommended_questions"]
    assert metadata["download_links"] == ["report_tables.xlsx"] == [Path(name).name for name in told["files"]]
    assert [call["tool_call_id"] for call in metadata["rounds"][0]["tool_calls"]] == ["look-1"]
    table = next(table for table in told["tables"] if table["columns"] == ["region", "visits", "share"])
    assert len(table["rows"]) == 3
    chart = next(chart for chart in told["charts"] if chart["title"] == "visits")
    assert sorted(chart["x"]) == ["east", "south", "west"]


@pytest.mark.parametrize("out", ["sales.odt", "sales", "none/sales.md"])
async def test_a_form_that_there_is_not_is_refused_before_anything_is_done(
    commands: Commands, sales: Path, out: str
) -> None:
    done = await commands.run("report", sales.name, "--out", out)

    assert done.code == 2
    assert ".html, .md, .docx, .xlsx, .pdf" in done.err or "none" in done.err


async def test_code_of_a_later_round_goes_on_with_the_variables_of_an_earlier_one(
    commands: Commands, model: FakeOpenAI, sales: Path
) -> None:
    load = "import pandas as pd\ndata = pd.read_csv('sales.csv')\nprint(len(data))"
    model.says(Say(text=calls(call("run_python", "c1", code=load))))
    model.says(Say(text=calls(call("run_python", "c2", code="print(data['amount'].sum())"), number=2)))
    model.says(Say(text=report("The sum is 230.5.", number=3)))

    done = await commands.run("report", sales.name, "the sum", "--out", "sum.md")

    assert done.code == 0, done.err
    told = json.dumps(model.requests[2].json["messages"])
    assert "[c2] run_python: done" in told
    assert "230.5" in told
