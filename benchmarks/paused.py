"""Measures what a run of a workflow takes while it waits for a person.

    .venv/bin/python -m benchmarks.paused [--runs 500] [--url URL]

So many conversations begin a workflow of five nodes that asks, looks something up by a tool, and asks again; each has
answered the first question and waits with the second. Printed are the bytes of the process per waiting run, as
`tracemalloc` counts them after a collection, over the second half of the runs; the tasks that are left beside those
before the runs began; and the bytes of the database per run, its conversation and its log included. Without a URL a new
SQLite file is written; a PostgreSQL database is given as `postgresql+psycopg://…` and must be empty.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import tempfile
import tracemalloc
from pathlib import Path

from sqlalchemy import text
from tests.support.chat_bench import ChatBench
from tests.support.workflow_bench import node, workflow

from tablewright.store.sql import SqlStore

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


async def paused(chat: ChatBench, count: int) -> None:
    """Have `count` conversations wait with their second question."""
    for number in range(count):
        conversation = await chat.conversation()
        await chat.say(conversation, "begin")
        asked = await chat.say(conversation, f"a{number}")
        assert asked[-1].type == "[NODE_WAIT_FEEDBACK_BY_two]", asked[-1]
        for agent in chat.bench.agents:
            agent.given.clear()  # what they were given is kept for tests


async def stored_bytes(store: SqlStore) -> int:
    """Return the size of the database."""
    sizes = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    whole = sizes if store.database.is_sqlite else "SELECT pg_database_size(current_database())"
    async with store.database.read() as connection:
        return int((await connection.execute(text(whole))).scalar_one())


def traced_bytes() -> int:
    """Return what is allocated, after a collection."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--url", default="")
    given = parser.parse_args()
    half = max(1, given.runs // 2)
    with tempfile.TemporaryDirectory() as folder:
        store = SqlStore(given.url or f"sqlite+aiosqlite:///{folder}/store.db")
        await store.open()
        chat = ChatBench(Path(folder), (TWICE,), store=store)
        await paused(chat, 3)  # what is kept once, whatever the number of runs
        tasks, stored = len(asyncio.all_tasks()), await stored_bytes(store)
        tracemalloc.start()
        await paused(chat, half)
        before = traced_bytes()
        await paused(chat, half)
        figures = {
            "waiting": 2 * half + 3,
            "process_bytes_per_run": round((traced_bytes() - before) / half),
            "tasks_left": len(asyncio.all_tasks()) - tasks,
            "stored_bytes_per_run": round((await stored_bytes(store) - stored) / (2 * half)),
        }
        print(json.dumps(figures))
        await chat.close()
        await store.close()


if __name__ == "__main__":
    asyncio.run(main())
