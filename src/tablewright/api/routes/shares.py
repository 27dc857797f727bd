"""Links to conversations: made, listed and revoked by their owners, opened by whoever has them."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Response

from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.documents import faults
from tablewright.api.schemas.shares import NewShareIn, SharedOut, ShareMade, SharesOut
from tablewright.api.shares import paths
from tablewright.api.shares.views import share_out, shared_out
from tablewright.errors import ShareUnknown
from tablewright.service.shares.page import closed_document, shared_document
from tablewright.service.shares.shares import ShareView

router = APIRouter()
pages = APIRouter(include_in_schema=False)
HEADERS = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
}
POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What the page of a link may: show styles and pictures of its own."""


@router.post("/conversations/{conversation_id}/shares", status_code=201, tags=["shares"], responses=faults(404, 409))
async def make(parts: Parts, caller: Caller, conversation_id: str, wanted: NewShareIn) -> ShareMade:
    """Make a link by which whoever has it reads the conversation as it stands; the token is told this once."""
    made = await parts.shares.make(caller, conversation_id, days=wanted.days)
    shown = share_out(ShareView(share=made.share, state="open"))
    return ShareMade(**shown.model_dump(), token=made.token, path=f"{paths.PAGE}{made.token}")


@router.get("/conversations/{conversation_id}/shares", tags=["shares"], responses=faults(404))
async def find(parts: Parts, caller: Caller, conversation_id: str) -> SharesOut:
    """List the links to a conversation, newest first, those that were closed for 30 days."""
    return SharesOut(items=[share_out(view) for view in await parts.shares.list(caller, conversation_id)])


@router.get("/shares", tags=["shares"], responses=faults())
async def find_all(parts: Parts, caller: Caller) -> SharesOut:
    """List the caller's links to all conversations, newest first, those that were closed for 30 days."""
    return SharesOut(items=[share_out(view) for view in await parts.shares.list(caller)])


@router.delete("/shares/{share_id}", status_code=204, tags=["shares"], responses=faults(404))
async def revoke(parts: Parts, caller: Caller, share_id: str) -> None:
    """Close a link for good, at once."""
    await parts.shares.revoke(caller, share_id)


@router.get("/shared/{token}", tags=["shares"], responses=faults(404))
async def read(parts: Parts, token: str, response: Response) -> SharedOut:
    """Return the conversation that a link shows. Needs no key: the token is the permission.

    Whatever does not open is answered alike: a wrong token, an expired or revoked link, a deleted conversation."""
    response.headers.update(HEADERS)
    return shared_out(await parts.shares.open(token))


@pages.get(f"{paths.PAGE}{{token}}")
async def page(parts: Parts, speech: Speech, token: str) -> Response:
    """Return the conversation that a link shows, as a page without scripts."""
    try:
        shared = await parts.shares.open(token)
    except ShareUnknown:
        return _sent(closed_document(speech), 404)
    return _sent(await asyncio.to_thread(shared_document, shared), 200)


def _sent(content: str, status: int) -> Response:
    headers = {**HEADERS, "content-security-policy": POLICY}
    return Response(content.encode(), status_code=status, media_type="text/html; charset=utf-8", headers=headers)
