"""Conversations and their messages."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from tablewright.api.dependencies import Caller, Cursor, Limit, Parts, Speech
from tablewright.api.documents import EVENT_STREAM, faults
from tablewright.api.schemas.native import (
    ConversationDetail,
    ConversationOut,
    ConversationTitle,
    MessageOut,
    NewConversation,
    NewMessage,
    PageOf,
    RunAccepted,
    WorkflowStandingOut,
)
from tablewright.api.sse import stream
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.service.app import App
from tablewright.service.runs.runs import Ask
from tablewright.service.workflow_chat.chat import AcceptedMessage
from tablewright.service.workflow_standing import WorkflowStanding, standing_of

router = APIRouter(prefix="/conversations", tags=["conversations"])
ROUTED = frozenset({"auto", "workflow"})
"""The modes of messages that may be for a workflow."""


@router.post("", status_code=201, responses=faults(404, 422))
async def create(parts: Parts, caller: Caller, speech: Speech, wanted: NewConversation) -> ConversationOut:
    """Begin a conversation; without a title its first question becomes it."""
    made = await parts.conversations.create(
        caller, title=wanted.title, language=wanted.language or speech, file_ids=wanted.files
    )
    return ConversationOut.model_validate(made)


@router.get("", responses=faults(422))
async def find(
    parts: Parts,
    caller: Caller,
    query: Annotated[str, Query(max_length=200)] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> PageOf[ConversationOut]:
    """List by latest activity; `query` is looked for in titles and messages."""
    page = await parts.conversations.list(caller, query=query, limit=limit, cursor=cursor)
    return PageOf[ConversationOut].model_validate(page)


@router.get("/{conversation_id}", responses=faults(404))
async def get(parts: Parts, caller: Caller, conversation_id: str) -> ConversationDetail:
    """Return a conversation, and how its workflow stands."""
    found = ConversationOut.model_validate(await parts.conversations.get(caller, conversation_id))
    standing = await standing_of(parts, caller, conversation_id)
    return ConversationDetail(**found.model_dump(), workflow=_standing(standing))


@router.patch("/{conversation_id}", responses=faults(404, 422))
async def rename(parts: Parts, caller: Caller, conversation_id: str, wanted: ConversationTitle) -> ConversationOut:
    """Give it another title."""
    renamed = await parts.conversations.rename(caller, conversation_id, title=wanted.title)
    return ConversationOut.model_validate(renamed)


@router.delete("/{conversation_id}", status_code=204, responses=faults(404))
async def delete(parts: Parts, caller: Caller, conversation_id: str) -> None:
    """Stop its live run and remove it with its messages and runs; files stay."""
    await parts.conversations.delete(caller, conversation_id)


@router.get("/{conversation_id}/messages", responses=faults(404, 422))
async def messages(
    parts: Parts, caller: Caller, conversation_id: str, limit: Limit = 100, cursor: Cursor = None
) -> PageOf[MessageOut]:
    """List its messages, the oldest first."""
    page = await parts.conversations.messages(caller, conversation_id, limit=limit, cursor=cursor)
    return PageOf[MessageOut].model_validate(page)


@router.post(
    "/{conversation_id}/messages",
    status_code=202,
    response_model=RunAccepted,
    responses={200: EVENT_STREAM, **faults(404, 409, 422)},
)
async def ask(
    parts: Parts,
    caller: Caller,
    conversation_id: str,
    message: NewMessage,
    response: Response,
    accept: Annotated[str, Header()] = "",
) -> Response | RunAccepted:
    """Ask: starts a run. With `Accept: text/event-stream` its events follow at once, else its id is returned."""
    if message.agent is not None and message.agent not in parts.agent_names:
        raise NotFound(kind="agent", id=message.agent, field="agent")
    wanted = Ask(
        text=message.text,
        file_ids=tuple(message.files),
        model=message.model,
        mode=message.mode,
        approvals=message.approvals,
        agent=message.agent,
    )
    accepted = await _taken(parts, caller, conversation_id, wanted)
    run = accepted.run
    if "text/event-stream" in accept:
        return stream(parts.runs.follow(caller, run.id, after=accepted.after))
    response.headers["location"] = f"/api/v1/runs/{run.id}"
    return RunAccepted(run_id=run.id)


async def _taken(parts: App, caller: Scope, conversation_id: str, wanted: Ask) -> AcceptedMessage:
    """Give the message to a workflow where one may be meant; else it starts a run of its mode."""
    if wanted.mode in ROUTED and wanted.agent is None:
        return await parts.workflows().chat.take(caller, conversation_id, wanted)
    return AcceptedMessage(run=await parts.runs.start(caller, conversation_id, wanted))


def _standing(standing: WorkflowStanding) -> WorkflowStandingOut:
    request = standing.request
    return WorkflowStandingOut(
        state=standing.stage,
        workflow_id=standing.workflow_id,
        run_id=standing.run_id,
        began_at=standing.began_at,
        resumed=standing.resumed,
        request_id=None if request is None else request.id,
        node_id=standing.node_id or None,
        prompt=None if request is None else request.prompt,
        since=None if request is None else request.created_at,
    )
