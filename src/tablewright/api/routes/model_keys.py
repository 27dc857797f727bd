"""Keys of models' providers: entered by operators, written and never read."""

from __future__ import annotations

from fastapi import APIRouter

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import faults
from tablewright.api.schemas.model_keys import ModelKeyIn, ModelKeysOut

router = APIRouter(prefix="/model-keys", tags=["models"])


@router.get("", responses=faults(503))
async def find(parts: Parts, caller: Caller) -> ModelKeysOut:  # noqa: ARG001
    """List the providers of models, and those whose keys are kept here."""
    return ModelKeysOut(providers=list(parts.models.providers), kept=list(await parts.model_keys.providers()))


@router.put("/{provider}", status_code=204, responses=faults(404, 422, 503))
async def put(parts: Parts, caller: Caller, provider: str, given: ModelKeyIn) -> None:
    """Keep a key of a provider, sealed; its models use it from now on. Operators only."""
    parts.models.provider(provider)
    await parts.model_keys.put(caller, provider, given.key.get_secret_value())
    parts.models.forget(provider)


@router.delete("/{provider}", status_code=204, responses=faults(404, 503))
async def remove(parts: Parts, caller: Caller, provider: str) -> None:
    """Remove the key of a provider. Operators only."""
    parts.models.provider(provider)
    await parts.model_keys.remove(caller, provider)
    parts.models.forget(provider)
