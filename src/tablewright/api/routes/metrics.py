"""What Prometheus reads."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.responses import Response

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import faults
from tablewright.errors import NotFound

router = APIRouter(tags=["health"])
KIND = "text/plain"


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {"content": {KIND: {"schema": {"type": "string"}}}, "description": "Metrics as text."},
        **faults(404),
    },
)
async def metrics(parts: Parts, _caller: Caller) -> Response:
    """Tell Prometheus of runs, models, the sandbox, files, requests and the disk. Needs a key where others do."""
    if parts.metrics is None:
        raise NotFound(kind="metrics", id="metrics")
    return Response(await asyncio.to_thread(parts.metrics.text), media_type=parts.metrics.media_type)
