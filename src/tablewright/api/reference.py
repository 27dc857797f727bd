"""A reference of the routes at `/docs`, built from the OpenAPI document without scripts or external resources."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, cast

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import HTMLResponse

router = APIRouter(include_in_schema=False)


@router.get("/docs")
def reference(request: Request) -> HTMLResponse:
    """Return the reference page: what each route does, takes and answers."""
    document = cast(FastAPI, request.app).openapi()
    return HTMLResponse("\n".join(_page(document)), headers={"content-security-policy": _policy()})


@cache
def _style() -> str:
    return files("tablewright.api").joinpath("reference.css").read_text(encoding="utf-8")


@cache
def _policy() -> str:
    """Return the policy that allows the page its own style and nothing else."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _page(document: dict[str, Any]) -> Iterator[str]:
    title = f"{document['info']['title']} {document['info']['version']}"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title><style>{_style()}</style></head><body><main>"
    yield f'<h1>{escape(title)}</h1><p><a href="/api/v1/openapi.json">/api/v1/openapi.json</a></p>'
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield from _operation(path, method, operation)
    yield "</main></body></html>"


def _operation(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    yield (
        f"<article><h3>{escape(method.upper())} "
        f"{escape(path)}</h3><p>{escape(operation.get('description', ''))}</p><ul>"
    )
    for parameter in operation.get("parameters", ()):
        needed = "" if parameter.get("required") else "?"
        yield f"<li><code>{escape(parameter['name'])}{needed}</code> {escape(parameter.get('description', ''))}</li>"
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"<li>{escape(kind)} {escape(_named(content['schema']))}</li>"
    yield "</ul><p>"
    yield " · ".join(f"{escape(status)} {escape(_answer(answer))}" for status, answer in operation["responses"].items())
    yield "</p></article>"


def _answer(answer: dict[str, Any]) -> str:
    schemas = [_named(content["schema"]) for content in answer.get("content", {}).values() if "schema" in content]
    return " or ".join(name for name in schemas if name) or str(answer.get("description", ""))


def _named(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).rsplit("/", 1)[-1] or str(schema.get("title", ""))
