"""Schedules of workflows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from fastapi import APIRouter, Response

from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.documents import faults
from tablewright.api.schemas.schedules import (
    FiringOut,
    NewScheduleIn,
    ScheduleChangeIn,
    ScheduledFileIn,
    ScheduleMade,
    ScheduleOut,
    Schedules,
)
from tablewright.domain.language import Language
from tablewright.domain.workflow.schedules import Firing, ScheduledFile
from tablewright.service.schedules.new_schedule import NewSchedule
from tablewright.service.schedules.schedules import ScheduleView
from tablewright.texts.errors import error_text

router = APIRouter(prefix="/schedules", tags=["workflows"])


@router.get("", responses=faults())
async def find(parts: Parts, caller: Caller, language: Speech) -> Schedules:
    """List the caller's schedules with their next times, oldest first."""
    found = await parts.workflows().schedules.list(caller)
    return Schedules(items=[ScheduleOut(**_shown(view, language)) for view in found])


@router.post("", status_code=201, responses=faults(404, 409, 422))
async def create(
    parts: Parts, caller: Caller, language: Speech, wanted: NewScheduleIn, response: Response
) -> ScheduleMade:
    """Have a published workflow or a template run at times, and send what it gives to a webhook if one is given."""
    schedules = parts.workflows().schedules
    made = await schedules.create(
        caller,
        NewSchedule(
            workflow=wanted.workflow,
            when=wanted.when,
            time_zone=wanted.time_zone,
            name=wanted.name,
            inputs=wanted.inputs,
            files=_files(wanted.files),
            approvals=wanted.approvals,
            model=wanted.model,
            language=wanted.language or language,
            window_s=wanted.window_s,
            webhook_url=None if wanted.webhook is None else wanted.webhook.url,
            secret=None if wanted.webhook is None else wanted.webhook.secret,
        ),
    )
    response.headers["location"] = f"/api/v1/schedules/{made.schedule.id}"
    view = await schedules.get(caller, made.schedule.id)
    return ScheduleMade(**_shown(view, language), secret=made.secret)


@router.get("/{schedule_id}", responses=faults(404))
async def get(parts: Parts, caller: Caller, language: Speech, schedule_id: str) -> ScheduleOut:
    """Return a schedule with its next times and what became of its last ones."""
    return ScheduleOut(**_shown(await parts.workflows().schedules.get(caller, schedule_id), language))


@router.patch("/{schedule_id}", responses=faults(404, 422))
async def change(
    parts: Parts, caller: Caller, language: Speech, schedule_id: str, changes: ScheduleChangeIn
) -> ScheduleMade:
    """Change what is given: when it fires, with what, and where its results go. What it has fired stays."""

    def changed(standing: NewSchedule) -> NewSchedule:
        given: dict[str, Any] = {name: getattr(changes, name) for name in changes.model_fields_set - {"webhook"}}
        if "files" in given:
            given["files"] = _files(changes.files)
        if "webhook" in changes.model_fields_set:
            webhook = changes.webhook
            given["webhook_url"] = None if webhook is None else webhook.url
            given["secret"] = None if webhook is None else webhook.secret
        return replace(standing, **given)

    schedules = parts.workflows().schedules
    made = await schedules.change(caller, schedule_id, changed)
    return ScheduleMade(**_shown(await schedules.get(caller, schedule_id), language), secret=made.secret)


@router.post("/{schedule_id}/pause", responses=faults(404))
async def pause(parts: Parts, caller: Caller, language: Speech, schedule_id: str) -> ScheduleOut:
    """Have it fire no more until it is resumed; runs that it has started go on."""
    return ScheduleOut(**_shown(await parts.workflows().schedules.pause(caller, schedule_id), language))


@router.post("/{schedule_id}/resume", responses=faults(404))
async def resume(parts: Parts, caller: Caller, language: Speech, schedule_id: str) -> ScheduleOut:
    """Have it fire again from its next time on; those of the pause are not made up for."""
    return ScheduleOut(**_shown(await parts.workflows().schedules.resume(caller, schedule_id), language))


@router.delete("/{schedule_id}", status_code=204, responses=faults(404))
async def delete(parts: Parts, caller: Caller, schedule_id: str) -> None:
    """Remove it; runs that it has started go on, and nothing of them is sent any more."""
    await parts.workflows().schedules.delete(caller, schedule_id)


def _files(given: Sequence[ScheduledFileIn]) -> tuple[ScheduledFile, ...]:
    return tuple(ScheduledFile(id=file.id, newest=file.newest) for file in given)


def _shown(view: ScheduleView, language: Language) -> dict[str, Any]:
    schedule = view.schedule
    names = ScheduleOut.model_fields.keys() - {"next_times", "webhook_url", "firings", "files"}
    return {
        **{name: getattr(schedule, name) for name in names},
        "files": [asdict(file) for file in schedule.files],
        "next_times": list(view.next_times),
        "webhook_url": None if schedule.webhook is None else schedule.webhook.url,
        "firings": [_fired(firing, language) for firing in view.firings],
    }


def _fired(firing: Firing, language: Language) -> FiringOut:
    failure = firing.failure
    names = FiringOut.model_fields.keys() - {"failure"}
    return FiringOut(
        **{name: getattr(firing, name) for name in names},
        failure=None if failure is None else error_text(failure.code, language, failure.params),
    )
