"""Tests of the store's support for processes that execute runs."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.scope import SystemScope
from tablewright.store.base import Store
from tablewright.store.conformance.answers import YES, with_questions
from tablewright.store.conformance.examples import (
    ANN,
    BOB,
    SYSTEM,
    T0,
    after,
    batch,
    begun,
    end_of,
    progress,
    refused,
    run,
)
from tablewright.store.run_store import Fenced, Instance, OwnedRun

OTHER = SystemScope(instance_id="i-2")


def instance(instance_id: str) -> Instance:
    """Make an instance."""
    return Instance(id=instance_id, host="host", pid=17, boot_id="b", heartbeat_at=T0)


class InstancesConformance:
    """Heartbeats, leases, and the runs of dead instances."""

    async def test_instances_come_and_go(self, store: Store) -> None:
        for instance_id in ("i-1", "i-2"):
            await store.instances.register(SYSTEM, instance(instance_id))
        await store.instances.remove(SYSTEM, "i-2")
        await store.instances.remove(SYSTEM, "i-9")
        assert await store.instances.all(SYSTEM) == (instance("i-1"),)

    async def test_a_beat_is_a_sign_of_life_and_extends_the_own_leases(self, store: Store) -> None:
        await begun(store)
        await begun(store, run("r-2", conversation_id="c-2", owner_instance="i-2"), BOB)
        await store.instances.register(SYSTEM, instance("i-1"))
        await store.instances.beat(SYSTEM, at=after(5), run_ids=("r-1", "r-2"), lease_until=after(20))
        assert await store.instances.all(SYSTEM) == (replace(instance("i-1"), heartbeat_at=after(5)),)
        assert (await store.runs.get(ANN, "r-1")).lease_until == after(20)
        assert (await store.runs.get(BOB, "r-2")).lease_until == after(15)

    async def test_an_instance_is_told_which_of_its_runs_shall_stop(self, store: Store) -> None:
        await begun(store)
        await begun(store, run("r-2", conversation_id="c-2", owner_instance="i-2"), BOB)
        assert await store.instances.cancels(SYSTEM) == frozenset()
        await store.runs.request_cancel(ANN, "r-1", at=after(1))
        await store.runs.request_cancel(BOB, "r-2", at=after(1))
        assert await store.instances.cancels(SYSTEM) == {"r-1"}
        assert await store.instances.cancels(OTHER) == {"r-2"}
        await store.log.append(ANN, end_of())
        assert await store.instances.cancels(SYSTEM) == frozenset()

    async def test_a_run_is_an_orphan_when_its_lease_has_expired_or_its_owner_is_dead(self, store: Store) -> None:
        await begun(store)
        await begun(store, run("r-2", conversation_id="c-2", owner_instance="i-2"), BOB)
        assert await store.instances.orphans(SYSTEM, now=after(14), dead=()) == ()
        dead = await store.instances.orphans(SYSTEM, now=after(14), dead=("i-2",))
        assert dead == (OwnedRun(scope=BOB, run=await store.runs.get(BOB, "r-2")),)
        expired = await store.instances.orphans(SYSTEM, now=after(16), dead=())
        assert {orphan.run.id for orphan in expired} == {"r-1", "r-2"}

    async def test_waiting_and_finished_runs_are_no_orphans(self, store: Store) -> None:
        await begun(store)
        await begun(store, run("r-2", conversation_id="c-2"), BOB)
        await store.runs.rest(ANN, "r-1", attempt=1, at=after(0))
        await store.log.append(BOB, end_of("r-2"))
        assert await store.instances.orphans(SYSTEM, now=after(99), dead=("i-1",)) == ()

    async def test_one_instance_seizes_an_orphan_and_its_old_owner_may_not_write(self, store: Store) -> None:
        value = await begun(store)
        seized = [
            await store.instances.seize(scope, "r-1", attempt=1, now=after(16), lease_until=after(31), dead=())
            for scope in (OTHER, SystemScope(instance_id="i-3"))
        ]
        taken = replace(value, last_seq=1, attempt=2, owner_instance="i-2", lease_until=after(31), losses=1)
        assert seized[0] == taken
        assert seized[1] is None
        with refused(Fenced):
            await store.log.append(ANN, batch(*progress(1)))
        assert await store.log.append(ANN, end_of(attempt=2)) == 2

    async def test_a_run_whose_owner_came_back_in_time_is_not_seized(self, store: Store) -> None:
        await begun(store)
        await store.instances.beat(SYSTEM, at=after(16), run_ids=("r-1",), lease_until=after(31))
        seized = await store.instances.seize(OTHER, "r-1", attempt=1, now=after(16), lease_until=after(31), dead=())
        assert seized is None

    async def test_an_answer_that_nobody_acted_on_is_found(self, store: Store) -> None:
        await with_questions(store, "q-1", "q-2")
        await store.runs.rest(ANN, "r-1", attempt=1, at=after(0))
        assert await store.instances.unresumed(SYSTEM, before=after(99)) == ()
        await store.log.answer(ANN, "r-1", "q-1", YES, at=after(5))
        assert await store.instances.unresumed(SYSTEM, before=after(5)) == ()
        found = await store.instances.unresumed(SYSTEM, before=after(6))
        assert found == (OwnedRun(scope=ANN, run=await store.runs.get(ANN, "r-1")),)

    async def test_the_runs_of_an_agent_that_have_finished_are_found_with_their_owners(self, store: Store) -> None:
        for number, agent in enumerate(("reporter", "other", "reporter"), start=1):
            value = replace(run(f"r-{number}", conversation_id=f"c-{number}"), agent=agent)
            await begun(store, value, scope=BOB if number == 3 else ANN)
        assert await store.instances.finished(SYSTEM, agent="reporter", since=after(0)) == ()
        for number, scope in ((1, ANN), (2, ANN), (3, BOB)):
            await store.log.append(scope, end_of(f"r-{number}", at=after(number)))
        found = await store.instances.finished(SYSTEM, agent="reporter", since=after(1))
        assert [(owned.scope, owned.run.id) for owned in found] == [(ANN, "r-1"), (BOB, "r-3")]
        late = await store.instances.finished(SYSTEM, agent="reporter", since=after(2))
        assert [owned.run.id for owned in late] == ["r-3"]
