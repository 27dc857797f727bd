"""Servers that fire schedules on one store, at the times of a clock that a test moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from tests.support.patience import found
from tests.support.workflow_bench import edges, node
from tests.support.workflow_face import workflow_parts

from tablewright.bootstrap.databases import LazySealer
from tablewright.bootstrap.workflows import WorkflowParts
from tablewright.data.download import DownloadLimits
from tablewright.data.web.requests import GuardedRequests
from tablewright.domain.ids import ManualClock, Uuid7Ids
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.workflow.schedules import Firing
from tablewright.service.app import App
from tablewright.service.schedules.new_schedule import NewSchedule
from tablewright.service.schedules.runner import ScheduleRunner
from tablewright.service.schedules.schedules import MadeSchedule, WorkflowSchedules
from tablewright.service.workflows.launches import WorkflowLaunches
from tablewright.store.base import Store

SUNDAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
"""A day before the first Monday of the tests."""
ANN = Scope(tenant="local", owner="ann")
HOUR_S = 3_600.0
DAY_S = 24 * HOUR_S
DEFINITION: dict[str, Any] = {
    "id": "report",
    "name": "Report",
    "inputs": [{"name": "who", "default": "you", "required": False}],
    "nodes": [
        node("start", "start"),
        node("end", "end", text="Hello {{ inputs.who }}", outputs={"who": "{{ inputs.who }}"}),
    ],
    "edges": edges("start > end"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """One server: its application, and what fires schedules in it."""

    app: App
    runner: ScheduleRunner

    async def tick(self) -> None:
        """Look once, and wait until all that was begun has come to rest."""
        await self.runner.tick()
        await self.runner.settle()


@dataclass(slots=True, kw_only=True)
class ScheduleBench:
    """Servers on one store."""

    servers: tuple[Server, ...]
    schedules: WorkflowSchedules
    clock: ManualClock

    @property
    def app(self) -> App:
        """The application of the first server."""
        return self.servers[0].app

    async def published(self, definition: dict[str, Any] | None = None, scope: Scope = ANN) -> str:
        """Publish a definition and return the workflow's id."""
        definitions = self.app.workflows().definitions
        made = await definitions.create(scope, definition or DEFINITION)
        await definitions.publish(scope, made.entry.id)
        return made.entry.id

    async def made(self, when: str = "every monday 08:00", scope: Scope = ANN, **more: Any) -> MadeSchedule:
        """Publish a workflow, unless one is given, and schedule it."""
        workflow = more.pop("workflow", None) or await self.published(scope=scope)
        return await self.schedules.create(scope, NewSchedule(workflow=workflow, when=when, **more))

    async def tick(self) -> None:
        """Have all servers look at the same time."""
        await asyncio.gather(*(server.tick() for server in self.servers))

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, and have all servers look then."""
        await self.clock.advance(seconds)
        await self.tick()

    async def firings(self, schedule_id: str, scope: Scope = ANN) -> tuple[Firing, ...]:
        """Return the firings of a schedule, newest first."""
        return (await self.schedules.get(scope, schedule_id)).firings

    async def ended(self, firing: Firing, scope: Scope = ANN) -> Run:
        """Return the run of a firing once it has finished."""

        async def look() -> Run | None:
            run = await self.app.runs.get(scope, firing.id)
            return run if run.state == "finished" else None

        return await found(look)


def launches_of(app: App) -> WorkflowLaunches:
    return app.workflows().launches


@asynccontextmanager
async def schedule_bench(
    folder: Path, store: Callable[[], Store], *, servers: int = 1, admits: bool = True
) -> AsyncIterator[ScheduleBench]:
    """Open servers on the stores that `store` makes; `admits`: webhooks may be sent to this machine."""
    clock, ids = ManualClock(SUNDAY), Uuid7Ids()
    secrets = LazySealer(folder)
    limits = DownloadLimits(size_bytes=100_000, timeout_s=30.0)
    requests = GuardedRequests(limits, admits=lambda _address, _port: True) if admits else GuardedRequests(limits)
    async with AsyncExitStack() as stack:
        opened: list[Server] = []
        for number in range(servers):
            parts = workflow_parts(folder, store=store(), workflows=WorkflowParts(fires=False))
            app = await stack.enter_async_context(parts.opening())
            runner = ScheduleRunner(
                app.store, app.conversations, partial(launches_of, app), secrets, lambda: requests,
                clock=clock, ids=ids, system=SystemScope(instance_id=f"server-{number}"),
            )  # fmt: skip
            stack.push_async_callback(runner.close)
            opened.append(Server(app=app, runner=runner))
        first = opened[0].app
        yield ScheduleBench(
            servers=tuple(opened),
            schedules=WorkflowSchedules(first.store, first.workflows().library, secrets, clock, ids),
            clock=clock,
        )
