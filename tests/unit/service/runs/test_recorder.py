"""What happens is written in order, together where it belongs together, and soon."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import pytest
from tests.unit.service.scripts import said

from tablewright.domain.events import CodeDelta, Event, EventBody, StepAnnounced, TextDelta, TextFinished, ThinkingDelta
from tablewright.domain.ids import ManualClock
from tablewright.domain.scope import Scope
from tablewright.errors import StorageFull
from tablewright.service.runs.event_bus import EventBus
from tablewright.service.runs.linger import LINGER_S
from tablewright.service.runs.recorder import BREATH_TURNS, PENDING_LIMIT, Recorder
from tablewright.service.runs.unwritten import Unwritten
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, T0, begun, progress
from tablewright.store.memory import MemoryStore
from tablewright.store.run_store import Batch, Fenced


class WatchedBus(EventBus):
    """Remembers the batches; `before_append` is awaited first."""

    def __init__(self, store: Store, clock: ManualClock) -> None:
        super().__init__(store, clock)
        self.batches: list[Batch] = []
        self.before_append: Callable[[], Awaitable[object]] | None = None

    async def append(self, scope: Scope, batch: Batch) -> int:
        if self.before_append is not None:
            await self.before_append()
        last = await super().append(scope, batch)
        self.batches.append(batch)
        return last


class Setting:
    """A recorder of a run that has begun."""

    def __init__(self) -> None:
        self.clock = ManualClock(T0)
        self.store = MemoryStore()
        self.bus = WatchedBus(self.store, self.clock)
        self.recorder = Recorder(self.bus, self.clock, ANN, "r-1", 1)

    async def events(self) -> tuple[Event, ...]:
        return await self.store.log.events(ANN, "r-1", after=1)

    async def turns(self, count: int = 20) -> None:
        """Let whatever can go on without time passing go on."""
        for _ in range(count):
            await asyncio.sleep(0)


@pytest.fixture
async def setting() -> AsyncIterator[Setting]:
    setting = Setting()
    await begun(setting.store)
    yield setting
    await setting.recorder.close()


@pytest.mark.requirement("events-deltas-coalesced")
async def test_deltas_wait_for_each_other_at_most_50_ms(setting: Setting) -> None:
    assert LINGER_S <= 0.05
    for piece in ("Sales ", "by ", "region"):
        await setting.recorder.add(TextDelta(text=piece))
        await setting.turns()
    await setting.clock.advance(LINGER_S - 0.001)
    await setting.turns()
    assert await setting.events() == ()
    await setting.clock.advance(0.001)
    await setting.turns()
    assert [event.body for event in await setting.events()] == [TextDelta(text="Sales by region")]


async def test_any_other_event_takes_the_deltas_along_at_once_and_in_order(setting: Setting) -> None:
    bodies = (TextDelta(text="a"), TextDelta(text="b"), StepAnnounced(name="s", step_id="s-1"))
    for body in bodies:
        await setting.recorder.add(body)
    await setting.turns()
    assert [event.body for event in await setting.events()] == [TextDelta(text="ab"), bodies[2]]
    assert len(setting.bus.batches) == 1


async def test_a_transcript_entry_is_written_with_the_event_that_shows_it(setting: Setting) -> None:
    await setting.recorder.add(TextDelta(text="ab"))
    await setting.recorder.add(said("ab"))
    await setting.recorder.add(TextFinished(text="ab"))
    await setting.recorder.add(said("more"))
    await setting.turns()
    (batch,) = setting.bus.batches
    assert [event.body.type for event in batch.events] == ["text.delta", "text.finished"]
    assert batch.transcript == (said("ab"), said("more"))


async def test_what_arrives_while_a_batch_is_written_makes_the_next_one(setting: Setting) -> None:
    gate = asyncio.Event()
    setting.bus.before_append = gate.wait
    await setting.recorder.add(*progress(1))
    await setting.turns()
    for body in progress(5, start=2):
        await setting.recorder.add(body)
    gate.set()
    await setting.recorder.flush()
    assert [len(batch.events) for batch in setting.bus.batches] == [1, 5]
    assert [event.body for event in await setting.events()] == list(progress(6))


async def test_whoever_writes_much_faster_than_the_store_has_to_wait(setting: Setting) -> None:
    gate = asyncio.Event()
    setting.bus.before_append = gate.wait

    async def flood() -> None:
        for number in range(PENDING_LIMIT * 2):
            await setting.recorder.add(*progress(1, start=number))

    flooding = asyncio.create_task(flood())
    await setting.turns(200)
    assert not flooding.done()
    gate.set()
    await flooding
    await setting.recorder.flush()
    assert len(setting.store.log._rows.runs["r-1"].events) == 1 + PENDING_LIMIT * 2


async def test_text_that_has_waited_for_its_like_is_written_in_the_next_turns(setting: Setting) -> None:
    await setting.recorder.add(TextDelta(text="a"))
    await setting.turns()
    await setting.clock.advance(LINGER_S)
    await setting.turns(BREATH_TURNS - 2)
    assert [event.body for event in await setting.events()] == [TextDelta(text="a")]


async def test_a_failure_to_write_reaches_whoever_adds_next(setting: Setting) -> None:
    async def full() -> None:
        raise StorageFull(path="/data")

    setting.bus.before_append = full
    await setting.recorder.add(*progress(1))
    with pytest.raises(StorageFull):
        await setting.recorder.flush()
    with pytest.raises(StorageFull):
        await setting.recorder.add(*progress(1))


async def test_nothing_is_added_after_the_last_word(setting: Setting) -> None:
    await setting.recorder.finish(*progress(1))
    with pytest.raises(Fenced):
        await setting.recorder.add(*progress(1))
    assert len(await setting.events()) == 1


async def test_flush_of_nothing_returns(setting: Setting) -> None:
    await setting.recorder.flush()
    assert setting.bus.batches == []


def test_only_neighbours_of_one_kind_and_place_are_joined() -> None:
    bodies: tuple[EventBody, ...] = (
        TextDelta(text="a"),
        TextDelta(text="b"),
        ThinkingDelta(text="c"),
        ThinkingDelta(text="d", task_id="t"),
        CodeDelta(text="e", step_id="1"),
        CodeDelta(text="f", step_id="1"),
        CodeDelta(text="g", step_id="2"),
        TextDelta(text="h"),
        TextFinished(text="h"),
        TextFinished(text="h"),
    )
    unwritten = Unwritten()
    for seconds, body in enumerate(bodies):
        unwritten.add(body, T0 + timedelta(seconds=seconds))
    events = unwritten.batch("r-1", 1).events
    assert [(event.at - T0).seconds for event in events] == [1, 2, 3, 5, 6, 7, 8, 9]
    assert [event.body for event in events] == [
        TextDelta(text="ab"),
        bodies[2],
        bodies[3],
        CodeDelta(text="ef", step_id="1"),
        bodies[6],
        bodies[7],
        bodies[8],
        bodies[9],
    ]
