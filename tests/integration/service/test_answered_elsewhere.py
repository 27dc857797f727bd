"""A question of a child is answered from another replica while its sibling works, on the databases of both kinds."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.patience import found
from tests.support.service_bench import Bench, Items, bench
from tests.unit.service.scripts import answer, asking, endless

from tablewright.agent.base import AgentContext, AgentInput, ChildTask
from tablewright.domain.ids import SystemClock
from tablewright.domain.run import OpenRequest, RequestAnswer, Run
from tablewright.store.run_store import Instance
from tablewright.store.sql import SqlStore


async def parent(given: AgentInput, context: AgentContext) -> Items:
    assert context.children is not None
    tasks = (ChildTask(task_id=agent, agent=agent, question="?") for agent in ("asks", "works"))
    await context.children.start(*tasks)
    children = await context.children.settled()
    if any(child.state == "waiting" for child in children):
        return
    yield answer(" ".join(str(child.outcome) for child in children))


def replica(folder: Path, store: SqlStore, name: str) -> Bench:
    instance = Instance(id=name, host="h", pid=1, boot_id="b", heartbeat_at=SystemClock().now())
    return bench(folder, parent, store=store, instance=instance, others={"asks": asking, "works": endless})


async def answered_elsewhere(here: Bench, elsewhere: Bench) -> None:
    run = await here.ask()

    async def asked() -> OpenRequest | None:
        return next(iter(await elsewhere.runs.requests(elsewhere.scope, run.id)), None)

    request = await found(asked)
    await elsewhere.runs.answer(elsewhere.scope, run.id, request.id, RequestAnswer(decision="approve"))

    async def ended() -> Run | None:
        child = (await here.store.runs.children(here.scope, run.id))[0]
        return child if child.state == "finished" else None

    first = await found(ended)
    assert first.answer is not None
    assert first.answer.text == "approve"
    assert (await here.runs.get(here.scope, run.id)).state == "running"
    await elsewhere.runs.cancel(elsewhere.scope, run.id)
    events = await here.events(run)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


@pytest.mark.requirement("run-waits-for-answers")
async def test_on_sqlite(sqlite_store: SqlStore, tmp_path: Path) -> None:
    other = SqlStore(sqlite_store.database.engine.url.render_as_string(hide_password=False))
    await other.open()
    await with_two(sqlite_store, other, tmp_path)


@pytest.mark.requirement("run-waits-for-answers")
async def test_on_postgresql(postgres_store: SqlStore, tmp_path: Path) -> None:
    other = SqlStore(postgres_store.database.engine.url.render_as_string(hide_password=False))
    await other.open()
    await with_two(postgres_store, other, tmp_path)


async def with_two(one: SqlStore, other: SqlStore, folder: Path) -> None:
    here, elsewhere = replica(folder, one, "here"), replica(folder, other, "elsewhere")
    await here.runs.open_up()
    await elsewhere.runs.open_up()
    await answered_elsewhere(here, elsewhere)
    await here.runs.close()
    await elsewhere.runs.close()
    await other.close()
