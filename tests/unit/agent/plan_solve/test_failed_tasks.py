"""What a plan says of tasks of which nothing came, beside others that were done."""

from __future__ import annotations

from pathlib import Path

from tests.support.plan_bench import Roles, finish, plan, plan_bench

from tablewright.domain.events import PlanUpdated
from tablewright.errors import ModelOverloaded
from tablewright.models.scripted import Fail, Reply


async def test_the_plan_says_of_each_task_why_nothing_came_of_it(tmp_path: Path) -> None:
    broken = Reply.of(Fail(error=ModelOverloaded(model="m")))
    roles = Roles(planner=[plan("a<sep>b"), finish()], tasks={"a": "A is 1.", "b": broken})
    told = plan_bench(tmp_path, roles)
    run = await told.start()
    await told.ended(run)
    plans = [event.body.plan for event in await told.log(run) if isinstance(event.body, PlanUpdated)]
    (step,) = plans[-1].steps
    assert step.status == "completed"
    assert step.problems[0] == ""
    assert step.problems[1]
    assert step.note == f"b: {step.problems[1]}"
    await told.close()
