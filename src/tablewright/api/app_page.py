"""Serves the page that is built with the package: its shell under a strict content policy, its parts, and the frame in
which charts are drawn."""

from __future__ import annotations

import gzip
import secrets
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablewright.texts.catalogue import catalogue, text

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
FRAME_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src data: blob:; frame-ancestors 'self'; form-action 'none'; base-uri 'none'"
)
NO_POLICY = "default-src 'none'; frame-ancestors 'none'"
FOLDER = "_web"
SHELL = "index.html"
NONCE = "__NONCE__"
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".html": "text/html; charset=utf-8",
    ".woff2": "font/woff2",
}
FOREVER = "public, max-age=31536000, immutable"
router = APIRouter(include_in_schema=False)


def _folder() -> Traversable:
    return files("tablewright").joinpath(FOLDER)


def page_is_built() -> bool:
    """Return whether the page was built with the package."""
    return _folder().joinpath(SHELL).is_file()


def _part(path: str) -> bytes | None:
    """Return a file of the page, or None. No part of `path` leads out of its folder."""
    place = _folder()
    for name in path.split("/"):
        if not name or name.startswith("."):
            return None
        place = place.joinpath(name)
    return place.read_bytes() if place.is_file() else None


@lru_cache(maxsize=100)
def _packed(content: bytes) -> bytes:
    return gzip.compress(content, compresslevel=6, mtime=0)


def _send(request: Request, path: str, headers: dict[str, str]) -> Response:
    content = _part(path)
    kind = TYPES.get(path[path.rfind(".") :])
    if content is None or kind is None:
        return Response(status_code=404)
    if "gzip" in request.headers.get("accept-encoding", ""):
        content, headers = _packed(content), {**headers, "content-encoding": "gzip"}
    return Response(content, media_type=kind, headers={**headers, "vary": "accept-encoding"})


@router.api_route("/", methods=["GET", "HEAD"])
def index() -> Response:
    """Return the page's shell with a nonce of its own; where the page was not built, a plain one that says how."""
    shell = _part(SHELL)
    if shell is None:
        words = "".join(f"<p>{text('page_missing', language)}</p>" for language in ("en", "zh"))
        plain = f"<!doctype html><meta charset=utf-8><title>Tablewright</title><h1>Tablewright</h1>{words}"
        return Response(plain, media_type=TYPES[".html"], headers={"content-security-policy": NO_POLICY})
    nonce = secrets.token_urlsafe(16)
    headers = {
        "content-security-policy": POLICY.format(nonce=nonce),
        "cache-control": "no-store",
        "x-dns-prefetch-control": "off",
    }
    return Response(shell.replace(NONCE.encode(), nonce.encode()), media_type=TYPES[".html"], headers=headers)


@router.get("/app/words/{language}.json")
def words(language: Literal["zh", "en"]) -> Response:
    """Return the message catalogue that notices are rendered with."""
    return JSONResponse(catalogue(language), headers={"cache-control": "no-cache"})


@router.get("/app/{path:path}")
def part(request: Request, path: str) -> Response:
    """Return a part of the page; those whose names change with their content are kept for good."""
    return _send(request, path, {"cache-control": FOREVER if path.startswith("assets/") else "no-cache"})


@router.get("/frames/{name}")
def frame_part(request: Request, name: str) -> Response:
    """Return the frame in which a chart is drawn, or a part of it.

    The frame has no origin, and nothing of the page is within its reach: for its browser even its parts come from
    elsewhere.
    """
    headers = {
        "content-security-policy": FRAME_POLICY,
        "cache-control": "no-cache",
        "cross-origin-resource-policy": "cross-origin",
    }
    return _send(request, f"frames/{name}", headers)
