"""The product through OpenAI's SDK: with the built-in analyst, with a language model, and over a restart."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import httpx2
import pytest
from openai import AsyncOpenAI
from tests.support.chat_client import ChatClient
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S
from tests.support.wire import Counted, Say, Think


def sdk(url: str) -> AsyncOpenAI:
    return AsyncOpenAI(base_url=f"{url}/v1", api_key="local", timeout=PATIENCE_S)


async def about(client: AsyncOpenAI, table: Path, text: str) -> list[dict[str, Any]]:
    made = await client.files.create(file=table, purpose="user_data")
    return [{"type": "text", "text": text}, {"type": "file", "file": {"file_id": made.id}}]


@pytest.mark.requirement("openai-sdk")
async def test_the_built_in_analyst_answers_and_takes_the_follow_up(commands: Commands, sales: Path) -> None:
    async with commands.serving() as (url, _), sdk(url) as client:
        chat = ChatClient(client=client, model="tablewright")
        question = await about(client, sales, "What is the total amount by city?")
        first = await chat.say(question, stream=True)
        assert "| Beijing | 150.5 |" in first.content
        assert "read_csv" in first.reasoning
        assert first.usage.total_tokens == 0
        second = await chat.say("And the average?")
        assert "75.25" in second.content
        assert second.conversation == first.conversation
        declined = await chat.say("What is the weather in Leeds tomorrow?")
        assert declined.finish == "stop"
        async with httpx2.AsyncClient() as http:
            run = (await http.get(f"{url}/api/v1/runs/{declined.run}")).json()
        assert run["outcome"] == "declined"


@pytest.mark.requirement("openai-sdk")
async def test_a_plan_is_agreed_to_after_a_restart(commands: Commands, sales: Path) -> None:
    async with commands.serving() as (url, process), sdk(url) as client:
        chat = ChatClient(client=client, model="tablewright-edit")
        asked = await chat.say(await about(client, sales, "sort by amount and highlight the top 2"))
        assert "Reply **yes**" in asked.content
        process.send_signal(signal.SIGKILL)
        await process.wait()
    async with commands.serving() as (url, _), sdk(url) as client:
        chat.client = client
        done = await chat.say("yes")
        assert done.run == asked.run
        assert done.content.startswith("Done:")
        link = done.content.rpartition("](")[2].rstrip(")")
        async with httpx2.AsyncClient() as http:
            workbook = (await http.get(link)).content
        assert workbook.startswith(b"PK")


@pytest.mark.requirement("openai-sdk")
async def test_a_language_model_answers_with_its_reasoning_and_its_count(commands: Commands) -> None:
    async with FakeOpenAI() as model:
        count = Counted(input_tokens=30, output_tokens=9, cached_tokens=20)
        model.says(Think(text="Simple."), Say(text="A mean is "), Say(text="an average."), count=count)
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        async with commands.serving() as (url, _), sdk(url) as client:
            chat = ChatClient(client=client, model="tablewright-analyze@openai:fake")
            told = await chat.say("What is a mean?", stream=True)
            assert told.content == "A mean is an average."
            assert told.reasoning == "Simple."
            assert (told.usage.prompt_tokens, told.usage.completion_tokens) == (30, 9)
            assert told.usage.prompt_tokens_details.cached_tokens == 20
            assert told.chunks[0].model == "tablewright-analyze@openai:fake"


@pytest.mark.requirement("openai-sdk")
async def test_a_language_model_that_is_away_is_an_error_of_the_wire(commands: Commands) -> None:
    commands.environ = {
        "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": "http://127.0.0.1:9/v1",
        "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
    }
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        body = {"model": "tablewright-analyze@openai:x", "messages": [{"role": "user", "content": "What is a mean?"}]}
        got = await http.post("/v1/chat/completions", json=body)
        assert got.status_code == 502
        assert got.json()["error"]["code"] == "model_unreachable"
        streamed = (await http.post("/v1/chat/completions", json={**body, "stream": True})).text
        last = streamed.strip().splitlines()[-1].removeprefix("data: ")
        assert json.loads(last)["error"]["type"] == "server_error"
