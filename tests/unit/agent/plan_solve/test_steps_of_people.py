"""Steps that a person puts into a plan: it is not over before they are carried out, or said to be left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.patience import PATIENCE_S
from tests.support.plan_bench import PlanBench, Roles, finish, plan, plan_bench
from tests.support.work_bench import results

from tablewright.domain.events import PlanEdited, WarningRaised
from tablewright.domain.run import Run, RunLimits
from tablewright.domain.task import PlanTasks, UseTools
from tablewright.models.base import ModelRequest, StreamPart
from tablewright.models.scripted import ScriptedModel


@dataclass(slots=True)
class Held:
    """A scripted model whose first task waits until it may go on."""

    roles: Roles
    name: str = "scripted:held"
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    free: asyncio.Event = field(default_factory=asyncio.Event)

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        if isinstance(request.task, UseTools) and not self.free.is_set():
            self.begun.set()
            async with asyncio.timeout(PATIENCE_S):
                await self.free.wait()
        async for part in ScriptedModel(self.roles).stream(request):
            yield part


async def edited_meanwhile(told: PlanBench, model: Held, *texts: str, **more: object) -> Run:
    """Put steps in while the first task is being done, and return the run once it has ended."""
    run = await told.start(**more)  # type: ignore[arg-type]
    async with asyncio.timeout(PATIENCE_S):
        await model.begun.wait()
    for text in texts:
        await told.bench.runs.send(
            told.bench.scope, run.id, PlanEdited(edit={"id": text, "action": "add", "text": text})
        )
    model.free.set()
    return await told.ended(run)


async def test_a_planner_cannot_finish_before_the_steps_of_a_person_and_is_told_so(tmp_path: Path) -> None:
    roles = Roles(planner=[plan("a", "never"), finish(), finish(), finish()])
    model = Held(roles)
    told = plan_bench(tmp_path, model)
    run = await edited_meanwhile(told, model, "mine", "mine too")
    assert run.outcome == "completed"
    assert [child.question for child in await told.children(run)] == ["a", "mine", "mine too"]
    states = dict((await told.plans(run))[-1])
    assert states == {"a": "completed", "never": "not_started", "mine": "completed", "mine too": "completed"}
    *_, refused = results(roles.of(PlanTasks)[2])
    assert refused.failed
    assert "mine; mine too" in refused.text
    assert not [event for event in await told.log(run) if isinstance(event.body, WarningRaised)]
    await told.close()


async def test_where_nothing_more_may_begin_the_answer_warns_of_the_steps_that_are_left(tmp_path: Path) -> None:
    model = Held(Roles(planner=[plan("a"), finish()]))
    told = plan_bench(tmp_path, model)
    run = await edited_meanwhile(told, model, "mine", limits=RunLimits(steps=2, tokens=1_000_000, wall_clock_s=600.0))
    assert [child.question for child in await told.children(run)] == ["a"]
    (left,) = [event.body for event in await told.log(run) if isinstance(event.body, WarningRaised)]
    assert (left.code, left.params) == ("plan_steps_left", {"steps": "mine"})
    await told.close()
