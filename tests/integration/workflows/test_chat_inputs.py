"""What a workflow is given that a message begins: its question, its files, and what it was given before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

from tests.support.chat_bench import ORDERS, STOCK, ChatBench
from tests.support.workflow_bench import node, workflow

from tablewright.domain.conversation import Conversation
from tablewright.domain.dataset import StoredFile
from tablewright.domain.ids import ManualClock
from tablewright.service.runs.runs import Ask
from tablewright.service.workflows.launch import Launch

TOTALS = workflow(
    [node("start", "start"), node("end", "end", text="{{ inputs.question }}: {{ inputs.file }}")],
    "start > end",
    name="totals",
    inputs=[{"name": "question"}, {"name": "file", "kind": "file"}],
    examples=["total amount by region?"],
)


async def linked(chat: ChatBench, conversation: Conversation, name: str, kind: Literal["csv", "other"]) -> None:
    ref = await chat.bench.blobs.put(chat.scope, b"region,amount")
    file = StoredFile(id=name, name=name, mime="text/csv", kind=kind, size_bytes=13, sha256=ref.sha256)
    await chat.bench.store.files.add(chat.scope, file, refs=(ref,), conversation_id=conversation.id)


async def test_what_a_workflow_demands_is_the_newest_table_of_the_conversation(tmp_path: Path) -> None:
    chat = ChatBench(tmp_path, (TOTALS, STOCK))
    conversation = await chat.conversation()
    await linked(chat, conversation, "may.csv", "csv")
    await linked(chat, conversation, "june.csv", "csv")
    await linked(chat, conversation, "notes.txt", "other")
    seen = await chat.say(conversation, "total amount by region?")
    assert seen[-1].content == "total amount by region?: june.csv"
    run = await chat.bench.runs.get(chat.scope, seen[0].runtime_uuid or "")
    assert run.file_ids == ("june.csv",)
    ask = Ask(text="total amount by region?", mode="auto", file_ids=("may.csv",))
    named = await chat.chat.take(chat.scope, conversation.id, ask)
    assert (await chat.workflows.ended(named.run)).file_ids == ("may.csv",)
    await chat.close()


async def test_a_workflow_that_lacks_an_input_is_passed_over(tmp_path: Path) -> None:
    other = replace(STOCK, id="other", examples=TOTALS.examples)
    chat = ChatBench(tmp_path, (TOTALS, other))
    conversation = await chat.conversation()
    assert (await chat.say(conversation, "total amount by region?"))[-1].content == "库存: found"
    chat.desk.workflows = [TOTALS]
    assert (await chat.say(conversation, "total amount by region?"))[-1].content == "total amount by region?"
    ask = Ask(text="total amount by region?", mode="auto")
    plain = await chat.chat.take(chat.scope, conversation.id, ask)
    assert (plain.run.mode, plain.run.workflow_id) == ("auto", None)
    await chat.bench.settled(plain.run)
    await chat.close()


async def test_what_lacks_an_input_is_no_new_intent_either(tmp_path: Path) -> None:
    chat = ChatBench(tmp_path, (ORDERS, TOTALS))
    conversation = await chat.conversation()
    await chat.say(conversation, "帮我查订单")
    assert (await chat.say(conversation, "total amount by region?"))[-1].content == (
        "订单 total amount by region?: found"
    )
    await chat.close()


async def test_what_begins_anew_after_half_an_hour_has_the_inputs_that_it_had(tmp_path: Path) -> None:
    clock = ManualClock()
    nodes = [
        node("start", "start"),
        node("who", "ask_user", prompt="Who?"),
        node("end", "end", text="{{ inputs.question }}, {{ inputs.month }}, {{ inputs.shop }}, {{ who.text }}"),
    ]
    inputs = [
        {"name": "question"},
        {"name": "month"},
        {"name": "shop", "required": False},
        {"name": "file", "kind": "file", "required": False},
    ]
    monthly = workflow(nodes, "start > who > end", name="monthly", inputs=inputs)
    chat = ChatBench(tmp_path, (STOCK,), clock=clock)
    conversation = await chat.conversation()
    launch = Launch(inputs={"month": "May"}, text="report", conversation_id=conversation.id)
    first = await chat.launches.start_definition(chat.scope, monthly, launch)
    await chat.workflows.open_requests(first, 1)
    await chat.workflows.state(first, "waiting")
    await clock.advance(35 * 60)
    again = await chat.say(conversation, "Ann")
    assert again[-1].type == "[NODE_WAIT_FEEDBACK_BY_who]"
    assert again[0].runtime_uuid != first.id
    assert (await chat.say(conversation, "Bob"))[-1].content == "Ann, May, , Bob"
    await chat.close()


async def test_files_that_come_with_an_answer_are_those_of_the_message_and_the_conversation(tmp_path: Path) -> None:
    chat = ChatBench(tmp_path)
    conversation, other = await chat.conversation(), await chat.conversation()
    await linked(chat, other, "orders.csv", "csv")
    await chat.say(conversation, "帮我查订单")
    ask = Ask(text="ORD-001", mode="workflow", file_ids=("orders.csv",))
    accepted = await chat.chat.take(chat.scope, conversation.id, ask)
    assert (await chat.workflows.ended(accepted.run)).outcome == "completed"
    page = await chat.bench.store.conversations.messages(chat.scope, conversation.id)
    assert [(one.text, one.file_ids) for one in page.items][:2] == [("帮我查订单", ()), ("ORD-001", ("orders.csv",))]
    assert [one.id for one in await chat.bench.store.files.linked(chat.scope, conversation.id)] == ["orders.csv"]
    await chat.close()
