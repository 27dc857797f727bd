"""The files of tool services: kept and found by the name of a session, opened by addresses that need no key."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

from fastapi import APIRouter, Request, Response
from starlette.responses import StreamingResponse

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import content_of
from tablewright.api.genie.previews import CSV, SANDBOX, beginning, kind_of, plain_csv
from tablewright.api.genie_tools import paths
from tablewright.api.genie_tools.faults import tool_faults
from tablewright.api.genie_tools.links import ToolLinks
from tablewright.api.multipart import FormReader
from tablewright.api.routes.files import ANY
from tablewright.api.routes.files import sent as as_file
from tablewright.api.schemas.genie_tools import (
    FileDataSaved,
    FileFound,
    FileSaved,
    FilesFound,
    FilesWanted,
    FileUpload,
    FileWanted,
)
from tablewright.domain.scope import Scope
from tablewright.errors import InvalidInput, NotFound
from tablewright.service.app import App
from tablewright.service.files.files import OpenedFile
from tablewright.service.tool_services.files import ServiceFile
from tablewright.texts.validation import problem

router = APIRouter(tags=["genie tools"])
KEY_CHARS = 300
FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file", "requestId"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "requestId": {"type": "string"},
                    },
                }
            }
        },
    }
}


@router.post(paths.UPLOAD, responses=tool_faults(400, 413, 503, 507))
async def upload(parts: Parts, caller: Caller, request: Request, sent: FileUpload) -> FileSaved:
    """Keep a text as a file of a session."""
    content = sent.content.encode("utf-8", "replace")
    kept = await parts.tool_services().files.keep(caller, sent.request_id, sent.file_name, _once(content))
    links = await links_of(parts, caller, request, kept.conversation_id)
    return FileSaved.model_validate({**links.addresses(kept.file.name), "fileSize": kept.file.size_bytes})


@router.post(paths.UPLOAD_DATA, openapi_extra=FORM, responses=tool_faults(400, 413, 503, 507))
async def upload_data(parts: Parts, caller: Caller, request: Request) -> FileDataSaved:
    """Keep a file of a form as a file of a session, whose name is the field `requestId`."""
    form = FormReader(request, "file")
    file = await form.begin()
    async with parts.blobs.stage(
        caller, parts.files.bounded(file.name, file.content)
    ) as staged:  # the name of the session may follow the file
        session = form.fields.get("requestId", "").strip()
        if not 0 < len(session) <= KEY_CHARS:
            raise InvalidInput("request_field_wrong", field="requestId", **problem("missing", {}))
        content = parts.tool_services().files.staged(staged.path)
        kept = await parts.tool_services().files.keep(caller, session, file.name, content)
    links = await links_of(parts, caller, request, kept.conversation_id)
    return FileDataSaved.model_validate({**links.addresses(kept.file.name), "fileSize": kept.file.size_bytes})


@router.post(paths.GET_FILE, responses=tool_faults(400, missing=True))
async def get(parts: Parts, caller: Caller, request: Request, sent: FileWanted) -> FileFound:
    """Find a file of a session by its name; one that is not there is a 500, as programs of this wire expect it."""
    found = await parts.tool_services().files.named(caller, sent.request_id, sent.file_name)
    return _found(await links_of(parts, caller, request, found.conversation_id), sent.request_id, found)


@router.post(paths.GET_FILES, responses=tool_faults(400))
async def find(parts: Parts, caller: Caller, request: Request, sent: FilesWanted) -> FilesFound:
    """List the files of a session, the newest first; with `filters` those of these names."""
    found: list[tuple[str, ServiceFile]] = []
    if sent.filters:
        for one in sent.filters:
            session = one.request_id or sent.request_id
            every = await parts.tool_services().files.all(caller, session)
            named = (file for file in every if file.file.name == one.file_name)
            found += [(session, file) for file in named]
    else:
        found = [(sent.request_id, file) for file in await parts.tool_services().files.all(caller, sent.request_id)]
    start = (sent.page - 1) * sent.page_size
    results: list[FileFound] = []
    for session, file in found[start : start + sent.page_size]:
        links = await links_of(parts, caller, request, file.conversation_id)
        results.append(_found(links, session, file))
    return FilesFound(results=results, total_size=len(found))


@router.get(
    f"{paths.OPEN[0]}{{file_id}}/{{file_name}}",
    response_class=Response,
    responses={200: content_of(ANY, "text/html", "text/csv"), **tool_faults(400, 404)},
)
async def looked_at(parts: Parts, request: Request, file_id: str, file_name: str) -> Response:
    """Send a file as a page can look at it; who has an address that we gave needs no key."""
    opened, headers = await _opened(parts, request, file_id, file_name)
    kind = kind_of(opened.file.name)
    headers |= {"content-security-policy": SANDBOX, "content-disposition": "inline"}
    if kind == CSV:
        plain = await asyncio.to_thread(plain_csv, await beginning(opened.content))
        return Response(plain, media_type="text/csv; charset=utf-8", headers=headers)
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    return StreamingResponse(opened.content, media_type=f"{kind}{charset}", headers=headers)


@router.get(
    f"{paths.OPEN[1]}{{file_id}}/{{file_name}}",
    response_class=Response,
    responses={200: content_of(ANY), **tool_faults(400, 404)},
)
async def saved(parts: Parts, request: Request, file_id: str, file_name: str) -> Response:
    """Send the bytes of a file under its name; who has an address that we gave needs no key."""
    opened, headers = await _opened(parts, request, file_id, file_name)
    response = as_file(opened)
    response.headers.update(headers)
    return response


async def links_of(parts: App, caller: Scope, request: Request, conversation_id: str) -> ToolLinks:
    """Return the addresses of a session's files."""
    permit = await parts.file_permits.give(caller, conversation_id)
    return ToolLinks(base=str(request.base_url).rstrip("/"), permit=permit)


async def _opened(parts: App, request: Request, file_id: str, name: str) -> tuple[OpenedFile, dict[str, str]]:
    """Open a file by a permit, or by the name of a session for who is known to be the caller.

    What a permit opens any page may read: it comes without cookies and keys, and who knows the address has the file.
    """
    try:
        scope, file = await parts.file_permits.named(file_id, name)
    except NotFound:
        caller = cast("Scope | None", request.scope.get("tablewright.scope"))
        if caller is None:
            raise
        return await parts.tool_services().files.open(caller, file_id, name), {"cache-control": "private, no-cache"}
    open_to_all = {
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": "private, no-cache",
    }
    return await parts.files.open(scope, file.id), open_to_all


def _found(links: ToolLinks, session: str, found: ServiceFile) -> FileFound:
    told = {**links.addresses(found.file.name), "requestId": session, "fileName": found.file.name}
    return FileFound.model_validate(told)


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
