"""The wire of OpenAI on fake parts, behind a real server, driven by OpenAI's own SDK."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from openai import AsyncOpenAI
from tests.support.chat_client import ChatClient, Opening, echoing, served
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import Script

from tablewright.api.access import Access
from tablewright.domain.scope import Scope

KEYS = {
    "tw_ann": Scope(tenant="local", owner="ann"),
    "tw_bob": Scope(tenant="local", owner="bob"),
    "tw_eve": Scope(tenant="globex", owner="ann"),
}


@pytest.fixture
async def chats(tmp_path: Path) -> AsyncIterator[Opening]:
    """Return what opens a chat with a script behind it; the first call starts the server."""
    async with AsyncExitStack() as stack:
        urls: list[str] = []

        async def opened(
            script: Script = echoing, *, key: str = "tw_ann", keyless: bool = True, **more: str
        ) -> ChatClient:
            if not urls:
                access = Access(keyless=keyless, read_key=KEYS.get)
                urls.append(await stack.enter_async_context(served(FakeParts(folder=tmp_path, script=script), access)))
            client = AsyncOpenAI(base_url=urls[0], api_key=key, max_retries=0, timeout=PATIENCE_S)
            return ChatClient(client=await stack.enter_async_context(client), **more)  # type: ignore[arg-type]

        yield opened
