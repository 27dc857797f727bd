"""Over HTTP: code of a question goes on from variables of earlier ones, whatever became of the session between."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.acceptance.conftest import SALES
from tests.acceptance.test_exports import laid_out, printed, run_again
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.mcp_bench import until
from tests.support.patience import PATIENCE_S
from tests.support.processes import below, large
from tests.support.wire import Say

BALLAST = 400_000_000
SETS = f"ballast = b'x' * {BALLAST}\nfrom pathlib import Path\nx = len(Path('/data/shared/sales.csv').read_text())"
PRINTS = "print('x is', x)"


def block(step: str, code: str) -> str:
    return f"<|begin_code|>\n# @step: {step}\n{code}\n<|end_code|>\nThat is it."


class Talk:
    """One conversation over HTTP with a model whose next words are given."""

    def __init__(self, model: FakeOpenAI, conversation: str = "") -> None:
        self.model = model
        self.conversation = conversation

    async def begin(self, http: httpx2.AsyncClient, table: Path) -> None:
        self.conversation = (await http.post("/conversations", json={})).json()["id"]
        content = await asyncio.to_thread(table.read_bytes)
        files = {"file": (table.name, content)}
        await http.post("/files", params={"conversation_id": self.conversation}, files=files)

    async def ask(self, http: httpx2.AsyncClient, code: str) -> tuple[str, list[dict[str, Any]]]:
        """Have the model answer with `code`; returns the run's id and its events."""
        self.model.says(Say(text=block("Do it", code)))
        message = {"text": "go on", "model": "openai:fake", "mode": "analyze"}
        run_id = (await http.post(f"/conversations/{self.conversation}/messages", json=message)).json()["run_id"]
        lines = (await http.get(f"/runs/{run_id}/events")).text.splitlines()
        events = [json.loads(line.removeprefix("data: "))["body"] for line in lines if line.startswith("data: ")]
        assert events[-1]["outcome"] == "completed"
        assert not [event for event in events if event["type"] == "session.lost"]
        return run_id, events


@pytest.mark.requirement("conversation-keeps-variables")
@pytest.mark.requirement("conversation-variables-come-back")
@pytest.mark.requirement("export-goes-on-from-earlier")
async def test_the_second_message_prints_what_the_first_one_set(
    commands: Commands, sales: Path, tmp_path: Path
) -> None:
    wanted = f"x is {len(SALES)}\n"
    async with FakeOpenAI() as model:
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        talk = Talk(model)
        async with commands.serving() as (url, process), client(url) as http:
            await talk.begin(http, sales)
            await talk.ask(http, SETS)
            held = large(below(process.pid))
            assert len(held) == 1
            assert printed((await talk.ask(http, PRINTS))[1]) == wanted
            assert large(below(process.pid)) == held

            os.kill(held.pop(), signal.SIGKILL)
            await until(lambda: not large(below(process.pid)))
            assert printed((await talk.ask(http, PRINTS))[1]) == wanted

        async with commands.serving() as (url, process), client(url) as http:
            run_id, events = await talk.ask(http, PRINTS)
            assert printed(events) == wanted
            assert [event["name"] for event in events if event["type"] == "step.announced"] == ["Do it"]
            script = (await http.get(f"/runs/{run_id}/export.py")).text
            notebook = (await http.get(f"/runs/{run_id}/export.ipynb")).text
            assert len(large(below(process.pid))) == 1
            await http.delete(f"/conversations/{talk.conversation}")
            await until(lambda: not large(below(process.pid)))
    folder = tmp_path / "taken"
    folder.mkdir()
    laid_out(folder, sales, script, notebook)
    assert await run_again(folder, "analysis.py") == wanted
    assert await run_again(folder, "cells.py", "analysis.ipynb") == wanted


def client(url: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=f"{url}/api/v1", timeout=PATIENCE_S)
