"""Make, list, change, pause and delete schedules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from tablewright.domain.ids import Clock, Ids
from tablewright.domain.naming import storable
from tablewright.domain.scope import Scope
from tablewright.domain.workflow import Workflow
from tablewright.domain.workflow.schedules import Firing, Webhook, WorkflowSchedule
from tablewright.errors import Conflict, InvalidInput, WorkflowUnknown
from tablewright.service.databases.connections import Secrets
from tablewright.service.schedules.new_schedule import NewSchedule
from tablewright.service.schedules.times import recurrence
from tablewright.service.schedules.webhooks import check_secret, check_url, new_secret
from tablewright.service.workflows.library import WorkflowLibrary
from tablewright.store.base import Store
from tablewright.workflows.assistant import QUESTION
from tablewright.workflows.values import inputs_of

MOST = 100
"""How many schedules an owner may have."""
MOST_WINDOW_S = 7 * 86_400.0
NAME_CHARS = 200
SHOWN_TIMES = 5
SHOWN_FIRINGS, LISTED_FIRINGS = 20, 5
"""How many of the latest firings are told of one schedule, and of each in a list."""
PATTERN_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeSchedule:
    """A new schedule, and the secret of its webhook, which is told this once."""

    schedule: WorkflowSchedule
    secret: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleView:
    """A schedule with its next times, and its latest firings, newest first."""

    schedule: WorkflowSchedule
    next_times: tuple[datetime, ...]
    firings: tuple[Firing, ...] = ()


class WorkflowSchedules:
    """The use cases of schedules. Another owner's schedule is `NotFound`."""

    def __init__(self, store: Store, library: WorkflowLibrary, secrets: Secrets, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._library = library
        self._secrets = secrets
        self._clock = clock
        self._ids = ids

    async def create(self, scope: Scope, wanted: NewSchedule) -> MadeSchedule:
        """Make a schedule of a published workflow or a template.

        Raises `InvalidInput` naming the field, `WorkflowUnknown`, `InputMissing`, `NotFound` for a file, or `Conflict`
        if the caller has too many.
        """
        if len(await self._store.schedules.all(scope)) >= MOST:
            raise Conflict("schedule_most", limit=MOST)
        made = await self._made(scope, wanted, self._ids.new())
        await self._store.schedules.add(scope, made.schedule)
        return made

    async def change(
        self, scope: Scope, schedule_id: str, changed: Callable[[NewSchedule], NewSchedule]
    ) -> MadeSchedule:
        """Have a schedule be what `changed` makes of it as it stands. What it has fired stays, and so does the pause.

        A webhook keeps its secret unless another is given. Raises what `create` raises for what is wrong.
        """
        standing = await self._store.schedules.get(scope, schedule_id)
        made = await self._made(scope, changed(_as_wanted(standing)), standing.id, standing)
        await self._store.schedules.save(scope, made.schedule)
        return made

    async def list(self, scope: Scope) -> tuple[ScheduleView, ...]:
        """Return the caller's schedules with their next times and a few of their latest firings, oldest first."""
        schedules = await self._store.schedules.all(scope)
        return tuple([await self._view(scope, schedule, firings=LISTED_FIRINGS) for schedule in schedules])

    async def get(self, scope: Scope, schedule_id: str) -> ScheduleView:
        """Return a schedule with its next times and latest firings."""
        return await self._view(scope, await self._store.schedules.get(scope, schedule_id))

    async def pause(self, scope: Scope, schedule_id: str) -> ScheduleView:
        """Have a schedule fire no more until it is resumed. Runs that it has started go on."""
        schedule = await self._store.schedules.get(scope, schedule_id)
        return await self._saved(scope, replace(schedule, paused=True, next_at=None))

    async def resume(self, scope: Scope, schedule_id: str) -> ScheduleView:
        """Have a paused schedule fire from its next time on; those of the pause do not count as missed."""
        schedule = await self._store.schedules.get(scope, schedule_id)
        if not schedule.paused:
            return await self._view(scope, schedule)
        times = await asyncio.to_thread(recurrence, schedule.when, schedule.time_zone)
        return await self._saved(scope, replace(schedule, paused=False, next_at=times.after(self._clock.now())))

    async def delete(self, scope: Scope, schedule_id: str) -> None:
        """Remove a schedule. Runs that it has started go on; nothing of them is delivered any more."""
        await self._store.schedules.remove(scope, schedule_id)

    async def _made(
        self, scope: Scope, wanted: NewSchedule, own_id: str, standing: WorkflowSchedule | None = None
    ) -> MadeSchedule:
        """Return the schedule that is wanted, as a new one or in the place of one that stands."""
        times = await asyncio.to_thread(recurrence, wanted.when, wanted.time_zone)
        workflow = await self._checked(scope, wanted)
        now, paused = self._clock.now(), standing is not None and standing.paused
        webhook, secret = await self._webhook(scope, wanted, own_id, None if standing is None else standing.webhook)
        schedule = WorkflowSchedule(
            id=own_id,
            workflow_id=workflow.id,
            name=storable(wanted.name.strip() or workflow.name)[:NAME_CHARS],
            when=" ".join(wanted.when.split()),
            time_zone=wanted.time_zone,
            created_at=now if standing is None else standing.created_at,
            updated_at=now,
            next_at=None if paused else times.after(now),
            paused=paused,
            inputs=dict(wanted.inputs),
            files=wanted.files,
            approvals=wanted.approvals,
            model=wanted.model,
            language=wanted.language,
            window_s=wanted.window_s,
            webhook=webhook,
        )
        return MadeSchedule(schedule=schedule, secret=secret)

    async def _checked(self, scope: Scope, wanted: NewSchedule) -> Workflow:
        if not 0 <= wanted.window_s <= MOST_WINDOW_S:
            raise InvalidInput("schedule_window", field="window_s", most=MOST_WINDOW_S)
        found = await self._library.find(scope, wanted.workflow)
        if found is None:
            raise WorkflowUnknown(name=wanted.workflow)
        for file in wanted.files:
            if (file.id is None) == (file.newest is None) or len(file.newest or "") > PATTERN_CHARS:
                raise InvalidInput("schedule_file", field="files")
            if file.id is not None:
                await self._store.files.get(scope, file.id)
        given = dict(wanted.inputs)
        if any(each.name == QUESTION for each in found.definition.inputs):
            given.setdefault(QUESTION, found.definition.name)
        inputs_of(found.definition, given, [f"{number}" for number, _ in enumerate(wanted.files)])
        return found.definition

    async def _webhook(
        self, scope: Scope, wanted: NewSchedule, own_id: str, standing: Webhook | None
    ) -> tuple[Webhook | None, str | None]:
        """Return the webhook that is wanted, and its secret if that is a new one."""
        if wanted.webhook_url is None:
            if wanted.secret is not None:
                raise InvalidInput("webhook_url", field="webhook.url")
            return None, None
        url = check_url(wanted.webhook_url)
        if standing is not None and wanted.secret is None:
            return replace(standing, url=url), None
        secret = new_secret() if wanted.secret is None else check_secret(wanted.secret)
        sealed = await asyncio.to_thread(self._secrets.seal, secret, purpose(scope, own_id))
        return Webhook(url=url, sealed=sealed), secret

    async def _saved(self, scope: Scope, schedule: WorkflowSchedule) -> ScheduleView:
        schedule = replace(schedule, updated_at=self._clock.now())
        await self._store.schedules.save(scope, schedule)
        return await self._view(scope, schedule)

    async def _view(self, scope: Scope, schedule: WorkflowSchedule, firings: int = SHOWN_FIRINGS) -> ScheduleView:
        fired = await self._store.schedules.firings(scope, schedule.id, limit=firings)
        if schedule.next_at is None:
            return ScheduleView(schedule=schedule, next_times=(), firings=fired)
        times = await asyncio.to_thread(recurrence, schedule.when, schedule.time_zone)
        later = times.next(schedule.next_at, SHOWN_TIMES - 1)
        return ScheduleView(schedule=schedule, next_times=(schedule.next_at, *later), firings=fired)


def purpose(scope: Scope, schedule_id: str) -> str:
    """Return what the secret of a schedule's webhook is sealed for."""
    return f"webhook:{scope.tenant}:{scope.owner}:{schedule_id}"


def _as_wanted(schedule: WorkflowSchedule) -> NewSchedule:
    """Return what somebody would have asked for to get the schedule as it is; its secret stays where it is."""
    return NewSchedule(
        workflow=schedule.workflow_id,
        when=schedule.when,
        time_zone=schedule.time_zone,
        name=schedule.name,
        inputs=schedule.inputs,
        files=schedule.files,
        approvals=schedule.approvals,
        model=schedule.model,
        language=schedule.language,
        window_s=schedule.window_s,
        webhook_url=None if schedule.webhook is None else schedule.webhook.url,
    )
