"""What every store does with runs that wait until a time."""

from __future__ import annotations

import asyncio

from tablewright.domain.run import Run
from tablewright.domain.scope import SystemScope
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, SYSTEM, after, begun, end_of, run

OTHER = SystemScope(instance_id="i-2")


async def resting(store: Store, run_id: str = "r-1", *, wake_s: float | None = None) -> None:
    """Begin a run in a conversation of its own, and let it rest until so many seconds after `T0`."""
    await begun(store, run(run_id, conversation_id=f"c-{run_id}"))
    wake_at = None if wake_s is None else after(wake_s)
    assert await store.runs.rest(ANN, run_id, attempt=1, at=after(1), wake_at=wake_at)


async def due(store: Store, seconds: float, *, limit: int = 100) -> list[str]:
    """Return the ids of the runs that are due so many seconds after `T0`."""
    return [owned.run.id for owned in await store.instances.due(SYSTEM, now=after(seconds), limit=limit)]


async def claimed(store: Store, instance_id: str, *, attempt: int = 1) -> Run | None:
    """Claim the run for an instance."""
    return await store.runs.claim(
        ANN, "r-1", attempt=attempt, instance_id=instance_id, at=after(60), lease_until=after(75)
    )


class WakesConformance:
    """A waiting run may have a time at which it is to be woken, by exactly one instance."""

    async def test_a_run_is_due_from_its_time_on_and_not_before(self, store: Store) -> None:
        await resting(store, wake_s=60)
        assert (await store.runs.get(ANN, "r-1")).wake_at == after(60)
        assert await due(store, 59.999) == []
        assert await due(store, 60) == ["r-1"]
        (owned,) = await store.instances.due(OTHER, now=after(10_000))
        assert (owned.scope.tenant, owned.scope.owner, owned.run.attempt) == ("acme", "ann", 1)

    async def test_a_run_that_rests_without_a_time_is_never_due(self, store: Store) -> None:
        await resting(store)
        assert (await store.runs.get(ANN, "r-1")).wake_at is None
        assert await due(store, 1_000_000) == []

    async def test_those_that_were_due_first_come_first_and_not_all_at_once(self, store: Store) -> None:
        for run_id, wake_s in (("r-1", 30), ("r-2", 10), ("r-3", 20), ("r-4", 99)):
            await resting(store, run_id, wake_s=wake_s)
        assert await due(store, 50) == ["r-2", "r-3", "r-1"]
        assert await due(store, 50, limit=2) == ["r-2", "r-3"]

    async def test_a_run_that_was_claimed_is_not_due_and_has_no_time_any_more(self, store: Store) -> None:
        await resting(store, wake_s=60)
        taken = await claimed(store, "i-1")
        assert taken is not None
        assert taken.wake_at is None
        assert await due(store, 100) == []
        assert await store.runs.rest(ANN, "r-1", attempt=2, at=after(101))
        assert await due(store, 1_000) == []

    async def test_of_several_instances_that_find_a_run_due_one_claims_it(self, store: Store) -> None:
        await resting(store, wake_s=60)
        tries = await asyncio.gather(*(claimed(store, f"i-{number}") for number in range(6)))
        won = [one for one in tries if one is not None]
        assert [one.attempt for one in won] == [2]
        assert (await store.runs.get(ANN, "r-1")).owner_instance == won[0].owner_instance

    async def test_a_clock_that_goes_back_wakes_nothing_twice_and_loses_nothing(self, store: Store) -> None:
        await resting(store, wake_s=60)
        assert await due(store, 60) == ["r-1"]
        assert await due(store, -3_600) == []
        assert await due(store, 60) == ["r-1"]
        assert await claimed(store, "i-1") is not None
        assert await claimed(store, "i-2") is None
        assert await store.runs.rest(ANN, "r-1", attempt=2, at=after(-3_600), wake_at=after(60))
        assert await due(store, 60) == ["r-1"]

    async def test_a_run_that_has_ended_is_not_due(self, store: Store) -> None:
        await resting(store, wake_s=60)
        await store.log.append(ANN, end_of(at=after(30)))
        assert (await store.runs.get(ANN, "r-1")).wake_at is None
        assert await due(store, 100) == []
