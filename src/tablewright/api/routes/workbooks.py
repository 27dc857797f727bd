"""Workbooks: looked into, edited, compared with what they were, taken back. The id is the file's; that of a
conversation or a channel means the newest workbook there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import StreamingResponse

from tablewright.api.dependencies import Caller, Cursor, Limit, Parts, Speech
from tablewright.api.documents import content_of, faults
from tablewright.api.routes.files import disposition
from tablewright.api.schemas.native import PageOf
from tablewright.api.schemas.workbooks import (
    EditedOut,
    EditedStep,
    Edits,
    HeadOut,
    NoticeOut,
    SheetsOut,
    UndoWanted,
    VersionOut,
    WorkbookOut,
)
from tablewright.domain.language import Language
from tablewright.domain.notice import Notice
from tablewright.domain.scope import Scope
from tablewright.domain.workbook import Version
from tablewright.service.app import App
from tablewright.service.workbooks.workbooks import Edited
from tablewright.store.cursors import page_of, read_cursor
from tablewright.texts.errors import error_text
from tablewright.workbook.base import CellPage, Difference

router = APIRouter(prefix="/workbooks", tags=["workbooks"])
VersionNumber = Annotated[int, Path(ge=1, le=10**9)]
READS = faults(404, 415, 422, 503)
WRITES = faults(404, 409, 415, 422, 503, 507)


@router.get("/{workbook_id}", responses=READS)
async def get(
    parts: Parts,
    caller: Caller,
    workbook_id: str,
    tokens: Annotated[int, Query(ge=200, le=100_000, description="About how long the outline may be.")] = 4_000,
) -> WorkbookOut:
    """Return a workbook: the version it is at, and the outline of its sheets with their tables and columns."""
    outline = await parts.workbooks.outline(caller, workbook_id, tokens=tokens)
    head = await _head(parts, caller, workbook_id)
    return WorkbookOut(**head.model_dump(), outline=outline)


@router.get("/{workbook_id}/sheets", responses=READS)
async def sheets(parts: Parts, caller: Caller, workbook_id: str) -> SheetsOut:
    """Return a workbook: the version it is at, and the list of its sheets. Much sooner there than its outline."""
    found = await parts.views().sheets(caller, workbook_id)
    head = await _head(parts, caller, workbook_id)
    return SheetsOut(**head.model_dump(), sheets=list(found))


@router.get("/{workbook_id}/sheets/{name}/cells", responses=READS)
async def cells(
    parts: Parts,
    caller: Caller,
    workbook_id: str,
    name: str,
    wanted: Annotated[
        str | None, Query(alias="range", max_length=200, description="Such as A1:D20; all cells when left out.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=20_000)] = 2_000,
) -> CellPage:
    """Return the cells of a range that are not empty: values, formulas, number formats. `next_range` gets those that
    follow."""
    return await parts.workbooks.cells(caller, workbook_id, name, wanted, limit=limit)


@router.get("/{workbook_id}/versions", responses=faults(404, 415, 422))
async def versions(
    parts: Parts, caller: Caller, workbook_id: str, limit: Limit = 50, cursor: Cursor = None
) -> PageOf[VersionOut]:
    """List the versions of a workbook, the newest first."""
    found = sorted(await parts.workbooks.versions(caller, workbook_id), key=lambda version: -version.number)
    if cursor is not None:
        (last,) = read_cursor(cursor, int)
        found = [version for version in found if version.number < int(last)]
    page = page_of(found, limit, lambda version: (version.number,))
    return PageOf[VersionOut](items=[_version(version) for version in page.items], next_cursor=page.next_cursor)


@router.get("/{workbook_id}/versions/{before}/compare/{after}", responses=READS)
async def compare(
    parts: Parts, caller: Caller, workbook_id: str, before: VersionNumber, after: VersionNumber
) -> Difference:
    """Say what differs between two versions: cells before and after, sheets, other parts of the file."""
    return await parts.workbooks.compare(caller, workbook_id, before, after)


@router.post("/{workbook_id}/edits", responses=WRITES)
async def edit(parts: Parts, caller: Caller, speech: Speech, workbook_id: str, wanted: Edits) -> EditedOut:
    """Do operations on the workbook at `base_version`, all of them as one new version or none."""
    edited = await parts.workbooks.edit(
        caller, workbook_id, wanted.operations, base_version=wanted.base_version, summary=wanted.summary
    )
    functions = [operation.function for operation in wanted.operations]
    return _edited(edited, functions, await _head(parts, caller, workbook_id), speech)


@router.post("/{workbook_id}/undo", responses=WRITES)
async def undo(parts: Parts, caller: Caller, workbook_id: str, wanted: UndoWanted | None = None) -> HeadOut:
    """Go back to the version before, or with `request_id` to that before a round, byte for byte."""
    if wanted is not None and wanted.request_id is not None:
        await parts.workbooks.rollback(caller, workbook_id, wanted.request_id)
    else:
        await parts.workbooks.undo(caller, workbook_id)
    return await _head(parts, caller, workbook_id)


@router.post("/{workbook_id}/redo", responses=WRITES)
async def redo(parts: Parts, caller: Caller, workbook_id: str) -> HeadOut:
    """Take back the last undo; possible until something new is done."""
    await parts.workbooks.redo(caller, workbook_id)
    return await _head(parts, caller, workbook_id)


@router.get(
    "/{workbook_id}/download",
    response_class=StreamingResponse,
    responses={200: content_of("application/octet-stream"), **faults(404, 415)},
)
async def download(
    parts: Parts, caller: Caller, workbook_id: str, version: Annotated[int | None, Query(ge=1, le=10**9)] = None
) -> StreamingResponse:
    """Send the bytes of a version, those of the newest state when none is named."""
    found = await parts.workbooks.version(caller, workbook_id, version)
    headers = {
        "content-disposition": disposition(found.name),
        "content-length": str(found.blob.size_bytes),
        "cache-control": "private, no-cache",
        "content-security-policy": "sandbox; default-src 'none'",
    }
    content = parts.workbooks.content(caller, found)
    return StreamingResponse(content, media_type="application/octet-stream", headers=headers)


async def _head(parts: App, caller: Scope, workbook_id: str) -> HeadOut:
    state = await parts.workbooks.state(caller, workbook_id)
    following = await parts.workbooks.versions(caller, state.file.id) if state.stored else ()
    return HeadOut(
        id=state.file.id,
        name=state.file.name,
        size_bytes=state.file.size_bytes,
        version=state.head.number,
        versions=state.workbook.latest,
        can_undo=state.head.parent is not None,
        can_redo=any(version.parent == state.head.number for version in following),
    )


def _version(version: Version) -> VersionOut:
    return VersionOut(
        number=version.number,
        parent=version.parent,
        name=version.name,
        size_bytes=version.blob.size_bytes,
        author=version.author,
        request_id=version.request_id,
        created_at=version.created_at,
        summary=version.summary,
    )


def _edited(edited: Edited, functions: Sequence[str], head: HeadOut, language: Language) -> EditedOut:
    steps = [
        EditedStep(
            function=function,
            cells_changed=outcome.cells_changed,
            result=outcome.result,
            notes=_told(outcome.notes, language),
        )
        for function, outcome in zip(functions, edited.steps, strict=True)
    ]
    return EditedOut(
        workbook=head,
        changed=edited.changed,
        steps=steps,
        changes=list(edited.changes),
        warnings=_told(edited.warnings, language),
    )


def _told(notices: Sequence[Notice], language: Language) -> list[NoticeOut]:
    return [NoticeOut(code=notice.code, message=error_text(notice.code, language, notice.params)) for notice in notices]
