"""Workbook rounds: planned, confirmed, executed, undone, in the words of their own wire."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from sse_starlette import ServerSentEvent

from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.documents import faults
from tablewright.api.errors import respond
from tablewright.api.excel.catalogue import functions_response
from tablewright.api.excel.exchange import Exchange
from tablewright.api.excel.openapi import ROUND_STREAM
from tablewright.api.excel.requests import channel_request, requested_language
from tablewright.api.schemas.excel import (
    ExcelRequest,
    ExcelResponse,
    FunctionsResponse,
    RedoRequest,
    RestoredResponse,
    RollbackRequest,
    SheetOut,
    SpreadsheetOut,
    wire,
)
from tablewright.api.schemas.plan_files import StepSentences, StepsToDescribe
from tablewright.api.sse import send
from tablewright.domain.scope import Scope
from tablewright.errors import TablewrightError
from tablewright.service.app import App
from tablewright.service.channels.undo import RestoredWorkbook
from tablewright.service.step_sentences import step_sentences

log = logging.getLogger(__name__)
router = APIRouter(prefix="/excel", tags=["excel"])


@router.post(
    "/operations",
    response_model=ExcelResponse,
    response_model_exclude_unset=True,
    responses={200: ROUND_STREAM, **faults(404, 409, 413, 415, 422, 503, 507)},
)
async def operations(
    parts: Parts,
    caller: Caller,
    speech: Speech,
    request: ExcelRequest,
    *,
    stream: Annotated[bool, Query(description="Send the request's events, the response among them.")] = False,
    accept: Annotated[str, Header()] = "",
) -> Response:
    """Plan what is wanted of a workbook, or execute the plan that was confirmed.

    With `?stream=true` or `Accept: text/event-stream` the answer comes among events."""
    try:
        handling = Exchange(
            parts=parts, scope=caller, request=request, channel_request=channel_request(request, speech)
        )
        work = parts.excel().rounds.go_on(handling.work())
        if stream or "text/event-stream" in accept:
            work.add_done_callback(_seen_by_nobody)
            if handling.channel_request.edited_plan is not None:
                await handling.check_accepted()
            return send(_frames(handling))
        return _json(wire(await asyncio.shield(work)))
    except TablewrightError as error:
        return respond(error, requested_language(request) or speech)


@router.post("/rollback", responses=faults(404, 409, 415, 422, 503, 507))
async def rollback(parts: Parts, caller: Caller, request: RollbackRequest) -> RestoredResponse:
    """Restore the workbook as it was before a round, and before the rounds after it, byte for byte."""
    restored = await parts.excel().undo.rollback(caller, request.channel_id, request.request_id)
    return await _told(parts, caller, request, restored, request.request_id)


@router.post("/redo", responses=faults(404, 409, 415, 422, 503, 507))
async def redo(parts: Parts, caller: Caller, request: RedoRequest) -> RestoredResponse:
    """Take back the last undo; possible until a new round has executed."""
    restored = await parts.excel().undo.redo(caller, request.channel_id)
    return await _told(parts, caller, request, restored, restored.version.request_id)


@router.get("/functions", responses=faults(422))
async def functions(speech: Speech) -> FunctionsResponse:
    """List every function that a plan may use, with the JSON schema of its parameters."""
    return functions_response(speech)


@router.post("/functions/sentences", responses=faults(422))
async def sentences(speech: Speech, wanted: StepsToDescribe) -> StepSentences:
    """Say what steps of a plan do, in the language of `Accept-Language`: one sentence per step, empty
    where a step is no operation yet."""
    return StepSentences(sentences=await step_sentences(wanted.steps, speech))


async def _told(
    parts: App, caller: Scope, request: RollbackRequest | RedoRequest, restored: RestoredWorkbook, request_id: str
) -> RestoredResponse:
    await parts.excel().rounds.given(caller, request.channel_id, request.uid or "", restored.version)
    sheets = [
        SheetOut(name=sheet.name, range=sheet.range, data=[list(row) for row in sheet.rows], truncated=sheet.truncated)
        for sheet in restored.sheets
    ]
    return RestoredResponse(
        request_id=request_id, version=restored.version.number, spreadsheet_data=SpreadsheetOut(sheets=sheets)
    )


async def _frames(handling: Exchange) -> AsyncIterator[ServerSentEvent]:
    async for frame in handling.sent():
        yield ServerSentEvent(data=frame.data, event=frame.event, sep="\n")


def _json(body: str) -> Response:
    return Response(body, media_type="application/json")


def _seen_by_nobody(work: asyncio.Task[ExcelResponse]) -> None:
    """What went wrong was told among the events; what is no error of ours is logged here."""
    error = None if work.cancelled() else work.exception()
    if error is not None and not isinstance(error, TablewrightError):
        log.error("a request failed unexpectedly", exc_info=error)
