"""Tests of schedules and their firings."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tablewright.domain.run import RunFailure
from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.workflow.schedules import Firing, ScheduledFile, Webhook, WorkflowSchedule
from tablewright.errors import NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import (
    ANN,
    BOB,
    OTHER_TENANT,
    SYSTEM,
    T0,
    after,
    begun,
    end_of,
    refused,
    run,
)

OTHER = SystemScope(instance_id="i-2")


def schedule(schedule_id: str = "s-1", *, next_s: float | None = 60) -> WorkflowSchedule:
    """Make a schedule that is due so many seconds after `T0`."""
    return WorkflowSchedule(
        id=schedule_id,
        workflow_id="w-1",
        name="月报",
        when="every monday 08:00",
        time_zone="Asia/Shanghai",
        created_at=T0,
        updated_at=T0,
        next_at=None if next_s is None else after(next_s),
        inputs={"month": "五月", "limit": 1.5},
        files=(ScheduledFile(newest="sales*.csv"),),
        webhook=Webhook(url="https://example.org", sealed="sealed"),
    )


def firing(firing_id: str = "f-1", *, schedule_id: str = "s-1", due_s: float = 60) -> Firing:
    """Make a firing that its maker holds until 15 s after it was due."""
    return Firing(
        id=firing_id, schedule_id=schedule_id, due_at=after(due_s), fired_at=after(due_s), act_at=after(due_s + 15)
    )


async def fired(store: Store, firing_id: str = "f-1", *, due_s: float = 60, next_s: float | None = 120) -> bool:
    """Fire the schedule `s-1`."""
    next_at = None if next_s is None else after(next_s)
    made = firing(firing_id, due_s=due_s)
    return await store.schedules.fire(ANN, made, expected=after(due_s), next_at=next_at)


async def due(store: Store, seconds: float) -> list[str]:
    """Return the ids of the firings with something to do, so many seconds after `T0`."""
    return [one.firing.id for one in await store.schedules.due(SYSTEM, now=after(seconds))]


class SchedulesConformance:
    """What is kept of schedules, and for whom."""

    async def test_a_schedule_is_kept_as_it_is_and_listed_to_its_owner(self, store: Store) -> None:
        await store.schedules.add(ANN, schedule("s-2", next_s=None))
        await store.schedules.add(ANN, schedule("s-1"))
        await store.schedules.add(BOB, schedule("s-3"))
        assert await store.schedules.get(ANN, "s-1") == schedule("s-1")
        assert await store.schedules.all(ANN) == (schedule("s-1"), schedule("s-2", next_s=None))
        assert await store.schedules.all(OTHER_TENANT) == ()

    async def test_a_saved_schedule_replaces_the_one_before(self, store: Store) -> None:
        await store.schedules.add(ANN, schedule())
        changed = replace(schedule(), paused=True, next_at=None, name="Report", webhook=None)
        await store.schedules.save(ANN, changed)
        assert await store.schedules.get(ANN, "s-1") == changed

    async def test_nobody_else_reads_changes_or_removes_one(self, store: Store) -> None:
        await store.schedules.add(ANN, schedule())
        for scope in (BOB, OTHER_TENANT, Scope(tenant="acme", owner="bob", operator=True)):
            for attempt in (
                store.schedules.get(scope, "s-1"),
                store.schedules.save(scope, schedule()),
                store.schedules.remove(scope, "s-1"),
                store.schedules.firings(scope, "s-1"),
            ):
                with refused(NotFound):
                    await attempt
            assert not await store.schedules.fire(scope, firing(), expected=after(60), next_at=None)
        assert await store.schedules.get(ANN, "s-1") == schedule()

    async def test_a_removed_schedule_is_gone_with_its_firings(self, store: Store) -> None:
        await store.schedules.add(ANN, schedule())
        assert await fired(store)
        await store.schedules.remove(ANN, "s-1")
        assert await due(store, 1_000) == []
        assert await store.schedules.ripe(SYSTEM, now=after(1_000)) == ()
        with refused(NotFound):
            await store.schedules.firings(ANN, "s-1")
        assert not await store.schedules.claim(SYSTEM, "f-1", attempt=1, act_at=after(90))


class FiringsConformance:
    """Each time fires once; what has begun is gone on with by one at a time."""

    async def test_schedules_are_ripe_from_their_time_on_the_longest_due_first(self, store: Store) -> None:
        for schedule_id, next_s in (("s-1", 60), ("s-2", 30), ("s-3", None), ("s-4", 90)):
            await store.schedules.add(ANN, schedule(schedule_id, next_s=next_s))
        ripe = await store.schedules.ripe(OTHER, now=after(60))
        assert [one.schedule.id for one in ripe] == ["s-2", "s-1"]
        assert (ripe[0].scope.tenant, ripe[0].scope.owner) == ("acme", "ann")
        assert await store.schedules.ripe(OTHER, now=after(29.999)) == ()

    async def test_of_many_who_fire_one_time_one_does(self, store: Store) -> None:
        await store.schedules.add(ANN, schedule())
        told = await asyncio.gather(*(fired(store, f"f-{number}") for number in range(4)))
        assert sorted(told) == [False, False, False, True]
        assert len(await store.schedules.firings(ANN, "s-1")) == 1
        assert (await store.schedules.get(ANN, "s-1")).next_at == after(120)

    async def test_a_paused_schedule_does_not_fire(self, store: Store) -> None:
        await store.schedules.add(ANN, schedule())
        await store.schedules.save(ANN, replace(schedule(), paused=True, next_at=None))
        assert not await fired(store)

    async def test_a_firing_is_held_until_its_time_and_then_by_the_first_who_claims_it(self, store: Store) -> None:
        await store.schedules.add(ANN, schedule())
        assert await fired(store)
        assert await due(store, 74.999) == []
        assert await due(store, 75) == ["f-1"]
        told = await asyncio.gather(
            *(store.schedules.claim(OTHER, "f-1", attempt=1, act_at=after(90)) for _ in range(3))
        )
        assert sorted(told) == [False, False, True]
        assert await due(store, 89) == []
        (kept,) = await store.schedules.firings(ANN, "s-1")
        assert (kept.attempt, kept.act_at) == (2, after(90))

    async def test_who_lost_a_firing_cannot_change_it(self, store: Store) -> None:
        await store.schedules.add(ANN, schedule())
        await fired(store)
        await store.schedules.claim(OTHER, "f-1", attempt=1, act_at=after(90))
        assert not await store.schedules.advance(SYSTEM, replace(firing(), stage="ended"))
        failure = RunFailure(code="not_found", params={"id": "x"})
        ended = replace(firing(), attempt=2, stage="ended", act_at=None, outcome="refused", failure=failure)
        assert await store.schedules.advance(SYSTEM, ended)
        assert await store.schedules.firings(ANN, "s-1") == (ended,)
        assert not await store.schedules.advance(SYSTEM, replace(ended, outcome="completed"))
        assert await due(store, 1_000) == []

    async def test_a_run_is_waited_for_until_it_has_finished_or_is_gone(self, store: Store) -> None:
        await store.schedules.add(ANN, schedule())
        await fired(store)
        watched = replace(firing(), stage="watch", act_at=after(60))
        await begun(store, run("f-1"))
        assert await store.schedules.advance(SYSTEM, watched)
        assert await due(store, 1_000) == []
        await store.log.append(ANN, end_of("f-1"))
        assert await due(store, 1_000) == ["f-1"]
        await store.conversations.remove(ANN, run("f-1").conversation_id)
        assert await due(store, 1_000) == ["f-1"]
        (one,) = await store.schedules.due(OTHER, now=after(1_000))
        assert (one.schedule, one.firing) == (replace(schedule(), next_at=after(120)), watched)

    async def test_the_latest_firings_come_first_and_old_ones_are_forgotten(self, store: Store) -> None:
        await store.schedules.add(ANN, schedule())
        for number in range(1, 4):
            assert await fired(store, f"f-{number}", due_s=60 * number, next_s=60 * (number + 1))
        assert [one.id for one in await store.schedules.firings(ANN, "s-1", limit=2)] == ["f-3", "f-2"]
        await store.schedules.advance(SYSTEM, replace(firing("f-1"), stage="ended"))
        last = firing("f-4", due_s=240)
        assert await store.schedules.fire(ANN, last, expected=after(240), next_at=None, forget_before=after(180))
        assert [one.id for one in await store.schedules.firings(ANN, "s-1")] == ["f-4", "f-3", "f-2"]
        assert await store.schedules.ripe(SYSTEM, now=after(10_000)) == ()
