"""A conversation with a workflow is at home in no server: it goes on from another, also after a kill."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support.chat_bench import ChatBench
from tests.support.databases import sqlite_url
from tests.support.patience import PATIENCE_S, found

from tablewright.domain.conversation import IDLE, WAITING
from tablewright.store.sql import SqlStore

Frame = dict[str, Any]


class Server:
    """A server process; `say` gives a message to it and returns the frames."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def say(self, conversation_id: str, words: str) -> list[Frame]:
        self.send([conversation_id, words])
        frames: list[Frame] = await self.read()
        return frames

    def send(self, line: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{json.dumps(line)}\n".encode())

    async def read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(await asyncio.wait_for(self.process.stdout.readline(), PATIENCE_S))


@asynccontextmanager
async def server(url: str, folder: Path, *, later_s: float = 0.0) -> AsyncIterator[Server]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.workflows.chat_process",
        url,
        str(folder),
        str(later_s),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    try:
        yield Server(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.fixture(params=["sqlite", "postgres"])
def kept(request: pytest.FixtureRequest) -> tuple[str, SqlStore]:
    """Return a database that several processes use."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres_url"), request.getfixturevalue("postgres_store")
    return sqlite_url(request.getfixturevalue("sqlite_path")), request.getfixturevalue("sqlite_store")


@pytest.mark.requirement("workflow-chat-anywhere")
async def test_a_workflow_pauses_on_one_server_and_goes_on_from_another(
    kept: tuple[str, SqlStore], tmp_path: Path
) -> None:
    url, store = kept
    here = ChatBench(tmp_path, store=store)
    conversation = await here.conversation()
    async with server(url, tmp_path) as one, server(url, tmp_path) as other:
        asked = await one.say(conversation.id, "帮我查订单")
        assert asked[-1]["isWaitingInput"]
        assert await here.stage(conversation) == WAITING
        done = await other.say(conversation.id, "ORD-001")
        assert (done[-1]["type"], done[-1]["content"]) == ("done", "订单 ORD-001: found")
        assert done[-1]["runtimeUuid"] == asked[-1]["runtimeUuid"]
        assert await here.stage(conversation) == IDLE
        await other.say(conversation.id, "帮我查订单")
        intent = await one.say(conversation.id, "帮我查库存")
        assert intent[-1]["content"] == "库存: found"
        await one.say(conversation.id, "帮我查订单")
        assert await other.say(conversation.id, "") == []
        assert await here.stage(conversation) == IDLE
        assert (await one.say(conversation.id, "讲个笑话"))[-1]["content"] == "讲个笑话"
    await here.close()


@pytest.mark.requirement("workflow-chat-anywhere")
async def test_a_workflow_that_waits_outlives_its_server(kept: tuple[str, SqlStore], tmp_path: Path) -> None:
    url, store = kept
    here = ChatBench(tmp_path, store=store)
    conversation = await here.conversation()
    async with server(url, tmp_path) as one:
        asked = await one.say(conversation.id, "帮我查订单")
        one.process.kill()
        await one.process.wait()
    async with server(url, tmp_path) as other:
        done = await other.say(conversation.id, "ORD-007")
        assert done[-1]["content"] == "订单 ORD-007: found"
        assert done[-1]["runtimeUuid"] == asked[-1]["runtimeUuid"]
    await here.close()


@pytest.mark.requirement("workflow-chat-anywhere")
async def test_of_two_servers_that_are_answered_at_once_one_goes_on(kept: tuple[str, SqlStore], tmp_path: Path) -> None:
    url, store = kept
    here = ChatBench(tmp_path, store=store)
    conversation = await here.conversation()
    async with server(url, tmp_path) as one, server(url, tmp_path) as other:
        asked = await one.say(conversation.id, "帮我查订单")
        both = await asyncio.gather(one.say(conversation.id, "ORD-1"), other.say(conversation.id, "ORD-2"))
    ends = [frames[-1] for frames in both]
    taken = [end for end in ends if (end["type"], end.get("runtimeUuid")) == ("done", asked[-1]["runtimeUuid"])]
    assert len(taken) == 1, both
    (late,) = [end for end in ends if end not in taken]
    # a slow machine may give the second message to its server when the workflow is over: then it begins something new
    begun = ["user", "assistant"] if late["type"] == "done" else []
    assert late["type"] in {"done", "refused"}, both
    assert [author for author, _ in await here.history(conversation)] == ["user", "user", "assistant", *begun]
    await here.close()


@pytest.mark.requirement("workflow-chat-anywhere")
async def test_a_node_that_is_silent_for_half_an_hour_is_given_up_and_the_conversation_goes_on_elsewhere(
    kept: tuple[str, SqlStore], tmp_path: Path
) -> None:
    url, store = kept
    here = ChatBench(tmp_path, store=store)
    conversation = await here.conversation()
    async with server(url, tmp_path) as one, server(url, tmp_path) as other:
        one.send([conversation.id, "慢慢来"])

        async def works() -> bool | None:
            run = await store.runs.live(here.scope, conversation.id)
            events = () if run is None else await store.log.events(here.scope, run.id)
            return True if any(getattr(each.body, "node_id", "") == "wait" for each in events) else None

        await found(works)
        assert (await other.say(conversation.id, "帮我查库存"))[-1]["content"] == "run_in_progress"
        frames: Any = None
        minutes = 0
        while not isinstance(frames, list):
            one.send(60)
            minutes += 1
            frames = await one.read()
        assert minutes >= 30
        assert (frames[-1]["type"], frames[-1]["isComplete"]) == ("error", True)
        assert "工作流执行超时，已自动取消" in frames[-1]["content"]
        assert await here.stage(conversation) == IDLE
        assert (await other.say(conversation.id, "帮我查库存"))[-1]["content"] == "库存: found"
    await here.close()


@pytest.mark.requirement("workflow-chat-anywhere")
async def test_an_answer_after_the_runtime_has_expired_begins_the_workflow_anew_on_another_server(
    kept: tuple[str, SqlStore], tmp_path: Path
) -> None:
    url, store = kept
    here = ChatBench(tmp_path, store=store)
    conversation = await here.conversation()
    async with server(url, tmp_path) as one, server(url, tmp_path, later_s=35 * 60) as other:
        asked = await one.say(conversation.id, "帮我查订单")
        again = await other.say(conversation.id, "ORD-001")
        assert again[-1]["isWaitingInput"]
        assert again[-1]["workflowUuid"] == asked[-1]["workflowUuid"]
        assert again[-1]["runtimeUuid"] != asked[-1]["runtimeUuid"]
        before = await store.runs.get(here.scope, str(asked[-1]["runtimeUuid"]))
        assert before.outcome == "superseded"
        done = await other.say(conversation.id, "ORD-002")
        assert (done[-1]["type"], done[-1]["content"]) == ("done", "订单 ORD-002: found")
    await here.close()
