"""Code of reports that is run again: a real service, a real sandbox, a model over real HTTP."""

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
from tests.support.structured_bench import call, calls, report
from tests.support.wire import Say

CODE = """\
import os
import tw

by_city = data.groupby("city")["amount"].sum().reset_index()
os.makedirs("output", exist_ok=True)
by_city.to_csv("output/by_city.csv", index=False)
tw.table(by_city)
print(f"{len(by_city)} cities, {by_city['amount'].sum():g} in all")"""
LOAD = "import pandas as pd\ndata = pd.read_csv('data/sales.csv')\nprint(len(data))"


def environ(endpoint: FakeOpenAI) -> dict[str, str]:
    return {
        "TABLEWRIGHT_MODEL": "openai:gpt-4o-fake",
        "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": endpoint.base_url,
        "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
    }


def says(endpoint: FakeOpenAI, code: str) -> None:
    endpoint.says(Say(text=calls(call("run_python", "c1", code=LOAD))))
    endpoint.says(Say(text=report(f"The code:\n\n```python\n{code}\n```\n")))


async def events_of(http: httpx2.AsyncClient, run_id: str) -> list[dict[str, Any]]:
    got = await http.get(f"/api/v1/runs/{run_id}/events")
    return [json.loads(line[6:])["body"] for line in got.text.splitlines() if line.startswith("data: ")]


@pytest.mark.requirement("saved-code-run-again")
async def test_kept_code_runs_again_with_the_variables_and_files_of_its_conversation(
    commands: Commands, sales: Path
) -> None:
    async with FakeOpenAI() as endpoint:
        commands.environ = environ(endpoint)
        says(endpoint, CODE)
        async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            await http.post("/api/v1/files", files={"file": (sales.name, await asyncio.to_thread(sales.read_bytes))})
            asked = {"query": "write the code", "files": [sales.name]}
            data = (await http.post("/api/v1/agent/query", json=asked)).json()["data"]
            (kept,) = data["metadata"]["saved_codes"]

            for _ in range(2):  # as often as one likes
                started = await http.post(f"/api/v1/code/{kept['code_id']}/run")
                assert started.status_code == 202, started.text
                bodies = await events_of(http, started.json()["run_id"])
                run = (await http.get(f"/api/v1/runs/{started.json()['run_id']}")).json()
                assert run["answer"]["text"] == "3 cities, 230.5 in all"
                assert run["conversation_id"] == data["conversation_id"]
                assert [row[0] for row in run["answer"]["table"]["rows"]] == ["Beijing", "Guangzhou", "Shanghai"]
                assert all(source["step_id"] is not None for source in run["answer"]["sources"])
                (file,) = run["answer"]["files"]
                assert (await http.get(f"/api/v1/files/{file['id']}/download")).text.startswith("city,amount\n")
                assert [body["code"] for body in bodies if body["type"] == "code.finished"] == [CODE]
                assert bodies[-1]["outcome"] == "completed"
        assert len(endpoint.requests) == 2, "running code again asks no model"


@pytest.mark.requirement("saved-code-run-again")
async def test_code_that_runs_on_and_on_is_stopped(commands: Commands, sales: Path) -> None:
    async with FakeOpenAI() as endpoint:
        commands.environ = environ(endpoint)
        says(endpoint, "print('begun', flush=True)\nwhile True:\n    pass")
        async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            data = (await http.post("/api/v1/agent/query", json={"query": "write the code"})).json()["data"]
            (kept,) = data["metadata"]["saved_codes"]
            run_id = (await http.post(f"/api/v1/code/{kept['code_id']}/run")).json()["run_id"]
            async with http.stream("GET", f"/api/v1/runs/{run_id}/events") as stream:
                async for line in stream.aiter_lines():
                    if line.startswith("data: ") and json.loads(line[6:])["body"]["type"] == "output.text":
                        break
            again = await http.post(f"/api/v1/code/{kept['code_id']}/run")
            assert (again.status_code, again.json()["error"]["code"]) == (409, "run_in_progress")
            await http.post(f"/api/v1/runs/{run_id}/cancel")
            assert (await events_of(http, run_id))[-1]["outcome"] == "cancelled"


async def test_kept_code_is_listed_shown_and_run_on_the_command_line(commands: Commands, sales: Path) -> None:
    assert "No code" in (await commands.run("code", "list")).out
    async with FakeOpenAI() as endpoint:
        commands.environ = environ(endpoint)
        says(endpoint, CODE)
        done = await commands.run("report", sales.name, "write the code", "--out", "report.md")
        assert done.code == 0, done.err
    (listed,) = json.loads((await commands.run("code", "list", "--json")).out)
    assert listed["description"] == "import os"
    assert (await commands.run("code", "show", listed["code_id"])).out == f"{CODE}\n"

    done = await commands.run("code", "run", listed["code_id"], "--out", str(commands.folder))

    assert done.code == 0, done.err
    assert "3 cities, 230.5 in all" in done.out
    assert (commands.folder / "by_city.csv").read_text("utf-8").startswith("city,amount\n")
    unknown = await commands.run("code", "run", "code_20260101_00000000")
    assert unknown.code != 0
    assert "code_20260101_00000000" in unknown.err
