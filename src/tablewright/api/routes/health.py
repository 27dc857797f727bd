"""Is it alive, is it ready."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from tablewright import __version__
from tablewright.api.dependencies import Parts
from tablewright.api.schemas.native import Health, Readiness
from tablewright.api.schemas.native import Part as PartOut

router = APIRouter(prefix="/health", tags=["health"])


@router.get("")
async def health() -> Health:
    """The process answers."""
    return Health(version=__version__)


@router.get("/ready", response_model=Readiness, responses={503: {"model": Readiness, "description": "Not ready."}})
async def ready(parts: Parts) -> JSONResponse:
    """Questions can be answered: the sandbox's isolation level, the database, the models; 503 while they cannot."""
    found = await parts.readiness()
    shown = Readiness(
        ready=found.ready,
        sandbox=PartOut(ok=found.sandbox.ok, detail=found.sandbox.detail),
        database=PartOut(ok=found.database.ok, detail=found.database.detail),
        model=parts.default_model,
        models=list(found.models),
    )
    return JSONResponse(shown.model_dump(), 200 if found.ready else 503)
