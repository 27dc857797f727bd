"""Many people in conversations with workflows at once: none is lost, and none is doubled."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.support.chat_bench import ChatBench
from tests.support.workflow_bench import node, workflow

from tablewright.domain.conversation import IDLE, Conversation
from tablewright.store.sql import SqlStore

FEW = 20
MANY = 500
TWICE = workflow(
    [
        node("start", "start"),
        node("one", "ask_user", prompt="1?"),
        node("look", "tool", tool="look", arguments={"word": "{{ one.text }}"}),
        node("two", "ask_user", prompt="2?"),
        node("end", "end", text="{{ one.text }} {{ two.text }}"),
    ],
    "start > one > look > two > end",
    name="twice",
    examples=["begin"],
)


async def pausing_twice(chat: ChatBench, conversation: Conversation, number: int) -> None:
    asked = await chat.say(conversation, "begin")
    assert asked[-1].type == "[NODE_WAIT_FEEDBACK_BY_one]"
    again = await chat.say(conversation, f"a{number}")
    assert again[-1].type == "[NODE_WAIT_FEEDBACK_BY_two]", again[-1]
    done = await chat.say(conversation, f"b{number}")
    assert (done[-1].type, done[-1].content) == ("done", f"a{number} b{number}")
    assert await chat.stage(conversation) == IDLE
    assert [author for author, _ in await chat.history(conversation)] == ["user", "user", "user", "assistant"]


async def check_many(store: SqlStore, folder: Path, count: int) -> None:
    chat = ChatBench(folder, (TWICE,), store=store)
    conversations = [await chat.conversation() for _ in range(count)]
    await asyncio.gather(*(pausing_twice(chat, each, number) for number, each in enumerate(conversations)))
    assert sorted(chat.looked) == sorted(f"a{number}" for number in range(count))
    await chat.close()


@pytest.mark.requirement("workflow-chat-anywhere")
async def test_many_conversations_at_once_each_pause_twice(sqlite_store: SqlStore, tmp_path: Path) -> None:
    await check_many(sqlite_store, tmp_path, FEW)


@pytest.mark.long
@pytest.mark.requirement("workflow-chat-anywhere")
async def test_hundreds_of_conversations_at_once_each_pause_twice(postgres_store: SqlStore, tmp_path: Path) -> None:
    await check_many(postgres_store, tmp_path, MANY)
