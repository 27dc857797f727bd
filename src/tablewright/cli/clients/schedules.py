"""Schedules of workflows as used by commands: of the command's own process, and of a service at another address."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from tablewright.domain.language import Language
from tablewright.domain.run import Approvals
from tablewright.domain.scope import Scope
from tablewright.domain.workflow.schedules import ScheduledFile
from tablewright.service.schedules.new_schedule import NewSchedule

if TYPE_CHECKING:
    from tablewright.service.schedules.schedules import ScheduleView
    from tablewright.service.workflow_use_cases import WorkflowUseCases


@dataclass(frozen=True, slots=True, kw_only=True)
class LastFiring:
    """What became of the last time of a schedule; `outcome` is None while its run, which has the same id, goes on."""

    id: str
    due_at: datetime
    outcome: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleLine:
    """A schedule in a list, with its next times in UTC."""

    id: str
    name: str
    when: str
    time_zone: str
    paused: bool
    next_times: tuple[datetime, ...]
    last: LastFiring | None = None
    secret: str | None = None
    """Of the webhook of a new schedule, which is told this once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleWish:
    """A schedule to make."""

    workflow: str
    when: str
    time_zone: str
    language: Language
    inputs: Mapping[str, str] = field(default_factory=dict[str, str])
    files: tuple[ScheduledFile, ...] = ()
    name: str = ""
    model: str | None = None
    approvals: Approvals = "ask"
    webhook_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleChange:
    """What is to be different about a schedule; what is None stays."""

    when: str | None = None
    time_zone: str | None = None
    name: str | None = None
    model: str | None = None
    inputs: Mapping[str, str] | None = None
    files: tuple[ScheduledFile, ...] | None = None
    webhook_url: str | None = None

    def given(self) -> dict[str, Any]:
        """Return what is not None, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class ScheduleClient(Protocol):
    """Schedules by their ids. Unknown ones raise `NotFound`."""

    async def list(self) -> tuple[ScheduleLine, ...]:
        """List the caller's schedules, oldest first."""
        ...

    async def add(self, wish: ScheduleWish) -> ScheduleLine:
        """Make a schedule."""
        ...

    async def change(self, schedule_id: str, change: ScheduleChange) -> ScheduleLine:
        """Have a schedule be different."""
        ...

    async def pause(self, schedule_id: str) -> ScheduleLine:
        """Have a schedule fire no more until it is resumed."""
        ...

    async def resume(self, schedule_id: str) -> ScheduleLine:
        """Have a paused schedule fire again."""
        ...

    async def delete(self, schedule_id: str) -> None:
        """Remove a schedule."""
        ...


class LocalSchedules:
    """Implements `ScheduleClient` by calling the use cases directly."""

    def __init__(self, use_cases: Callable[[], WorkflowUseCases], scope: Scope) -> None:
        self._use_cases = use_cases
        self._scope = scope

    async def list(self) -> tuple[ScheduleLine, ...]:
        return tuple(_line(view) for view in await self._use_cases().schedules.list(self._scope))

    async def add(self, wish: ScheduleWish) -> ScheduleLine:
        schedules = self._use_cases().schedules
        made = await schedules.create(
            self._scope,
            NewSchedule(
                workflow=wish.workflow,
                when=wish.when,
                time_zone=wish.time_zone,
                name=wish.name,
                inputs=wish.inputs,
                files=wish.files,
                approvals=wish.approvals,
                model=wish.model,
                language=wish.language,
                webhook_url=wish.webhook_url,
            ),
        )
        return _line(await schedules.get(self._scope, made.schedule.id), made.secret)

    async def change(self, schedule_id: str, change: ScheduleChange) -> ScheduleLine:
        given = change.given() | ({} if change.files is None else {"files": change.files})
        schedules = self._use_cases().schedules
        made = await schedules.change(self._scope, schedule_id, lambda standing: replace(standing, **given))
        return _line(await schedules.get(self._scope, schedule_id), made.secret)

    async def pause(self, schedule_id: str) -> ScheduleLine:
        return _line(await self._use_cases().schedules.pause(self._scope, schedule_id))

    async def resume(self, schedule_id: str) -> ScheduleLine:
        return _line(await self._use_cases().schedules.resume(self._scope, schedule_id))

    async def delete(self, schedule_id: str) -> None:
        await self._use_cases().schedules.delete(self._scope, schedule_id)


class RemoteSchedules:
    """Implements `ScheduleClient` over the native API; `request` sends one and returns its response's JSON."""

    def __init__(self, request: Callable[..., Awaitable[Any]]) -> None:
        self._request = request

    async def list(self) -> tuple[ScheduleLine, ...]:
        return tuple(read_schedule(item) for item in (await self._request("GET", "/schedules"))["items"])

    async def add(self, wish: ScheduleWish) -> ScheduleLine:
        return read_schedule(await self._request("POST", "/schedules", json=_sent(asdict(wish))))

    async def change(self, schedule_id: str, change: ScheduleChange) -> ScheduleLine:
        return read_schedule(await self._request("PATCH", _path(schedule_id), json=_sent(change.given())))

    async def pause(self, schedule_id: str) -> ScheduleLine:
        return read_schedule(await self._request("POST", f"{_path(schedule_id)}/pause", json={}))

    async def resume(self, schedule_id: str) -> ScheduleLine:
        return read_schedule(await self._request("POST", f"{_path(schedule_id)}/resume", json={}))

    async def delete(self, schedule_id: str) -> None:
        await self._request("DELETE", _path(schedule_id))


def _line(view: ScheduleView, secret: str | None = None) -> ScheduleLine:
    schedule = view.schedule
    return ScheduleLine(
        id=schedule.id,
        name=schedule.name,
        when=schedule.when,
        time_zone=schedule.time_zone,
        paused=schedule.paused,
        next_times=view.next_times,
        last=next((LastFiring(id=one.id, due_at=one.due_at, outcome=one.outcome) for one in view.firings), None),
        secret=secret,
    )


def _sent(wanted: dict[str, Any]) -> dict[str, Any]:
    url = wanted.pop("webhook_url", None)
    return wanted | ({"webhook": {"url": url}} if url else {})


def read_schedule(item: Mapping[str, Any]) -> ScheduleLine:
    """Return a schedule as the API tells it."""
    names = ("id", "name", "when", "time_zone", "paused")
    times = tuple(datetime.fromisoformat(time) for time in item["next_times"])
    fired = next(iter(item["firings"]), None)
    return ScheduleLine(
        **{name: item[name] for name in names},
        next_times=times,
        last=None if fired is None else _fired(fired),
        secret=item.get("secret"),
    )


def _fired(item: Mapping[str, Any]) -> LastFiring:
    return LastFiring(id=item["id"], due_at=datetime.fromisoformat(item["due_at"]), outcome=item["outcome"])


def _path(schedule_id: str) -> str:
    return f"/schedules/{quote(schedule_id, safe='')}"
