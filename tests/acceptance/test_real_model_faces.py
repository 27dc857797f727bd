"""A real language model, small and bad, behind the agents with tools, the wires of others and workflows.

As in `test_real_model.py`, nothing here asks for more than that each run ends clearly, that no number which the model
invents goes unmarked, and that the service lives on.
"""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from openai import AsyncOpenAI
from tests.support.chat_client import ChatClient
from tests.support.commands import Commands
from tests.support.honesty import check_run, check_said
from tests.support.patience import TEST_S
from tests.support.real_model_bench import ASKED, TABLES, Language, frames_in, serving, upload

pytestmark = [pytest.mark.long, pytest.mark.timeout(2 * TEST_S)]


async def checked(http: httpx2.AsyncClient, run_id: str, told: str | None = None) -> None:
    """Check a finished run; where its answer was `told` on a wire, the unverified numbers are named there as well."""
    run = (await http.get(f"/api/v1/runs/{run_id}")).json()
    check_run(run)
    if told is not None and run["answer"] is not None:
        sources = run["answer"]["sources"]
        invented = [run["answer"]["text"][each["start"] : each["end"]] for each in sources if each["step_id"] is None]
        rest = told.replace(run["answer"]["text"], "", 1)
        assert [number for number in invented if number not in rest] == [], told


@pytest.mark.requirement("real-model-honest")
@pytest.mark.parametrize("mode", ["react", "plan"])
async def test_agents_with_tools_alone_and_by_a_plan(real: Commands, mode: str) -> None:
    language: Language = "en"
    # The prompt of who carries out a task, with its tools, has about 3,000 tokens.
    real.environ = {**real.environ, "TABLEWRIGHT_AGENTS__MAX_INPUT_TOKENS": "4000"}
    async with serving(real, "tiny:smollm2") as http:
        file_id = await upload(http, language)
        made = (await http.post("/api/v1/conversations", json={"language": language})).json()["id"]
        asked = {"text": ASKED[language], "files": [file_id], "mode": mode, "approvals": "auto"}
        begun = await http.post(f"/api/v1/conversations/{made}/messages", json=asked)
        assert begun.status_code == 202, begun.text
        run_id = begun.json()["run_id"]
        stream = frames_in((await http.get(f"/api/v1/runs/{run_id}/events")).text)
        assert [event["seq"] for event in stream] == list(range(1, len(stream) + 1))
        assert stream[-1]["body"]["type"] == "run.finished"
        assert stream[-1]["run_id"] == run_id
        await checked(http, run_id)


@pytest.mark.parametrize(("language", "stream"), [("en", False), ("zh", True)])
async def test_chat_completions(real: Commands, language: Language, *, stream: bool) -> None:
    async with serving(real, "tiny:smollm2") as http:
        url = str(http.base_url).rstrip("/")
        async with AsyncOpenAI(base_url=f"{url}/v1", api_key="local", timeout=TEST_S, max_retries=0) as client:
            file = {"file_id": await upload(http, language)}
            chat = ChatClient(client=client, model="tablewright-analyze@tiny:smollm2")
            asked = [{"type": "text", "text": ASKED[language]}, {"type": "file", "file": file}]
            heard = await chat.say(asked, stream=stream)
            assert heard.content.strip()
            assert heard.finish in {"stop", "length"}
            await checked(http, heard.run, heard.content)


async def test_agent_pages(real: Commands) -> None:
    language: Language = "en"
    async with serving(real, "tiny:smollm2") as http:
        said = {
            "threadId": "t",
            "runId": "r",
            "messages": [{"id": "m", "role": "user", "content": f"{ASKED[language]}\n\n{TABLES[language]}"}],
            "forwardedProps": {"mode": "analyze", "approvals": "auto"},
        }
        got = await http.post("/agui", json=said)
        assert got.status_code == 200, got.text
        events = frames_in(got.text)
        assert events[0]["type"] == "RUN_STARTED"
        assert events[-1]["type"] in {"RUN_FINISHED", "RUN_ERROR"}, events[-1]
        if events[-1]["type"] == "RUN_ERROR":
            assert events[-1]["message"].strip()
        snapshot = next(event["snapshot"] for event in events if event["type"] == "STATE_SNAPSHOT")
        told = "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")
        await checked(http, snapshot["runId"], told)


async def test_an_agent_by_its_type(real: Commands) -> None:
    language: Language = "zh"
    async with serving(real, "tiny:smollm2") as http:
        said = {"requestId": "r", "query": f"{ASKED[language]}\n\n{TABLES[language]}", "agentType": 5}
        got = await http.post("/AutoAgent", json=said)
        assert got.status_code == 200, got.text
        lines = [line[5:].strip() for line in got.text.splitlines() if line.startswith("data:")]
        frames: list[dict[str, Any]] = [json.loads(line) for line in lines if line != "heartbeat"]
        assert [frame["messageType"] for frame in frames].count("result") == 1
        assert frames[-1]["finish"] is True
        assert str(frames[-1]["result"]).strip()
        (run_id,) = await runs_of(http)
        await checked(http, run_id, str(frames[-1]["result"]))


async def runs_of(http: httpx2.AsyncClient) -> set[str]:
    """Return the runs that the messages of all conversations belong to."""
    found = (await http.get("/api/v1/conversations")).json()["items"]
    listed = [(await http.get(f"/api/v1/conversations/{each['id']}/messages")).json() for each in found]
    return {message["run_id"] for each in listed for message in each["items"] if message["run_id"]}


async def test_a_workflow_that_asks_an_agent(real: Commands) -> None:
    language: Language = "zh"
    flow = {
        "id": "ask",
        "name": "Ask",
        "nodes": [
            {"id": "start", "kind": "start"},
            {"id": "asked", "kind": "agent", "question": ASKED[language]},
            {"id": "end", "kind": "end", "text": "{{ asked.text }}"},
        ],
        "edges": [{"source": "start", "target": "asked"}, {"source": "asked", "target": "end"}],
    }
    (real.folder / "flow.json").write_text(json.dumps(flow, ensure_ascii=False), encoding="utf-8")
    words = ("workflow", "run", "flow.json", f"{language}.csv", "--model", "tiny:smollm2", "--yes", "--json")
    check_said(await real.run(*words, timeout_s=TEST_S))
