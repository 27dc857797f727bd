"""The service on real databases: watchers, answers, cancellation at any moment, full disks."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from tests.support.service_bench import Bench, Items, bench
from tests.unit.service.scripts import answer, answering, asking, endless

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.events import Event, ProgressReported, TextDelta
from tablewright.domain.run import RequestAnswer, Run
from tablewright.store.sql import SqlStore


@pytest.fixture(params=["sqlite_store", "postgres_store"])
def store(request: pytest.FixtureRequest) -> SqlStore:
    found: SqlStore = request.getfixturevalue(request.param)
    return found


async def talkative(given: AgentInput, context: AgentContext) -> Items:
    for number in range(60):
        yield TextDelta(text=f"{number} ")
        if number % 3 == 0:
            yield ProgressReported(message=str(number))
            await asyncio.sleep(0)
    yield answer()


async def come_and_go(service: Bench, run: Run, seed: int) -> list[Event]:
    """Watch in short visits, each broken off at some moment."""
    chance = random.Random(seed)
    seen: list[Event] = []

    async def visit() -> None:
        async for event in service.runs.follow(service.scope, run.id, after=seen[-1].seq if seen else 0):
            seen.append(event)  # noqa: PERF401  # what was seen before breaking off counts

    for _ in range(12):
        visiting = asyncio.create_task(visit())
        await asyncio.wait((visiting,), timeout=chance.uniform(0, 0.02))
        visiting.cancel()
        await asyncio.gather(visiting, return_exceptions=True)
    return seen + await service.events(run, after=seen[-1].seq if seen else 0)


@pytest.mark.requirement("events-same-for-every-watcher")
async def test_watchers_who_break_off_at_any_moment_see_what_one_who_stayed_saw(
    store: SqlStore, tmp_path: Path
) -> None:
    service = bench(tmp_path, talkative, store=store)
    run = await service.ask()
    staying, *others = await asyncio.gather(
        service.events(run), *(come_and_go(service, run, seed) for seed in range(4))
    )
    assert all(seen == staying for seen in others)
    assert [event.seq for event in staying] == list(range(1, len(staying) + 1))
    assert store.database.engine.pool.checkedout() == 0  # type: ignore[attr-defined]  # a queue pool


async def test_a_question_an_answer_and_the_end_on_two_services(store: SqlStore, tmp_path: Path) -> None:
    one, other = bench(tmp_path, asking, store=store), bench(tmp_path, asking, store=store)
    run = await one.settled(await one.ask())
    assert run.state == "waiting"
    watching = asyncio.create_task(one.events(run))
    await other.runs.answer(other.scope, run.id, "q-1", RequestAnswer(decision="approve"))
    ended = await other.settled(run)
    assert (ended.outcome, ended.attempt) == ("completed", 2)
    assert await watching == await other.events(run)


async def test_many_answers_at_once_start_one_attempt(store: SqlStore, tmp_path: Path) -> None:
    services = [bench(tmp_path, asking, store=store) for _ in range(4)]
    run = await services[0].settled(await services[0].ask())
    yes = RequestAnswer(decision="approve")
    await asyncio.gather(*(service.runs.answer(service.scope, run.id, "q-1", yes) for service in services))
    await services[0].events(run)
    assert sum(len(service.agent.given) for service in services) == 2
    assert (await services[0].runs.get(services[0].scope, run.id)).attempt == 2


async def test_stopping_many_runs_at_any_moment_leaves_the_database_usable(store: SqlStore, tmp_path: Path) -> None:
    service = bench(tmp_path, endless, store=store)
    chance = random.Random(7)

    async def ask_and_stop() -> str | None:
        run = await service.ask()
        await asyncio.sleep(chance.uniform(0, 0.1))
        await service.runs.cancel(service.scope, run.id)
        return (await service.settled(run)).outcome

    outcomes = await asyncio.gather(*(ask_and_stop() for _ in range(8)))
    assert outcomes == ["cancelled"] * 8
    calm = bench(tmp_path, answering, store=store)
    assert (await calm.settled(await calm.ask())).outcome == "completed"


async def test_a_full_disk_ends_the_run_with_that_reason(sqlite_store: SqlStore, tmp_path: Path) -> None:
    async def verbose(given: AgentInput, context: AgentContext) -> Items:
        yield ProgressReported(message="x" * 200_000)
        await asyncio.sleep(0.01)
        yield answer()

    service = bench(tmp_path, verbose, store=sqlite_store)
    async with sqlite_store.database.read() as connection:
        pages = (await connection.exec_driver_sql("PRAGMA page_count")).scalar_one()
        await connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 12}")
    limit = f"PRAGMA max_page_count={pages + 12}"  # of appends, which have a connection of their own
    await sqlite_store.database.write_at_once(lambda connection: connection.exec_driver_sql(limit))
    run = await service.ask()
    ended = await service.settled(run)
    assert (ended.state, ended.outcome) == ("finished", "failed")
    assert ended.failure is not None
    assert ended.failure.code == "storage_full"
    assert [event.body.type for event in await service.events(run)] == [
        "run.started",
        "message.added",
        "run.finished",
    ]
