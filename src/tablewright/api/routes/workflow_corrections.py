"""What the caller says of the workflow that was chosen for a message: "not this one"."""

from __future__ import annotations

from fastapi import APIRouter

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import faults
from tablewright.api.schemas.workflows import NewWorkflowCorrection, WorkflowCorrectionOut, WorkflowCorrections
from tablewright.domain.workflow.stored import WorkflowCorrection

router = APIRouter(prefix="/workflows/corrections", tags=["workflows"])


@router.get("", responses=faults())
async def find(parts: Parts, caller: Caller) -> WorkflowCorrections:
    """List what the caller said of chosen workflows, the oldest first; at most 100 are kept."""
    found = await parts.workflows().corrections.all(caller)
    return WorkflowCorrections(items=[_shown(one) for one in found])


@router.post("", status_code=201, responses=faults(422))
async def add(parts: Parts, caller: Caller, said: NewWorkflowCorrection) -> WorkflowCorrectionOut:
    """Say that a message, and what is nearly the same, is not for `workflow` but for `wanted` or none. The caller's."""
    made = await parts.workflows().corrections.add(caller, said.message, workflow=said.workflow, wanted=said.wanted)
    return _shown(made)


@router.delete("/{correction_id}", status_code=204, responses=faults(404))
async def delete(parts: Parts, caller: Caller, correction_id: str) -> None:
    """Take a correction back."""
    await parts.workflows().corrections.remove(caller, correction_id)


def _shown(one: WorkflowCorrection) -> WorkflowCorrectionOut:
    return WorkflowCorrectionOut(
        id=one.id,
        message=one.message,
        workflow=one.workflow_id,
        wanted=one.wanted_id,
        created_at=one.created_at,
    )
