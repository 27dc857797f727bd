"""Offered readings in a chat: told with numbers, and chosen by the next message."""

from __future__ import annotations

from pathlib import Path

from openai import AsyncOpenAI
from tests.support.chat_client import ChatClient, served
from tests.support.offers import OPTIONS, QUESTION, ROWS, regions_sandbox, unsure_analyst
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.api.access import Access
from tablewright.domain.scope import Scope
from tablewright.models.base import BUILTIN
from tablewright.models.catalogue import Models


async def test_the_next_message_chooses_one(tmp_path: Path) -> None:
    parts = FakeParts(
        folder=tmp_path,
        script=CodeAnalyst().run,
        running=await regions_sandbox(),
        models=Models({BUILTIN: unsure_analyst()}),
    )
    access = Access(keyless=True, read_key={"tw_ann": Scope(tenant="local", owner="ann")}.get)
    async with (
        served(parts, access) as url,
        AsyncOpenAI(base_url=url, api_key="tw_ann", max_retries=0, timeout=PATIENCE_S) as client,
    ):
        chat = ChatClient(client=client)
        file = await client.files.create(file=("orders.csv", b"line\nEast\nWest\n"), purpose="user_data")
        asked = [{"type": "text", "text": QUESTION}, {"type": "file", "file": {"file_id": file.id}}]
        first = await chat.say(asked)
        assert all(f"{number}. {option}" in first.content for number, option in enumerate(OPTIONS, 1))
        second = await chat.say("2")
        assert second.run == first.run
        assert str(ROWS["West"]) in second.content.replace(",", "")
