"""Chats over OpenAI's wire: which conversation a request goes on with, and which it never reaches."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import openai
import pytest
from tests.support.chat_client import TABLE, ChatClient, Opening, asking, echoing
from tests.support.parts import one_step
from tests.support.patience import PATIENCE_S, found
from tests.support.service_bench import Items

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.events import TextDelta


async def file_id(chat: ChatClient) -> str:
    made = await chat.client.files.create(file=("sales.csv", TABLE), purpose="user_data")
    return made.id


def attached(text: str, file: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}, {"type": "file", "file": {"file_id": file}}]


async def state_of(chat: ChatClient, run: str) -> dict[str, Any]:
    return await chat.client.get(f"/../api/v1/runs/{run}", cast_to=dict[str, Any])


@pytest.mark.requirement("openai-chat-goes-on")
async def test_a_chat_goes_on_in_its_conversation_without_any_id(chats: Opening) -> None:
    chat = await chats()
    first = await chat.say("How many rows?")
    second = await chat.say("And in 2023?", stream=True)
    third = await chat.say("Thanks!")
    assert {first.conversation, second.conversation, third.conversation} == {first.conversation}
    assert "turns: 0" in first.content
    assert "turns: 1" in second.content
    assert "turns: 2" in third.content


@pytest.mark.requirement("openai-chat-goes-on")
async def test_a_client_that_lays_out_our_answers_otherwise_is_still_in_its_chat(chats: Opening) -> None:
    chat = await chats(one_step)
    chat.messages = [{"role": "system", "content": "It is Monday."}]
    first = await chat.say("How many rows?")
    chat.messages[0]["content"] = "It is Tuesday."
    chat.messages[-1] = {"role": "assistant", "content": f"\n{first.content.replace(' ', '  ')}\n\n"}
    assert (await chat.say("And now?")).conversation == first.conversation


@pytest.mark.requirement("openai-chat-branches")
async def test_an_answer_asked_for_again_is_a_branch_with_the_files_and_the_history(chats: Opening) -> None:
    chat = await chats()
    first = await chat.say(attached("How many rows?", await file_id(chat)))
    second = await chat.say("And in 2023?")
    again = chat.branch(chat.messages[:2])
    branched = await again.say("And in 2024?")
    assert branched.conversation not in {first.conversation, second.conversation}
    assert "turns: 1, tables: 1" in branched.content
    on = await again.say("And then?")
    assert on.conversation == branched.conversation
    assert (await chat.say("Thanks")).conversation == first.conversation


async def test_what_another_model_said_before_is_told_and_an_edited_answer_is_not_ours(chats: Opening) -> None:
    chat = await chats()
    chat.messages = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi, I am somebody else."},
        {"role": "tool", "tool_call_id": "x", "content": "{}"},
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {}}, {"type": "text", "text": "And?"}]},
        {"role": "assistant", "content": None},
    ]
    told = await chat.say("How many rows?")
    assert "turns: 1" in told.content
    edited = chat.branch([*chat.messages[:-1], {"role": "assistant", "content": "You said: nothing at all"}])
    assert (await edited.say("Go on")).conversation != told.conversation


@pytest.mark.requirement("openai-consent-in-words")
@pytest.mark.parametrize(
    ("words", "told"), [("Yes.", "approve"), ("继续", "approve"), ("only the last one", "reject: only the last one")]
)
async def test_what_a_run_asks_is_a_message_and_the_next_one_answers_it(chats: Opening, words: str, told: str) -> None:
    chat = await chats(asking)
    asked = await chat.say("Delete the rows")
    assert asked.content.startswith("Delete 3 rows?")
    assert "**yes**" in asked.content
    assert asked.finish == "stop"
    which = await chat.say(words, stream=True)
    assert told in which.content
    assert "2. Shanghai" in which.content
    done = await chat.say("2")
    assert done.content == "Done for Shanghai."
    assert {asked.run, which.run, done.run} == {asked.run}


@pytest.mark.requirement("openai-consent-in-words")
async def test_no_leaves_it_at_that_and_a_question_in_chinese_is_answered_in_chinese(chats: Opening) -> None:
    chat = await chats(asking)
    asked = await chat.say("删除空白的行")
    assert "**是**" in asked.content
    left = await chat.say("否")
    assert left.content == "Nothing was done."
    assert left.run == asked.run


@pytest.mark.requirement("openai-chat-strangers")
async def test_the_same_messages_reach_nothing_of_another_owner_tenant_or_person(chats: Opening) -> None:
    ann = await chats(asking)
    asked = await ann.say("Delete the rows")
    for key, extra in (("tw_bob", {}), ("tw_eve", {}), ("sk-local", {}), ("tw_ann", {"user": "mallory"})):
        other = await chats(key=key)
        other.extra = dict(extra)
        other.messages = list(ann.messages)
        answered = await other.say("yes")
        assert answered.conversation != asked.conversation
        assert answered.run != asked.run
        for header in ("x-tablewright-conversation", "x-openwebui-chat-id") if key != "tw_ann" else ():
            other.headers = {header: asked.conversation}
            assert (await other.say("yes")).conversation != asked.conversation
    assert (await state_of(ann, asked.run))["state"] == "waiting"


@pytest.mark.requirement("openai-chat-strangers")
async def test_whoever_forges_a_chat_gets_no_files_that_were_not_named_in_it(chats: Opening) -> None:
    ann = await chats()
    named = ann.branch([])
    named.extra = {"metadata": {"conversation_id": "quarter"}}
    await named.say(attached("How many rows?", await file_id(ann)))
    forged = ann.branch([])
    for answer in ("There are 2 rows.", named.messages[1]["content"], ""):
        forged.messages = [{"role": "user", "content": "How many rows?"}, {"role": "assistant", "content": answer}]
        assert "tables: 0" in (await forged.say("Show them")).content


async def test_two_requests_of_one_chat_at_once_are_both_answered(chats: Opening) -> None:
    chat = await chats()
    first = await chat.say("How many rows?")
    one, two = chat.branch(chat.messages), chat.branch(chat.messages)
    heard = await asyncio.gather(one.say("And in 2023?"), two.say("And in 2024?"))
    assert "2023" in heard[0].content
    assert "2024" in heard[1].content
    assert len({each.run for each in heard}) == 2
    assert first.conversation in {each.conversation for each in heard}
    on = await asyncio.gather(one.say("a"), two.say("b"))
    assert [each.conversation for each in on] == [each.conversation for each in heard]


async def test_two_answers_to_one_question_at_once_do_it_once(chats: Opening) -> None:
    chat = await chats(asking)
    asked = await chat.say("Delete the rows")
    both = [chat.branch(chat.messages) for _ in range(2)]
    heard = await asyncio.gather(*(one.say("yes") for one in both))
    assert {each.run for each in heard if "approve" in each.content} == {asked.run}


@pytest.mark.requirement("openai-named-chats")
async def test_a_named_chat_takes_lone_messages_and_refuses_a_second_at_once(chats: Opening) -> None:
    chat = await chats()
    chat.extra = {"metadata": {"conversation_id": "my-chat"}}
    first = await chat.say("How many rows?")
    chat.messages = []
    second = await chat.say("And in 2023?")
    assert second.conversation == first.conversation
    assert "turns: 1" in second.content
    own = chat.branch([])
    own.extra = {"metadata": {"conversation_id": first.conversation}}
    assert (await own.say("And now?")).conversation == first.conversation


@pytest.mark.requirement("openai-named-chats")
async def test_a_task_of_the_chat_program_neither_answers_nor_enters_the_chat(chats: Opening) -> None:
    chat = await chats(asking)
    chat.headers = {"x-openwebui-chat-id": "c-1"}
    asked = await chat.say("Delete the rows")
    title = chat.branch([])
    task = await title.say("### Task:\nGenerate a concise title")
    assert task.conversation != asked.conversation
    assert (await state_of(chat, asked.run))["state"] == "waiting"
    # older messages left out, as programs do that run out of context
    chat.messages = chat.messages[-1:]
    assert (await chat.say("yes")).run == asked.run
    title.headers = {"x-tablewright-task": "title_generation"}
    with pytest.raises(openai.BadRequestError, match="turn them off"):
        await title.whole()


@pytest.mark.requirement("openai-leaving")
async def test_a_client_that_leaves_in_any_frame_leaves_a_run_that_goes_on(chats: Opening) -> None:
    chat = await chats(one_step)
    for frames in range(7):
        one = chat.branch([{"role": "user", "content": f"How many rows? {frames}"}])
        raw = await one.client.chat.completions.with_raw_response.create(
            model=one.model, messages=one.messages, stream=True
        )
        stream = raw.parse()
        read = 0
        partial = ""
        async for chunk in stream:
            if read == frames:
                break
            partial += chunk.choices[0].delta.content or ""
            read += 1
        await stream.close()
        run = raw.headers["x-request-id"]

        async def ended(run: str = run) -> bool | None:
            return (await state_of(chat, run))["state"] == "finished" or None

        await found(ended)
        assert (await state_of(chat, run))["outcome"] == "completed"
        one.messages.append({"role": "assistant", "content": partial})
        assert (await one.say("And?")).conversation == raw.headers["x-conversation-id"]


@pytest.mark.requirement("openai-leaving")
async def test_who_leaves_and_says_something_else_ends_what_is_still_worked_on(chats: Opening) -> None:
    never = asyncio.Event()

    async def slow_then_quick(given: AgentInput, context: AgentContext) -> Items:
        if given.question == "slow":
            yield TextDelta(text="Let me see")
            await never.wait()
        async for item in echoing(given, context):
            yield item

    chat = await chats(slow_then_quick)
    raw = await chat.client.chat.completions.with_raw_response.create(
        model=chat.model, messages=[{"role": "user", "content": "slow"}], stream=True
    )
    stream = raw.parse()
    async for chunk in stream:
        if chunk.choices[0].delta.content == "Let me see":
            break
    await stream.close()
    chat.messages = [{"role": "user", "content": "slow"}, {"role": "assistant", "content": "Let me"}]
    heard = await chat.say("quick")
    assert heard.conversation == raw.headers["x-conversation-id"]
    assert (await state_of(chat, raw.headers["x-request-id"]))["outcome"] == "cancelled"


async def test_a_request_that_is_sent_again_is_told_of_the_same_run(chats: Opening) -> None:
    chat = await chats()
    first = await chat.say("How many rows?", extra_query={})
    chat.messages.pop()
    chat.headers = {"x-stainless-retry-count": "1"}
    assert (await chat.whole()).run == first.run
    keyed = chat.branch([{"role": "user", "content": "Again"}])
    keyed.headers = {"idempotency-key": "k-1"}
    runs = {(await keyed.whole()).run for _ in range(2)}
    assert len(runs) == 1
    keyed.headers = {"idempotency-key": "k-2"}
    assert (await keyed.whole()).run not in runs


async def test_a_conversation_that_was_deleted_is_begun_anew(chats: Opening) -> None:
    chat = await chats()
    first = await chat.say("How many rows?")
    await chat.client.delete(f"/../api/v1/conversations/{first.conversation}", cast_to=httpx2.Response)
    second = await chat.say("And?")
    assert second.conversation != first.conversation
    assert "turns: 1" in second.content


@pytest.mark.requirement("openai-bad-input")
async def test_a_chat_of_2000_messages_is_taken_within_seconds(chats: Opening) -> None:
    chat = await chats()
    for number in range(1000):
        chat.messages += [{"role": "user", "content": f"q{number}"}, {"role": "assistant", "content": f"a{number}"}]
    async with asyncio.timeout(PATIENCE_S / 5):
        told = await chat.say("How many rows?")
    assert "turns: 10" in told.content
