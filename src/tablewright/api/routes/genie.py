"""Genie's page: runs as its frames, tables as its models, files by addresses that need no key."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request, Response
from sse_starlette import ServerSentEvent
from starlette.responses import PlainTextResponse, StreamingResponse

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import content_of, faults
from tablewright.api.genie import paths
from tablewright.api.genie.fold import GenieFold
from tablewright.api.genie.frames import HEARTBEAT_S, AgentFrame, enveloped, heartbeat, written
from tablewright.api.genie.links import GenieLinks
from tablewright.api.genie.previews import CSV, SANDBOX, beginning, kind_of, plain_csv
from tablewright.api.genie.questions import Frame, QuestionFold
from tablewright.api.genie.refusals import refusal
from tablewright.api.genie.stream import told, words_of
from tablewright.api.genie.tables import models_of, place_of, rows_of
from tablewright.api.routes.files import ANY, disposition
from tablewright.api.routes.files import sent as as_file
from tablewright.api.schemas.genie import GenieQuery, GenieQuestion, GenieReply
from tablewright.api.sse import last_seen, send
from tablewright.domain.agent_type import MODES, agent_of, by_deep_think
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound, OwnerLost, TablewrightError
from tablewright.service.app import App
from tablewright.service.chats.keyed import KeyedMessage
from tablewright.service.chats.places import TakenTurn

FACE = "genie"
DocumentKind = Literal["html", "slides.html", "md", "xlsx"]
SHEETS = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MODELS = 200
ROWS = 100
DOCUMENTS = {"html": "text/html", "slides.html": "text/html", "md": "text/markdown", "xlsx": SHEETS}
router = APIRouter(tags=["genie"])
FRAMES: dict[str, Any] = {
    "description": "`data:` frames; an error is one too.",
    "content": {"text/event-stream": {"schema": {"type": "object"}}},
}
KEYED = faults()


@router.post(paths.QUERY, response_class=Response, responses={200: FRAMES, **KEYED})
async def query(
    parts: Parts,
    caller: Caller,
    request: Request,
    sent: GenieQuery,
    last_event_id: Annotated[str | None, Header(max_length=100)] = None,
) -> Response:
    """Ask in a session, or answer what its run has asked; the same `requestId` again follows the same run."""
    kind = by_deep_think(sent.deep_think)
    request_id = sent.request_id or parts.keyed_chats().new_request_id()
    said = KeyedMessage(
        face=FACE,
        session_id=sent.session_id,
        request_id=request_id,
        text=sent.query,
        mode=MODES[kind],
        agent=agent_of(kind, sent.output_style),
    )
    chats = parts.keyed_chats()
    try:
        turn = await chats.take(caller, said)
    except TablewrightError as error:
        session = sent.session_id or request_id
        return await refusal(error, request, chats, caller, face=FACE, session=session, words=sent.query)
    fold = GenieFold(
        run=turn.run,
        request_id=request_id,
        agent_type=str(kind.value),
        links=await _links(parts, caller, turn, request),
        style=sent.output_style,
    )
    seen = last_seen(last_event_id, None)
    first = await _first(parts, caller, turn, fold)
    return send(
        _frames(parts, caller, turn, fold, [] if seen else first, seen),
        ping_s=HEARTBEAT_S,
        ping=lambda: ServerSentEvent(data=written(heartbeat(request_id)), sep="\n"),
        parting=lambda: (_sent(fold, frame) for frame in fold.fails(_stopped(turn))),
    )


@router.post(paths.CHAT, response_class=Response, responses={200: FRAMES, **KEYED})
async def ask(parts: Parts, caller: Caller, sent: GenieQuestion) -> Response:
    """Ask a question about the data; the answer is thoughts and a table that the page draws."""
    said = KeyedMessage(
        face=FACE,
        session_id=None,
        request_id=parts.keyed_chats().new_request_id(),
        text=sent.content,
        mode="chat",  # a greeting is no question, and nothing here can be changed
        approvals="auto",  # without a session, no message can be the answer to what is asked back
    )
    turn = await parts.keyed_chats().take(caller, said)
    fold = QuestionFold(run=turn.run)
    return send(
        _answered(parts, caller, turn, fold),
        parting=lambda: map(_line, fold.fails(_stopped(turn))),
    )


@router.get(f"{paths.DATA}allModels", responses=KEYED)
async def models(parts: Parts, caller: Caller) -> GenieReply:
    """List the tables of the newest files as models."""
    page = await parts.files.list(caller, limit=MODELS)
    return GenieReply(data=models_of(file for file in page.items if file.run_id is None and not file.of_one_call))


@router.get(f"{paths.DATA}previewData", responses=KEYED)
async def preview(
    parts: Parts, caller: Caller, code: Annotated[str, Query(alias="modelCode", max_length=200)]
) -> GenieReply:
    """Return the first rows of a table, at most 100."""
    file_id, number = place_of(code)
    file = await parts.files.get(caller, file_id)
    if number >= max(1, len(file.datasets)):
        raise NotFound(kind="sheet", id=str(number))
    sheet = file.datasets[number].read.sheet if file.datasets else None
    table = await parts.files.preview(caller, file_id, sheet=sheet or 0, rows=ROWS)
    return GenieReply(data={"modelCode": code, "modelName": file.name, **rows_of(table)})


@router.get(f"{paths.WEB}health", response_class=PlainTextResponse)
async def health() -> Response:
    """Say that the service is there."""
    return PlainTextResponse("ok")


@router.get(
    f"{paths.FILES}preview/{{permit}}/{{file_id}}/{{name}}",
    response_class=Response,
    responses={200: content_of(ANY, "text/html", "text/csv"), **faults(404, 422)},
)
async def looked_at(parts: Parts, permit: str, file_id: str, name: str) -> Response:  # noqa: ARG001
    """Send a file as the page can look at it; who has the address needs no key."""
    opened = await parts.file_permits.open(permit, file_id)
    kind = kind_of(opened.file.name)
    headers = {
        "content-security-policy": SANDBOX,
        "cache-control": "private, no-cache",
        "content-disposition": "inline",
    }
    if kind == CSV:
        plain = await asyncio.to_thread(plain_csv, await beginning(opened.content))
        return Response(plain, media_type="text/csv; charset=utf-8", headers=headers)
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    return StreamingResponse(opened.content, media_type=f"{kind}{charset}", headers=headers)


@router.get(
    f"{paths.FILES}download/{{permit}}/{{file_id}}/{{name}}",
    response_class=Response,
    responses={200: content_of(ANY), **faults(404, 422)},
)
async def saved(parts: Parts, permit: str, file_id: str, name: str) -> Response:  # noqa: ARG001
    """Send the bytes of a file under its name; who has the address needs no key."""
    return as_file(await parts.file_permits.open(permit, file_id))


@router.get(
    f"{paths.FILES}{{way}}/{{permit}}/runs/{{run_id}}/report.{{kind}}",
    response_class=Response,
    responses={200: content_of(*dict.fromkeys(DOCUMENTS.values())), **faults(404, 422)},
)
async def document(
    parts: Parts, way: Literal["preview", "download"], permit: str, run_id: str, kind: DocumentKind
) -> Response:
    """Send the answer of a run as a document; who has the address needs no key."""
    scope = await parts.file_permits.scope(permit, run_id)
    content = await parts.reports().written(scope, run_id, kind)
    shown = "inline" if way == "preview" else disposition(f"report.{kind}")
    headers = {"content-security-policy": SANDBOX, "content-disposition": shown}
    return Response(content, media_type=DOCUMENTS[kind], headers=headers)


async def _links(parts: App, caller: Scope, turn: TakenTurn, request: Request) -> GenieLinks:
    permit = await parts.file_permits.give(caller, turn.run.conversation_id)
    return GenieLinks(base=str(request.base_url).rstrip("/"), permit=permit)


async def _first(parts: App, caller: Scope, turn: TakenTurn, fold: GenieFold) -> list[AgentFrame]:
    """Fold what had happened before an answer; return what a page that has seen nothing of it must know."""
    async for event in parts.keyed_chats().before(caller, turn):
        for _ in fold.take(event):
            pass
    return list(fold.anew()) if turn.after else []


async def _frames(
    parts: App, caller: Scope, turn: TakenTurn, fold: GenieFold, first: list[AgentFrame], seen: int
) -> AsyncIterator[ServerSentEvent]:
    async for frame, seq in told(parts.keyed_chats(), caller, turn, fold, first, seen):
        yield _sent(fold, frame, seq)


async def _answered(parts: App, caller: Scope, turn: TakenTurn, fold: QuestionFold) -> AsyncIterator[ServerSentEvent]:
    async for frame, _ in told(parts.keyed_chats(), caller, turn, fold, fold.start()):
        yield _line(frame)


def _sent(fold: GenieFold, frame: AgentFrame, seq: int | None = None) -> ServerSentEvent:
    told_frame = enveloped(frame, request_id=fold.request_id, agent_type=fold.agent_type)
    return ServerSentEvent(data=written(told_frame), id=None if seq is None else str(seq), sep="\n")


def _line(frame: Frame) -> ServerSentEvent:
    return ServerSentEvent(data=written(frame), sep="\n")


def _stopped(turn: TakenTurn) -> str:
    """Return the words of a service that stops while it tells of a run."""
    return words_of(OwnerLost(run_id=turn.run.id), turn.run.language)
