"""Over HTTP: who stops a long run still has the files that were finished, and the variables, but not half a file."""

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
from tests.support.wire import Say

WRITES = "import os, time\nx = open('output/january.csv', 'w').write('a,b\\n1,2\\n');"
GOES_ON = """file = open('output/february.csv', 'w')
print('begun', flush=True)
while True:
    file.write('3,4\\n')
    file.flush()
    time.sleep(0.01)"""
CODE = f"<|begin_code|>\n# @step: Write January\n{WRITES}\n# @step: Write February\n{GOES_ON}\n<|end_code|>"


def bodies(lines: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line.removeprefix("data: "))["body"] for line in lines if line.startswith("data: ")]


async def begun(http: httpx2.AsyncClient, run_id: str) -> None:
    """Return when the second step has begun to write."""
    async with http.stream("GET", f"/runs/{run_id}/events") as answer:
        async for line in answer.aiter_lines():
            if "begun" in line and "output.text" in line:
                return


@pytest.mark.requirement("stopped-run-hands-over")
async def test_a_stopped_run_has_handed_over_its_finished_files(commands: Commands, sales: Path) -> None:
    async with FakeOpenAI() as model:
        model.says(Say(text=CODE))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        async with (
            commands.serving() as (url, _),
            httpx2.AsyncClient(base_url=f"{url}/api/v1", timeout=PATIENCE_S) as http,
        ):
            conversation = (await http.post("/conversations", json={})).json()["id"]
            files = {"file": (sales.name, await asyncio.to_thread(sales.read_bytes))}
            await http.post("/files", params={"conversation_id": conversation}, files=files)
            message = {"text": "go on", "model": "openai:fake", "mode": "analyze"}
            run_id = (await http.post(f"/conversations/{conversation}/messages", json=message)).json()["run_id"]
            async with asyncio.timeout(PATIENCE_S):
                await begun(http, run_id)
            await http.post(f"/runs/{run_id}/cancel")
            events = bodies((await http.get(f"/runs/{run_id}/events")).text.splitlines())
            assert (await http.get(f"/runs/{run_id}")).json()["outcome"] == "cancelled"
            (created,) = (event["artifact"] for event in events if event["type"] == "artifact.created")
            assert created["name"] == "january.csv"
            assert events[-1]["type"] == "run.finished"
            kept = await http.get(f"/files/{created['id']}/download")
            assert kept.text == "a,b\n1,2\n"
            listed = (await http.get("/files", params={"conversation_id": conversation})).json()["items"]
            assert {file["name"] for file in listed} == {sales.name, "january.csv"}
