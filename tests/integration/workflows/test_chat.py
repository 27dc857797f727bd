"""Workflows inside a chat: routed, paused, resumed, cancelled and forgotten, on every store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.chat_bench import STOCK, ChatBench, types
from tests.support.workflow_bench import Gate, node, workflow

from tablewright.domain.conversation import IDLE, WAITING, ConversationState
from tablewright.domain.ids import ManualClock
from tablewright.errors import NotFound, QuestionMissing, RunInProgress, WorkflowAbsent
from tablewright.store.memory import MemoryStore
from tablewright.store.sql import SqlStore

WAIT = "[NODE_WAIT_FEEDBACK_BY_number]"


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> MemoryStore | SqlStore:
    if request.param == "memory":
        return MemoryStore()
    kept: SqlStore = request.getfixturevalue(f"{request.param}_store")
    return kept


@pytest.fixture
async def chat(tmp_path: Path, store: MemoryStore | SqlStore) -> AsyncIterator[ChatBench]:
    bench = ChatBench(tmp_path, store=store)
    yield bench
    await bench.close()


async def test_a_message_begins_its_workflow_which_stops_to_ask(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    seen = await chat.say(conversation, "帮我查订单")
    assert types(seen)[0] == "start"
    assert "[NODE_RUN_number]" in types(seen)
    assert types(seen)[-1] == WAIT
    assert (seen[-1].content, seen[-1].is_waiting_input, seen[-1].is_complete) == ("请提供订单号", True, False)
    live = await chat.bench.store.runs.live(chat.scope, conversation.id)
    assert live is not None
    assert {(frame.runtime_uuid, frame.workflow_uuid) for frame in seen} == {(live.id, "orders")}
    state = await chat.bench.store.conversations.state(chat.scope, conversation.id)
    assert state == ConversationState(stage=WAITING, workflow_id="orders", run_id=live.id)


async def test_the_answer_goes_on_with_the_same_run_to_its_end(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    asked = await chat.say(conversation, "帮我查订单")
    seen = await chat.say(conversation, "ORD-001")
    assert seen[0].runtime_uuid == asked[0].runtime_uuid
    assert "[NODE_RUN_start]" not in types(seen)
    assert (seen[-1].type, seen[-1].content, seen[-1].is_complete) == ("done", "订单 ORD-001: found", True)
    assert chat.looked == ["ORD-001"]
    assert await chat.stage(conversation) == IDLE
    assert await chat.history(conversation) == [
        ("user", "帮我查订单"),
        ("user", "ORD-001"),
        ("assistant", "订单 ORD-001: found"),
    ]


async def test_only_the_outcome_of_a_run_is_in_the_history_with_what_wrote_it(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    await chat.say(conversation, "帮我查库存")
    page = await chat.bench.store.conversations.messages(chat.scope, conversation.id)
    assert [(each.author, each.text) for each in page.items] == [("user", "帮我查库存"), ("assistant", "库存: found")]
    assert (page.items[1].provider_name, page.items[1].base_name) == ("workflow", "workflow-engine")
    assert (page.items[0].provider_name, page.items[0].base_name) == (None, None)


async def test_a_new_intent_ends_what_waited_and_begins_another_workflow(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    asked = await chat.say(conversation, "帮我查订单")
    seen = await chat.say(conversation, "帮我查库存")
    assert (seen[-1].type, seen[-1].content) == ("done", "库存: found")
    assert seen[0].workflow_uuid == "stock"
    assert await chat.stage(conversation) == IDLE
    left = await chat.bench.runs.get(chat.scope, asked[0].runtime_uuid or "")
    assert left.outcome == "superseded"


async def test_a_closed_stream_changes_nothing(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    accepted = await chat.take(conversation, "帮我查订单")
    async for _ in chat.chat.follow(chat.scope, accepted):
        break
    await chat.workflows.state(accepted.run, "waiting")
    assert await chat.stage(conversation) == WAITING
    assert (await chat.say(conversation, "ORD-002"))[-1].content == "订单 ORD-002: found"


async def test_where_nothing_fits_the_default_answers_and_without_one_it_is_said(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    assert (await chat.say(conversation, "讲个笑话"))[-1].content == "讲个笑话"
    chat.desk.default = None
    with pytest.raises(WorkflowAbsent):
        await chat.say(conversation, "讲个笑话")
    assert await chat.stage(conversation) == IDLE


async def test_cancel_stops_what_waits_and_does_nothing_where_nothing_is(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    await chat.chat.cancel(chat.scope, conversation.id)
    await chat.chat.cancel(chat.scope, "no-such")
    asked = await chat.say(conversation, "帮我查订单")
    await chat.chat.cancel(chat.scope, conversation.id)
    assert await chat.stage(conversation) == IDLE
    assert (await chat.bench.runs.get(chat.scope, asked[0].runtime_uuid or "")).outcome == "cancelled"
    assert (await chat.say(conversation, "帮我查库存"))[-1].type == "done"


@pytest.mark.parametrize(
    "broken",
    [
        ConversationState(stage=WAITING),
        ConversationState(stage=WAITING, workflow_id="orders"),
        ConversationState(stage=WAITING, run_id="gone"),
        ConversationState(stage=WAITING, workflow_id="orders", run_id="gone"),
        ConversationState(workflow_id="orders", run_id="gone"),
        ConversationState(run_id="gone"),
        ConversationState(stage="WORKFLOW_RUNNING", workflow_id="orders", run_id="gone"),
        ConversationState(stage="?"),
    ],
)
async def test_a_state_that_cannot_be_heals_and_is_logged(
    chat: ChatBench, broken: ConversationState, caplog: pytest.LogCaptureFixture
) -> None:
    conversation = await chat.conversation()
    states = chat.bench.store.conversations
    await states.set_state(chat.scope, conversation.id, broken, instead_of=ConversationState())
    with caplog.at_level(logging.WARNING):
        assert await chat.chat.state(chat.scope, conversation.id) == ConversationState()
    assert conversation.id in caplog.text
    assert await chat.stage(conversation) == IDLE
    assert (await chat.say(conversation, "帮我查库存"))[-1].type == "done"


async def test_a_state_that_names_a_run_which_has_ended_heals(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    ended = (await chat.say(conversation, "帮我查库存"))[0]
    stale = ConversationState(stage=WAITING, workflow_id="stock", run_id=ended.runtime_uuid)
    await chat.bench.store.conversations.set_state(chat.scope, conversation.id, stale, instead_of=ConversationState())
    assert await chat.chat.state(chat.scope, conversation.id) == ConversationState()


async def test_a_run_that_waits_is_answered_also_when_its_state_was_lost(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    await chat.say(conversation, "帮我查订单")
    states = chat.bench.store.conversations
    was = await states.state(chat.scope, conversation.id)
    await states.set_state(chat.scope, conversation.id, ConversationState(), instead_of=was)
    assert (await chat.say(conversation, "ORD-003"))[-1].content == "订单 ORD-003: found"


async def test_of_two_answers_at_once_one_goes_on_and_the_other_is_refused(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    await chat.say(conversation, "帮我查订单")
    said = await asyncio.gather(*(chat.say(conversation, f"ORD-{n}") for n in range(5)), return_exceptions=True)
    refused = [each for each in said if isinstance(each, RunInProgress)]
    assert len(refused) == 4, said
    assert len(chat.looked) == 1
    assert [author for author, _ in await chat.history(conversation)] == ["user", "user", "assistant"]


async def test_a_message_while_a_workflow_works_is_refused_and_not_kept(tmp_path: Path) -> None:
    gate = Gate()
    chat = ChatBench(tmp_path, functions={"look": gate})
    conversation = await chat.conversation()
    working = asyncio.create_task(chat.say(conversation, "帮我查库存"))
    await gate.begun.wait()
    with pytest.raises(RunInProgress):
        await chat.say(conversation, "帮我查订单")
    gate.free.set()
    assert (await working)[-1].content == "库存: ok"
    assert len(await chat.history(conversation)) == 2
    await chat.close()


async def test_nothing_said_and_other_peoples_conversations_are_refused(chat: ChatBench) -> None:
    conversation = await chat.conversation()
    with pytest.raises(QuestionMissing):
        await chat.say(conversation, "  ")
    with pytest.raises(NotFound):
        await chat.take(replace(conversation, id="no-such"), "帮我查订单")


async def test_after_half_an_hour_an_answer_begins_the_workflow_anew(tmp_path: Path) -> None:
    clock = ManualClock()
    greet = workflow(
        [
            node("start", "start"),
            node("name", "ask_user", prompt="谁?"),
            node("end", "end", text="{{ inputs.question }}/{{ name.text }}"),
        ],
        "start > name > end",
        name="greet",
        inputs=[{"name": "question"}],
        examples=["你好"],
    )
    chat = ChatBench(tmp_path, (greet, STOCK), clock=clock)
    conversation = await chat.conversation()
    first = await chat.say(conversation, "你好")
    await clock.advance(35 * 60)
    again = await chat.say(conversation, "安")
    assert again[-1].type == "[NODE_WAIT_FEEDBACK_BY_name]"
    assert again[0].runtime_uuid != first[0].runtime_uuid
    assert (await chat.bench.runs.get(chat.scope, first[0].runtime_uuid or "")).outcome == "superseded"
    assert (await chat.say(conversation, "李"))[-1].content == "安/李"
    await clock.advance(35 * 60)
    assert (await chat.say(conversation, "帮我查库存"))[-1].content == "库存: found"
    await chat.close()


async def test_switched_off_the_plain_agent_answers(tmp_path: Path) -> None:
    chat = ChatBench(tmp_path)
    chat.desk.on = False
    conversation = await chat.conversation()
    accepted = await chat.take(conversation, "帮我查订单")
    assert (accepted.run.mode, accepted.run.workflow_id) == ("auto", None)
    await chat.bench.settled(accepted.run)
    await chat.close()


@pytest.mark.parametrize("said", ["帮我查库存", "ORD-001"])
async def test_switched_off_the_plain_agent_answers_also_where_a_workflow_waits(tmp_path: Path, said: str) -> None:
    chat = ChatBench(tmp_path)
    conversation = await chat.conversation()
    asked = await chat.say(conversation, "帮我查订单")
    chat.desk.on = False
    accepted = await chat.take(conversation, said)
    assert (accepted.run.mode, accepted.run.workflow_id) == ("auto", None)
    assert (await chat.bench.runs.get(chat.scope, asked[0].runtime_uuid or "")).outcome == "superseded"
    assert await chat.stage(conversation) == IDLE
    await chat.bench.settled(accepted.run)
    await chat.close()
