"""What an agent emits reaches whoever iterates in order, and is stored before an effect outside."""

from __future__ import annotations

import asyncio

from tablewright.agent.emission import Emit, Item, closing, emitted, stored
from tablewright.domain.events import TextDelta

SAID = [TextDelta(text=str(at)) for at in range(3)]


async def test_all_that_was_emitted_is_taken_before_it_counts_as_stored() -> None:
    taken: list[Item] = []
    known: list[int] = []

    async def store() -> None:
        known.append(len(taken))

    async def work(emit: Emit) -> None:
        for item in SAID:
            emit(item)
        await stored(emit, store)
        emit(SAID[0])
        await stored(emit, store)

    async for item in emitted(work):
        await asyncio.sleep(0)  # whoever takes it waits for the log now and then
        taken.append(item)
    assert taken == [*SAID, SAID[0]]
    assert known == [3, 4]


async def test_nobody_waits_for_what_is_no_longer_taken() -> None:
    ended: list[str] = []

    async def work(emit: Emit) -> None:
        emit(SAID[0])
        try:
            emit(SAID[1])
            await stored(emit, None)
            await asyncio.sleep(60)
        finally:
            ended.append("cleaned up")

    async with closing(emitted(work)) as items:
        async for _ in items:
            break
    assert ended == ["cleaned up"]
