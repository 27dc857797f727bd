"""The service, killed in the middle of a run: nothing is lost, and the conversation goes on."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S
from tests.support.processes import below
from tests.support.wire import Say

LONG_STEP = """I look at the table first.
<|begin_code|>
# @step: Look at the table
print("first figure", 6 * 7)
# @step: Take long
import time
print("now it takes long", flush=True)
time.sleep(3600)
<|end_code|>
"""
CONCLUSION = "There are **four** rows.\n"


@pytest.mark.requirement("run-orphan-is-ended")
@pytest.mark.requirement("sandbox-nothing-survives-the-service")
async def test_a_service_killed_in_a_run_loses_nothing_and_leaves_nothing_behind(
    commands: Commands, sales: Path
) -> None:
    table = await asyncio.to_thread(sales.read_bytes)
    async with FakeOpenAI() as model:
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__NEAR__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__NEAR__API_KEY": "k",
        }
        model.says(Say(text=LONG_STEP))
        async with commands.serving() as (url, process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            into, file = await begun(http, table)
            run_id = await asked(http, into, "有多少行？")
            seen = await until(events(http, run_id), "now it takes long")
            with watched(below(process.pid)) as left:
                assert len(left) > 1, "the readers and the sandbox are processes of their own"
                process.send_signal(signal.SIGKILL)
                await process.wait()
                await all_gone(left)
        model.says(Say(text=CONCLUSION))
        async with commands.serving() as (url, _process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            await is_kept(http, into, file, table)
            await is_ended(http, run_id, seen)
            again = await asked(http, into, "and now?")
            last = await until(events(http, again), "run.finished")
            assert last[-1]["body"]["outcome"] == "completed"
            run = (await http.get(f"/api/v1/runs/{again}")).json()
            assert "four" in run["answer"]["text"]


async def begun(http: httpx2.AsyncClient, table: bytes) -> tuple[str, dict[str, Any]]:
    """Begin a conversation with a file."""
    into = str((await http.post("/api/v1/conversations", json={"title": "kept", "language": "zh"})).json()["id"])
    sent = await http.post("/api/v1/files", params={"conversation_id": into}, files={"file": ("sales.csv", table)})
    assert sent.status_code == 201, sent.text
    return into, sent.json()


async def asked(http: httpx2.AsyncClient, into: str, question: str) -> str:
    message = {"text": question, "model": "near:fake", "mode": "analyze"}
    sent = await http.post(f"/api/v1/conversations/{into}/messages", json=message)
    assert sent.status_code == 202, sent.text
    return str(sent.json()["run_id"])


async def events(http: httpx2.AsyncClient, run_id: str) -> AsyncIterator[dict[str, Any]]:
    async with http.stream("GET", f"/api/v1/runs/{run_id}/events") as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


async def until(source: AsyncIterator[dict[str, Any]], words: str) -> list[dict[str, Any]]:
    """Read events up to the first that holds `words`."""
    seen: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE_S):
        async for event in source:
            seen.append(event)
            if words in json.dumps(event, ensure_ascii=False) and event["body"]["type"] in {
                "output.text",
                "run.finished",
            }:
                return seen
    raise AssertionError(f"no event says “{words}”: {seen}")


@contextmanager
def watched(processes: Iterable[int]) -> Iterator[list[int]]:
    """Hold on to processes while they live, so that a number used again is not taken for one of them."""
    held = []
    for process in processes:
        try:
            held.append(os.pidfd_open(process))
        except ProcessLookupError:
            continue
    try:
        yield held
    finally:
        for descriptor in held:
            os.close(descriptor)


async def all_gone(held: list[int]) -> None:
    """Wait, not for long, until every process has ended."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(PATIENCE_S):
        for descriptor in held:
            ended = loop.create_future()
            loop.add_reader(descriptor, ended.set_result, None)
            try:
                await ended
            finally:
                loop.remove_reader(descriptor)


async def is_kept(http: httpx2.AsyncClient, into: str, file: dict[str, Any], table: bytes) -> None:
    """The conversation, its messages and its file are there as they were."""
    assert (await http.get(f"/api/v1/conversations/{into}")).json()["title"] == "kept"
    messages = (await http.get(f"/api/v1/conversations/{into}/messages")).json()["items"]
    assert [(message["author"], message["text"]) for message in messages][:1] == [("user", "有多少行？")]
    assert (await http.get(f"/api/v1/files/{file['id']}")).json() == file
    assert (await http.get(f"/api/v1/files/{file['id']}/download")).content == table


async def is_ended(http: httpx2.AsyncClient, run_id: str, seen: list[dict[str, Any]]) -> None:
    """Every event that was seen is there, none is missing, and the run has ended with the reason in words."""
    kept = await until(events(http, run_id), "run.finished")
    assert kept[: len(seen)] == seen
    assert [event["seq"] for event in kept] == list(range(1, len(kept) + 1))
    run = (await http.get(f"/api/v1/runs/{run_id}")).json()
    assert (run["state"], run["outcome"], run["failure"]["code"]) == ("finished", "failed", "owner_lost")
    assert "在完成之前就结束了" in run["failure"]["message"]
    assert "请再问一次" in run["failure"]["message"]
