"""Agent pages: a run as the events of AG-UI."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing
from functools import partial
from typing import Any, cast

from fastapi import APIRouter, Request, Response
from sse_starlette import ServerSentEvent

from tablewright.api.agui.fold import AguiFold
from tablewright.api.agui.requests import answer_to, thread_name, thread_request
from tablewright.api.chat_completions.fold import ChatFold, content_of
from tablewright.api.chat_completions.words import Links
from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.documents import faults
from tablewright.api.schemas.agui import AguiRun
from tablewright.api.sse import send
from tablewright.domain.events import Event
from tablewright.domain.language import Language
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.service.app import App
from tablewright.service.chats.places import TakenTurn

router = APIRouter(tags=["ag-ui"])
FRAMES: dict[str, Any] = {
    "description": "`data:` frames with events of AG-UI: `RUN_STARTED` first, `RUN_FINISHED` or `RUN_ERROR` last.",
    "content": {"text/event-stream": {"schema": {"type": "object"}}},
}


@router.post("/agui", response_class=Response, responses={200: FRAMES, **faults(404, 409, 413, 415, 422, 503, 507)})
async def run(parts: Parts, caller: Caller, speech: Speech, request: Request, sent: AguiRun) -> Response:
    """Say something in a thread, or answer what its run has asked (`resume`); the events of the run follow."""
    links = Links(base=str(request.base_url).rstrip("/"))
    turn = await _taken(parts, caller, sent, links, speech)
    chat = ChatFold(run=turn.run, links=links)
    fold = AguiFold(chat=chat, thread_id=sent.thread_id, run_id=sent.run_id)
    return send(_frames(parts, caller, turn, fold))


async def _taken(parts: App, caller: Scope, sent: AguiRun, links: Links, speech: Language) -> TakenTurn:
    def told(run: Run, events: Iterable[Event]) -> str:
        return content_of(run, events, links)

    if not sent.resume:
        return await parts.chats().take(caller, thread_request(sent, parts.models.names, speech), told)
    answers = {entry.interrupt_id: partial(answer_to, entry) for entry in sent.resume}
    return await parts.chats().resume(caller, thread_name(sent), answers, language=speech)


async def _frames(parts: App, caller: Scope, turn: TakenTurn, fold: AguiFold) -> AsyncIterator[ServerSentEvent]:
    async for event in parts.chats().before(caller, turn):
        fold.before(event)
    for frame in fold.start():
        yield _sent(frame)
    events = cast(AsyncGenerator[Event], parts.chats().follow(caller, turn))
    async with aclosing(events):
        async for event in events:
            for frame in fold.take(event):
                yield _sent(frame)
    waiting = fold.chat.outcome is None
    for frame in fold.end(await parts.chats().open_requests(caller, turn.run.id) if waiting else ()):
        yield _sent(frame)


def _sent(frame: dict[str, Any]) -> ServerSentEvent:
    return ServerSentEvent(data=json.dumps(frame, ensure_ascii=False), sep="\n")
