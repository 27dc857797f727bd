"""Is it alive, is it ready."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from tablewright import __version__
from tablewright.api.dependencies import Parts
from tablewright.api.schemas.native import Disk, Health, Isolation, Readiness, ReadinessPart

router = APIRouter(prefix="/health", tags=["health"])


@router.get("")
async def health() -> Health:
    """The process answers."""
    return Health(version=__version__)


@router.get("/ready", response_model=Readiness, responses={503: {"model": Readiness, "description": "Not ready."}})
async def ready(parts: Parts) -> JSONResponse:
    """Questions can be answered: the sandbox's isolation level, the database, the disk, the models; 503 while they
    cannot."""
    found = await parts.readiness()
    shown = Readiness(
        ready=found.ready,
        sandbox=Isolation(ok=found.sandbox.ok, detail=found.sandbox.detail, layers=list(found.sandbox.layers)),
        database=ReadinessPart(ok=found.database.ok, detail=found.database.detail),
        disk=Disk(
            ok=found.disk.ok,
            detail=found.disk.detail,
            free_bytes=found.space.free_bytes,
            total_bytes=found.space.total_bytes,
        ),
        model=parts.default_model,
        models=list(found.models),
    )
    return JSONResponse(shown.model_dump(), 200 if found.ready else 503)
