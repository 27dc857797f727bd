"""What a client's session is remembered by: the same after a restart, and in any process of the store."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.support.plan_bench import PlanBench, Roles, finish, plan, plan_bench
from tests.support.service_bench import Bench

from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.domain.scope import Scope
from tablewright.domain.task import PlanTasks, UseTools
from tablewright.errors import RunInProgress
from tablewright.models.base import ModelRequest
from tablewright.models.scripted import Delay, Reply, ScriptedModel
from tablewright.service.runs.keyed import KeyedRuns, run_id_of
from tablewright.service.runs.leases import this_instance
from tablewright.service.runs.runs import Ask
from tablewright.store.sql import SqlStore

FACE = "genie"
PLAN = Ask(text="Compare the years.", agent="plan_solve", mode="plan")


def keyed(bench: Bench) -> KeyedRuns:
    return KeyedRuns(bench.store, bench.conversations, bench.runs)


async def process(folder: Path, roles: Roles) -> PlanBench:
    """Another process on the store in `folder`."""
    store = SqlStore(f"sqlite+aiosqlite:///{folder}/store.db")
    await store.open()
    instance = this_instance(Uuid7Ids().new(), SystemClock().now())
    return plan_bench(folder, roles, store=store, instance=instance)


async def closed(told: PlanBench) -> None:
    await told.close()
    await told.bench.store.close()


@pytest.mark.requirement("sessions-go-on")
async def test_a_later_request_of_a_session_goes_on_after_a_restart(tmp_path: Path) -> None:
    first = await process(tmp_path, Roles(planner=[plan("totals", "compare"), "On.", finish()], summary="Up by 3."))
    begun = await keyed(first.bench).start(first.bench.scope, FACE, "r1", PLAN, session_id="s1")
    await first.ended(begun.run)
    await closed(first)
    roles = Roles(planner=[plan("why"), finish()], summary="Because of May.")
    second = await process(tmp_path, roles)
    why = Ask(text="Why?", agent="plan_solve", mode="plan")
    later = await keyed(second.bench).start(second.bench.scope, FACE, "r2", why, session_id="s1")
    await second.ended(later.run)
    assert later.run.conversation_id == begun.run.conversation_id
    words = "\n".join(message.text for message in roles.of(PlanTasks)[0].messages)
    assert words.index("1. [completed] totals") < words.index("Compare the years.") < words.index("Up by 3.")
    done = "\n".join(message.text for message in roles.of(UseTools)[0].messages)
    assert done.index("Compare the years.") < done.index("Up by 3.") < done.index("Why?")
    await closed(second)


@pytest.mark.requirement("sessions-go-on")
async def test_the_tools_of_an_earlier_request_are_not_remembered_its_answer_is(tmp_path: Path) -> None:
    told = await process(tmp_path, Roles(planner=[]))
    scope = told.bench.scope
    answers = Roles(planner=[], tasks={"first?": "One.", "second?": "Two."})
    told = plan_bench(tmp_path, answers, store=told.bench.store)
    for number, text in enumerate(("first?", "second?")):
        ask = Ask(text=text, agent="react", mode="react")
        started = await keyed(told.bench).start(scope, FACE, f"r{number}", ask, session_id="s")
        await told.ended(started.run)
    roles = [message.role for message in answers.requests[-1].messages]
    assert roles == ["system", "user", "assistant", "user"]
    await closed(told)


@pytest.mark.requirement("sessions-go-on")
async def test_a_request_that_comes_twice_has_one_run(tmp_path: Path) -> None:
    told = await process(tmp_path, Roles(planner=[plan("a"), finish()] * 2))
    runs = keyed(told.bench)
    starts = (runs.start(told.bench.scope, FACE, "r1", PLAN) for _ in range(4))
    all_of_them = await asyncio.gather(*starts)
    assert len({each.run.id for each in all_of_them}) == 1
    assert sum(not each.repeated for each in all_of_them) == 1
    await told.ended(all_of_them[0].run)
    again = await runs.start(told.bench.scope, FACE, "r1", Ask(text="Something else?"))
    assert (again.repeated, again.run.question) == (True, "Compare the years.")
    await closed(told)


@pytest.mark.requirement("sessions-go-on")
async def test_without_a_session_a_request_is_its_own(tmp_path: Path) -> None:
    told = await process(tmp_path, Roles(planner=[plan("a"), finish(), plan("b"), finish()]))
    runs = keyed(told.bench)
    one = await runs.start(told.bench.scope, FACE, "r1", PLAN)
    other = await runs.start(told.bench.scope, FACE, "r2", PLAN)
    assert one.run.conversation_id != other.run.conversation_id
    for started in (one, other):
        await told.ended(started.run)
    await closed(told)


async def test_a_second_request_of_a_session_waits_for_the_first(tmp_path: Path) -> None:
    def slow(request: ModelRequest) -> Reply:
        return Reply.of(Delay(seconds=3_600), "late")

    told = plan_bench(tmp_path, ScriptedModel(slow))
    runs = keyed(told.bench)
    first = await runs.start(told.bench.scope, FACE, "r1", PLAN, session_id="s")
    with pytest.raises(RunInProgress):
        await runs.start(told.bench.scope, FACE, "r2", PLAN, session_id="s")
    await told.bench.runs.cancel(told.bench.scope, first.run.id)
    await told.close()


def test_the_same_name_of_another_owner_tenant_or_face_is_another_request() -> None:
    ids = {
        run_id_of(Scope(tenant=tenant, owner=owner), face, request)
        for tenant in ("a", "ab")
        for owner in ("b", "o")
        for face in ("genie", "chat")
        for request in ("r", "rr")
    }
    assert len(ids) == 16
