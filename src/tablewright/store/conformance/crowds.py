"""What every store does when many write to the same trees of runs at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from tablewright.domain.run import Run
from tablewright.store.base import Store
from tablewright.store.conformance.children import child, started
from tablewright.store.conformance.examples import (
    ANN,
    LEASE,
    SYSTEM,
    T0,
    after,
    batch,
    begun,
    end_of,
    progress,
    run,
)
from tablewright.store.run_store import Batch

TREES = 6
CHILDREN = 6
APPENDS = 8


def _below(top_id: str) -> list[Run]:
    numbers = range(1, CHILDREN + 1)
    return [replace(child(number, top_id), top_id=top_id, conversation_id=f"c-{top_id}") for number in numbers]


def _of(one: Run, written: Batch) -> Batch:
    return replace(written, run_id=one.id, top_id=one.top_id)


async def _begin_trees(store: Store, trees: Sequence[str]) -> list[str]:
    """Begin runs with children; return the ids of all."""
    for top_id in trees:
        await begun(store, run(top_id, conversation_id=f"c-{top_id}"))
        for one in _below(top_id):
            await store.runs.begin_child(ANN, one, started(one), parent_attempt=1)
    return [one for top_id in trees for one in (top_id, *(below.id for below in _below(top_id)))]


async def _beat(store: Store, names: Sequence[str], done: asyncio.Event) -> None:
    while not done.is_set():
        await asyncio.sleep(0)  # a store that never waits lets nobody else on
        for order in (names, names[::-1]):
            await store.instances.beat(SYSTEM, at=T0, run_ids=order, lease_until=T0 + LEASE)


async def _tell(store: Store, one: Run) -> None:
    for number in range(APPENDS):
        await store.log.append(ANN, _of(one, batch(*progress(1, number))))


async def _work_and_end(store: Store, top_id: str) -> None:
    """Have all children tell, end every other one, and end the whole tree with the rest."""
    below = _below(top_id)
    await asyncio.gather(*(_tell(store, one) for one in below))
    await asyncio.gather(*(store.log.append(ANN, _of(one, end_of(one.id))) for one in below[1::2]))
    await store.runs.request_cancel(ANN, top_id, at=after(1))
    await store.log.append(ANN, end_of(top_id))


class CrowdsConformance:
    """However writers meet, none is refused because of another: they wait for each other, in one order."""

    async def test_beats_appends_and_ends_of_the_same_trees_wait_for_each_other(self, store: Store) -> None:
        trees = [f"r-{number}" for number in range(1, TREES + 1)]
        names = await _begin_trees(store, trees)
        done = asyncio.Event()
        async with asyncio.TaskGroup() as everyone:
            for _ in range(3):
                everyone.create_task(_beat(store, names, done))
            await asyncio.gather(*(_work_and_end(store, top_id) for top_id in trees))
            done.set()
        for top_id in trees:
            stream = await store.log.events(ANN, top_id)
            assert [event.seq for event in stream] == list(range(1, len(stream) + 1))
            assert len(stream) == 2 + CHILDREN * (APPENDS + 2)
            assert (await store.runs.get(ANN, top_id)).state == "finished"
