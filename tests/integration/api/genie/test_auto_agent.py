"""`/AutoAgent`: agents by type, as programs ask for them that read bare frames."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.chat_client import asking
from tests.support.genie_client import Serving, failing, upload, working_parts
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.plan_bench import Roles, finish, plan
from tests.support.service_bench import Items
from tests.support.structured_bench import EchoTool

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.api.routes import auto_agent
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, TextDelta
from tablewright.models.scripted import ScriptedModel


async def asked(url: str, body: dict[str, Any], **headers: str) -> list[dict[str, Any]]:
    """Ask as a program that cuts off `data:` and reads what follows; other lines are passed over."""
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S, headers=headers) as http:
        got = await http.post("/AutoAgent", json=body)
    assert got.status_code == 200, got.text
    lines = [line[5:] for line in got.text.splitlines() if line.startswith("data:")]
    frames = [json.loads(line) for line in lines if line != "heartbeat"]
    assert [frame["messageType"] for frame in frames].count("result") == 1
    assert frames[-1]["finish"] is True
    return frames


async def telling(given: AgentInput, context: AgentContext) -> Items:
    for piece in ("I ", "look."):
        yield TextDelta(text=piece)
    said = " | ".join((*(turn.question for turn in given.history), *(m.text for m in given.transcript), given.question))
    yield AnswerCompleted(answer=Answer(text=said, outcome="completed"))


@pytest.mark.requirement("genie-agents")
async def test_a_plan_is_told_bare_with_its_tasks_and_one_result(serving: Serving, tmp_path: Path) -> None:
    roles = Roles(planner=[plan("read<sep>count", title="Years"), finish()], summary="All.")
    url = await serving(working_parts(tmp_path, ScriptedModel(roles), [EchoTool()]))
    frames = await asked(url, {"requestId": "r", "query": "Compare.", "agentType": 3})
    assert {"plan", "task", "task_summary", "result"} <= {frame["messageType"] for frame in frames}
    assert sorted(frame["task"] for frame in frames if frame["messageType"] == "task") == ["count", "read"]
    assert all({"requestId", "messageId", "messageType", "isFinal", "finish"} <= frame.keys() for frame in frames)
    assert frames[-1]["result"] == "All."


@pytest.mark.requirement("genie-agents")
async def test_thoughts_come_whole_unless_pieces_are_asked_for(serving: Serving) -> None:
    url = await serving(telling)
    whole = await asked(url, {"requestId": "a", "query": "q", "agentType": 5})
    pieces = await asked(url, {"requestId": "b", "query": "q", "agentType": 5, "isStream": True})
    assert [frame["isFinal"] for frame in whole if frame["messageType"] == "tool_thought"] == [True]
    assert False in [frame["isFinal"] for frame in pieces if frame["messageType"] == "tool_thought"]


@pytest.mark.requirement("genie-agents")
@pytest.mark.parametrize("kind", [1, 2, 4, 5])
async def test_types_stand_for_agents(serving: Serving, kind: int) -> None:
    frames = await asked(await serving(telling), {"requestId": "r", "query": "Count rows.", "agentType": kind})
    assert frames[-1]["result"].endswith("Count rows.")  # a workflow is given its question too
    assert frames[-1]["resultMap"]["agentType"] == str(kind)


@pytest.mark.requirement("genie-agents")
async def test_what_was_said_before_and_a_brief_reach_the_agent(serving: Serving) -> None:
    said = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi."}]
    body = {"query": "And now?", "agentType": 5, "sessionId": "s", "basePrompt": "Be brief."}
    url = await serving(telling)
    first = await asked(url, {**body, "requestId": "1", "messages": [*said, {"role": "user", "content": "And now?"}]})
    assert first[-1]["result"] == "Hello. | Be brief. | And now? | And now?"
    second = await asked(url, {**body, "requestId": "2", "messages": said, "basePrompt": None})
    assert second[-1]["result"] == "Hello. | And now? | And now?"


async def listing(given: AgentInput, context: AgentContext) -> Items:
    said = ", ".join(f"{table.file_name}: {table.rows}" for table in given.datasets)
    yield AnswerCompleted(answer=Answer(text=said, outcome="completed"))


@pytest.mark.requirement("genie-agents")
async def test_of_files_of_one_name_a_message_that_names_them_means_the_newest(serving: Serving) -> None:
    url = await serving(listing)
    await upload(url, "sales.csv", b"a\n1\n")
    await upload(url, "sales.csv", b"a\n1\n2\n")
    frames = await asked(url, {"requestId": "r", "query": "How many rows has sales.csv?", "agentType": 5})
    assert frames[-1]["result"] == "sales.csv: 2"


@pytest.mark.requirement("genie-agents")
async def test_a_request_that_is_known_follows_its_run(serving: Serving) -> None:
    url, body = await serving(telling), {"requestId": "r", "query": "q", "agentType": 5}
    assert await asked(url, body) == await asked(url, body)


@pytest.mark.requirement("genie-agents")
@pytest.mark.parametrize("kind", [1, 4, 5])
async def test_the_id_of_another_message_or_session_is_refused_and_the_run_goes_to_who_asked(
    serving: Serving, kind: int
) -> None:
    url, body = await serving(telling), {"requestId": "r", "sessionId": "s", "query": "q", "agentType": kind}
    first = await asked(url, body)
    for other in ({"query": "p"}, {"sessionId": "t"}, {"sessionId": None}):
        (frame,) = await asked(url, {**body, **other})
        assert "The request id r belongs to another message or session." in frame["result"]
        assert frame["finish"]
    assert await asked(url, {**body, "query": " q"}) == first


@pytest.mark.requirement("genie-agents")
async def test_the_id_of_an_answer_is_refused_to_another_answer(serving: Serving) -> None:
    url, body = await serving(asking), {"requestId": "r", "sessionId": "s", "query": "Sort the table.", "agentType": 5}
    await asked(url, body)
    answer = {**body, "requestId": "r-2", "query": "the city"}
    first = await asked(url, answer)
    (frame,) = await asked(url, {**answer, "query": "yes"})
    assert "belongs to another message" in frame["result"]
    assert await asked(url, answer) == first


@pytest.mark.requirement("genie-agents")
@pytest.mark.parametrize("body", [{"agentType": 9}, {"agentType": None}, {"query": 7, "agentType": 5}])
async def test_what_cannot_be_done_is_told_as_the_result(
    serving: Serving, tmp_path: Path, body: dict[str, Any]
) -> None:
    (frame,) = await asked(await serving(failing), {"requestId": "r", "query": "q", **body})
    assert frame["messageType"] == "result"
    assert frame["result"]
    assert frame["requestId"] == "r"


@pytest.mark.requirement("genie-agents")
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"agentType": 77}, "There is no type of agent 77"),
        ({"agentType": 77, "query": "有多少行？"}, "没有智能体类型 77"),
        ({"query": "有多少行？"}, "缺少 agentType"),
        ({}, "agentType is missing"),
        ({"agentType": 5, "outputStyle": "bogus"}, "outputStyle: it must be one of: html, docs, table, ppt, dataAgent"),
        ({"agentType": 5, "messages": [{"role": "bogus", "content": "x"}]}, "messages.0.role"),
        ({"agentType": 5, "outputStyle": "bogus", "query": "有多少行？"}, "outputStyle：应为"),
    ],
)
async def test_a_refusal_names_the_field_in_the_language_of_the_query(
    serving: Serving, body: dict[str, Any], words: str
) -> None:
    before = time.time()
    (frame,) = await asked(await serving(telling), {"requestId": "r", "query": "q", **body})
    assert words in frame["result"]
    assert before - 1 <= int(frame["messageTime"]) / 1000 <= time.time() + 1


@pytest.mark.requirement("genie-agents")
async def test_a_refusal_is_in_the_language_of_its_session_unless_the_request_names_one(serving: Serving) -> None:
    url, body = await serving(telling), {"requestId": "r", "sessionId": "s", "query": "有多少行？", "agentType": 5}
    await asked(url, body)
    for other in ({"query": "列出城市"}, {"query": "p"}):
        (frame,) = await asked(url, {**body, **other})
        assert "已用于另一条消息" in frame["result"]
    (frame,) = await asked(url, {**body, "query": "p"}, **{"accept-language": "en"})
    assert "belongs to another message" in frame["result"]


@pytest.mark.requirement("genie-agents")
@pytest.mark.parametrize("body", [{"query": 7}, {"query": "q", "requestId": 7}, {"query": "p"}])
async def test_an_error_bears_the_id_of_its_request_where_it_has_one(serving: Serving, body: dict[str, Any]) -> None:
    url, sent = await serving(telling), {"sessionId": "s", "requestId": "r", "deepThink": 0}
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        await http.post("/web/api/v1/gpt/queryAgentStreamIncr", json={**sent, "query": "q"})
        got = await http.post("/web/api/v1/gpt/queryAgentStreamIncr", json={**sent, **body})
    last = json.loads([line[6:] for line in got.text.splitlines() if line.startswith("data: ")][-1])
    assert last["finished"]
    wanted = "" if body.get("requestId") == 7 else "r"
    assert last["reqId"] == last["resultMap"]["eventData"]["resultMap"]["requestId"] == wanted


@pytest.mark.requirement("genie-agents")
async def test_a_heartbeat_is_the_bare_word(serving: Serving, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(auto_agent, "HEARTBEAT_S", 0.02)
    go_on = asyncio.Event()

    async def held(given: AgentInput, context: AgentContext) -> Items:
        await go_on.wait()
        yield AnswerCompleted(answer=Answer(text="Done.", outcome="completed"))

    url = await serving(FakeParts(folder=tmp_path, script=held))
    seen = ""
    async with (
        asyncio.timeout(PATIENCE_S),
        httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
        http.stream("POST", "/AutoAgent", json={"requestId": "r", "query": "q", "agentType": 5}) as streamed,
    ):
        async for piece in streamed.aiter_text():
            seen += piece
            if "\ndata:heartbeat\n\n" in f"\n{seen}":
                go_on.set()
    assert '"result":"Done."' in seen
    assert not seen.rstrip().endswith("[DONE]")


@pytest.mark.requirement("genie-agents")
@pytest.mark.parametrize("path", ["/v1/tool/list", "/v1/tool/call", "/v1/serv/pong"])
async def test_what_the_bridge_to_mcp_servers_serves_is_not_served_here(serving: Serving, path: str) -> None:
    async with httpx2.AsyncClient(base_url=await serving(telling), timeout=PATIENCE_S) as http:
        got = await http.post(path, json={"server_url": "http://127.0.0.1:1/sse"})
    assert got.status_code == 404
