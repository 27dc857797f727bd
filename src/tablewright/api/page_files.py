"""Serves the page without a build, at `/classic`: HTML, style sheet, scripts and message catalogues, under a strict
content security policy."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from tablewright.texts.catalogue import catalogue

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
KINDS = {
    "index.html": "text/html; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "base.js": "text/javascript; charset=utf-8",
    "conversations.js": "text/javascript; charset=utf-8",
    "files.js": "text/javascript; charset=utf-8",
    "turn.js": "text/javascript; charset=utf-8",
    "book.js": "text/javascript; charset=utf-8",
    "notices.js": "text/javascript; charset=utf-8",
    "plan.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
router = APIRouter(include_in_schema=False)


def _send(name: str) -> Response:
    content = files("tablewright.api").joinpath("page", name).read_bytes()
    headers = {"content-security-policy": POLICY, "cache-control": "no-cache"}
    return Response(content, media_type=KINDS[name], headers=headers)


@router.api_route("/classic", methods=["GET", "HEAD"])
def index() -> Response:
    """Return the page."""
    return _send("index.html")


@router.get("/page/words/{language}.json")
def words(language: Literal["zh", "en"]) -> Response:
    """Return the message catalogue that notices are rendered with."""
    return JSONResponse(catalogue(language), headers={"cache-control": "no-cache"})


@router.get("/page/{name}")
def part(name: str) -> Response:
    """Return a file of the page."""
    return _send(name) if name in KINDS else Response(status_code=404)
