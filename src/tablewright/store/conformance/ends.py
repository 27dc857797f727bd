"""How every store ends trees of runs, and one run instead of another."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.events import RunFinished, RunStarted
from tablewright.domain.inbox import ChildFinished
from tablewright.errors import NotFound, RunInProgress
from tablewright.store.base import Store
from tablewright.store.conformance.children import child, of_child, started, with_children
from tablewright.store.conformance.examples import (
    ANN,
    LEASE,
    SYSTEM,
    after,
    begun,
    end_of,
    first_of,
    progress,
    refused,
    run,
)
from tablewright.store.run_store import Fenced


class EndsConformance:
    """A tree is stopped and ended from its top; a waiting run gives way to another."""

    async def test_the_end_of_a_run_ends_all_below_it_first(self, store: Store) -> None:
        await with_children(store, 2)
        below = child(5, "r-1-1")
        await store.runs.begin_child(ANN, below, started(below), parent_attempt=1)
        await store.log.append(ANN, replace(end_of("r-1-2"), top_id="r-1"))
        await store.log.append(ANN, end_of(at=after(3)))
        ends = [
            event.run_id for event in await store.log.events(ANN, "r-1") if isinstance(event.body, RunFinished)
        ]  # fmt: skip
        assert ends == ["r-1-2", "r-1-1-5", "r-1-1", "r-1"]
        for run_id in ("r-1-1", "r-1-1-5"):
            ended = await store.runs.get(ANN, run_id)
            assert (ended.state, ended.outcome, ended.finished_at) == ("finished", "cancelled", after(3))
        with refused(Fenced):
            await store.log.append(ANN, of_child(*progress(1)))

    async def test_what_is_asked_of_a_run_is_asked_of_all_below_it(self, store: Store) -> None:
        await with_children(store, 2)
        await store.log.append(ANN, replace(end_of("r-1-2"), top_id="r-1"))
        await store.runs.request_cancel(ANN, "r-1", at=after(2))
        assert (await store.runs.get(ANN, "r-1-1")).cancel_requested_at == after(2)
        assert (await store.runs.get(ANN, "r-1-2")).cancel_requested_at is None
        assert await store.instances.cancels(SYSTEM) == {"r-1", "r-1-1"}

    async def test_a_child_can_be_stopped_alone(self, store: Store) -> None:
        await with_children(store, 2)
        await store.runs.request_cancel(ANN, "r-1-1", at=after(2))
        assert await store.instances.cancels(SYSTEM) == {"r-1-1"}

    async def test_a_parent_is_told_of_the_end_of_its_child(self, store: Store) -> None:
        await with_children(store)
        await store.log.append(ANN, replace(end_of("r-1-1", at=after(4)), top_id="r-1"))
        assert not await store.runs.rest(ANN, "r-1", attempt=1, at=after(5))
        (entry,) = await store.log.take(ANN, "r-1", attempt=1)
        assert (entry.place, entry.at) == (1, after(4))
        assert entry.item == ChildFinished(run_id="r-1-1", task_id="task 1", outcome="cancelled")
        assert await store.runs.rest(ANN, "r-1", attempt=1, at=after(5))

    async def test_a_waiting_parent_whose_child_has_ended_is_found(self, store: Store) -> None:
        await with_children(store)
        await store.runs.rest(ANN, "r-1", attempt=1, at=after(1))
        await store.log.append(ANN, replace(end_of("r-1-1", at=after(4)), top_id="r-1"))
        found = await store.instances.unresumed(SYSTEM, before=after(9))
        assert [owned.run.id for owned in found] == ["r-1"]

    async def test_an_orphan_comes_before_the_runs_below_it(self, store: Store) -> None:
        await with_children(store, 2)
        orphans = await store.instances.orphans(SYSTEM, now=after(0) + LEASE * 2, dead=())
        assert [orphan.run.id for orphan in orphans] == ["r-1", "r-1-1", "r-1-2"]

    async def test_a_child_goes_with_its_conversation(self, store: Store) -> None:
        await with_children(store)
        await store.conversations.remove(ANN, "c-1")
        with refused(NotFound):
            await store.runs.get(ANN, "r-1-1")

    async def test_a_run_begins_instead_of_one_that_waits(self, store: Store) -> None:
        await with_children(store)
        await store.runs.rest(ANN, "r-1", attempt=1, at=after(1))
        other = replace(run("r-2"), created_at=after(60))
        await store.runs.begin(ANN, other, first_of(other), title="", instead_of="r-1")
        ended = await store.runs.get(ANN, "r-1")
        assert (ended.state, ended.outcome, ended.finished_at) == ("finished", "superseded", after(60))
        assert (await store.runs.get(ANN, "r-1-1")).state == "finished"
        live = await store.runs.live(ANN, "c-1")
        assert live is not None
        assert live.id == "r-2"

    async def test_no_run_begins_instead_of_one_that_works_or_of_another(self, store: Store) -> None:
        await begun(store)
        other = run("r-2")
        for instead_of in ("r-1", "r-9"):
            with refused(RunInProgress):
                await store.runs.begin(ANN, other, first_of(other), title="", instead_of=instead_of)
        await store.runs.rest(ANN, "r-1", attempt=1, at=after(1))
        with refused(RunInProgress):
            await store.runs.begin(ANN, other, first_of(other), title="", instead_of="r-9")
        assert (await store.runs.get(ANN, "r-1")).state == "waiting"
        assert isinstance((await store.log.events(ANN, "r-1"))[0].body, RunStarted)
