"""`tablewright serve`, as a process."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.scripted_http import Hang
from tests.support.wire import Say

ENDS_S = 20.0
"""Far less than the streams would last; the machine may be busy with other tests."""


async def test_the_demo_is_made_once_and_answers(commands: Commands) -> None:
    async with commands.serving("--demo") as (url, _process), httpx2.AsyncClient(base_url=url, timeout=60) as http:
        found = (await http.get("/api/v1/conversations")).json()["items"]
        assert {item["language"] for item in found} == {"zh", "en"}
        english = next(item["id"] for item in found if item["language"] == "en")
        question = (await http.get("/api/v1/samples")).json()["questions"][0]
        asked = await http.post(f"/api/v1/conversations/{english}/messages", json={"text": question})
        run_id = asked.json()["run_id"]
        events = (await http.get(f"/api/v1/runs/{run_id}/events")).text
        assert "event: output.image" in events
        assert (await http.get(f"/api/v1/runs/{run_id}")).json()["outcome"] == "completed"
        await http.delete(f"/api/v1/conversations/{english}")
    async with commands.serving("--demo") as (url, _process), httpx2.AsyncClient(base_url=url, timeout=60) as http:
        assert [item["language"] for item in (await http.get("/api/v1/conversations")).json()["items"]] == ["zh"]


async def test_a_signal_ends_the_service_at_once_though_a_stream_is_open(commands: Commands, sales: Path) -> None:
    async with FakeOpenAI() as model:
        model.says(Say(text="thinking about it"), Hang())
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        async with commands.serving() as (url, process), httpx2.AsyncClient(base_url=url, timeout=60) as http:
            made = (await http.post("/api/v1/conversations", json={})).json()["id"]
            message = {"text": "hi?", "model": "openai:fake", "mode": "analyze"}
            run_id = (await http.post(f"/api/v1/conversations/{made}/messages", json=message)).json()["run_id"]
            async with http.stream("GET", f"/api/v1/runs/{run_id}/events") as stream:
                lines = stream.aiter_lines()
                async with asyncio.timeout(60):
                    while "thinking" not in await anext(lines):
                        pass
                    began = asyncio.get_running_loop().time()
                    process.send_signal(signal.SIGTERM)
                    async for _ in lines:
                        pass
            async with asyncio.timeout(60):
                await process.communicate()
            assert asyncio.get_running_loop().time() - began < ENDS_S
            assert process.returncode == 0
    async with commands.serving() as (url, _process), httpx2.AsyncClient(base_url=url, timeout=60) as http:
        run = (await http.get(f"/api/v1/runs/{run_id}")).json()
        assert run["outcome"] == "failed"
        assert run["failure"]["code"] == "owner_lost"


@pytest.mark.requirement("bad-input-port")
async def test_a_port_in_use_is_told_in_one_line(commands: Commands) -> None:
    async with commands.serving() as (url, _process):
        port = url.rsplit(":", 1)[1]
        said = await commands.run("serve", "--port", port)
    assert said.code == 1
    assert said.err.count("\n") == 1
    assert port in said.err
    assert "--port" in said.err
    assert "PORT=" in said.err


@pytest.mark.requirement("security-key-off-loopback")
async def test_off_loopback_it_does_not_start_without_a_key(commands: Commands) -> None:
    said = await commands.run("serve", "--host", "0.0.0.0", "--port", "0")
    assert said.code == 2
    assert "tablewright key create" in said.err
    made = await commands.run("key", "create")
    key = next(word for word in made.out.split() if word.startswith("tw_"))
    async with commands.serving("--host", "0.0.0.0") as (url, _process), httpx2.AsyncClient(base_url=url) as http:
        assert (await http.get("/api/v1/conversations")).status_code == 401
        allowed = await http.get("/api/v1/conversations", headers={"authorization": f"Bearer {key}"})
        assert allowed.status_code == 200
