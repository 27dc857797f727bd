"""The service, killed at random points of structured rounds again and again: every line of every log is whole."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S, TEST_S, found
from tests.support.scripted_http import Received, Response
from tests.support.structured_bench import call, calls, report
from tests.support.structured_log_lines import check_lines
from tests.support.structured_scenarios import SALES, TABLE
from tests.support.wire import Say

SEED = 20250207
KILLS = 22
SECRET = "sk-live-0123456789abcdefghij"
PASSWORD = "correct-horse-battery"
ROUND = re.compile(r"现在是第 (\d+) 轮")
LOOK = "import pandas as pd\nd = pd.read_csv('sales.csv')\nprint('行' * 2000)\nprint(len(d))"
REPORT = f"共 24 行。\n\n```python\nprint('kept')\n```\n\npassword={PASSWORD}"
JSON = dict[str, Any]


ANSWERS = {
    1: calls(call("run_python", "c1", code=LOOK), call("file_reader", "c2", path=SALES)),
    2: calls(
        call("run_python", "c3", code=f"# password={PASSWORD}\nprint(len(d))"),
        call("no_such_tool", "c4", text="x"),
        number=2,
    ),
    3: calls(call("file_reader", "c5", path=SALES, nrows=2), number=3),
}


def model_of(rng: random.Random, endpoint: FakeOpenAI) -> None:
    """Have the model answer whatever round it is asked for, also again after a kill; now and then not in JSON."""
    missed: set[int] = set()

    def says(request: Received) -> Response:
        words = json.dumps(request.json["messages"][-1], ensure_ascii=False)
        round_asked = ROUND.search(words)
        number = int(round_asked[1]) if round_asked else 1
        if number not in missed and rng.random() < 0.15:
            missed.add(number)
            return endpoint.saying(Say(text="这不是 JSON"))
        missed.discard(number)
        return endpoint.saying(Say(text=ANSWERS.get(number) or report(REPORT, number=number)))

    endpoint.otherwise = says


async def events(http: httpx2.AsyncClient, run_id: str) -> AsyncIterator[JSON]:
    async with http.stream("GET", f"/api/v1/runs/{run_id}/events") as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


async def begun(http: httpx2.AsyncClient, file_id: str) -> str:
    """Ask for a report in a new conversation."""
    wanted = {"title": "t", "language": "zh"}
    into = (await http.post("/api/v1/conversations", json=wanted)).json()["id"]
    message = {"text": f"分析销售，密钥 {SECRET}", "mode": "report", "files": [file_id]}
    sent = await http.post(f"/api/v1/conversations/{into}/messages", json=message)
    assert sent.status_code == 202, sent.text
    return str(sent.json()["run_id"])


async def ended(http: httpx2.AsyncClient, run_id: str) -> list[JSON]:
    """Wait for the end of a run; return the bodies of its events."""
    async with asyncio.timeout(PATIENCE_S):
        return [event["body"] async for event in events(http, run_id)]


@pytest.mark.long
@pytest.mark.timeout(3 * TEST_S)
@pytest.mark.requirement("structured-logs-whole")
async def test_every_line_of_every_log_is_whole_after_kills_at_random_points(commands: Commands) -> None:
    rng, runs, points = random.Random(SEED), list[str](), list[str]()
    async with FakeOpenAI() as endpoint:
        commands.environ = {
            "TABLEWRIGHT_MODEL": "openai:gpt-4o-fake",
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": endpoint.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        model_of(rng, endpoint)
        file_id = ""
        for _ in range(KILLS):
            point, seen, last = rng.randint(1, 34), 0, ""
            async with (
                commands.serving() as (url, process),
                httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
            ):
                if not file_id:
                    sent = await http.post("/api/v1/files", files={"file": (SALES, TABLE.encode())})
                    file_id = sent.json()["id"]
                runs.append(await begun(http, file_id))
                with suppress(httpx2.TransportError):
                    async for event in events(http, runs[-1]):
                        seen, last = seen + 1, event["body"]["type"]
                        if seen == point:
                            break
                process.send_signal(signal.SIGKILL)
                await process.wait()
            points.append(f"{seen} {last}")
        print(f"seed {SEED}, killed after the events: {', '.join(points)}")
        async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            bodies = {run_id: await ended(http, run_id) for run_id in runs}
            states = {run_id: (await http.get(f"/api/v1/runs/{run_id}")).json() for run_id in runs}
            await found(lambda: _all_logged(commands, states))
    for run_id, run in states.items():
        assert run["outcome"] in {"completed", "failed"}, run
        (path,) = _logs(commands, run["conversation_id"])
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        assert path.read_text("utf-8").endswith("\n")
        try:
            check_lines(lines, bodies[run_id], secrets=(SECRET, PASSWORD))
        except AssertionError as error:
            raise AssertionError(f"run {runs.index(run_id)}, killed after {points[runs.index(run_id)]}") from error
    kinds = [body["type"] for each in bodies.values() for body in each]
    assert {"context.cleaned", "code.saved", "tool.started"} <= {*kinds}
    assert sum(run["outcome"] == "completed" for run in states.values()) > KILLS // 2


def _logs(commands: Commands, conversation_id: str) -> list[Any]:
    folder = commands.folder / "data" / "logs" / "conversations"
    return sorted(folder.glob(f"conversation_{conversation_id}_*.jsonl"))


async def _all_logged(commands: Commands, states: dict[str, JSON]) -> bool | None:
    ends = [
        path.read_text("utf-8").splitlines()[-1:]
        for run in states.values()
        for path in _logs(commands, run["conversation_id"])
    ]
    return (len(ends) == len(states) and all(end and '"round_end"' in end[0] for end in ends)) or None
