"""Workflows made from conversations."""

from __future__ import annotations

from fastapi import APIRouter, Response

from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.documents import faults
from tablewright.api.routes.workflows import shown
from tablewright.api.schemas.workflows import ConversationWorkflow, WorkflowOut

router = APIRouter(prefix="/conversations", tags=["workflows"])


@router.post("/{conversation_id}/workflow", status_code=201, responses=faults(404, 409, 422))
async def make(
    parts: Parts,
    caller: Caller,
    language: Speech,
    conversation_id: str,
    response: Response,
    wanted: ConversationWorkflow | None = None,
) -> WorkflowOut:
    """Keep a draft that does again what was done in a conversation, on other files of the same form.

    Its inputs are the files and the values that were used. Its description says what is left out."""
    given = wanted or ConversationWorkflow()
    drafts = parts.workflows().drafts
    made = await drafts.make(caller, conversation_id, name=given.name, visibility=given.visibility)
    response.headers["location"] = f"/api/v1/workflows/{made.entry.id}"
    return shown(made, caller, language)
