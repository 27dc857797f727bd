"""Signing in to the page with a key."""

from __future__ import annotations

from typing import cast

from fastapi import APIRouter, Request, Response

from tablewright.api.access import COOKIE, Access, session_token
from tablewright.api.documents import faults
from tablewright.api.schemas.native import SignIn
from tablewright.errors import Unauthorized

router = APIRouter(prefix="/session", tags=["session"])
WEEK_S = 7 * 24 * 3600


@router.post("", status_code=204, responses=faults(422))
async def sign_in(request: Request, response: Response, wanted: SignIn) -> None:
    """Exchange a key for the page's cookie: SameSite=Strict, not readable by scripts."""
    access = cast(Access, request.app.state.access)
    if access.read_key(wanted.key) is None:
        raise Unauthorized
    response.set_cookie(
        COOKIE,
        access.sessions.open(wanted.key),
        max_age=WEEK_S,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


@router.delete("", status_code=204, responses=faults())
async def sign_out(request: Request, response: Response) -> None:
    """Forget the cookie."""
    access = cast(Access, request.app.state.access)
    if (token := session_token(request)) is not None:
        access.sessions.close(token)
    response.delete_cookie(COOKIE, samesite="strict", httponly=True)
