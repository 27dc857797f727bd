"""What messages of OpenAI's wire bring along, what is streamed of an answer, and what is refused."""

from __future__ import annotations

import base64
from typing import Any

import openai
import pytest
from tests.support.chat_client import TABLE, Opening
from tests.support.parts import one_step
from tests.support.service_bench import Items

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, TextDelta, ThinkingDelta, UsageReported
from tablewright.errors import ModelOverloaded, RunLimit

MARKDOWN = "## Sales\n\n| city | amount |\n|:--|--:|\n| Beijing | 1\\|2 |\n| Shanghai | 80 |\n\nHow many rows?"


def data(content: bytes, mime: str = "text/csv") -> str:
    return f"data:{mime};base64,{base64.b64encode(content).decode()}"


def carrying(content: bytes, name: str = "sales.csv") -> list[dict[str, Any]]:
    part = {"type": "file", "file": {"filename": name, "file_data": data(content)}}
    return [{"type": "text", "text": "How many rows?"}, part]


@pytest.mark.requirement("openai-files-of-messages")
async def test_a_file_in_a_message_is_stored_once_in_its_conversation(chats: Opening) -> None:
    chat = await chats(one_step)
    assert (await chat.say(carrying(TABLE))).content.startswith("There are 2 rows.")
    assert (await chat.say(carrying(TABLE))).content.startswith("There are 2 rows.")
    files = (await chat.client.files.list()).data
    assert [(file.filename, file.purpose) for file in files] == [("sales.csv", "user_data")]


@pytest.mark.requirement("openai-files-of-messages")
async def test_tables_written_into_messages_and_context_are_data_sets(chats: Opening) -> None:
    chat = await chats()
    chat.messages = [{"role": "system", "content": "Use this:\n\n|a|b|\n|-|-|\n|1|2|\n"}]
    told = await chat.say(MARKDOWN)
    assert "You said: ## Sales" in told.content
    assert "Beijing" not in told.content
    assert "tables: 2" in told.content
    assert "tables: 2" in (await chat.say("And?")).content
    files = {file.filename: file.id for file in (await chat.client.files.list()).data}
    assert set(files) == {"Sales.csv", "table.csv"}
    content = await chat.client.files.content(files["Sales.csv"])
    assert content.read() == b"city,amount\nBeijing,1|2\nShanghai,80\n"


@pytest.mark.requirement("openai-files-of-messages")
async def test_files_of_earlier_messages_come_along_where_a_chat_is_new_here(chats: Opening) -> None:
    chat = await chats()
    broken = {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,%%%"}}
    chat.messages = [
        {"role": "user", "content": [*carrying(TABLE), broken, {"type": "image_url", "image_url": {"url": "x"}}]},
        {"role": "assistant", "content": "I am another model."},
    ]
    assert "turns: 1, tables: 1" in (await chat.say("How many rows?")).content


async def counted(given: AgentInput, context: AgentContext) -> Items:
    yield ThinkingDelta(text="Hmm.")
    yield UsageReported(model="m", input_tokens=10, output_tokens=5, cached_tokens=4)
    yield TextDelta(text="There are ")
    yield TextDelta(text="two.")
    yield UsageReported(model="m", input_tokens=20, output_tokens=2)
    yield AnswerCompleted(answer=Answer(text="There are two.", outcome="completed"))


@pytest.mark.requirement("openai-streams")
async def test_what_is_streamed_is_what_is_answered_whole_with_true_counts(chats: Opening) -> None:
    chat = await chats(counted)
    chat.messages = [{"role": "user", "content": "How many rows?"}]
    whole, streamed = await chat.whole(), await chat.streamed()
    assert streamed.chunks[0].choices[0].delta.role == "assistant"
    assert {chunk.id for chunk in streamed.chunks} == {f"chatcmpl-{streamed.run}"}
    assert {chunk.object for chunk in streamed.chunks} == {"chat.completion.chunk"}
    for heard in (whole, streamed):
        assert heard.content == "There are two."
        assert heard.reasoning == "Hmm."
        assert heard.finish == "stop"
        assert (heard.usage.prompt_tokens, heard.usage.completion_tokens, heard.usage.total_tokens) == (30, 7, 37)
        assert heard.usage.prompt_tokens_details.cached_tokens == 4


@pytest.mark.requirement("openai-streams")
async def test_steps_with_their_output_are_reasoning_and_the_table_is_content(chats: Opening) -> None:
    chat = await chats(one_step)
    heard = await chat.say(carrying(TABLE), stream=True)
    assert heard.reasoning == "**数行**\n```\ncounting\n```\n"
    assert heard.content == "There are 2 rows."


async def failing(given: AgentInput, context: AgentContext) -> Items:
    yield TextDelta(text="I begin")
    if "limit" in given.question:
        raise RunLimit(limit="steps", value=10)
    raise ModelOverloaded(model="m")


@pytest.mark.requirement("openai-errors")
@pytest.mark.parametrize(("words", "status", "code"), [("x", 503, "model_overloaded"), ("limit", 400, "run_limit")])
async def test_a_run_that_fails_is_an_error_whole_and_streamed(
    chats: Opening, words: str, status: int, code: str
) -> None:
    chat = await chats(failing)
    with pytest.raises(openai.APIStatusError) as whole:
        await chat.say(words)
    assert whole.value.status_code == status
    assert whole.value.code == code
    chat.messages = [{"role": "user", "content": words}]
    with pytest.raises(openai.APIError) as streamed:
        await chat.streamed()
    assert streamed.value.code == code


async def stopped(given: AgentInput, context: AgentContext) -> Items:
    yield AnswerCompleted(answer=Answer(text="So far: 2.", outcome="completed", stopped_by="steps"))


async def test_an_answer_that_a_limit_ended_says_so_in_words_and_as_its_finish(chats: Opening) -> None:
    heard = await (await chats(stopped)).say("How many rows?")
    words = "The limit on turns was reached; the answer may be incomplete."
    assert (heard.content, heard.finish) == (f"So far: 2.\n\n{words}", "length")


HI = {"role": "user", "content": "hi"}
PNG = data(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03", "image/png")
WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}]}, "tools", "not supported"),
    ({"functions": [{"name": "f", "parameters": {}}]}, "functions", "not supported"),
    ({"tool_choice": "required"}, "tool_choice", "not supported"),
    ({"n": 2}, "n", "not supported"),
    ({"response_format": {"type": "json_object"}}, "response_format", "not supported"),
    ({"modalities": ["text", "audio"]}, "modalities", "not supported"),
    ({"logprobs": True}, "logprobs", "not supported"),
    ({"stop": ["\n"]}, "stop", "not supported"),
    ({"messages": []}, "messages", "1 or more"),
    ({"messages": [{"role": "robot", "content": "x"}, HI]}, "messages[0].role", "robot"),
    ({"messages": [HI, {"role": "assistant", "content": "I"}]}, "messages[1].role", "user"),
    ({"messages": [{"role": "user", "content": 7}]}, "messages.0.content.str", "text"),
    ({"messages": [{"role": "user", "content": "  "}]}, "messages", "no question"),
    ({"messages": [{"role": "user", "content": None}]}, "messages", "no question"),
    ({"metadata": {"approvals": "never"}}, "metadata.approvals", "ask"),
]
PARTS: list[tuple[dict[str, Any], str, str]] = [
    ({"type": "image_url", "image_url": {"url": PNG}}, "", "looked at"),
    ({"type": "image_url", "image_url": {"url": data(b"no image", "image/png")}}, "", "is none"),
    ({"type": "image_url", "image_url": {"url": data(b"\x89PNG\r\n\x1a\n", "image/png")}}, "", "broken off"),
    ({"type": "image_url", "image_url": {"url": "data:image/png;base64,§"}}, "", "base64"),
    ({"type": "image_url", "image_url": {"url": "http://169.254.169.254/"}}, "", "not fetched"),
    ({"type": "image_file", "image_file": {"file_id": "x"}}, "", "looked at"),
    ({"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}, ".type", "input_audio"),
    ({"type": "text"}, "", "lacks"),
    ({"type": "file"}, "", "lacks"),
    ({"type": "file", "file": {"filename": "a.csv"}}, "", "lacks"),
    ({"type": "file", "file": {"file_data": "https://example.org/a.csv"}}, ".file.file_data", "base64"),
    ({"type": "file", "file": {"filename": "a.csv", "file_data": data(b"a,b\n\0")}}, ".file.file_data", "a.csv"),
]


@pytest.mark.requirement("openai-bad-input")
async def test_what_there_is_not_is_refused_by_name(chats: Opening) -> None:
    chat = await chats()
    for wrong, param, says in WRONG:
        with pytest.raises(openai.BadRequestError) as refused:
            await chat.client.chat.completions.create(**{"model": chat.model, "messages": [HI], **wrong})
        error = refused.value
        assert (error.param, error.type) == (param, "invalid_request_error"), wrong
        assert says in error.message, wrong
        assert error.response.headers["x-should-retry"] == "false"


IMAGES = {
    PNG: "chat_image_unread",
    data(b"no image", "image/png"): "chat_image_none",
    "http://169.254.169.254/": "chat_image_address",
}


@pytest.mark.requirement("openai-bad-input")
@pytest.mark.parametrize("url", IMAGES)
async def test_a_refused_image_has_the_code_of_its_reason(chats: Opening, url: str) -> None:
    chat = await chats()
    with pytest.raises(openai.BadRequestError) as refused:
        await chat.say([{"type": "image_url", "image_url": {"url": url}}])
    assert refused.value.code == IMAGES[url]


@pytest.mark.requirement("openai-bad-input")
async def test_parts_that_cannot_be_used_are_refused_by_place_and_leave_nothing(chats: Opening) -> None:
    chat = await chats()
    for part, param, says in PARTS:
        chat.messages.clear()
        with pytest.raises(openai.BadRequestError) as refused:
            await chat.say([{"type": "text", "text": "How many rows?"}, part])
        assert refused.value.param == f"messages[0].content[1]{param}"
        assert says in refused.value.message, part
    assert (await chat.client.files.list()).data == []
    conversations = await chat.client.get("/../api/v1/conversations", cast_to=dict[str, Any])
    assert conversations["items"] == []


@pytest.mark.requirement("openai-bad-input")
async def test_10_megabytes_are_refused_as_text_and_taken_as_a_table(chats: Opening) -> None:
    chat = await chats()
    for words in ("x" * 10_000_000, "-" * 10_000_000, "|" * 10_000_000, "|-|\n" * 2_500_000):
        with pytest.raises(openai.BadRequestError, match=r"100000|no question"):
            await chat.say(words)
        chat.messages.clear()
    rows = "".join(f"| {number} | x |\n" for number in range(100_000))
    assert "tables: 1" in (await chat.say(f"How many?\n\n| n | x |\n|---|---|\n{rows}")).content
    with pytest.raises(openai.APIStatusError) as larger:
        await chat.say("x" * 37 * 1024**2)
    assert larger.value.status_code == 413
    assert "36" in larger.value.message


async def test_a_model_that_there_is_not_and_a_file_of_another_are_not_found(chats: Opening) -> None:
    chat = await chats()
    for name in ("gpt-4", "tablewright-plan-nothing", "tablewright@nobody:x", "§"):
        with pytest.raises(openai.NotFoundError) as unknown:
            await chat.client.chat.completions.create(model=name, messages=[HI])  # type: ignore[list-item]
        assert (unknown.value.code, unknown.value.param) == ("model_not_found", "model")
    made = await chat.client.files.create(file=("a.csv", TABLE), purpose="user_data")
    bob = await chats(key="tw_bob")
    with pytest.raises(openai.NotFoundError) as foreign:
        await bob.say([{"type": "file", "file": {"file_id": made.id}}, {"type": "text", "text": "How many?"}])
    assert foreign.value.param == "messages[0].content[0].file.file_id"


async def test_an_error_is_in_the_language_of_the_message(chats: Opening) -> None:
    chat = await chats()
    with pytest.raises(openai.BadRequestError, match="不支持“n”"):
        await chat.say("一共有多少行？", n=2)


async def test_models_are_the_modes_that_there_are(chats: Opening) -> None:
    chat = await chats()
    names = [model.id async for model in chat.client.models.list()]
    assert {"tablewright", "tablewright-analyze", "tablewright-edit", "tablewright-report"} <= set(names)
    for name in names:
        assert (await chat.client.models.retrieve(name)).id == name
    with pytest.raises(openai.NotFoundError):
        await chat.client.models.retrieve("a/b")
