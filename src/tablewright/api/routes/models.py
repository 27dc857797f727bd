"""Models: tested by a call of them."""

from __future__ import annotations

from fastapi import APIRouter

from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.documents import faults
from tablewright.api.schemas.models import ModelTestIn, ModelTestOut
from tablewright.api.schemas.native import Fault
from tablewright.service.model_test import run_model_test
from tablewright.texts.errors import describe

router = APIRouter(prefix="/models", tags=["models"])


@router.post("/test", responses=faults())
async def test(parts: Parts, caller: Caller, language: Speech, wanted: ModelTestIn) -> ModelTestOut:  # noqa: ARG001
    """Call a model with a tiny request, for 20 s at most. What goes wrong with the model is told in `error`."""
    came = await run_model_test(parts.models, wanted.model or parts.default_model)
    fault = None if came.error is None else Fault(code=came.error.code, message=describe(came.error, language))
    return ModelTestOut(ok=fault is None, model=came.model, elapsed_ms=round(came.elapsed_s * 1000), error=fault)
