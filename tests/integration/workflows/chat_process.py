"""A server of a chat with workflows, told line by line: `python -m … URL FOLDER`, with the conversation and the words.

Each line is a JSON list `[conversation, words]` and is answered with the frames of the stream as a JSON list; without
words, the workflow of the conversation is cancelled.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from tests.support.chat_bench import ChatBench

from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.errors import TablewrightError
from tablewright.service.runs.leases import process_alive, this_instance
from tablewright.store.sql import SqlStore


async def main(url: str, folder: Path) -> None:
    """Serve until the input ends."""
    store = SqlStore(url)
    await store.open()
    instance = this_instance(Uuid7Ids().new(), SystemClock().now())
    chat = ChatBench(folder, store=store, instance=instance, alive=process_alive)
    await chat.bench.runs.open_up()
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        conversation_id, words = json.loads(line)
        sys.stdout.write(f"{json.dumps(await _answered(chat, conversation_id, words))}\n")
        sys.stdout.flush()
    await chat.close()
    await store.close()


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
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
