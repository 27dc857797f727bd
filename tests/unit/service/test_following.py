"""A watcher who comes and goes sees exactly what one who stayed saw."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import Bench, Items, bench
from tests.unit.service.scripts import answer, answering, asking, endless

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.events import Event, EventBody, ProgressReported, StepAnnounced, TextDelta
from tablewright.domain.run import RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound

WRITTEN = st.lists(
    st.one_of(
        st.builds(TextDelta, text=st.text(min_size=1, max_size=5)),
        st.builds(ProgressReported, message=st.text(max_size=5)),
        st.builds(StepAnnounced, name=st.just("step"), step_id=st.sampled_from(["1", "2"])),
        st.integers(min_value=1, max_value=4),
    ),
    max_size=30,
)
"""What an agent writes; a number lets others go on so many times."""

VISITS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), max_size=8)
"""How many events a watcher sees before it goes, and how often others go on before it comes again."""


async def visiting(service: Bench, run: Run, visits: list[tuple[int, int]]) -> list[Event]:
    """Come and go as `visits` say, then stay to the end."""
    seen: list[Event] = []
    for count, pause in visits:
        watcher = service.runs.follow(service.scope, run.id, after=seen[-1].seq if seen else 0)
        while count and (event := await anext(watcher, None)) is not None:
            seen.append(event)
            count -= 1
        await watcher.aclose()  # type: ignore[attr-defined]  # an async generator
        for _ in range(pause):
            await asyncio.sleep(0)
    return seen + await service.events(run, after=seen[-1].seq if seen else 0)


async def watched(folder: Path, written: list[EventBody | int], visits: list[list[tuple[int, int]]]) -> None:
    async def writing(given: AgentInput, context: AgentContext) -> Items:
        for item in written:
            if isinstance(item, int):
                for _ in range(item):
                    await asyncio.sleep(0)
            else:
                yield item
        yield answer()

    service = bench(folder, writing)
    run = await service.ask()
    staying, *coming_and_going = await asyncio.gather(
        service.events(run), *(visiting(service, run, plan) for plan in visits)
    )
    assert all(seen == staying for seen in coming_and_going)
    assert [event.seq for event in staying] == list(range(1, len(staying) + 1))
    stored = await service.store.log.events(service.scope, run.id)
    assert list(stored) == staying
    said = "".join(body.text for body in written if isinstance(body, TextDelta))
    assert "".join(event.body.text for event in staying if isinstance(event.body, TextDelta)) == said


@pytest.mark.requirement("events-same-for-every-watcher")
@settings(max_examples=60, deadline=None)
@given(written=WRITTEN, visits=st.lists(VISITS, min_size=1, max_size=3))
def test_a_watcher_who_comes_and_goes_sees_what_one_who_stayed_saw(
    written: list[EventBody | int], visits: list[list[tuple[int, int]]]
) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(watched(Path(folder), written, visits))


async def test_watchers_of_a_finished_run_see_it_all_from_any_place(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    run = await service.settled(await service.ask())
    whole = await service.events(run)
    for after in range(len(whole) + 3):
        assert await service.events(run, after=after) == whole[after:]


async def test_a_watcher_sees_what_happens_while_it_waits(tmp_path: Path) -> None:
    service = bench(tmp_path, asking)
    run = await service.ask()
    watcher = service.runs.follow(service.scope, run.id)
    seen = [(await anext(watcher)).body.type for _ in range(3)]
    assert seen == ["run.started", "message.added", "approval.requested"]
    waiting = asyncio.ensure_future(anext(watcher))
    await service.settled(run)
    await service.runs.cancel(service.scope, run.id)
    assert (await waiting).body.type == "run.finished"
    assert await anext(watcher, None) is None


async def test_a_watcher_at_another_service_sees_the_same(tmp_path: Path) -> None:
    one = bench(tmp_path, endless)
    other = bench(tmp_path, answering, store=one.store)
    run = await one.ask()
    watching = asyncio.ensure_future(other.events(run))
    watcher = one.runs.follow(one.scope, run.id)
    for _ in range(4):
        await anext(watcher)
    await one.runs.cancel(one.scope, run.id)
    assert await watching == await one.events(run)


@pytest.mark.requirement("run-independent-of-watchers")
async def test_a_watcher_who_leaves_does_not_stop_the_run(tmp_path: Path) -> None:
    release = asyncio.Event()

    async def held(given: AgentInput, context: AgentContext) -> Items:
        await release.wait()
        yield answer()

    service = bench(tmp_path, held)
    run = await service.ask()
    watching = asyncio.ensure_future(service.events(run))
    await asyncio.sleep(0)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    assert (await service.runs.get(service.scope, run.id)).state == "running"
    release.set()
    assert (await service.settled(run)).outcome == "completed"


async def test_another_owners_run_cannot_be_watched(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    run = await service.ask()
    with pytest.raises(NotFound):
        await anext(service.runs.follow(Scope(owner="somebody else"), run.id))
    await service.settled(run)


async def test_a_watcher_until_rest_leaves_where_the_run_waits_and_again_where_it_ends(tmp_path: Path) -> None:
    service = bench(tmp_path, asking)
    run = await service.ask()
    async with asyncio.timeout(PATIENCE_S):
        first = [event async for event in service.runs.follow(service.scope, run.id, until_rest=True)]
        assert first[-1].body.type == "approval.requested"
        assert (await service.runs.get(service.scope, run.id)).state == "waiting"
        await service.runs.answer(service.scope, run.id, "q-1", RequestAnswer(decision="approve"))
        after = first[-1].seq
        rest = [event async for event in service.runs.follow(service.scope, run.id, after=after, until_rest=True)]
    assert rest[0].body.type == "request.answered"
    assert rest[-1].body.type == "run.finished"
