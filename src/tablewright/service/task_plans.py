"""Plans of tasks while they are carried out: looked at, and edited by a person."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.codec import to_python
from tablewright.domain.events import PlanEdited, PlanUpdated
from tablewright.domain.ids import Ids
from tablewright.domain.scope import Scope
from tablewright.domain.task_plan import PlanEdit, PlanProblem, TaskPlan, edited
from tablewright.errors import InvalidInput, NotFound
from tablewright.service.runs.runs import Runs
from tablewright.store.base import Store


class TaskPlans:
    """The use cases of a plan of tasks. A run of another owner raises `NotFound`."""

    def __init__(self, store: Store, runs: Runs, ids: Ids) -> None:
        self._store = store
        self._runs = runs
        self._ids = ids

    async def of(self, scope: Scope, run_id: str) -> TaskPlan:
        """Return the plan of a run as it was last written. Raises `NotFound` if it has none."""
        events = await self._store.log.events(scope, run_id, types=("plan.updated",), own=True)
        bodies = [event.body for event in events]
        plan = next((body.plan for body in reversed(bodies) if isinstance(body, PlanUpdated)), None)
        if plan is None:
            raise NotFound(kind="plan", id=run_id)
        return plan

    async def edit(self, scope: Scope, run_id: str, edit: PlanEdit) -> TaskPlan:
        """Edit the plan of a run, and return it as the run is about to have it; the edit gets an id of ours.

        Raises `InvalidInput` for what the plan does not allow now, and `Conflict` when the run has finished. A step may
        begin meanwhile: then the run says in a warning that it was not possible.
        """
        edit = replace(edit, id=self._ids.new())
        try:
            plan = edited(await self.of(scope, run_id), edit)
        except PlanProblem as problem:
            params = {name: str(value) for name, value in problem.params.items()}
            raise InvalidInput(f"agent.{problem.code}", field="edit", **params) from problem
        await self._runs.send(scope, run_id, PlanEdited(edit=to_python(PlanEdit, edit)))
        return plan
