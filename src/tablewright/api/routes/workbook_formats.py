"""A workbook in other formats than its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import PurePath
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import faults
from tablewright.api.routes.files import disposition
from tablewright.domain.formats import Format, Shown

router = APIRouter(prefix="/workbooks", tags=["workbooks"])


@router.get(
    "/{workbook_id}/formats/{kind}",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"application/octet-stream": {}}, "description": "The file."},
        **faults(404, 415, 422, 503),
    },
)
async def converted(
    parts: Parts,
    caller: Caller,
    workbook_id: str,
    kind: Format,
    sheet: Annotated[str | None, Query(max_length=100, description="The sheet whose table is written as csv.")] = None,
    rows: Annotated[Shown, Query(description="Whether hidden rows of that table are left out.")] = "all",
    *,
    guard: Annotated[
        bool, Query(description="Whether texts of csv that begin like formulas get an apostrophe.")
    ] = True,
) -> StreamingResponse:
    """Send the newest state as `csv` (the largest table of one sheet) or `ods` (all sheets); values only."""
    version = await parts.workbooks.version(caller, workbook_id)
    pieces = parts.formats.written(caller, workbook_id, kind, sheet=sheet, rows=rows, guard=guard)
    first = await anext(pieces, b"")  # what prevents it is said before the response begins
    headers = {
        "content-disposition": disposition(f"{PurePath(version.name).stem}.{kind}"),
        "cache-control": "private, no-cache",
        "content-security-policy": "sandbox; default-src 'none'",
    }
    return StreamingResponse(_joined(first, pieces), media_type="application/octet-stream", headers=headers)


async def _joined(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece
