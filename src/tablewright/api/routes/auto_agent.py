"""`/AutoAgent`: an agent by its type, told as the bare frames of Genie's wire."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request, Response
from sse_starlette import ServerSentEvent

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import faults
from tablewright.api.genie import paths
from tablewright.api.genie.bare import HEARTBEAT, BareEvent, bare, is_piece
from tablewright.api.genie.fold import GenieFold
from tablewright.api.genie.frames import HEARTBEAT_S
from tablewright.api.genie.links import GenieLinks
from tablewright.api.genie.refusals import refusal
from tablewright.api.genie.stream import told, words_of
from tablewright.api.schemas.genie import AgentMessage, AgentQuery
from tablewright.api.sse import last_seen, send
from tablewright.domain.agent_type import MODES, PLAN_SOLVE, AgentType, agent_of, agent_type
from tablewright.domain.conversation import EarlierTurn
from tablewright.errors import OwnerLost, TablewrightError
from tablewright.service.chats.keyed import KeyedMessage

router = APIRouter(tags=["genie"])
FACE = "auto_agent"
FRAMES: dict[str, Any] = {
    "description": "`data:` frames, ended by the `result`; an error is one too.",
    "content": {"text/event-stream": {"schema": {"type": "object"}}},
}


@router.post(paths.AUTO_AGENT, response_class=Response, responses={200: FRAMES, **faults()})
async def auto_agent(
    parts: Parts,
    caller: Caller,
    request: Request,
    sent: AgentQuery,
    last_event_id: Annotated[str | None, Header(max_length=100)] = None,
) -> Response:
    """Have an agent of a type work on a request; the same `requestId` again follows the same run."""
    chats = parts.keyed_chats()
    try:
        type_name = _type_name(sent, parts.agent_names)
        turn = await chats.take(caller, _message(sent, type_name))
    except TablewrightError as error:
        session = sent.session_id or sent.request_id
        return await refusal(error, request, chats, caller, face=FACE, session=session, words=sent.query)
    permit = await parts.file_permits.give(caller, turn.run.conversation_id)
    fold = GenieFold(
        run=turn.run,
        request_id=sent.request_id,
        agent_type=type_name,
        links=GenieLinks(base=str(request.base_url).rstrip("/"), permit=permit),
        style=sent.output_style,
    )
    seen = last_seen(last_event_id, None)
    async for event in chats.before(caller, turn):
        for _ in fold.take(event):
            pass
    first = list(fold.anew()) if turn.after and not seen else []

    async def frames() -> AsyncIterator[ServerSentEvent]:
        async for frame, seq in told(chats, caller, turn, fold, first, seen):
            if sent.is_stream or not is_piece(frame):
                yield bare(frame, seq)

    stopped = words_of(OwnerLost(run_id=turn.run.id), turn.run.language)
    return send(
        frames(),
        ping_s=HEARTBEAT_S,
        ping=lambda: BareEvent(HEARTBEAT),
        parting=lambda: map(bare, fold.fails(stopped)),
    )


def _type_name(sent: AgentQuery, names: Collection[str]) -> str:
    """Return what stands for a type on the wire: the name of an agent, or the number. Raises `AgentTypeUnknown`."""
    if isinstance(sent.agent_type, str) and sent.agent_type in names:
        return sent.agent_type
    return str(agent_type(sent.agent_type).value)


def _message(sent: AgentQuery, type_name: str) -> KeyedMessage:
    """Return what is said to an agent of a type."""
    kind = AgentType(int(type_name)) if type_name.isdecimal() else None
    brief = {AgentType.REACT: sent.base_prompt, AgentType.PLAN_SOLVE: sent.sop_prompt}.get(kind or AgentType.REACT)
    by_name = "plan" if type_name == PLAN_SOLVE else MODES[AgentType.REACT]
    return KeyedMessage(
        face=FACE,
        session_id=sent.session_id,
        request_id=sent.request_id,
        text=sent.query,
        mode=by_name if kind is None else MODES[kind],
        agent=type_name if kind is None else agent_of(kind, sent.output_style),
        earlier=_earlier(sent.messages or [], sent.query),
        brief=brief or None,
    )


def _earlier(messages: list[AgentMessage], query: str) -> tuple[EarlierTurn, ...]:
    """Return what was said before the query, which may itself be the last of the messages."""
    said = [one for one in messages if one.role in {"user", "assistant"} and one.content.strip()]
    if said and said[-1].role == "user" and said[-1].content.strip() == query.strip():
        said.pop()
    return tuple(EarlierTurn(author="user" if one.role == "user" else "assistant", text=one.content) for one in said)
