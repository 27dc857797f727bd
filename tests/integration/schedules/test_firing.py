"""Schedules fire at their times, once across servers, on every store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.databases import sqlite_url
from tests.support.schedule_bench import ANN, DAY_S, DEFINITION, HOUR_S, ScheduleBench, schedule_bench

from tablewright.domain.workflow.schedules import ScheduledFile
from tablewright.errors import Conflict, InputMissing, InvalidInput, NotFound, WorkflowUnknown
from tablewright.service.schedules.runner import HOLD
from tablewright.store.base import Store
from tablewright.store.memory import MemoryStore
from tablewright.store.sql import SqlStore

MONDAY = datetime(2026, 3, 2, 8, tzinfo=UTC)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Callable[[], Store]:
    """Return what opens one and the same store for each server."""
    if request.param == "memory":
        shared = MemoryStore()
        return lambda: shared
    request.getfixturevalue(f"{request.param}_store")
    url = (
        request.getfixturevalue("postgres_url")
        if request.param == "postgres"
        else sqlite_url(request.getfixturevalue("sqlite_path"))
    )
    return lambda: SqlStore(url)


@pytest.fixture
async def bench(tmp_path: Path, store: Callable[[], Store]) -> AsyncIterator[ScheduleBench]:
    async with schedule_bench(tmp_path, store, servers=2) as opened:
        yield opened


@pytest.fixture
async def one(tmp_path: Path) -> AsyncIterator[ScheduleBench]:
    async with schedule_bench(tmp_path, MemoryStore) as opened:
        yield opened


@pytest.mark.requirement("schedules-fire-once")
async def test_a_time_fires_once_whichever_servers_look(bench: ScheduleBench) -> None:
    made = await bench.made(inputs={"who": "Ann"})
    await bench.pass_time(19 * HOUR_S)
    assert await bench.firings(made.schedule.id) == ()
    await bench.pass_time(HOUR_S)
    (firing,) = await bench.firings(made.schedule.id)
    assert firing.due_at == MONDAY
    run = await bench.ended(firing)
    assert run.answer is not None
    assert (run.answer.text, run.conversation_id) == ("Hello Ann", firing.conversation_id)
    for _ in range(3):
        await bench.tick()
    (firing,) = await bench.firings(made.schedule.id)
    assert (firing.stage, firing.outcome, firing.delivery) == ("ended", "completed", "none")
    (listed,) = await bench.schedules.list(ANN)
    assert listed.firings == (firing,)
    page = await bench.app.conversations.list(ANN)
    assert [conversation.title for conversation in page.items] == ["Report"]
    assert (await bench.schedules.get(ANN, made.schedule.id)).next_times[0] == MONDAY + timedelta(days=7)


@pytest.mark.requirement("schedules-fire-once")
async def test_what_a_server_left_is_gone_on_with_by_the_next_and_begins_one_run(bench: ScheduleBench) -> None:
    made = await bench.made()
    await bench.clock.advance(20 * HOUR_S)
    first, other = (server.runner for server in bench.servers)
    await first.tick()
    await first.close()  # as if it had died, before or after it began the run
    await other.tick()
    await other.settle()
    await bench.clock.advance(HOLD.total_seconds())
    await other.tick()
    await other.settle()
    (firing,) = await bench.firings(made.schedule.id)
    await bench.ended(firing)
    await bench.tick()
    (firing,) = await bench.firings(made.schedule.id)
    assert firing.outcome == "completed"
    assert len((await bench.app.conversations.list(ANN)).items) == 1


@pytest.mark.parametrize(
    ("down_s", "window_s", "due", "outcome"),
    [
        (20 * HOUR_S + 5 * DAY_S, DAY_S, 7, "completed"),
        (20 * HOUR_S + 5 * DAY_S + 2 * HOUR_S, HOUR_S, 2, "missed"),
        (20 * HOUR_S + 5 * DAY_S + 0.5 * HOUR_S, HOUR_S, 7, "completed"),
        (20 * HOUR_S + 30, 0, 2, "completed"),
    ],
)
@pytest.mark.requirement("schedules-missed-times")
async def test_of_missed_times_the_last_fires_once_within_the_window(
    one: ScheduleBench, down_s: float, window_s: float, due: int, outcome: str
) -> None:
    made = await one.made("every day 08:00", window_s=window_s)
    await one.pass_time(down_s)
    (firing,) = await one.firings(made.schedule.id)
    assert firing.due_at == datetime(2026, 3, due, 8, tzinfo=UTC)
    if outcome == "completed":
        await one.ended(firing)
        await one.tick()
    (firing,) = await one.firings(made.schedule.id)
    assert (firing.stage, firing.outcome) == ("ended", outcome)
    (after, *_) = (await one.schedules.get(ANN, made.schedule.id)).next_times
    assert one.clock.now() < after <= one.clock.now() + timedelta(days=1)


@pytest.mark.requirement("schedules-missed-times")
async def test_the_clock_of_the_zone_decides_also_where_it_goes_forward(one: ScheduleBench) -> None:
    made = await one.made("every day 02:30", time_zone="Europe/Berlin")
    (listed,) = await one.schedules.list(ANN)
    assert [time.isoformat()[5:16] for time in listed.next_times[:2]] == ["03-02T01:30", "03-03T01:30"]
    await one.pass_time(27 * DAY_S)
    view = await one.schedules.get(ANN, made.schedule.id)
    assert [time.isoformat()[5:16] for time in view.next_times[:2]] == ["03-29T01:00", "03-30T00:30"]


async def test_a_paused_schedule_fires_no_more_and_what_it_missed_is_not_made_up_for(one: ScheduleBench) -> None:
    made = await one.made()
    paused = await one.schedules.pause(ANN, made.schedule.id)
    assert (paused.schedule.paused, paused.next_times) == (True, ())
    await one.pass_time(7 * DAY_S)
    resumed = await one.schedules.resume(ANN, made.schedule.id)
    await one.tick()
    assert await one.firings(made.schedule.id) == ()
    assert resumed.next_times[0] == MONDAY + timedelta(days=7)


async def test_a_withdrawn_workflow_and_a_deleted_file_are_refused_and_the_schedule_goes_on(
    one: ScheduleBench,
) -> None:
    workflow = await one.published()
    made = await one.made("every day 08:00", workflow=workflow)
    await one.app.workflows().definitions.withdraw(ANN, workflow)
    await one.pass_time(20 * HOUR_S)
    (firing,) = await one.firings(made.schedule.id)
    assert firing.failure is not None
    assert (firing.outcome, firing.failure.code, firing.stage) == ("refused", "workflow_unknown", "ended")
    assert (await one.app.conversations.list(ANN)).items == ()
    await one.app.workflows().definitions.publish(ANN, workflow)
    await one.pass_time(DAY_S)
    (again, _) = await one.firings(made.schedule.id)
    assert (await one.ended(again)).outcome == "completed"


async def test_a_conversation_that_is_deleted_meanwhile_is_said(one: ScheduleBench) -> None:
    asking = DEFINITION | {
        "nodes": [*DEFINITION["nodes"], {"id": "who", "kind": "ask_user", "prompt": "Who?"}],
        "edges": [{"source": "start", "target": "who"}, {"source": "who", "target": "end"}],
    }
    made = await one.made(workflow=await one.published(asking))
    await one.pass_time(20 * HOUR_S)
    (firing,) = await one.firings(made.schedule.id)
    assert firing.stage == "watch"
    assert firing.conversation_id is not None
    await one.app.conversations.delete(ANN, firing.conversation_id)
    await one.tick()
    (firing,) = await one.firings(made.schedule.id)
    assert (firing.stage, firing.outcome) == ("ended", "removed")


async def uploaded(bench: ScheduleBench, name: str) -> str:
    async def content() -> AsyncIterator[bytes]:
        yield b"a,b\n1,2\n"

    return (await bench.app.files.upload(ANN, name=name, content=content())).id


async def test_the_newest_file_of_a_name_is_taken_when_it_fires(one: ScheduleBench) -> None:
    flow = DEFINITION | {"inputs": [{"name": "file", "kind": "file"}, *DEFINITION["inputs"]]}
    files = (ScheduledFile(newest="sales-*.csv"),)
    made = await one.made("every day 08:00", workflow=await one.published(flow), files=files)
    await one.pass_time(20 * HOUR_S)
    (firing,) = await one.firings(made.schedule.id)
    assert firing.failure is not None
    assert firing.failure.params["id"] == "sales-*.csv"
    await uploaded(one, "sales-may.csv")
    newest = await uploaded(one, "sales-june.csv")
    await uploaded(one, "other.csv")
    await one.pass_time(DAY_S)
    (firing, _) = await one.firings(made.schedule.id)
    run = await one.ended(firing)
    assert (run.outcome, run.file_ids) == ("completed", (newest,))


async def test_what_cannot_be_scheduled_is_refused_by_name(one: ScheduleBench) -> None:
    for field, more in (
        ("when", {"when": "every blue moon"}),
        ("time_zone", {"time_zone": "Mars"}),
        ("window_s", {"window_s": 10**9}),
        ("files", {"files": (ScheduledFile(),)}),
        ("webhook.url", {"webhook_url": "ftp://example.org"}),
        ("webhook.url", {"webhook_url": "https://ann:secret@example.org"}),
        ("webhook.secret", {"webhook_url": "https://example.org", "secret": "whsec_short"}),
    ):
        with pytest.raises(InvalidInput) as refused:
            await one.made(**more)
        assert refused.value.field == field
    refusals: tuple[tuple[type[Exception], dict[str, Any]], ...] = (
        (WorkflowUnknown, {"workflow": "none"}),
        (InputMissing, {"inputs": {"nobody": 1}}),
        (NotFound, {"files": (ScheduledFile(id="nobody's"),)}),
    )
    for error, wrong in refusals:
        with pytest.raises(error):
            await one.made(**wrong)
    assert await one.schedules.list(ANN) == ()


async def test_an_owner_has_so_many_schedules_and_no_more(one: ScheduleBench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablewright.service.schedules.schedules.MOST", 2)
    workflow = await one.published()
    for _ in range(2):
        await one.made(workflow=workflow)
    with pytest.raises(Conflict):
        await one.made(workflow=workflow)


async def test_a_clock_that_is_set_back_fires_nothing_twice(one: ScheduleBench) -> None:
    made = await one.made()
    await one.pass_time(20 * HOUR_S)
    await one.clock.advance(-10 * HOUR_S)
    await one.tick()
    await one.pass_time(10 * HOUR_S)
    assert len(await one.firings(made.schedule.id)) == 1


async def test_a_stranger_neither_sees_nor_stops_a_schedule(one: ScheduleBench) -> None:
    made = await one.made()
    for scope in (replace(ANN, owner="bob", operator=True), replace(ANN, tenant="globex")):
        assert await one.schedules.list(scope) == ()
        for attempt in (one.schedules.get, one.schedules.pause, one.schedules.resume, one.schedules.delete):
            with pytest.raises(NotFound):
                await attempt(scope, made.schedule.id)
    await one.schedules.delete(ANN, made.schedule.id)
    await one.pass_time(7 * DAY_S)
    assert (await one.app.conversations.list(ANN)).items == ()
