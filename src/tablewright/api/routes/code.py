"""Code from reports that was kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from starlette.responses import StreamingResponse

from tablewright.api.dependencies import Caller, Cursor, Limit, Parts, Speech
from tablewright.api.documents import EVENT_STREAM, content_of, faults
from tablewright.api.routes.files import ANY, sent
from tablewright.api.schemas.code import CodeLine, CodeOut, CodeToRun
from tablewright.api.schemas.native import PageOf, RunAccepted
from tablewright.api.sse import stream

router = APIRouter(prefix="/code", tags=["code"])


@router.get("", responses=faults(404, 422))
async def find(
    parts: Parts,
    caller: Caller,
    language: Speech,
    conversation_id: Annotated[str | None, Query()] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> PageOf[CodeLine]:
    """List the code of reports that was kept, the newest first; that of one conversation where it is given."""
    found = await parts.saved_code.list(caller, language, conversation_id=conversation_id, limit=limit, cursor=cursor)
    return PageOf[CodeLine](items=[CodeLine.of(code) for code in found.items], next_cursor=found.next_cursor)


@router.get("/{code_id}", responses=faults(404))
async def get(parts: Parts, caller: Caller, language: Speech, code_id: str) -> CodeOut:
    """Return kept code, all of it."""
    return CodeOut.model_validate(await parts.saved_code.get(caller, code_id, language))


@router.get("/{code_id}/download", response_class=StreamingResponse, responses={200: content_of(ANY), **faults(404)})
async def download(parts: Parts, caller: Caller, code_id: str) -> StreamingResponse:
    """Send kept code as a file."""
    file = await parts.saved_code.file(caller, code_id)
    return sent(await parts.files.open(caller, file.id))


@router.post(
    "/{code_id}/run",
    status_code=202,
    response_model=RunAccepted,
    responses={200: EVENT_STREAM, **faults(404, 409, 422)},
)
async def run(
    parts: Parts,
    caller: Caller,
    code_id: str,
    response: Response,
    wanted: CodeToRun | None = None,
    accept: Annotated[str, Header()] = "",
) -> Response | RunAccepted:
    """Run kept code again, as it stands: starts a run of its conversation, or of the one given. With
    `Accept: text/event-stream` its events follow at once, else its id is returned."""
    started = await parts.saved_code.run(
        caller, code_id, conversation_id=None if wanted is None else wanted.conversation_id
    )
    if "text/event-stream" in accept:
        return stream(parts.runs.follow(caller, started.id))
    response.headers["location"] = f"/api/v1/runs/{started.id}"
    return RunAccepted(run_id=started.id)
