"""An hour after a run's end its log says the same in fewer events."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.service_bench import Bench, Items, Script, bench
from tests.unit.service.scripts import answer

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.codec import from_json, to_json
from tablewright.domain.events import Event, StepAnnounced, TextDelta
from tablewright.domain.ids import ManualClock
from tablewright.domain.scope import SystemScope
from tablewright.service.retention.collector import Collector
from tablewright.store.run_store import Batch, Stamped

PIECES = 250
HOUR_S = 3600.0


def writing(made: list[Bench], clock: ManualClock) -> Script:
    async def script(given: AgentInput, context: AgentContext) -> Items:
        pieces = tuple(Stamped(at=clock.now(), body=TextDelta(text=f"{number},")) for number in range(PIECES))
        await made[0].bus.append(made[0].scope, Batch(run_id=given.run_id, attempt=1, events=pieces))
        yield StepAnnounced(name="S", step_id="s-1")
        yield answer()

    return script


@pytest.mark.requirement("events-compacted")
async def test_an_hour_after_its_end_a_run_is_told_in_fewer_events_whose_ranges_touch(tmp_path: Path) -> None:
    clock, made = ManualClock(), list[Bench]()
    made.append(bench(tmp_path, writing(made, clock), clock=clock))
    (service,) = made
    run = await service.settled(await service.ask())
    before = await service.events(run)
    collector = Collector(service.store, service.blobs, clock, SystemScope(instance_id="i-1"))
    await clock.advance(HOUR_S - 1)
    assert await collector.compact() == 0
    assert await service.events(run) == before
    await clock.advance(2)
    assert await collector.compact() == 1
    after = await service.events(run)
    assert len(after) == len(before) - PIECES + 1
    assert after[-1] == before[-1]
    starts = [event.from_seq or event.seq for event in after]
    assert starts == [1, *(event.seq + 1 for event in after[:-1])]
    said = [
        "".join(event.body.text for event in events if isinstance(event.body, TextDelta)) for events in (before, after)
    ]
    assert said[0] == said[1]
    assert all(from_json(Event, to_json(Event, event)) == event for event in after)
    assert b"from_seq" not in to_json(Event, before[0])
