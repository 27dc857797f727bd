"""The runs of a workflow: what began them, and the definition that each of them stays on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.page import Page
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.domain.workflow import Workflow
from tablewright.errors import NotFound
from tablewright.store.base import Store
from tablewright.workflows.library import template_named
from tablewright.workflows.opening import opened

Trigger = Literal["person", "message", "schedule", "workflow"]
"""What began a run: a person or program that named the workflow, a message that was routed to it, a schedule, or a
workflow that it is part of."""
FIRINGS = 200
"""How many of a schedule's firings are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """A run and what began it."""

    run: Run
    trigger: Trigger


class WorkflowHistory:
    """The use cases of a workflow's history: the caller's own runs, also those of what others have published."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def runs(self, scope: Scope, name: str, *, limit: int = 20, cursor: str | None = None) -> Page[PastRun]:
        """Return the caller's runs of a workflow or a template, newest first. Raises `NotFound`."""
        workflow_id = await self._identify(scope, name)
        page = await self._store.runs.of_workflow(scope, workflow_id, limit=limit, cursor=cursor)
        fired = await self._fired(scope, workflow_id)
        items = tuple([PastRun(run=run, trigger=await self._trigger(scope, run, fired)) for run in page.items])
        return Page(items=items, next_cursor=page.next_cursor)

    async def definition(self, scope: Scope, run_id: str) -> Workflow:
        """Return the definition that a run began with. Raises `NotFound`, or `WorkflowUnknown` if it is of none."""
        return opened(await self._store.log.transcript(scope, run_id))[0]

    async def _identify(self, scope: Scope, name: str) -> str:
        try:
            return await self._store.workflows.identify(scope, name)
        except NotFound:
            if (template := template_named(name)) is None:
                raise
            return template.id

    async def _fired(self, scope: Scope, workflow_id: str) -> frozenset[str]:
        """Return the ids of the firings of the workflow's schedules, which are also those of their runs."""
        schedules = [each for each in await self._store.schedules.all(scope) if each.workflow_id == workflow_id]
        firings = [await self._store.schedules.firings(scope, each.id, limit=FIRINGS) for each in schedules]
        return frozenset(firing.id for some in firings for firing in some)

    async def _trigger(self, scope: Scope, run: Run, fired: frozenset[str]) -> Trigger:
        if run.parent_id is not None:
            return "workflow"
        if run.id in fired:
            return "schedule"
        routed = await self._store.log.events(scope, run.id, limit=1, types=("workflow.chosen",), own=True)
        return "message" if routed else "person"
