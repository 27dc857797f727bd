"""Files: uploaded, looked into, taken away."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import StreamingResponse

from tablewright.api.dependencies import Caller, Cursor, Limit, Parts
from tablewright.api.documents import UPLOAD, content_of, faults
from tablewright.api.languages import language_of_request
from tablewright.api.multipart import FormReader
from tablewright.api.schemas.native import FileOut, FileTable, PageOf, ProfileOut, QuestionsOut, ShapesOut
from tablewright.domain.dataset import StoredFile
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.service.files.files import OpenedFile

router = APIRouter(prefix="/files", tags=["files"])
INERT = frozenset({"image/png", "image/jpeg", "text/csv", "application/json"})
"""Kinds that a browser may be told; everything else comes as bytes."""
ANY = "application/octet-stream"


def shown(file: StoredFile) -> FileOut:
    """Return the file as the wire has it."""
    sheets = [
        FileTable(name=facts.name, rows=facts.rows, columns=[column.name for column in facts.columns])
        for facts in file.datasets
    ]
    return FileOut(
        id=file.id,
        name=file.name,
        mime=file.mime,
        kind=file.kind,
        size_bytes=file.size_bytes,
        run_id=file.run_id,
        sheets=sheets,
    )


@router.post("", status_code=201, openapi_extra=UPLOAD, responses=faults(404, 413, 415, 422, 503, 507))
async def upload(
    parts: Parts,
    caller: Caller,
    request: Request,
    conversation_id: Annotated[str | None, Query()] = None,
    channel_id: Annotated[str | None, Query(max_length=200, description="A channel of the workbook rounds.")] = None,
    tables: Annotated[
        Literal["needed", "optional"],
        Query(description="`optional`: a workbook without tables is taken, to be edited."),
    ] = "needed",
) -> FileOut:
    """Keep a file and find the tables in it; with `conversation_id` or `channel_id` it joins what they name."""
    file = await FormReader(request, "file").begin()
    if conversation_id is None and channel_id:
        conversation_id = (await parts.excel().channels.open(caller, channel_id)).conversation.id
    stored = await parts.files.upload(
        caller,
        name=file.name,
        content=file.content,
        conversation_id=conversation_id,
        tables_needed=tables == "needed",
        texts=True,
    )
    return shown(stored)


@router.get("", responses=faults(404, 422))
async def find(
    parts: Parts,
    caller: Caller,
    conversation_id: Annotated[str | None, Query()] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> PageOf[FileOut]:
    """List files, the newest first; those of one conversation where it is given."""
    page = await parts.files.list(caller, conversation_id=conversation_id, limit=limit, cursor=cursor)
    return PageOf[FileOut](items=[shown(file) for file in page.items], next_cursor=page.next_cursor)


@router.get(
    "/download/{filename}",
    response_class=StreamingResponse,
    responses={200: content_of(ANY, *sorted(INERT)), **faults(404)},
)
async def download_named(
    parts: Parts,
    caller: Caller,
    filename: str,
    conversation_id: Annotated[str | None, Query(description="Whose file; else the newest of that name.")] = None,
) -> StreamingResponse:
    """Send the newest file of that name."""
    file = await parts.files.named(caller, filename, conversation_id=conversation_id)
    return sent(await parts.files.open(caller, file.id))


@router.get("/{file_id}", responses=faults(404))
async def get(parts: Parts, caller: Caller, file_id: str) -> FileOut:
    """Return what is known of a file."""
    return shown(await parts.files.get(caller, file_id))


@router.get("/{file_id}/preview", responses=faults(404, 415, 422, 503))
async def preview(
    parts: Parts,
    caller: Caller,
    file_id: str,
    sheet: Annotated[str, Query(max_length=200, description="A sheet's name, or its number from 0.")] = "0",
    rows: Annotated[int, Query(ge=1, le=500)] = 20,
) -> Table:
    """Return the first rows of one sheet."""
    chosen = int(sheet) if sheet.isdecimal() and len(sheet) < 6 else sheet
    return await parts.files.preview(caller, file_id, sheet=chosen, rows=rows)


@router.get("/{file_id}/profile", responses=faults(404, 415, 422, 503))
async def profile(parts: Parts, caller: Caller, file_id: str) -> ProfileOut:
    """Return every table of the file: its columns with their kinds, ranges and samples."""
    return ProfileOut(datasets=list(await parts.files.profile(caller, file_id)))


@router.get("/{file_id}/questions", responses=faults(404, 422))
async def questions(
    parts: Parts,
    caller: Caller,
    file_id: str,
    request: Request,
    language: Annotated[Language | None, Query(description="Else that of `Accept-Language`.")] = None,
) -> QuestionsOut:
    """Return up to five questions that the file's largest table answers: each was read and tried."""
    said = language or language_of_request(request)
    return QuestionsOut(questions=list(await parts.file_questions.of(caller, file_id, said)))


@router.get("/{file_id}/shapes", responses=faults(404, 415, 422, 503))
async def shapes(
    parts: Parts,
    caller: Caller,
    file_id: str,
    table: Annotated[str | None, Query(description="Its id in the profile; else the largest.")] = None,
) -> ShapesOut:
    """Return how the values of a table's columns are distributed; nothing for a very large table."""
    return ShapesOut(columns=list(await parts.file_shapes.of(caller, file_id, table)))


@router.delete("/{file_id}", status_code=204, responses=faults(404))
async def delete(parts: Parts, caller: Caller, file_id: str) -> None:
    """Remove a file from its owner's files and conversations."""
    await parts.files.delete(caller, file_id)


@router.get(
    "/{file_id}/download",
    response_class=StreamingResponse,
    responses={200: content_of(ANY, *sorted(INERT)), **faults(404)},
)
async def download(parts: Parts, caller: Caller, file_id: str) -> StreamingResponse:
    """Send the file's bytes under its name."""
    return sent(await parts.files.open(caller, file_id))


def sent(opened: OpenedFile) -> StreamingResponse:
    """Send a file under its name, as nothing that a browser would execute."""
    file = opened.file
    headers = {
        "content-disposition": disposition(file.name),
        "content-length": str(file.size_bytes),
        "cache-control": "private, no-cache",
        "content-security-policy": "sandbox; default-src 'none'",
    }
    kind = file.mime if file.mime in INERT else ANY
    return StreamingResponse(opened.content, media_type=kind, headers=headers)


def disposition(name: str) -> str:
    """Return the header that saves a file as `name` (RFC 6266): plain for old readers, UTF-8 for the others."""
    plain = "".join(char if char.isascii() and char.isprintable() and char not in '"\\%' else "_" for char in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
