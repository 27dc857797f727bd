"""A workbook as a person sees it: layouts of sheets, windows of cells, finding, sorted and filtered views."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import content_of, faults
from tablewright.api.schemas.workbook_views import LayoutOut, ViewWanted, WindowOut
from tablewright.domain.codec import to_json
from tablewright.errors import InvalidInput
from tablewright.workbook.views import FilledRows, Found, RowOrder, Summary

router = APIRouter(prefix="/workbooks", tags=["workbooks"])
SHOWS = faults(404, 415, 422, 503)
SHEET = "/{workbook_id}/sheets/{name}"
MOST_ROWS_LISTED = 400
Shown = Annotated[int | None, Query(ge=1, le=10**9, description="The version to show; the newest state without it.")]
Range = Annotated[str, Query(alias="range", max_length=200, description="Such as A1:AX200.")]
_MAGIC = (
    (b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"), (b"BM", "image/bmp"),
    (b"RIFF", "image/webp"),
)  # fmt: skip


@router.get(f"{SHEET}/layout", responses=SHOWS)
async def layout(parts: Parts, caller: Caller, workbook_id: str, name: str, version: Shown = None) -> LayoutOut:
    """Return a sheet without its cells: sizes, hidden and frozen rows and columns, merges, charts, pictures."""
    number, found = await parts.views().layout(caller, workbook_id, name, version=version)
    return LayoutOut(version=number, layout=found)


@router.get(f"{SHEET}/window", responses={**SHOWS, 200: {"model": WindowOut}})
async def window(
    parts: Parts,
    caller: Caller,
    workbook_id: str,
    name: str,
    wanted: Range,
    rows: Annotated[
        str | None,
        Query(max_length=4_000, description="Rows in the order of a view, such as 5,2,9; instead of those of `range`."),
    ] = None,
    version: Shown = None,
) -> Response:
    """Return the cells of a range with their looks, at most 20,000 cells, empty ones included."""
    number, found = await parts.views().window(
        caller, workbook_id, name, wanted, rows=_numbers(rows), version=version
    )  # fmt: skip
    # Encoded once: what was made by the types that the schema shows is not checked against them again.
    return Response(to_json(WindowOut, WindowOut(version=number, window=found)), media_type="application/json")


@router.get(f"{SHEET}/filled", responses=SHOWS)
async def filled(
    parts: Parts, caller: Caller, workbook_id: str, name: str, wanted: Range, version: Shown = None
) -> FilledRows:
    """Return the rows in which a range (such as C1:C300000) has a filled cell, as runs. Where `next_row` is told, go on
    from that row."""
    return await parts.views().filled(caller, workbook_id, name, wanted, version=version)


@router.get(f"{SHEET}/find", responses=SHOWS)
async def find(
    parts: Parts,
    caller: Caller,
    workbook_id: str,
    name: str,
    text: Annotated[str, Query(min_length=1, max_length=500)],
    from_row: Annotated[int, Query(ge=1, le=1_048_576)] = 1,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> Found:
    """Return the cells whose value or formula contains a text. Where `next_row` is told, go on from that row."""
    return await parts.views().find(caller, workbook_id, name, text, from_row=from_row, limit=limit)


@router.get(f"{SHEET}/summary", responses=SHOWS)
async def summary(parts: Parts, caller: Caller, workbook_id: str, name: str, wanted: Range) -> Summary:
    """Count and add up the cells of a range."""
    return await parts.views().summary(caller, workbook_id, name, wanted)


@router.post(f"{SHEET}/order", responses=SHOWS)
async def order(parts: Parts, caller: Caller, workbook_id: str, name: str, wanted: ViewWanted) -> RowOrder:
    """Return the rows of a view in its order, as runs of rows that follow each other. The workbook stays as it is."""
    return await parts.views().order(
        caller,
        workbook_id,
        name,
        first_row=wanted.first_row,
        sort=wanted.sort,
        descending=wanted.descending,
        tests=wanted.tests,
    )


@router.get(
    "/{workbook_id}/images/{image}",
    response_class=Response,
    responses={200: content_of("image/*"), **SHOWS},
)
async def image(
    parts: Parts, caller: Caller, workbook_id: str, image: Annotated[str, Path(max_length=200)]
) -> Response:
    """Send a picture of the workbook."""
    found = await parts.views().image(caller, workbook_id, image)
    kind = next((kind for magic, kind in _MAGIC if found.startswith(magic)), "application/octet-stream")
    headers = {
        "cache-control": "private, no-cache",
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
    }
    return Response(found, media_type=kind, headers=headers)


def _numbers(rows: str | None) -> tuple[int, ...]:
    if rows is None:
        return ()
    parts = rows.split(",")
    if len(parts) > MOST_ROWS_LISTED or not all(part.isascii() and part.isdigit() and len(part) < 8 for part in parts):
        raise InvalidInput("rows_unreadable", field="rows", limit=MOST_ROWS_LISTED)
    return tuple(int(part) for part in parts)
