"""Who executes a run is never in doubt, and what a dead process left ends clearly."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.service_bench import Items, bench
from tests.unit.service.scripts import answer, answering, asking

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.events import RunFinished, TextDelta
from tablewright.domain.ids import ManualClock
from tablewright.domain.run import RequestAnswer, RunFailure
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import StoreUnavailable
from tablewright.service.runs.leases import process_alive, surely_dead, this_instance
from tablewright.service.runs.linger import LINGER_S
from tablewright.service.runs.runs import Ask
from tablewright.store.memory import MemoryStore
from tablewright.store.memory.log import MemoryLog
from tablewright.store.run_store import Batch, Instance

T0 = datetime(2026, 1, 1, tzinfo=UTC)


async def holding(given: AgentInput, context: AgentContext) -> Items:
    await asyncio.Event().wait()
    yield answer()


def instance(instance_id: str, *, pid: int = 100, host: str = "h", boot_id: str = "b") -> Instance:
    return Instance(id=instance_id, host=host, pid=pid, boot_id=boot_id, heartbeat_at=T0)


def test_only_processes_of_this_host_that_cannot_live_are_surely_dead() -> None:
    this = instance("this")
    known = (
        this,
        instance("dead pid", pid=7),
        instance("live pid", pid=8),
        instance("my own pid before", pid=100),
        instance("before the reboot", pid=8, boot_id="a"),
        instance("elsewhere", pid=7, host="other"),
    )
    dead = surely_dead(known, this, lambda pid: pid == 8)
    assert dead == ("dead pid", "my own pid before", "before the reboot")


def test_this_process_is_alive_and_describes_itself() -> None:
    described = this_instance("i", T0)
    assert described == this_instance("i", T0)
    assert (described.pid, described.heartbeat_at) == (os.getpid(), T0)
    assert described.host
    assert process_alive(os.getpid())
    assert process_alive(1)


async def test_the_run_of_a_dead_process_ends_as_failed_when_another_opens(tmp_path: Path) -> None:
    dead = bench(tmp_path, holding, instance=instance("dead", pid=1))
    await dead.runs.open_up()
    run = await dead.ask()
    later = bench(tmp_path, answering, store=dead.store, instance=instance("later", pid=1))
    await later.runs.open_up()
    ended = await later.runs.get(later.scope, run.id)
    assert (ended.state, ended.outcome) == ("finished", "failed")
    assert ended.failure is not None
    assert (ended.failure.code, ended.failure.params["run_id"]) == ("owner_lost", run.id)
    events = await later.events(run)
    assert events[-1].body == RunFinished(outcome="failed", failure=ended.failure)
    assert [known.id for known in await later.store.instances.all(SystemScope(instance_id="x"))] == ["later"]
    again = await later.runs.start(later.scope, run.conversation_id, Ask(text="and now?"))
    assert (await later.settled(again)).outcome == "completed"
    await later.runs.close()
    await dead.runs.close()


async def test_the_old_owner_writes_nothing_after_its_run_was_ended(tmp_path: Path) -> None:
    release = asyncio.Event()

    async def late(given: AgentInput, context: AgentContext) -> Items:
        await release.wait()
        yield answer()

    paused = bench(tmp_path, late, instance=instance("paused", pid=1))
    run = await paused.ask()
    other = bench(tmp_path, answering, store=paused.store, instance=instance("other", pid=1))
    await paused.store.instances.register(SystemScope(instance_id="paused"), instance("paused", pid=1))
    await other.runs.open_up()
    before = await other.events(run)
    release.set()
    ended = await paused.settled(run)
    assert ended.failure is not None
    assert ended.failure.code == "owner_lost"
    assert await paused.events(run) == before
    messages = (await other.conversations.messages(other.scope, run.conversation_id)).items
    assert [message.author for message in messages] == ["user"]
    await other.runs.close()


async def test_a_process_that_lives_keeps_its_runs_for_as_long_as_it_beats(tmp_path: Path) -> None:
    clock, store = ManualClock(), MemoryStore()
    owner = bench(tmp_path, holding, store=store, clock=clock, instance=instance("owner", host="one"))
    other = bench(tmp_path, answering, store=store, clock=clock, instance=instance("other", host="two"))
    run = await owner.ask()
    for _ in range(8):
        await clock.advance(5)
        await owner.leases.beat()
        await other.leases.beat()
    assert (await owner.runs.get(owner.scope, run.id)).state == "running"
    await clock.advance(15)
    await other.leases.beat()
    assert (await owner.runs.get(owner.scope, run.id)).state == "running"
    await clock.advance(1)
    await other.leases.beat()
    ended = await owner.runs.get(owner.scope, run.id)
    assert ended.failure is not None
    assert ended.failure.code == "owner_lost"
    owner.engine.cancel(run.id)
    await owner.settled(run)


async def test_the_heartbeat_comes_by_itself_and_survives_trouble(tmp_path: Path) -> None:
    clock, store = ManualClock(), MemoryStore()
    service = bench(tmp_path, holding, store=store, clock=clock, instance=instance("i-1"))
    await service.runs.open_up()
    run = await service.ask()
    instances = store.instances
    beat, failures = instances.beat, [StoreUnavailable(url="u")]

    async def failing_once(*args: object, **given: object) -> None:
        if failures:
            raise failures.pop()
        await beat(*args, **given)  # type: ignore[arg-type]  # what the leases give

    instances.beat = failing_once  # type: ignore[method-assign]  # trouble at the first beat
    for _ in range(3):
        for _ in range(20):
            await asyncio.sleep(0)
        await clock.advance(5)
    for _ in range(20):
        await asyncio.sleep(0)
    assert failures == []
    lease = (await service.runs.get(service.scope, run.id)).lease_until
    assert lease == clock.now() + timedelta(seconds=15)
    await service.runs.close()


async def test_a_run_whose_end_could_not_be_written_is_ended_when_its_lease_expires(tmp_path: Path) -> None:
    class BrokenLog(MemoryLog):
        broken = False

        async def append(self, scope: Scope, batch: Batch) -> int:
            if self.broken:
                raise StoreUnavailable("gone", url="u")
            return await super().append(scope, batch)

    clock, store = ManualClock(), MemoryStore()
    log = BrokenLog(store.log._rows)
    store._log = log
    service = bench(tmp_path, answering, store=store, clock=clock, instance=instance("i-1"))
    run = await service.ask()
    log.broken = True
    for _ in range(8):
        for _ in range(20):
            await asyncio.sleep(0)
        await clock.advance(1)
    assert (await service.settled(run)).state == "running"
    assert service.engine.live == ()
    log.broken = False
    await clock.advance(16)
    await service.leases.beat()
    ended = await service.runs.get(service.scope, run.id)
    assert ended.failure is not None
    assert ended.failure.code == "owner_lost"


async def test_trouble_with_the_log_that_passes_is_the_reason_of_the_failure(tmp_path: Path) -> None:
    class TroubledLog(MemoryLog):
        failures = 2

        async def append(self, scope: Scope, batch: Batch) -> int:
            if self.failures:
                self.failures -= 1
                raise StoreUnavailable("locked", url="u")
            return await super().append(scope, batch)

    clock, store = ManualClock(), MemoryStore()
    store._log = TroubledLog(store.log._rows)
    service = bench(tmp_path, answering, store=store, clock=clock)
    run = await service.ask()
    for _ in range(3):
        for _ in range(20):
            await asyncio.sleep(0)
        await clock.advance(1)
    ended = await service.settled(run)
    assert (ended.state, ended.outcome) == ("finished", "failed")
    assert ended.failure == RunFailure(code="store_unavailable", params={"detail": "locked", "url": "u"})


async def test_an_owner_that_lost_its_run_stops_working_on_it_at_its_next_word(tmp_path: Path) -> None:
    stopped = asyncio.Event()

    async def thinking(given: AgentInput, context: AgentContext) -> Items:
        try:
            yield TextDelta(text="...")
            await asyncio.Event().wait()
        finally:
            stopped.set()

    clock, store = ManualClock(), MemoryStore()
    owner = bench(tmp_path, thinking, store=store, clock=clock, instance=instance("owner", host="one"))
    run = await owner.ask()
    system = SystemScope(instance_id="other")
    await store.instances.seize(system, run.id, attempt=1, now=T0, lease_until=T0, dead=("owner",))
    for _ in range(20):
        await asyncio.sleep(0)
    await clock.advance(LINGER_S)
    await owner.settled(run)
    assert stopped.is_set()
    assert owner.engine.live == ()
    assert [event.body.type for event in await store.log.events(owner.scope, run.id)][2:] == []


async def test_a_run_that_was_asked_to_stop_ends_as_cancelled_also_when_its_owner_died(tmp_path: Path) -> None:
    dead = bench(tmp_path, holding, instance=instance("dead", pid=1))
    await dead.runs.open_up()
    run = await dead.ask()
    await dead.store.runs.request_cancel(dead.scope, run.id, at=T0)
    later = bench(tmp_path, answering, store=dead.store, instance=instance("later", pid=1))
    await later.runs.open_up()
    assert (await later.runs.get(later.scope, run.id)).outcome == "cancelled"
    await later.runs.close()
    await dead.runs.close()


async def test_an_answer_that_was_stored_by_a_process_that_died_is_acted_on(tmp_path: Path) -> None:
    clock, store = ManualClock(), MemoryStore()
    service = bench(tmp_path, asking, store=store, clock=clock)
    run = await service.settled(await service.ask())
    yes = RequestAnswer(decision="approve")
    await store.log.answer(service.scope, run.id, "q-1", yes, at=clock.now())
    await service.leases.beat()
    assert (await service.runs.get(service.scope, run.id)).state == "waiting"
    await clock.advance(16)
    await service.leases.beat()
    assert (await service.settled(run)).outcome == "completed"


async def test_instances_that_were_silent_for_long_are_forgotten(tmp_path: Path) -> None:
    clock, store = ManualClock(T0 + timedelta(hours=2)), MemoryStore()
    system = SystemScope(instance_id="x")
    await store.instances.register(system, instance("old", host="elsewhere"))
    recent = replace(instance("recent", host="elsewhere"), heartbeat_at=clock.now() - timedelta(minutes=5))
    await store.instances.register(system, recent)
    service = bench(tmp_path, answering, store=store, clock=clock, instance=instance("this"))
    await service.runs.open_up()
    assert {known.id for known in await store.instances.all(system)} == {"recent", "this"}
    await service.runs.close()
    assert {known.id for known in await store.instances.all(system)} == {"recent"}


async def test_of_two_processes_that_find_an_orphan_one_ends_it(tmp_path: Path) -> None:
    clock, store = ManualClock(), MemoryStore()
    owner = bench(tmp_path, holding, store=store, clock=clock, instance=instance("owner", host="one"))
    run = await owner.ask()
    await clock.advance(20)
    finders = [
        bench(tmp_path, answering, store=store, clock=clock, instance=instance(f"finder {number}"))
        for number in range(2)
    ]
    await asyncio.gather(*(finder.leases.reap() for finder in finders))
    events = await store.log.events(owner.scope, run.id)
    assert [event.body.type for event in events].count("run.finished") == 1
    owner.engine.cancel(run.id)
    await owner.settled(run)
