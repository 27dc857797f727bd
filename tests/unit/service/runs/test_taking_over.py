"""Runs that can be taken over: nobody ends them but themselves, and what was known stays known."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.patience import found
from tests.support.service_bench import Bench, Items, Script, bench
from tests.unit.service.scripts import answer, asking, endless

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.events import PlanEdited, ProgressReported, QuestionAsked, RequestAnswered, TextDelta
from tablewright.domain.ids import ManualClock
from tablewright.domain.run import RequestAnswer, Run, RunLimits
from tablewright.domain.scope import SystemScope
from tablewright.service.runs.kinds import AgentKind, AgentKinds
from tablewright.service.runs.leases import LOSSES
from tablewright.service.runs.runs import Ask
from tablewright.store.base import Store
from tablewright.store.memory import MemoryStore
from tablewright.store.run_store import Instance

KINDS = AgentKinds({"lasting": AgentKind(takeover=True)})
YES = RequestAnswer(decision="answer", text="2025")


async def counting(given: AgentInput, context: AgentContext) -> Items:
    """Reports which attempt it is, as far as it can tell from its log, and ends with the third."""
    seen = sum(isinstance(event.body, ProgressReported) for event in given.log)
    yield ProgressReported(message=str(seen + 1))
    if seen < 2:
        async for item in endless(given, context):
            yield item
    yield answer(str(seen + 1))


def lasting(folder: Path, name: str, store: Store | None = None, script: Script = counting) -> Bench:
    this = Instance(id=name, host="h", pid=1, boot_id="b", heartbeat_at=datetime(2026, 1, 1, tzinfo=UTC))
    return bench(folder, counting, store=store, instance=this, others={"lasting": script}, kinds=KINDS)


async def reported(service: Bench, run: Run, count: int) -> None:
    async def look() -> bool | None:
        events = await service.store.log.events(service.scope, run.id, types=("progress.reported",))
        return True if len(events) >= count else None

    await found(look)


async def test_a_run_goes_from_one_closing_process_to_the_next(tmp_path: Path) -> None:
    first = lasting(tmp_path, "one")
    await first.runs.open_up()
    run = await first.ask(agent="lasting")
    services = [first]
    for number, name in enumerate(("two", "three"), start=1):
        await reported(first, run, number)
        await services[-1].runs.close()
        released = await first.runs.get(first.scope, run.id)
        assert (released.state, released.owner_instance) == ("queued", None)
        services.append(lasting(tmp_path, name, first.store))
        await services[-1].runs.open_up()
    events = await services[-1].events(run)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    ended = await services[-1].settled(run)
    assert (ended.outcome, ended.attempt, ended.losses) == ("completed", 3, 0)
    assert ended.answer is not None
    assert ended.answer.text == "3"
    await services[-1].runs.close()


async def test_a_run_whose_processes_all_die_is_ended_in_the_end(tmp_path: Path) -> None:
    store, clock = MemoryStore(), ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    service = lasting(tmp_path, "one", store)
    conversation = await service.conversations.create(service.scope)
    run = await service.runs.start(service.scope, conversation.id, Ask(text="?", agent="lasting"))
    at = clock.now()
    for attempt in range(1, LOSSES + 1):
        at += timedelta(days=1)
        dead = SystemScope(instance_id=f"dead {attempt}")
        seized = await store.instances.seize(
            dead, run.id, attempt=attempt, now=at, lease_until=at, dead=("one", *(f"dead {n}" for n in range(9)))
        )
        assert seized is not None
    last = lasting(tmp_path, "last", store)
    await last.leases.reap(tuple(f"dead {number}" for number in range(9)))
    ended = await last.runs.get(last.scope, run.id)
    assert (ended.state, ended.outcome) == ("finished", "failed")
    assert ended.failure is not None
    assert ended.failure.code == "owner_lost"
    await service.runs.close()


async def test_a_run_that_should_stop_is_ended_and_not_taken_over(tmp_path: Path) -> None:
    service = lasting(tmp_path, "one")
    run = await service.ask(agent="lasting")
    await reported(service, run, 1)
    await service.runs.close()
    await service.store.runs.request_cancel(service.scope, run.id, at=service.bus._clock.now())
    later = lasting(tmp_path, "two", service.store)
    await later.leases.reap()
    assert (await later.runs.get(later.scope, run.id)).outcome == "cancelled"


async def test_an_answer_that_a_lost_attempt_had_taken_is_in_the_log_of_the_next(tmp_path: Path) -> None:
    async def remembering(given: AgentInput, context: AgentContext) -> Items:
        known = [event.body.answer.text for event in given.log if isinstance(event.body, RequestAnswered)]
        if given.answered:
            async for item in endless(given, context):
                yield item
        elif known:
            yield answer(f"known: {known[0]}")
        else:
            yield QuestionAsked(request_id="q-1", prompt="Which year?")

    first = lasting(tmp_path, "one", script=remembering)
    run = await first.ask(agent="lasting")
    await first.settled(run)
    await first.runs.answer(first.scope, run.id, "q-1", YES)

    async def taken() -> bool | None:
        events = await first.store.log.events(first.scope, run.id, types=("text.delta",))
        return True if events else None

    await found(taken)
    await first.runs.close()
    second = lasting(tmp_path, "two", first.store, script=remembering)
    await second.leases.reap()
    await second.events(run)
    ended = await second.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "known: 2025"


async def test_a_question_waits_while_processes_come_and_go(tmp_path: Path) -> None:
    first = lasting(tmp_path, "one", script=asking)
    run = await first.ask(agent="lasting")
    await first.settled(run)
    await first.runs.close()
    second = lasting(tmp_path, "two", first.store, script=asking)
    await second.runs.answer(second.scope, run.id, "q-1", replace(YES, decision="approve"))
    await second.events(run)
    assert (await second.settled(run)).outcome == "completed"


async def test_what_was_sent_to_a_run_at_rest_wakes_it(tmp_path: Path) -> None:
    async def edited(given: AgentInput, context: AgentContext) -> Items:
        if given.news:
            yield answer("edited")
        else:
            yield QuestionAsked(request_id="q-1", prompt="?")

    service = lasting(tmp_path, "one", script=edited)
    run = await service.ask(agent="lasting")
    await service.settled(run)
    await service.runs.send(service.scope, run.id, PlanEdited(edit={}))
    await service.events(run)
    ended = await service.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "edited"


async def test_an_edit_that_a_lost_attempt_had_taken_is_in_the_log_of_the_next(tmp_path: Path) -> None:
    async def remembering(given: AgentInput, context: AgentContext) -> Items:
        assert context.inbox is not None
        if edits := [event.body for event in given.log if isinstance(event.body, PlanEdited)]:
            yield answer(f"known: {edits[0].edit['drop']}")
            return
        await context.inbox.next()
        yield TextDelta(text="taken")
        await asyncio.Event().wait()

    first = lasting(tmp_path, "one", script=remembering)
    run = await first.ask(agent="lasting")
    await first.runs.send(first.scope, run.id, PlanEdited(edit={"drop": 2}))

    async def taken() -> bool | None:
        return bool(await first.store.log.events(first.scope, run.id, types=("text.delta",))) or None

    await found(taken)
    await first.runs.close()
    second = lasting(tmp_path, "two", first.store, script=remembering)
    await second.leases.reap()
    await second.events(run)
    ended = await second.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "known: 2"


async def test_a_mode_that_leaves_no_choice_has_the_limits_and_the_takeover_of_its_agent(tmp_path: Path) -> None:
    kinds = AgentKinds({"lasting": AgentKind(limits=RunLimits(steps=40), takeover=True)}, modes={"workflow": "lasting"})
    service = bench(tmp_path, endless, kinds=kinds)
    run = await service.ask(mode="workflow")
    assert (run.limits.steps, run.takeover) == (40, True)
    assert (kinds.of(None).limits.steps, kinds.of(None, "edit").takeover) == (RunLimits().steps, False)
    await service.runs.close()
