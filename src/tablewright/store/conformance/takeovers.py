"""What every store does with runs that pass from one process to another, and with what is sent to them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tablewright.domain.artifact import BlobRef
from tablewright.domain.events import PlanEdited
from tablewright.domain.scope import SystemScope
from tablewright.errors import Conflict, NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.children import with_children
from tablewright.store.conformance.examples import ANN, BOB, SYSTEM, after, batch, begun, end_of, progress, refused, run
from tablewright.store.run_store import Fenced

OTHER = SystemScope(instance_id="i-2")
EDIT = PlanEdited(edit={"drop": ["步骤 2"]})


class TakeoversConformance:
    """Releasing, seizing, the time that was worked, and inboxes."""

    async def test_a_run_that_says_so_can_be_taken_over(self, store: Store) -> None:
        await begun(store, replace(run(), takeover=True, agent="workflow"))
        found = await store.runs.get(ANN, "r-1")
        assert (found.takeover, found.agent) == (True, "workflow")

    async def test_a_released_run_is_seized_by_whoever_looks(self, store: Store) -> None:
        await begun(store)
        await store.runs.release(ANN, "r-1", attempt=1, at=after(2))
        released = await store.runs.get(ANN, "r-1")
        assert (released.state, released.owner_instance, released.lease_until) == ("queued", None, None)
        (orphan,) = await store.instances.orphans(SYSTEM, now=after(2), dead=())
        assert orphan.run == released
        seized = await store.instances.seize(OTHER, "r-1", attempt=1, now=after(3), lease_until=after(18), dead=())
        assert seized is not None
        assert (seized.state, seized.attempt, seized.owner_instance, seized.losses) == ("running", 2, "i-2", 0)
        with refused(Fenced):
            await store.runs.release(ANN, "r-1", attempt=1, at=after(4))

    async def test_the_processes_that_died_over_a_run_are_counted_until_it_rests(self, store: Store) -> None:
        await begun(store)
        for attempt in (1, 2):
            at = after(attempt * 20)
            seized = await store.instances.seize(
                OTHER, "r-1", attempt=attempt, now=at, lease_until=after(attempt * 20 + 15), dead=()
            )
            assert seized is not None
            assert seized.losses == attempt
        await store.runs.rest(ANN, "r-1", attempt=3, at=after(60))
        assert (await store.runs.get(ANN, "r-1")).losses == 0

    async def test_the_time_worked_is_summed_over_attempts_and_stands_still_while_a_run_rests(
        self, store: Store
    ) -> None:
        await begun(store)
        await store.runs.rest(ANN, "r-1", attempt=1, at=after(4))
        assert (await store.runs.get(ANN, "r-1")).worked_s == 4.0
        claimed = await store.runs.claim(
            ANN, "r-1", attempt=1, instance_id="i-2", at=after(1_000), lease_until=after(1_015)
        )
        assert claimed is not None
        assert claimed.worked_s == 4.0
        await store.runs.release(ANN, "r-1", attempt=2, at=after(1_002.5))
        assert (await store.runs.get(ANN, "r-1")).worked_s == 6.5
        await store.instances.seize(OTHER, "r-1", attempt=2, now=after(1_010), lease_until=after(1_025), dead=())
        await store.instances.beat(OTHER, at=after(1_011), run_ids=("r-1",), lease_until=after(1_026))
        assert (await store.runs.get(ANN, "r-1")).worked_s == 7.5
        await store.log.append(ANN, end_of(attempt=3, at=after(1_012)))
        assert (await store.runs.get(ANN, "r-1")).worked_s == 8.5

    async def test_of_a_process_that_died_the_time_up_to_its_last_beat_counts(self, store: Store) -> None:
        await begun(store)
        await store.instances.beat(SYSTEM, at=after(5), run_ids=("r-1",), lease_until=after(20))
        seized = await store.instances.seize(OTHER, "r-1", attempt=1, now=after(30), lease_until=after(45), dead=())
        assert seized is not None
        assert seized.worked_s == 5.0

    async def test_the_agent_of_a_run_is_stored_with_the_events_that_tell_of_it(self, store: Store) -> None:
        await begun(store)
        await store.log.append(ANN, replace(batch(*progress(1)), agent="rounds"))
        await store.log.append(ANN, batch(*progress(1)))
        assert (await store.runs.get(ANN, "r-1")).agent == "rounds"

    async def test_the_blobs_of_a_batch_are_kept_with_its_events_and_go_with_the_conversation(
        self, store: Store
    ) -> None:
        await begun(store)
        blob = BlobRef(sha256="ab" * 32, size_bytes=100_000)
        with refused(Fenced):
            await store.log.append(ANN, replace(batch(*progress(1), attempt=9), refs=(blob,)))
        assert await store.files.unreferenced(SYSTEM, "acme", (blob.sha256,)) == {blob.sha256}
        await store.log.append(ANN, replace(batch(*progress(1)), refs=(blob,)))
        assert await store.files.unreferenced(SYSTEM, "acme", (blob.sha256,)) == frozenset()
        assert await store.conversations.remove(ANN, "c-1") == (blob.sha256,)
        assert await store.files.unreferenced(SYSTEM, "acme", (blob.sha256,)) == {blob.sha256}

    async def test_what_is_sent_to_a_run_is_taken_once_and_in_order(self, store: Store) -> None:
        await begun(store)
        other = PlanEdited(edit={"add": ["新的"]})
        await store.log.post(ANN, "r-1", EDIT, at=after(1))
        await store.log.post(ANN, "r-1", other, at=after(2))
        taken = await store.log.take(ANN, "r-1", attempt=1)
        assert [(entry.place, entry.at, entry.item) for entry in taken] == [(1, after(1), EDIT), (2, after(2), other)]
        assert await store.log.take(ANN, "r-1", attempt=1) == ()
        await store.log.post(ANN, "r-1", EDIT, at=after(3))
        assert [entry.place for entry in await store.log.take(ANN, "r-1", attempt=1)] == [3]

    async def test_an_edit_of_a_plan_stays_in_the_log_for_the_attempts_after_the_one_that_took_it(
        self, store: Store
    ) -> None:
        await with_children(store)
        await store.log.post(ANN, "r-1-1", EDIT, at=after(1))
        await store.log.take(ANN, "r-1-1", attempt=1)
        assert (await store.log.events(ANN, "r-1-1"))[-1].body == EDIT
        top = (await store.log.events(ANN, "r-1"))[-1]
        assert (top.run_id, top.at, top.body) == ("r-1-1", after(1), EDIT)
        assert (await store.runs.get(ANN, "r-1")).last_seq == top.seq

    async def test_nothing_sent_at_the_same_time_is_lost(self, store: Store) -> None:
        await begun(store)
        await asyncio.gather(*(store.log.post(ANN, "r-1", EDIT, at=after(one)) for one in range(8)))
        assert [entry.place for entry in await store.log.take(ANN, "r-1", attempt=1)] == list(range(1, 9))

    async def test_a_run_does_not_rest_over_what_was_sent_to_it(self, store: Store) -> None:
        await begun(store)
        await store.log.post(ANN, "r-1", EDIT, at=after(1))
        assert not await store.runs.rest(ANN, "r-1", attempt=1, at=after(2))
        await store.log.take(ANN, "r-1", attempt=1)
        assert await store.runs.rest(ANN, "r-1", attempt=1, at=after(2))

    async def test_nothing_is_sent_to_a_run_that_has_finished_or_is_anothers(self, store: Store) -> None:
        await begun(store)
        with refused(NotFound):
            await store.log.post(BOB, "r-1", EDIT, at=after(1))
        with refused(NotFound):
            await store.log.take(BOB, "r-1", attempt=1)
        await store.log.append(ANN, end_of())
        with refused(Conflict):
            await store.log.post(ANN, "r-1", EDIT, at=after(1))

    async def test_what_an_attempt_took_is_not_given_to_the_next(self, store: Store) -> None:
        await begun(store)
        await store.log.post(ANN, "r-1", EDIT, at=after(1))
        await store.log.take(ANN, "r-1", attempt=1)
        await store.runs.release(ANN, "r-1", attempt=1, at=after(2))
        await store.instances.seize(OTHER, "r-1", attempt=1, now=after(3), lease_until=after(18), dead=())
        assert await store.log.take(ANN, "r-1", attempt=2) == ()
        with refused(Fenced):
            await store.log.take(ANN, "r-1", attempt=1)
