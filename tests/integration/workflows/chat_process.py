"""A server of a chat with workflows, told line by line: `python -m … URL FOLDER LATER`, with the conversation and the
words. Its clock stands, `LATER` seconds after that of others.

Each line is a JSON list `[conversation, words]` and is answered, once that has ended, with the frames of the stream as
a JSON list; without words, the workflow of the conversation is cancelled. A number lets so many seconds pass, and is
answered with itself.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Any

from tests.support.chat_bench import ORDERS, STOCK, ChatBench
from tests.support.workflow_bench import node, workflow

from tablewright.domain.ids import ManualClock, Uuid7Ids
from tablewright.errors import TablewrightError
from tablewright.service.runs.leases import process_alive, this_instance
from tablewright.store.sql import SqlStore

SLOW = workflow(
    [node("start", "start"), node("wait", "tool", tool="never"), node("end", "end", text="x")],
    "start > wait > end",
    name="slow",
    examples=["慢慢来"],
)


async def never(_given: Mapping[str, Any], _key: str) -> str:
    """Work without end, and without a sign."""
    await asyncio.Event().wait()
    return ""


async def main(url: str, folder: Path, later_s: float) -> None:
    """Serve until the input ends."""
    store, clock = SqlStore(url), ManualClock()
    await store.open()
    await clock.advance(later_s)
    instance = this_instance(Uuid7Ids().new(), clock.now())
    flows, functions = (ORDERS, STOCK, SLOW), {"never": never}
    chat = ChatBench(
        folder, flows, store=store, instance=instance, alive=process_alive, clock=clock, functions=functions
    )
    await chat.bench.runs.open_up()
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    talks: set[asyncio.Task[None]] = set()
    while line := await lines.readline():
        match json.loads(line):
            case [conversation_id, words]:
                talks.add(asyncio.create_task(_told(_answered(chat, conversation_id, words))))
            case seconds:
                await clock.advance(seconds)
                await _told(_same(seconds))
    await asyncio.gather(*talks)
    await chat.close()
    await store.close()


async def _told(answer: Awaitable[object]) -> None:
    sys.stdout.write(f"{json.dumps(await answer)}\n")
    sys.stdout.flush()


async def _same(value: object) -> object:
    return value


async def _answered(chat: ChatBench, conversation_id: str, words: str) -> list[dict[str, object]]:
    conversation = await chat.bench.conversations.get(chat.scope, conversation_id)
    if not words:
        await chat.chat.cancel(chat.scope, conversation_id)
        return []
    try:
        return [frame.model_dump(by_alias=True) for frame in await chat.say(conversation, words)]
    except TablewrightError as error:
        return [{"type": "refused", "content": error.code}]


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])))
