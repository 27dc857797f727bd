"""What every store does with runs that have parents."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tablewright.domain.events import QuestionAsked, RequestAnswered, TextDelta, UsageReported
from tablewright.domain.inbox import AnswerGiven
from tablewright.domain.run import OpenRequest, RequestAnswer, Run
from tablewright.errors import NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import (
    ANN,
    BOB,
    SYSTEM,
    T0,
    after,
    batch,
    begun,
    end_of,
    first_of,
    progress,
    refused,
    run,
)
from tablewright.store.run_store import Batch, Fenced, Stamped

YES = RequestAnswer(decision="approve")


def child(number: int = 1, parent_id: str = "r-1") -> Run:
    """Make a child of a run."""
    name = f"{parent_id}-{number}"
    return replace(run(name), parent_id=parent_id, top_id="r-1", task_id=f"task {number}", agent="executor")


def started(value: Run) -> Batch:
    """Make the first batch of a child, which adds no message."""
    return replace(first_of(value), top_id=value.top_id, messages=())


def of_child(*bodies: object, number: int = 1, attempt: int = 1) -> Batch:
    """Make a batch of events of a child."""
    return replace(batch(*bodies, run_id=f"r-1-{number}", attempt=attempt), top_id="r-1")  # type: ignore[arg-type]


async def with_children(store: Store, count: int = 1) -> None:
    """Begin a run with children."""
    await begun(store)
    for number in range(1, count + 1):
        await store.runs.begin_child(ANN, child(number), started(child(number)), parent_attempt=1)


class ChildrenConformance:
    """A tree of runs has one stream, and is answered at its top."""

    async def test_a_child_comes_back_as_it_began(self, store: Store) -> None:
        await with_children(store, 2)
        assert await store.runs.get(ANN, "r-1-1") == replace(child(), last_seq=1)
        assert [one.id for one in await store.runs.children(ANN, "r-1")] == ["r-1-1", "r-1-2"]
        assert await store.runs.children(ANN, "r-1-1") == ()
        with refused(NotFound):
            await store.runs.children(BOB, "r-1")

    async def test_a_task_is_begun_once(self, store: Store) -> None:
        await with_children(store)
        again = replace(child(), id="r-1-9")
        stored = await store.runs.begin_child(ANN, again, started(again), parent_attempt=1)
        assert stored == replace(child(), last_seq=1)
        assert len(await store.runs.children(ANN, "r-1")) == 1
        assert (await store.runs.get(ANN, "r-1")).last_seq == 2

    async def test_only_the_present_attempt_of_the_parent_begins_children(self, store: Store) -> None:
        await begun(store)
        with refused(Fenced):
            await store.runs.begin_child(ANN, child(), started(child()), parent_attempt=2)
        await store.log.append(ANN, end_of())
        with refused(Fenced):
            await store.runs.begin_child(ANN, child(), started(child()), parent_attempt=1)
        assert await store.runs.children(ANN, "r-1") == ()

    async def test_a_child_is_no_run_of_the_conversation(self, store: Store) -> None:
        await with_children(store)
        live = await store.runs.live(ANN, "c-1")
        assert live is not None
        assert live.id == "r-1"
        assert len((await store.conversations.messages(ANN, "c-1")).items) == 1

    async def test_the_stream_of_a_run_has_the_events_of_its_children_without_gaps(self, store: Store) -> None:
        await with_children(store, 2)
        await store.log.append(ANN, of_child(*progress(2), number=2))
        await store.log.append(ANN, batch(*progress(1)))
        assert await store.log.append(ANN, of_child(*progress(1), number=1)) == 2
        stream = [(event.run_id, event.seq) for event in await store.log.events(ANN, "r-1")]
        assert stream == [
            ("r-1", 1), ("r-1-1", 2), ("r-1-2", 3), ("r-1-2", 4), ("r-1-2", 5), ("r-1", 6), ("r-1-1", 7),
        ]  # fmt: skip
        assert (await store.runs.get(ANN, "r-1")).last_seq == 7
        own = [event.seq for event in await store.log.events(ANN, "r-1", own=True)]
        assert own == [1, 6]
        for number, last in ((1, 2), (2, 3)):
            events = await store.log.events(ANN, f"r-1-{number}")
            assert [event.seq for event in events] == list(range(1, last + 1))
            assert {event.run_id for event in events} == {f"r-1-{number}"}

    async def test_any_part_of_the_stream_can_be_read(self, store: Store) -> None:
        await with_children(store, 2)
        await store.log.append(ANN, of_child(*progress(3), number=2))
        read = [event.seq for event in await store.log.events(ANN, "r-1", after=2, limit=3)]
        assert read == [3, 4, 5]
        chosen = [event.seq for event in await store.log.events(ANN, "r-1", types=("run.started",))]
        assert chosen == [1, 2, 3]

    async def test_children_that_write_at_the_same_time_leave_no_gap_and_no_double(self, store: Store) -> None:
        await with_children(store, 4)
        writes = [store.log.append(ANN, of_child(*progress(3), number=number)) for number in (1, 2, 3, 4) * 3]
        own = [store.log.append(ANN, batch(*progress(2))) for _ in range(4)]
        await asyncio.gather(*writes, *own)
        events = await store.log.events(ANN, "r-1")
        assert [event.seq for event in events] == list(range(1, 50))
        for number in (1, 2, 3, 4):
            assert [event.seq for event in await store.log.events(ANN, f"r-1-{number}")] == list(range(1, 11))

    async def test_a_grandchild_writes_into_the_stream_of_the_top(self, store: Store) -> None:
        await with_children(store)
        below = child(5, "r-1-1")
        await store.runs.begin_child(ANN, below, started(below), parent_attempt=1)
        assert [(event.run_id, event.seq) for event in await store.log.events(ANN, "r-1")][-1] == (below.id, 3)
        assert [event.run_id for event in await store.log.events(ANN, "r-1-1")] == ["r-1-1"]

    async def test_a_question_of_a_child_is_shown_and_answered_at_the_top(self, store: Store) -> None:
        await with_children(store, 2)
        asked = OpenRequest(id="q-1", run_id="r-1-2", kind="question", prompt="?", created_at=T0)
        body = QuestionAsked(request_id="q-1", prompt="?")
        await store.log.append(ANN, replace(of_child(body, number=2), requests=(asked,)))
        assert await store.log.requests(ANN, "r-1") == (asked,)
        assert await store.log.requests(ANN, "r-1-1") == ()
        stored = await store.log.answer(ANN, "r-1", "q-1", YES, at=after(5))
        assert stored == replace(asked, answer=YES, answered_at=after(5), answered_by="ann")
        assert await store.log.take(ANN, "r-1", attempt=1) == ()
        (entry,) = await store.log.take(ANN, "r-1-2", attempt=1)
        assert entry.item == AnswerGiven(request_id="q-1", answer=YES)
        last = (await store.log.events(ANN, "r-1"))[-1]
        assert (last.run_id, last.body) == ("r-1-2", RequestAnswered(request_id="q-1", answer=YES))

    async def test_tokens_are_counted_for_the_run_that_used_them(self, store: Store) -> None:
        await with_children(store)
        await store.log.append(ANN, of_child(UsageReported(model="m", input_tokens=10, output_tokens=3)))
        await store.log.append(ANN, batch(UsageReported(model="m", input_tokens=5, output_tokens=0)))
        assert [(await store.runs.get(ANN, one)).tokens for one in ("r-1", "r-1-1")] == [5, 13]

    async def test_only_neighbours_in_the_stream_are_joined_long_after_the_end(self, store: Store) -> None:
        await with_children(store, 2)
        for number, words in ((1, "a"), (1, "b"), (2, "x"), (1, "c"), (1, "d")):
            await store.log.append(ANN, of_child(TextDelta(text=words), number=number))
        await store.log.append(ANN, batch(TextDelta(text="o"), TextDelta(text="p")))
        await store.log.append(ANN, end_of())
        assert await store.log.compact(SYSTEM, before=after(10_000)) == 3
        events = await store.log.events(ANN, "r-1", types=("text.delta",))
        assert [(event.from_seq, event.seq) for event in events] == [(4, 5), (None, 6), (7, 8), (9, 10)]
        own = await store.log.events(ANN, "r-1-1", types=("text.delta",))
        assert [(event.from_seq, event.seq) for event in own] == [(2, 3), (4, 5)]
        assert [event.body for event in own] == [TextDelta(text="ab"), TextDelta(text="cd")]

    async def test_a_stranger_begins_nothing_below_a_run(self, store: Store) -> None:
        await begun(store)
        with refused(NotFound):
            await store.runs.begin_child(BOB, child(), started(child()), parent_attempt=1)

    async def test_an_event_of_a_child_needs_its_top(self, store: Store) -> None:
        await with_children(store)
        loose = Batch(run_id="r-1-1", attempt=1, events=(Stamped(at=T0, body=progress(1)[0]),))
        with refused(Fenced):
            await store.log.append(ANN, loose)
