"""What the first question needs beside its file, made while the file is read."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from tablewright.bootstrap.loader import AGENTS, BUILTIN_ANALYST, GRAMMAR, REHEARSE, load
from tablewright.data.base import FileProfile
from tablewright.domain.answer import Answer
from tablewright.domain.codec import prepare
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.message import Message

CONVERTED = (FileProfile, tuple[DatasetFacts, ...], Message, Answer)
"""What is read and written with nearly every question."""


def rehearse_once(asked: asyncio.Event, stack: AsyncExitStack) -> None:
    """Rehearse in a thread once `asked` is set, as then there is nothing else to do; over when `stack` is closed."""
    task = asyncio.create_task(_rehearsed(asked), name="rehearsal")

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)


async def _rehearsed(asked: asyncio.Event) -> None:
    await asked.wait()
    await asyncio.to_thread(rehearse)


def rehearse() -> None:
    """Import agents and the analyst, let it read what it knows, and make what converts events and profiles."""
    for name in (AGENTS, BUILTIN_ANALYST, f"{GRAMMAR}:readings"):
        load(name)
    load(REHEARSE)()
    prepare(*CONVERTED)
