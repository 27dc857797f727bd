"""The runs of workflows, and the schema of definitions."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from tablewright.api.dependencies import Caller, Cursor, Parts
from tablewright.api.documents import faults
from tablewright.api.schemas.native import PageOf
from tablewright.api.schemas.workflow_runs import WorkflowOfRun, WorkflowRunLine
from tablewright.service.workflows.history import PastRun
from tablewright.workflows.definition import as_values, schema

router = APIRouter(tags=["workflows"])


@router.get("/workflows/schema", response_model=dict[str, Any], responses=faults())
async def definition_schema(_caller: Caller) -> JSONResponse:
    """Return the JSON schema of definitions, with that of each kind of node."""
    return JSONResponse(schema())


@router.get("/workflows/{workflow_id}/runs", responses=faults(404, 422))
async def of_workflow(
    parts: Parts,
    caller: Caller,
    workflow_id: str,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: Cursor = None,
) -> PageOf[WorkflowRunLine]:
    """List the caller's runs of a workflow or a template, newest first, with what began each."""
    page = await parts.workflows().history.runs(caller, workflow_id, limit=limit, cursor=cursor)
    return PageOf[WorkflowRunLine](items=[_line(past) for past in page.items], next_cursor=page.next_cursor)


@router.get("/runs/{run_id}/workflow", responses=faults(404))
async def of_run(parts: Parts, caller: Caller, run_id: str) -> WorkflowOfRun:
    """Return the definition that a run of a workflow began with, and stays on."""
    found = await parts.workflows().history.definition(caller, run_id)
    return WorkflowOfRun(workflow_id=found.id, definition=as_values(found))


def _line(past: PastRun) -> WorkflowRunLine:
    given = {name: getattr(past.run, name) for name in WorkflowRunLine.model_fields if name != "trigger"}
    return WorkflowRunLine(**given, trigger=past.trigger)
