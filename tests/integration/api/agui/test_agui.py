"""Runs as events of AG-UI: read by AG-UI's own client, and by the types of its Python package."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import ag_ui.core as agui
import httpx2
import pytest
from pydantic import TypeAdapter
from tests.support.chat_client import asking, echoing, served
from tests.support.parts import FakeParts, one_step
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import Items, Script

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.api.access import Access
from tablewright.domain.events import TextDelta, ThinkingDelta, ToolFinished, ToolStarted
from tablewright.domain.scope import Scope
from tablewright.errors import ModelOverloaded

CLIENT = Path(__file__).resolve().parents[3] / "agui_client"
EVENT: TypeAdapter[Any] = TypeAdapter(agui.Event)
KEYS = {"tw_ann": Scope(owner="ann"), "tw_bob": Scope(owner="bob")}
Serving = Callable[[Script], Any]


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    """Return what serves a script; gives the url of the wire."""
    async with AsyncExitStack() as stack:

        async def opened(script: Script) -> str:
            parts = FakeParts(folder=tmp_path, script=script)
            access = Access(keyless=True, read_key=KEYS.get)
            url = await stack.enter_async_context(served(parts, access))
            return url.replace("/v1", "/agui")

        yield opened


async def driven(url: str, *steps: dict[str, Any]) -> list[dict[str, Any]]:
    """Drive AG-UI's client under node; returns what it made of each step."""
    if shutil.which("node") is None or not (CLIENT / "node_modules").is_dir():
        pytest.skip("needs node and npm: apt-get install nodejs npm, then scripts/node_modules.sh")
    words = [json.dumps(step) for step in steps]
    node = await asyncio.create_subprocess_exec(
        "node", "drive.mjs", url, *words, cwd=CLIENT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(PATIENCE_S):
        out, err = await node.communicate()
    assert node.returncode == 0, err.decode()
    runs = [json.loads(line) for line in out.decode().splitlines()]
    assert len(runs) == len(steps)
    for run in runs:
        for event in run["events"]:
            EVENT.validate_python(event)
    return runs


def types(run: dict[str, Any]) -> list[str]:
    return [event["type"] for event in run["events"]]


def spoken(run: dict[str, Any]) -> list[str]:
    return [message["content"] for message in run["messages"] if message["role"] == "assistant" and message["content"]]


@pytest.mark.requirement("agui-client")
async def test_the_client_of_agui_follows_a_run_and_the_thread_goes_on(serving: Serving) -> None:
    first, second = await driven(await serving(echoing), {"say": "How many rows?"}, {"say": "And in 2023?"})
    assert types(first) == [
        "RUN_STARTED",
        "STATE_SNAPSHOT",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "STATE_DELTA",
        "RUN_FINISHED",
    ]
    assert first["error"] is None
    assert spoken(first) == ["You said: How many rows? (turns: 0, tables: 0)"]
    assert first["result"]["text"] == spoken(first)[0]
    assert first["state"]["answer"]["outcome"] == "completed"
    assert "turns: 1" in spoken(second)[-1]
    assert second["state"]["conversationId"] == first["state"]["conversationId"]


@pytest.mark.requirement("agui-client")
async def test_what_a_run_asks_is_an_interrupt_and_a_resume_answers_it(serving: Serving) -> None:
    asked, which, done = await driven(
        await serving(asking), {"say": "Delete the rows"}, {"answer": {"approved": True}}, {"answer": {"text": "Leeds"}}
    )
    (interrupt,) = asked["interrupts"]
    assert (interrupt["reason"], interrupt["message"]) == ("approval", "Delete 3 rows?")
    assert interrupt["responseSchema"]["required"] == ["approved"]
    (question,) = which["interrupts"]
    assert "approve" in question["message"]
    assert question["responseSchema"]["properties"]["text"]["enum"] == ["Beijing", "Shanghai"]
    assert done["interrupts"] == []
    assert spoken(done)[-1] == "Done for Leeds."
    assert {run["state"]["runId"] for run in (asked, which, done)} == {asked["state"]["runId"]}


@pytest.mark.requirement("agui-client")
async def test_a_cancelled_interrupt_declines_and_words_answer_as_well(serving: Serving) -> None:
    url = await serving(asking)
    _, left = await driven(url, {"say": "Delete the rows"}, {"cancel": True})
    assert spoken(left)[-1] == "Nothing was done."


async def working(given: AgentInput, context: AgentContext) -> Items:
    yield ThinkingDelta(text="Hmm")
    yield ToolStarted(tool_call_id="t-1", name="search", arguments={"q": "x"})
    yield ToolFinished(tool_call_id="t-1", name="search", text="found")
    async for item in one_step(given, context):
        yield item


@pytest.mark.requirement("agui-client")
async def test_steps_tools_and_thoughts_are_told_in_order(serving: Serving) -> None:
    (run,) = await driven(await serving(working), {"say": "How many rows?"})
    assert run["error"] is None
    told = types(run)
    assert told[2:6] == [
        "REASONING_START",
        "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_CONTENT",
        "REASONING_MESSAGE_END",
    ]
    assert told.index("TOOL_CALL_START") < told.index("TOOL_CALL_RESULT") < told.index("STEP_STARTED")
    assert "STEP_FINISHED" in told
    (result,) = (message for message in run["messages"] if message["role"] == "tool")
    assert result["content"] == "found"


async def failing(given: AgentInput, context: AgentContext) -> Items:
    yield TextDelta(text="I begin")
    raise ModelOverloaded(model="m")


@pytest.mark.requirement("agui-client")
async def test_a_run_that_fails_is_a_run_error(serving: Serving) -> None:
    (run,) = await driven(await serving(failing), {"say": "How many rows?"})
    assert types(run)[-1] == "RUN_ERROR"
    assert run["events"][-1]["code"] == "model_overloaded"


@pytest.mark.requirement("agui-strangers")
async def test_bad_requests_and_threads_of_others_come_to_nothing(serving: Serving) -> None:
    url = await serving(asking)
    said = {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": "Delete the rows"}]}
    ann, bob = ({"authorization": f"Bearer tw_{name}"} for name in ("ann", "bob"))
    async with httpx2.AsyncClient(timeout=PATIENCE_S) as http:
        asked = (await http.post(url, json=said, headers=ann)).text
        finished = json.loads(asked.strip().splitlines()[-1].removeprefix("data: "))
        entry = {"interruptId": finished["outcome"]["interrupts"][0]["id"], "status": "resolved", "payload": True}
        for body, headers, status in (
            ({**said, "resume": [entry]}, bob, 404),
            ({**said, "resume": [{**entry, "interruptId": "other"}]}, ann, 404),
            ({**said, "resume": [{**entry, "payload": "perhaps"}]}, ann, 422),
            ({**said, "messages": []}, bob, 422),
            ({**said, "forwardedProps": {"mode": "all"}}, bob, 404),
            ({"threadId": "t"}, bob, 422),
            (said, {"authorization": "Bearer tw_nobody"}, 401),
        ):
            got = await http.post(url, json=body, headers=headers)
            assert got.status_code == status, got.text
        again = (await http.post(url, json={**said, "resume": [entry]}, headers=ann)).text
        assert "Which city? (approve" in again
