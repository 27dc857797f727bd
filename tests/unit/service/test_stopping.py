"""Stop means stop: within a second, from any process, and whatever the agent does about it."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime
from pathlib import Path

import pytest
from tests.support.held_log import held_ends
from tests.support.patience import PATIENCE_S, slow
from tests.support.service_bench import Items, bench
from tests.unit.service.scripts import answering, endless, said

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Emit, closing, emitted
from tablewright.domain.events import ApprovalRequested, TextDelta, UsageReported
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.store.memory import MemoryStore
from tablewright.store.memory.runs import MemoryRuns

# The machine is busy with other tests: of several tries the quickest tells what the service takes.
TRIES = 3


@pytest.mark.requirement("run-cancel-within-a-second")
async def test_a_run_without_end_is_stopped_within_a_second(tmp_path: Path) -> None:
    service, took = bench(tmp_path, endless), list[float]()
    for _ in range(TRIES):
        run = await service.ask()
        began = time.monotonic()
        await service.runs.cancel(service.scope, run.id)
        stopped = await service.settled(run)
        took.append(time.monotonic() - began)
        assert (stopped.state, stopped.outcome, stopped.failure) == ("finished", "cancelled", None)
        assert stopped.cancel_requested_at is not None
        assert (await service.types(run))[-1] == "run.finished"
    assert min(took) < slow(1)


async def test_stopping_stops_the_agent_itself(tmp_path: Path) -> None:
    started, cleaned_up = asyncio.Event(), asyncio.Event()

    async def holding(given: AgentInput, context: AgentContext) -> Items:
        try:
            started.set()
            await asyncio.Event().wait()
            yield TextDelta(text="never")
        finally:
            cleaned_up.set()

    service = bench(tmp_path, holding)
    run = await service.ask()
    await started.wait()
    await service.runs.cancel(service.scope, run.id)
    async with asyncio.timeout(PATIENCE_S):
        await cleaned_up.wait()


async def test_an_agent_that_will_not_stop_cannot_write_any_more(tmp_path: Path) -> None:
    started, release = asyncio.Event(), asyncio.Event()

    async def stubborn(given: AgentInput, context: AgentContext) -> Items:
        while not release.is_set():
            try:
                started.set()
                await release.wait()
            except asyncio.CancelledError:
                continue
        yield TextDelta(text="too late")

    service = bench(tmp_path, stubborn)
    run = await service.ask()
    await started.wait()
    async with asyncio.timeout(PATIENCE_S):
        await service.runs.cancel(service.scope, run.id)
        stopped = await service.settled(run)
    assert stopped.outcome == "cancelled"
    release.set()
    left = [task for task in asyncio.all_tasks() if task.get_name() == f"agent of {run.id}"]
    await asyncio.gather(*left, return_exceptions=True)
    assert await service.types(run) == ["run.started", "message.added", "run.finished"]


@pytest.mark.requirement("run-cancel-from-any-process")
async def test_another_process_can_stop_a_run_within_a_second(tmp_path: Path) -> None:
    owner = bench(tmp_path, endless)
    other = bench(tmp_path, answering, store=owner.store)
    await owner.runs.open_up()
    took: list[float] = []
    for _ in range(TRIES):
        run = await owner.ask()
        began = time.monotonic()
        await other.runs.cancel(other.scope, run.id)
        stopped = await other.settled(run)
        took.append(time.monotonic() - began)
        assert (stopped.state, stopped.outcome) == ("finished", "cancelled")
    assert min(took) < slow(1)
    await owner.runs.close()


@pytest.mark.requirement("run-cancel-under-way")
async def test_a_run_whose_end_takes_longer_is_returned_as_cancelling(tmp_path: Path) -> None:
    store = MemoryStore()
    service = bench(tmp_path, endless, store=store)
    free = held_ends(store)
    run = await service.ask()
    assert not run.cancelling
    async with asyncio.timeout(PATIENCE_S):
        under_way = await service.runs.cancel(service.scope, run.id)
    assert (under_way.state, under_way.cancelling) == ("running", True)
    free.set()
    ended = await service.settled(run)
    assert (ended.outcome, ended.cancelling) == ("cancelled", False)


async def test_a_run_that_asked_before_its_process_heard_of_the_cancellation_is_cancelled(tmp_path: Path) -> None:
    cancelling = asyncio.Event()

    async def asks_then(given: AgentInput, context: AgentContext) -> Items:
        yield said("asked")
        yield ApprovalRequested(request_id="q-1", prompt="May I?")
        await cancelling.wait()

    class Telling(MemoryRuns):
        async def request_cancel(self, scope: Scope, run_id: str, *, at: datetime) -> Run:
            run = await super().request_cancel(scope, run_id, at=at)
            cancelling.set()
            return run

    store = MemoryStore()
    store._runs = Telling(store.log._rows)
    owner, other = (bench(tmp_path, asks_then, store=store) for _ in range(2))
    run = await owner.ask()
    async with asyncio.timeout(PATIENCE_S):
        ended = await other.runs.cancel(other.scope, run.id)
    assert (ended.state, ended.outcome) == ("finished", "cancelled")


async def test_stopping_a_finished_run_changes_nothing(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    run = await service.settled(await service.ask())
    assert await service.runs.cancel(service.scope, run.id) == run
    with pytest.raises(NotFound):
        await service.runs.cancel(service.scope, "r-unknown")


@pytest.mark.requirement("run-closes-clearly")
async def test_closing_the_service_ends_its_runs_clearly(tmp_path: Path) -> None:
    service = bench(tmp_path, endless)
    await service.runs.open_up()
    run = await service.ask()
    await service.runs.close()
    ended = await service.runs.get(service.scope, run.id)
    assert (ended.state, ended.outcome) == ("finished", "failed")
    assert ended.failure is not None
    assert ended.failure.code == "owner_lost"


async def test_deleting_a_conversation_stops_its_run_first(tmp_path: Path) -> None:
    service = bench(tmp_path, endless)
    run = await service.ask()
    await service.conversations.delete(service.scope, run.conversation_id)
    with pytest.raises(NotFound):
        await service.runs.get(service.scope, run.id)
    with pytest.raises(NotFound):
        await service.conversations.get(service.scope, run.conversation_id)
    assert service.engine.live == ()


@pytest.mark.requirement("run-waits-for-answers")
async def test_a_run_that_has_just_asked_comes_to_rest_before_the_service_closes(tmp_path: Path) -> None:
    tidying = asyncio.Event()

    async def slow_to_rest(given: AgentInput, context: AgentContext) -> Items:
        yield said("asked")
        yield ApprovalRequested(request_id="q-1", prompt="May I?")
        await tidying.wait()

    service = bench(tmp_path, slow_to_rest)
    run = await service.ask()
    async with asyncio.timeout(PATIENCE_S):
        async for event in service.runs.follow(service.scope, run.id):
            if isinstance(event.body, ApprovalRequested):
                break
        closing = asyncio.create_task(service.runs.close())
        await asyncio.sleep(0)
        tidying.set()
        await closing
    assert (await service.runs.get(service.scope, run.id)).state == "waiting"


async def test_what_a_cancelled_run_has_used_stands_before_its_end(tmp_path: Path) -> None:
    usage = UsageReported(model="m", input_tokens=7, output_tokens=3, method="estimate")
    begun = asyncio.Event()

    async def writing(given: AgentInput, context: AgentContext) -> Items:
        del given

        async def work(emit: Emit) -> None:
            emit(TextDelta(text="I look"))
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                emit(usage)

        async with closing(emitted(work, context.late)) as items:
            async for item in items:
                yield item

    service = bench(tmp_path, writing)
    run = await service.ask()
    await begun.wait()
    await service.runs.cancel(service.scope, run.id)
    events = await service.events(run)
    assert [event.body.type for event in events][-2:] == ["usage.reported", "run.finished"]
    assert events[-2].body == usage
