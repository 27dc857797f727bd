"""Agents with tools as a client of the API has them: with and without a language model, in the real sandbox."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S
from tests.support.wire import Call, Say

QUESTION = "What is the total amount?"


async def asked(http: httpx2.AsyncClient, sales: Path, **message: Any) -> tuple[str, dict[str, Any]]:
    """Ask about a file; return the stream and the run in the end."""
    made = (await http.post("/api/v1/conversations", json={"language": "en"})).json()["id"]
    upload = {"file": (sales.name, await asyncio.to_thread(sales.read_bytes))}
    await http.post("/api/v1/files", params={"conversation_id": made}, files=upload)
    started = await http.post(f"/api/v1/conversations/{made}/messages", json={"text": QUESTION, **message})
    run_id = started.json()["run_id"]
    events = (await http.get(f"/api/v1/runs/{run_id}/events")).text
    return events, (await http.get(f"/api/v1/runs/{run_id}")).json()


@pytest.mark.requirement("agents-with-tools")
async def test_without_a_model_the_analyst_calls_tools_alone_and_by_a_plan(commands: Commands, sales: Path) -> None:
    async with (
        commands.serving() as (url, _process),
        httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
    ):
        plain = (await asked(http, sales))[1]
        events, alone = await asked(http, sales, mode="react")
        assert alone["outcome"] == "completed", alone["answer"]["text"] + events
        assert '"name":"run_python"' in events
        assert alone["answer"]["text"] == plain["answer"]["text"]
        assert alone["answer"]["result"] == plain["answer"]["result"]
        events, planned = await asked(http, sales, mode="plan")
        assert planned["outcome"] == "completed", planned
        assert planned["answer"]["text"] == plain["answer"]["text"]
        assert [source["step_id"] for source in planned["answer"]["sources"]].count(None) == 0
        assert events.count("event: run.started") == 2
        assert events.count("event: plan.updated") == 3
        plan = (await http.get(f"/api/v1/runs/{planned['id']}/plan")).json()
        assert [step["status"] for step in plan["steps"]] == ["completed"]
        late = await http.post(f"/api/v1/runs/{planned['id']}/plan", json={"action": "add", "text": "more"})
        assert late.status_code == 409


@pytest.mark.requirement("agents-with-tools")
async def test_a_language_model_calls_tools_as_its_provider_knows_calls(commands: Commands, sales: Path) -> None:
    async with FakeOpenAI() as model:
        code = "import pandas as pd\nprint(pd.read_csv('/data/shared/sales.csv')['amount'].sum())"
        call = Call(call_id="c1", name="run_python", fragments=(json.dumps({"code": code}),))
        model.says(Say(text="I add it up."), call, reason="tool_calls")
        model.says(Say(text="It is all in the output."))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        async with (
            commands.serving() as (url, _process),
            httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
        ):
            events, run = await asked(http, sales, mode="react", model="openai:fake")
    assert run["outcome"] == "completed", run
    assert run["answer"]["text"] == "It is all in the output."
    assert "event: context.measured" in events


@pytest.mark.requirement("agents-with-tools")
async def test_an_agent_has_code_written_reports_and_looks_at_files(commands: Commands, sales: Path) -> None:
    def calls(name: str, **arguments: Any) -> Call:
        return Call(call_id=f"c-{name}", name=name, fragments=(json.dumps(arguments),))

    async with FakeOpenAI() as model:
        model.says(calls("code_interpreter", task="Add up the amounts."), reason="tool_calls")
        model.says(Say(text="```python\nimport pandas as pd\nprint(pd.read_csv('sales.csv').amounts)\n```"))
        model.says(Say(text="```python\nprint(pd.read_csv('sales.csv')['amount'].sum())\n```"))
        model.says(calls("report", task="Tell the total.", file_type="html", material="all"), reason="tool_calls")
        model.says(Say(text="# Total\n\nIt is **all**.\n"))
        model.says(calls("file", command="list"), reason="tool_calls")
        model.says(Say(text="It is in the report."))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        async with (
            commands.serving() as (url, _process),
            httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
        ):
            events, run = await asked(http, sales, mode="react", model="openai:fake")
            (file,) = run["answer"]["files"]
            report = (await http.get(f"/api/v1/files/{file['id']}/download")).text
    assert run["outcome"] == "completed", run
    assert file["name"] == "report.html"
    assert "<strong>all</strong>" in report
    finished = [json.loads(line[6:]) for line in events.splitlines() if line.startswith("data: ")]
    results = {one["body"]["name"]: one["body"] for one in finished if one["body"]["type"] == "tool.finished"}
    assert results.keys() == {"code_interpreter", "report", "file"}
    assert not any(result["failed"] for result in results.values()), results
    assert results["file"]["text"].splitlines() == ["sales.csv", "report.html"]


async def by_type(http: httpx2.AsyncClient, request_id: str, **sent: Any) -> dict[str, Any]:
    """Ask for an agent by its type; return the last frame."""
    body = {"requestId": request_id, "query": QUESTION, **sent}
    told = (await http.post("/AutoAgent", json=body)).text
    last: dict[str, Any] = json.loads([line[5:] for line in told.splitlines() if line.startswith("data:{")][-1])
    return last


@pytest.mark.requirement("genie-agents")
async def test_agents_by_type_are_chosen_by_the_model_and_have_the_tools_of_the_style(commands: Commands) -> None:
    plan = Call(
        call_id="p1", name="planning", fragments=(json.dumps({"command": "create", "title": "T", "steps": ["look"]}),)
    )
    finish = Call(call_id="p2", name="planning", fragments=(json.dumps({"command": "finish"}),))
    async with FakeOpenAI() as model:
        model.says(Say(text='{"agent": "plan"}'))
        model.says(plan, reason="tool_calls")
        model.says(Say(text="Looked."))
        model.says(finish, reason="tool_calls")
        model.says(Say(text="All in all."))
        model.says(Say(text="There is none."))
        commands.environ = {
            "TABLEWRIGHT_MODEL": "openai:fake",
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        async with (
            commands.serving() as (url, _process),
            httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
        ):
            planned = await by_type(http, "r-1", agentType=4)
            of_data = await by_type(http, "r-2", agentType=5, outputStyle="dataAgent")
            unknown = await by_type(http, "r-3", agentType="nobody")
        sent = [request.json for request in model.requests]
    assert planned["result"].startswith("All in all.")
    assert of_data["result"].startswith("There is none.")
    assert "nobody" in unknown["result"]
    assert unknown["requestId"] == "r-3"
    names = {tool["function"]["name"] for tool in sent[-1]["tools"]}
    assert {"run_python", "report", "file", "code_interpreter"} <= names
    assert not names & {"web_search", "web_reader", "deep_search", "remember"}


async def test_an_agent_that_nobody_has_registered_is_not_found(commands: Commands, sales: Path) -> None:
    async with (
        commands.serving() as (url, _process),
        httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
    ):
        made = (await http.post("/api/v1/conversations", json={})).json()["id"]
        message = {"text": QUESTION, "agent": "nobody"}
        assert (await http.post(f"/api/v1/conversations/{made}/messages", json=message)).status_code == 404
