"""Tests of stores of runs."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.answer import Answer
from tablewright.domain.run import RunFailure
from tablewright.errors import NotFound, RunInProgress
from tablewright.store.base import Store
from tablewright.store.conformance.examples import (
    ANN,
    BOB,
    LEASE,
    OTHER_TENANT,
    after,
    batch,
    begun,
    conversation,
    end_of,
    file,
    first_of,
    progress,
    refused,
    run,
)
from tablewright.store.run_store import Fenced, RunEnd


class RunsConformance:
    """Rows of runs: their creation, their state, and who may write to them."""

    async def test_a_run_comes_back_as_it_began_with_its_first_events_counted(self, store: Store) -> None:
        value = await begun(store)
        assert await store.runs.get(ANN, "r-1") == replace(value, last_seq=1)

    async def test_a_run_of_another_owner_or_tenant_does_not_exist(self, store: Store) -> None:
        await begun(store)
        for stranger in (BOB, OTHER_TENANT):
            with refused(NotFound):
                await store.runs.get(stranger, "r-1")
            with refused(NotFound):
                await store.log.events(stranger, "r-1")
            with refused(NotFound):
                await store.log.append(stranger, batch(*progress(1)))
            with refused(NotFound):
                await store.runs.request_cancel(stranger, "r-1", at=after(1))
            with refused(NotFound):
                await store.log.requests(stranger, "r-1")
            with refused(NotFound):
                await store.log.transcript(stranger, "r-1")

    async def test_a_conversation_has_one_live_run(self, store: Store) -> None:
        await begun(store)
        with refused(RunInProgress):
            await store.runs.begin(ANN, run("r-2"), first_of(run("r-2")), title="")
        live = await store.runs.live(ANN, "c-1")
        assert live is not None
        assert live.id == "r-1"
        await store.log.append(ANN, end_of())
        assert await store.runs.live(ANN, "c-1") is None
        await store.runs.begin(ANN, run("r-2"), first_of(run("r-2")), title="")
        assert (await store.runs.get(ANN, "r-2")).state == "running"

    async def test_a_run_that_follows_another_begins_only_while_that_is_the_last(self, store: Store) -> None:
        await begun(store)
        await store.log.append(ANN, end_of())
        await store.runs.begin(ANN, run("r-2"), first_of(run("r-2")), title="", follows="r-1")
        await store.log.append(ANN, end_of("r-2"))
        with refused(RunInProgress):
            await store.runs.begin(ANN, run("r-3"), first_of(run("r-3")), title="", follows="r-1")
        await store.runs.begin(ANN, run("r-3"), first_of(run("r-3")), title="", follows="r-2")

    async def test_a_run_that_cannot_begin_leaves_nothing(self, store: Store) -> None:
        with refused(NotFound):
            await store.runs.begin(ANN, run(), first_of(run()), title="t")
        await store.conversations.add(ANN, conversation())
        unknown_file = replace(run(), file_ids=("f-unknown",))
        with refused(NotFound):
            await store.runs.begin(ANN, unknown_file, first_of(unknown_file), title="t")
        with refused(NotFound):
            await store.runs.get(ANN, "r-1")
        assert (await store.conversations.messages(ANN, "c-1")).items == ()
        assert (await store.conversations.get(ANN, "c-1")).title == ""

    async def test_the_first_question_becomes_the_title_only_where_there_is_none(self, store: Store) -> None:
        await store.conversations.add(ANN, conversation())
        await store.conversations.add(ANN, conversation("c-2", title="mine"))
        for run_id, conversation_id in (("r-1", "c-1"), ("r-2", "c-2")):
            value = run(run_id, conversation_id=conversation_id)
            await store.runs.begin(ANN, value, first_of(value), title="asked")
        assert (await store.conversations.get(ANN, "c-1")).title == "asked"
        assert (await store.conversations.get(ANN, "c-2")).title == "mine"

    async def test_the_files_of_a_message_are_linked_to_its_conversation_once(self, store: Store) -> None:
        await store.conversations.add(ANN, conversation())
        await store.files.add(ANN, file("f-1"), refs=(), conversation_id="c-1")
        await store.files.add(ANN, file("f-2"), refs=(), conversation_id=None)
        value = replace(run(), file_ids=("f-2", "f-1"))
        await store.runs.begin(ANN, value, first_of(value), title="")
        assert [item.id for item in await store.files.linked(ANN, "c-1")] == ["f-1", "f-2"]

    async def test_files_that_are_named_later_are_those_of_the_run_its_question_and_its_conversation(
        self, store: Store
    ) -> None:
        await begun(store)
        await store.files.add(ANN, file("f-1"), refs=(), conversation_id=None)
        await store.files.add(BOB, file("f-2"), refs=(), conversation_id=None)
        for wrong, error in ((batch(file_ids=("f-2",)), NotFound), (batch(file_ids=("f-1",), attempt=2), Fenced)):
            with refused(error):
                await store.log.append(ANN, wrong)
        assert (await store.runs.get(ANN, "r-1")).file_ids == ()
        await store.log.append(ANN, batch(*progress(1), file_ids=("f-1",)))
        named = await store.runs.get(ANN, "r-1")
        assert (named.file_ids, named.question) == (("f-1",), run().question)
        assert [one.file_ids for one in (await store.conversations.messages(ANN, "c-1")).items] == [("f-1",)]
        assert [one.id for one in await store.files.linked(ANN, "c-1")] == ["f-1"]

    async def test_a_finished_run_keeps_its_end(self, store: Store) -> None:
        await begun(store)
        failure = RunFailure(code="run_limit", params={"limit": "steps", "value": 3, "detail": None})
        answer = Answer(text="没有", outcome="limit")
        end = RunEnd(outcome="limit", finished_at=after(2), answer=answer, failure=failure)
        await store.log.append(ANN, replace(end_of(), end=end))
        found = await store.runs.get(ANN, "r-1")
        assert (found.state, found.outcome, found.finished_at) == ("finished", "limit", after(2))
        assert (found.answer, found.failure, found.lease_until) == (answer, failure, None)

    async def test_nothing_is_written_after_the_end(self, store: Store) -> None:
        await begun(store)
        await store.log.append(ANN, end_of())
        with refused(Fenced):
            await store.log.append(ANN, batch(*progress(1)))
        with refused(Fenced):
            await store.runs.rest(ANN, "r-1", attempt=1, at=after(0))
        assert [event.seq for event in await store.log.events(ANN, "r-1")] == [1, 2]

    async def test_the_first_request_to_cancel_counts(self, store: Store) -> None:
        await begun(store)
        assert (await store.runs.request_cancel(ANN, "r-1", at=after(1))).cancel_requested_at == after(1)
        assert (await store.runs.request_cancel(ANN, "r-1", at=after(2))).cancel_requested_at == after(1)

    async def test_a_cancel_of_a_finished_run_changes_nothing(self, store: Store) -> None:
        await begun(store)
        await store.log.append(ANN, end_of())
        before = await store.runs.get(ANN, "r-1")
        assert await store.runs.request_cancel(ANN, "r-1", at=after(1)) == before

    async def test_the_runs_of_a_workflow_are_its_owners_newest_first_and_paged(self, store: Store) -> None:
        quoted = '"workflow_id":"flow"'  # somebody who says this runs nothing
        known = (("r-1", "flow", "q"), ("r-2", "flow", "q"), ("r-3", "flow_2", "q"), ("r-4", None, quoted))
        for place, (run_id, flow, words) in enumerate(known):
            await store.conversations.add(ANN, conversation(f"c-{place}"))
            began = replace(run(run_id, conversation_id=f"c-{place}"), created_at=after(place), question=words)
            await store.runs.begin(ANN, replace(began, workflow_id=flow), first_of(began), title="")
        first = await store.runs.of_workflow(ANN, "flow", limit=1)
        assert [each.id for each in first.items] == ["r-2"]
        rest = await store.runs.of_workflow(ANN, "flow", limit=1, cursor=first.next_cursor)
        assert ([each.id for each in rest.items], rest.next_cursor) == (["r-1"], None)
        for stranger in (BOB, OTHER_TENANT):
            assert (await store.runs.of_workflow(stranger, "flow")).items == ()
        assert (await store.runs.of_workflow(ANN, "flow%")).items == ()

    async def test_a_waiting_run_has_no_owner_and_one_claim_takes_it(self, store: Store) -> None:
        await begun(store)
        assert await store.runs.rest(ANN, "r-1", attempt=1, at=after(0))
        waiting = await store.runs.get(ANN, "r-1")
        assert (waiting.state, waiting.owner_instance, waiting.lease_until) == ("waiting", None, None)
        claims = [
            await store.runs.claim(ANN, "r-1", attempt=1, instance_id=instance, at=after(1), lease_until=after(30))
            for instance in ("i-2", "i-3")
        ]
        assert claims[0] == replace(waiting, state="running", attempt=2, owner_instance="i-2", lease_until=after(30))
        assert claims[1] is None

    async def test_an_older_attempt_may_not_write(self, store: Store) -> None:
        await begun(store)
        await store.runs.rest(ANN, "r-1", attempt=1, at=after(0))
        await store.runs.claim(ANN, "r-1", attempt=1, instance_id="i-2", at=after(1), lease_until=after(0) + LEASE)
        with refused(Fenced):
            await store.log.append(ANN, batch(*progress(1), attempt=1))
        with refused(Fenced):
            await store.log.take(ANN, "r-1", attempt=1)
        assert await store.log.append(ANN, batch(*progress(1), attempt=2)) == 2
