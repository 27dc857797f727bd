"""The files of OpenAI's wire: the same files as everywhere, under the names that its clients know."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request
from starlette.responses import StreamingResponse

from tablewright.api.chat_completions.documents import openai_faults
from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import content_of
from tablewright.api.multipart import FormReader
from tablewright.api.routes.files import ANY, INERT, sent
from tablewright.api.schemas.chat_completions import OpenAiDeletion, OpenAiFile, OpenAiFiles
from tablewright.domain.dataset import StoredFile
from tablewright.domain.scope import Scope
from tablewright.errors import InvalidInput, NotFound
from tablewright.service.app import App
from tablewright.service.files.terms import FileTerms
from tablewright.store.cursors import write_cursor

router = APIRouter(prefix="/files", tags=["openai"])
PURPOSE, MADE = "user_data", "assistants_output"
"""The purposes of files of which no client has said one: uploaded ones, and those that runs have made."""
SHORTEST_S, LONGEST_S = 3_600, 2_592_000
FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file", "purpose"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "purpose": {"type": "string"},
                        "expires_after[anchor]": {"type": "string", "enum": ["created_at"]},
                        "expires_after[seconds]": {"type": "integer", "minimum": SHORTEST_S, "maximum": LONGEST_S},
                    },
                }
            }
        },
    }
}


@router.post("", openapi_extra=FORM, responses=openai_faults(400, 413, 503, 507))
async def upload(parts: Parts, caller: Caller, request: Request) -> OpenAiFile:
    """Keep a file with the tables in it, for the time that `expires_after` says, or until it is deleted."""
    form = FormReader(request, "file")
    file = await form.begin()
    stored = await parts.files.upload(caller, name=file.name, content=file.content)
    try:
        lasts = _lasts(form.fields)
    except InvalidInput:
        await parts.files.delete(caller, stored.id)
        raise
    purpose = form.fields.get("purpose", "").strip()[:64] or PURPOSE
    return _shown(stored, await parts.file_terms.keep(caller, stored.id, purpose=purpose, lasts=lasts))


@router.get("", responses=openai_faults(400))
async def find(
    parts: Parts,
    caller: Caller,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1_000,
    after: Annotated[str | None, Query(max_length=200, description="The last id of the page before.")] = None,
    order: Annotated[Literal["desc"], Query(description="The newest first.")] = "desc",  # noqa: ARG001
    purpose: Annotated[str | None, Query(max_length=64)] = None,
) -> OpenAiFiles:
    """List files, the newest first; with `purpose` those of the page that have it."""
    cursor = None if after is None else write_cursor(_file_id(after))
    page = await parts.files.list(caller, limit=min(limit, 1_000), cursor=cursor)
    shown = [one for file in page.items if (one := await _listed(parts, caller, file)) is not None]
    data = [one for one in shown if purpose is None or one.purpose == purpose]
    last = page.items[-1].id if page.items else None
    first = data[0].id if data else None
    return OpenAiFiles(data=data, first_id=first, last_id=last, has_more=page.next_cursor is not None)


@router.get("/{file_id}", responses=openai_faults(404))
async def get(parts: Parts, caller: Caller, file_id: str) -> OpenAiFile:
    """Return what is known of a file."""
    return _shown(*await parts.file_terms.get(caller, file_id))


@router.delete("/{file_id}", responses=openai_faults(404))
async def delete(parts: Parts, caller: Caller, file_id: str) -> OpenAiDeletion:
    """Remove a file from its owner's files and conversations."""
    await parts.file_terms.delete(caller, file_id)
    return OpenAiDeletion(id=file_id)


@router.get(
    "/{file_id}/content",
    response_class=StreamingResponse,
    responses={200: content_of(ANY, *sorted(INERT)), **openai_faults(404)},
)
async def content(parts: Parts, caller: Caller, file_id: str) -> StreamingResponse:
    """Send the file's bytes."""
    await parts.file_terms.of(caller, file_id)
    return sent(await parts.files.open(caller, file_id))


async def _listed(parts: App, caller: Scope, file: StoredFile) -> OpenAiFile | None:
    try:
        return _shown(file, await parts.file_terms.of(caller, file.id))
    except NotFound:
        return None


def _shown(file: StoredFile, terms: FileTerms) -> OpenAiFile:
    return OpenAiFile(
        id=file.id,
        bytes=file.size_bytes,
        created_at=_created(file.id),
        filename=file.name,
        purpose=terms.purpose or (PURPOSE if file.run_id is None else MADE),
        expires_at=None if terms.expires_at is None else int(terms.expires_at.timestamp()),
    )


def _file_id(after: str) -> str:
    """Return the id of the last file of a page, which may have been deleted since. Raises `InvalidInput`."""
    try:
        return str(UUID(after))
    except ValueError:
        raise InvalidInput("cursor_unknown", field="after") from None


def _created(file_id: str) -> int:
    """Return when a file was stored, in seconds: its id begins with that."""
    try:
        return (UUID(file_id).int >> 80) // 1_000
    except ValueError:
        return 0


def _lasts(fields: Mapping[str, str]) -> timedelta | None:
    """Return how long a file is to be kept. Raises `InvalidInput`."""
    told = fields.get("expires_after[seconds]")
    if told is None:
        return None
    if fields.get("expires_after[anchor]", "created_at") != "created_at":
        raise InvalidInput("file_expiry_anchor", field="expires_after[anchor]")
    if not told.isdecimal() or not SHORTEST_S <= int(told[:10]) <= LONGEST_S:
        raise InvalidInput("file_expiry_wrong", field="expires_after[seconds]", least=SHORTEST_S, most=LONGEST_S)
    return timedelta(seconds=int(told))
