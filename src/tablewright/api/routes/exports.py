"""Runs, to take away."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import content_of, faults
from tablewright.api.routes.files import disposition
from tablewright.report.blocks import ReportView
from tablewright.service.exports.reports import ReportKind

router = APIRouter(prefix="/runs", tags=["runs"])
NOTEBOOK = "application/x-ipynb+json"
SCRIPT = "text/x-python"
PAGE = "text/html"


NOTEBOOK_SCHEMA: dict[str, object] = {
    "type": "object",
    "description": "A notebook, nbformat 4.5.",
    "required": ["cells", "metadata", "nbformat", "nbformat_minor"],
    "properties": {
        "cells": {"type": "array", "items": {"type": "object", "required": ["cell_type", "id", "metadata", "source"]}},
        "metadata": {"type": "object"},
        "nbformat": {"const": 4},
        "nbformat_minor": {"const": 5},
    },
}
TEXT_SCHEMA: dict[str, object] = {"type": "string"}


def _document(kind: str, words: str, schema: dict[str, object] = TEXT_SCHEMA) -> dict[str, object]:
    return {"content": {kind: {"schema": schema}}, "description": words}


@router.get(
    "/{run_id}/export.ipynb",
    response_class=Response,
    responses={
        200: _document(NOTEBOOK, "A notebook that does the run again on the same files.", NOTEBOOK_SCHEMA),
        **faults(404),
    },
)
async def notebook(parts: Parts, caller: Caller, run_id: str) -> Response:
    """Return the run as a notebook: the steps that ended well, with their outputs."""
    return _sent(await parts.exports().notebook(caller, run_id), NOTEBOOK, "ipynb")


@router.get(
    "/{run_id}/export.py",
    response_class=Response,
    responses={200: _document(SCRIPT, "A script that does the run again on the same files."), **faults(404)},
)
async def script(parts: Parts, caller: Caller, run_id: str) -> Response:
    """Return the run as a script: the steps that ended well."""
    return _sent(await parts.exports().script(caller, run_id), SCRIPT, "py")


@router.get(
    "/{run_id}/export.html",
    response_class=Response,
    responses={200: _document(PAGE, "A document that shows the run, without scripts."), **faults(404)},
)
async def page(parts: Parts, caller: Caller, run_id: str) -> Response:
    """Return the run as one HTML document: question, answer with its sources, steps with code and outputs."""
    return _sent(await parts.exports().page(caller, run_id), PAGE, "html")


REPORTS: dict[ReportKind, str] = {
    "md": "text/markdown",
    "html": PAGE,
    "slides.html": PAGE,
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
}


@router.get(
    "/{run_id}/report.{kind}",
    response_class=Response,
    responses={200: content_of(*dict.fromkeys(REPORTS.values())), **faults(404, 503)},
)
async def report(parts: Parts, caller: Caller, run_id: str, kind: ReportKind) -> Response:
    """Return the answer of the run as a document: its text, tables and charts, and the code that was kept from it."""
    content = await parts.reports().written(caller, run_id, kind)
    headers = {"content-disposition": disposition(f"report.{kind}"), "content-security-policy": "sandbox"}
    return Response(content, media_type=REPORTS[kind], headers=headers)


@router.get("/{run_id}/report", responses=faults(404))
async def report_view(parts: Parts, caller: Caller, run_id: str) -> ReportView:
    """Return the answer of the run as typed blocks: what may be shown of a report in markdown or HTML. Charts are
    options of plain data; what would have to be run stands apart."""
    return await parts.reports().view(caller, run_id)


def _sent(content: str, kind: str, suffix: str) -> Response:
    headers = {"content-disposition": disposition(f"analysis.{suffix}"), "content-security-policy": "sandbox"}
    return Response(content.encode(), media_type=kind, headers=headers)
