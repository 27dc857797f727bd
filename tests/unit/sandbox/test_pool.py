from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.errors import Busy, SandboxUnavailable
from tablewright.sandbox.conformance.examples import until
from tablewright.sandbox.folders import StateFolder
from tablewright.sandbox.pool import Pool, PoolSize
from tablewright.sandbox.process import SessionPaths, WorkerProcess
from tablewright.sandbox.workers import vacate


class Worker:
    def __init__(self) -> None:
        self.closed = False

    async def close(self) -> None:
        self.closed = True


class Source:
    """Spawns workers, as many as it is let."""

    def __init__(self) -> None:
        self.workers: list[Worker] = []
        self.error: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.leaving: asyncio.Task[WorkerProcess] | None = None

    async def spawn(self) -> WorkerProcess:
        await self.gate.wait()
        if self.leaving is not None:
            # Runs before whoever waits learns of the worker that this returns.
            asyncio.get_running_loop().call_soon(self.leaving.cancel)
        if self.error is not None:
            raise self.error
        self.workers.append(Worker())
        return cast(WorkerProcess, self.workers[-1])


def pool(source: Source, **size: float) -> Pool:
    return Pool(source.spawn, PoolSize(**size))  # type: ignore[arg-type]  # the fields' own types


async def test_the_smallest_number_is_warm_after_filling() -> None:
    made = pool(source := Source(), minimum=2, maximum=5)
    made.fill()
    await until(lambda: made.stats().idle == 2)
    assert len(source.workers) == 2


async def test_a_spare_is_warm_while_use_is_high() -> None:
    made = pool(Source(), minimum=1, maximum=5)
    for _ in range(4):
        await made.take()
    await until(lambda: made.stats().idle == 1)
    for _ in range(4):
        made.give_back()
    assert (made.stats().idle, made.stats().leased) == (1, 0)


async def test_workers_that_nobody_wants_any_more_are_ended() -> None:
    source = Source()
    source.gate.clear()
    made = pool(source, minimum=1, maximum=5)
    waiting = [asyncio.create_task(made.take()) for _ in range(4)]
    await until(lambda: made.stats().waiting == 4)
    for task in waiting:
        task.cancel()
    await until(lambda: made.stats().waiting == 0)
    source.gate.set()
    await until(lambda: len(source.workers) == 5)
    made.fill()
    await until(lambda: sum(worker.closed for worker in source.workers) == 4)
    assert made.stats().idle == 1


async def test_no_more_than_the_most_are_ever_alive() -> None:
    made = pool(source := Source(), minimum=1, maximum=2, wait_s=0.02)
    await made.take()
    await made.take()
    with pytest.raises(Busy):
        await made.take()
    assert len(source.workers) == 2


async def test_a_queue_has_an_end() -> None:
    made = pool(Source(), minimum=1, maximum=1, waiting=1)
    await made.take()
    waiting = asyncio.create_task(made.take())
    await until(lambda: made.stats().waiting == 1)
    with pytest.raises(Busy):
        await made.take()
    waiting.cancel()


async def test_all_who_share_a_turn_wait_behind_the_others() -> None:
    source = Source()
    small = pool(source, minimum=1, maximum=1)
    first = await small.take("tree")
    order: list[str] = []

    async def waits(turn: str) -> None:
        await small.take(turn)
        order.append(turn)
        small.give_back()

    async with asyncio.TaskGroup() as group:
        for turn in ("tree", "tree", "other"):
            group.create_task(waits(turn))
        await until(lambda: small.stats().waiting == 3)
        small.give_back()
    assert order == ["tree", "other", "tree"]
    assert first is not None


async def test_why_there_is_no_worker_is_told_to_who_waits() -> None:
    source = Source()
    source.error = SandboxUnavailable("no")
    made = pool(source, minimum=1, maximum=1)
    with pytest.raises(SandboxUnavailable):
        await made.take()
    assert made.stats().leased == 0


@pytest.mark.requirement("sandbox-readiness-of-the-pool")
@pytest.mark.parametrize(
    ("error", "code"), [(SandboxUnavailable("no"), "sandbox_unavailable"), (RecursionError(), "RecursionError")]
)
async def test_a_pool_says_that_it_does_not_work_while_no_worker_starts(error: Exception, code: str) -> None:
    source = Source()
    source.error = error
    made = pool(source, minimum=1, maximum=1, wait_s=20)
    assert made.stats().works
    with pytest.raises(type(error)):
        await made.take()
    assert not made.stats().works
    assert made.stats().failure == code
    source.error = None
    await made.take()
    assert made.stats().works


@pytest.mark.requirement("sandbox-slot-survives-removal")
@pytest.mark.parametrize("error", [RecursionError, OSError, SystemError])
async def test_a_slot_is_given_back_whatever_becomes_of_the_folder(tmp_path: Path, error: type[Exception]) -> None:
    class Broken(StateFolder):
        def discard(self, folder: Path) -> None:
            raise error

    room = SessionPaths(host=tmp_path / "s", name="s", shared="", work="", tmp="")
    made = pool(Source(), minimum=1, maximum=1, wait_s=20)
    await made.take()
    with pytest.raises(error):
        await vacate(Broken(tmp_path, "state"), room, made)
    assert made.stats().leased == 0
    await made.take()


async def test_a_worker_handed_to_someone_who_just_left_is_not_lost() -> None:
    source = Source()
    made = pool(source, minimum=1, maximum=1)
    source.leaving = waiting = asyncio.create_task(made.take())
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (made.stats().leased, made.stats().idle) == (0, 1)


async def test_idle_workers_that_are_ill_are_replaced() -> None:
    made = pool(source := Source(), minimum=2, maximum=2)
    made.fill()
    await until(lambda: made.stats().idle == 2)
    ill = source.workers[0]

    async def healthy(worker: WorkerProcess) -> bool:
        return worker is not cast(WorkerProcess, ill)

    await made.check(healthy)
    await until(lambda: made.stats().idle == 2)
    assert ill.closed
    assert len(source.workers) == 3


class Lease:
    """A session of a worker of `pool`."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.released = False

    async def release(self) -> None:
        self.released = True
        self.pool.give_back()


async def parked(made: Pool, count: int) -> list[Lease]:
    leases = [Lease(made) for _ in range(count)]
    for _ in leases:
        await made.take()
    for lease in leases:
        made.park(lease)
    return leases


@pytest.mark.requirement("sandbox-parked-sessions-yield")
async def test_parked_sessions_are_released_for_who_waits_the_oldest_first() -> None:
    made = pool(Source(), minimum=1, maximum=2, wait_s=PATIENCE_S)
    await made.take()
    (lease,) = await parked(made, 1)
    await made.take()
    assert lease.released
    assert made.stats().waiting == 0


@pytest.mark.requirement("sandbox-parked-sessions-yield")
async def test_however_many_wait_at_once_each_gets_a_worker_of_a_parked_session() -> None:
    made = pool(Source(), minimum=1, maximum=4, wait_s=PATIENCE_S)
    leases = await parked(made, 4)
    await asyncio.gather(*[made.take() for _ in range(4)])
    assert all(lease.released for lease in leases)
    assert (made.stats().leased, made.stats().waiting) == (4, 0)


async def test_the_last_worker_is_kept_warm_not_parked() -> None:
    made = pool(Source(), minimum=1, maximum=3)
    leases = await parked(made, 3)
    await until(lambda: made.stats().idle == 1)
    assert [lease.released for lease in leases] == [True, False, False]


async def test_a_pool_of_one_worker_keeps_a_parked_session_until_somebody_waits() -> None:
    made = pool(Source(), minimum=1, maximum=1, wait_s=PATIENCE_S)
    (lease,) = await parked(made, 1)
    await asyncio.sleep(0)
    assert not lease.released
    await made.take()
    assert lease.released


async def test_a_session_that_is_taken_up_again_is_not_released() -> None:
    made = pool(Source(), minimum=1, maximum=1, wait_s=0.02)
    (lease,) = await parked(made, 1)
    assert made.unpark(lease)
    assert not made.unpark(lease)
    with pytest.raises(Busy):
        await made.take()
    assert not lease.released


async def test_a_session_parked_while_somebody_waits_is_released_at_once() -> None:
    made = pool(Source(), minimum=1, maximum=1, wait_s=PATIENCE_S)
    await made.take()
    waiting = asyncio.create_task(made.take())
    await until(lambda: made.stats().waiting == 1)
    lease = Lease(made)
    made.park(lease)
    await waiting
    assert lease.released


async def test_closing_ends_the_idle_and_refuses_who_waits() -> None:
    made = pool(source := Source(), minimum=1, maximum=1)
    await made.take()
    waiting = asyncio.create_task(made.take())
    await until(lambda: made.stats().waiting == 1)
    made.give_back()
    await made.close()
    with pytest.raises(Busy):
        await waiting
    assert made.stats().idle == 0
    assert len(source.workers) >= 1
