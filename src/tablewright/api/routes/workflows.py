"""Workflows: kept, checked, published, run; and who answers when none fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, HTTPException, Response
from starlette.responses import JSONResponse

from tablewright.api.dependencies import Caller, Cursor, Limit, Parts, Speech
from tablewright.api.documents import faults
from tablewright.api.schemas.native import PageOf
from tablewright.api.schemas.workflows import (
    EffectiveChoices,
    NewWorkflow,
    SharedChoices,
    WorkflowChange,
    WorkflowCheck,
    WorkflowDefinition,
    WorkflowFault,
    WorkflowLine,
    WorkflowOut,
    WorkflowPublished,
    WorkflowRunAccepted,
    WorkflowSettingsChange,
    WorkflowSettingsOut,
    WorkflowTemplate,
    WorkflowTemplates,
    WorkflowToCheck,
    WorkflowToPublish,
    WorkflowToRun,
    WorkflowVersionOut,
)
from tablewright.domain.language import Language
from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import SettingsLevel, WorkflowChoices, WorkflowEntry
from tablewright.errors import InvalidInput
from tablewright.service.app import App
from tablewright.service.workflows.definitions import WorkflowView
from tablewright.service.workflows.launch import Launch
from tablewright.workflows.definition import as_values
from tablewright.workflows.faults import Fault

router = APIRouter(prefix="/workflows", tags=["workflows"])
WORDS = frozenset({"corrections", "schema", "settings", "templates", "validate"})
"""Paths of their own in the place of an id."""


def _id(workflow_id: str) -> str:
    """Return an id, which is none of the words that have other methods than workflows."""
    if workflow_id in WORDS:
        raise HTTPException(405)
    return workflow_id


WorkflowId = Annotated[str, Depends(_id)]


@router.get("", responses=faults(422))
async def find(parts: Parts, caller: Caller, limit: Limit = 50, cursor: Cursor = None) -> PageOf[WorkflowLine]:
    """List the caller's own workflows and the public ones that others of the tenant have published, newest first."""
    page = await parts.workflows().definitions.list(caller, limit=limit, cursor=cursor)
    lines = [WorkflowLine(**_line(entry, caller)) for entry in page.items]
    return PageOf[WorkflowLine](items=lines, next_cursor=page.next_cursor)


@router.get("/templates", responses=faults())
async def templates(parts: Parts) -> WorkflowTemplates:
    """List the workflows that come along."""
    found = parts.workflows().definitions.templates()
    return WorkflowTemplates(
        items=[
            WorkflowTemplate(
                id=flow.id,
                name=flow.name,
                description=flow.description,
                examples=list(flow.examples),
                definition=as_values(flow),
            )
            for flow in found
        ]
    )


@router.get("/settings", responses=faults())
async def settings(parts: Parts, caller: Caller) -> WorkflowSettingsOut:
    """Say who answers when no workflow fits, and whether messages go to workflows, as each level has chosen."""
    return await _settings(parts, caller)


@router.put("/settings", responses=faults(422))
async def choose(parts: Parts, caller: Caller, wanted: WorkflowSettingsChange) -> WorkflowSettingsOut:
    """Choose: `fallback` and `enabled` for oneself, `tenant` and `system` for all, by operators only. Holds at once."""
    choices = parts.workflows().choices
    given = wanted.model_fields_set
    found = await choices.settings(caller)
    changes: dict[SettingsLevel, WorkflowChoices] = {}
    if wanted.system is not None:
        changes["system"] = _shared(found.system, wanted.system)
    if wanted.tenant is not None:
        changes["tenant"] = _shared(found.tenant, wanted.tenant)
    if given & {"fallback", "enabled"}:
        mine = found.user
        mine = replace(mine, workflow=wanted.fallback) if "fallback" in given else mine
        changes["user"] = replace(mine, enabled=wanted.enabled) if "enabled" in given else mine
    await choices.choose(caller, changes)
    return await _settings(parts, caller)


@router.post("", status_code=201, responses=faults(404, 422))
async def create(
    parts: Parts, caller: Caller, language: Speech, wanted: NewWorkflow, response: Response
) -> WorkflowOut:
    """Keep a definition as a draft, faulty or not; or begin with a template. This also takes what was exported."""
    definitions = parts.workflows().definitions
    if (wanted.definition is None) == (wanted.template is None):
        raise InvalidInput("workflow_one_of", field="definition")
    if wanted.template is not None:
        made = await definitions.from_template(caller, wanted.template, visibility=wanted.visibility)
    else:
        made = await definitions.create(caller, wanted.definition or {}, visibility=wanted.visibility)
    response.headers["location"] = f"/api/v1/workflows/{made.entry.id}"
    return shown(made, caller, language)


@router.post("/validate", responses=faults(422))
async def check(parts: Parts, caller: Caller, language: Speech, wanted: WorkflowDefinition) -> WorkflowCheck:
    """Name every fault of a definition, as if the caller were to publish it; nothing is stored."""
    found = await parts.workflows().definitions.check(caller, wanted.definition)
    return WorkflowCheck(valid=not found, faults=_worded(found, language))


@router.get("/{workflow_id}", responses=faults(404))
async def get(parts: Parts, caller: Caller, language: Speech, workflow_id: WorkflowId) -> WorkflowOut:
    """Return a workflow: an own one with its draft, another one as it is published."""
    return shown(await parts.workflows().definitions.get(caller, workflow_id), caller, language)


@router.put("/{workflow_id}", responses=faults(404, 409, 422))
async def save(
    parts: Parts, caller: Caller, language: Speech, workflow_id: WorkflowId, wanted: WorkflowChange
) -> WorkflowOut:
    """Replace the draft, faulty or not, or the visibility. What is published stays as it is."""
    saved = await parts.workflows().definitions.save(
        caller,
        workflow_id,
        definition=wanted.definition,
        visibility=wanted.visibility,
        revision=wanted.revision,
        language=language,
    )
    return shown(saved, caller, language)


@router.delete("/{workflow_id}", status_code=204, responses=faults(404))
async def delete(parts: Parts, caller: Caller, workflow_id: WorkflowId) -> None:
    """Remove a workflow of one's own; runs of it go on with the version that they began with."""
    await parts.workflows().definitions.delete(caller, workflow_id)


@router.post("/{workflow_id}/validate", responses=faults(404, 422))
async def validate(
    parts: Parts, caller: Caller, language: Speech, workflow_id: WorkflowId, wanted: WorkflowToCheck | None = None
) -> WorkflowCheck:
    """Name every fault of the draft, or of a definition that is given in its place; nothing is stored."""
    definition = None if wanted is None else wanted.definition
    found = await parts.workflows().definitions.faults(caller, workflow_id, definition)
    return WorkflowCheck(valid=not found, faults=_worded(found, language))


@router.post("/{workflow_id}/publish", responses=faults(404, 409, 422))
async def publish(
    parts: Parts, caller: Caller, language: Speech, workflow_id: WorkflowId, wanted: WorkflowToPublish | None = None
) -> WorkflowPublished:
    """Make the draft the next version, with which runs begin from now on. One with faults is refused."""
    revision = None if wanted is None else wanted.revision
    made = await parts.workflows().definitions.publish(caller, workflow_id, revision=revision, language=language)
    return WorkflowPublished(id=made.workflow_id, version=made.number)


@router.post("/{workflow_id}/withdraw", responses=faults(404))
async def withdraw(parts: Parts, caller: Caller, language: Speech, workflow_id: WorkflowId) -> WorkflowOut:
    """Take back what is published: no run begins with it any more, and no message finds it. Runs of it go on."""
    return shown(await parts.workflows().definitions.withdraw(caller, workflow_id), caller, language)


@router.post("/{workflow_id}/run", status_code=202, responses=faults(404, 409, 422))
async def run(
    parts: Parts, caller: Caller, workflow_id: WorkflowId, response: Response, wanted: WorkflowToRun | None = None
) -> WorkflowRunAccepted:
    """Start a run of what is published, or of a template; its events are at `/runs/{run_id}/events`."""
    given = wanted or WorkflowToRun()
    launch = Launch(
        inputs=given.inputs,
        text=given.text,
        conversation_id=given.conversation_id,
        file_ids=tuple(given.files),
        language=given.language,
        model=given.model,
        approvals=given.approvals,
    )
    started = await parts.workflows().launches.start(caller, workflow_id, launch)
    response.headers["location"] = f"/api/v1/runs/{started.id}"
    return WorkflowRunAccepted(run_id=started.id, conversation_id=started.conversation_id)


@router.get("/{workflow_id}/export", response_model=dict[str, Any], responses=faults(404))
async def export(parts: Parts, caller: Caller, workflow_id: WorkflowId) -> JSONResponse:
    """Send a definition as one file: what is published, an own draft where nothing is, or a template."""
    values = await parts.workflows().definitions.file(caller, workflow_id)
    name = quote(f"{str(values.get('id') or 'workflow')[:64]}.json", safe="")
    return JSONResponse(values, headers={"content-disposition": f"attachment; filename*=UTF-8''{name}"})


async def _settings(parts: App, caller: Scope) -> WorkflowSettingsOut:
    choices = parts.workflows().choices
    found = await choices.settings(caller)
    responder = await choices.responder(caller)
    return WorkflowSettingsOut(
        own=list(choices.levels(caller)),
        fallback=found.user.workflow,
        enabled=found.user.enabled,
        tenant=SharedChoices(default=found.tenant.workflow, enabled=found.tenant.enabled),
        system=SharedChoices(default=found.system.workflow, enabled=found.system.enabled),
        effective=EffectiveChoices(
            enabled=await choices.enabled(caller),
            workflow=None if responder is None else responder.workflow.id,
            level=None if responder is None else responder.level,
        ),
    )


def _shared(before: WorkflowChoices, wanted: SharedChoices) -> WorkflowChoices:
    given = wanted.model_fields_set
    return WorkflowChoices(
        workflow=wanted.default if "default" in given else before.workflow,
        enabled=wanted.enabled if "enabled" in given else before.enabled,
    )


def _line(entry: WorkflowEntry, caller: Scope) -> dict[str, Any]:
    return {
        "id": entry.id,
        "name": entry.name,
        "description": entry.description,
        "examples": list(entry.examples),
        "owner": entry.owner,
        "mine": entry.owner == caller.owner,
        "visibility": entry.visibility,
        "definition_id": entry.definition_id,
        "published": entry.published,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
    }


def shown(view: WorkflowView, caller: Scope, language: Language) -> WorkflowOut:
    """Return a workflow as its caller is sent it."""
    return WorkflowOut(
        **_line(view.entry, caller),
        definition=view.definition,
        revision=view.revision,
        faults=_worded(view.faults, language),
        versions=[WorkflowVersionOut.model_validate(note) for note in view.versions],
    )


def _worded(found: Sequence[Fault], language: Language) -> list[WorkflowFault]:
    return [WorkflowFault(code=fault.code, place=fault.place, message=fault.words(language)) for fault in found]
