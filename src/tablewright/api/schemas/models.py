"""Tests of models over HTTP."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tablewright.api.schemas.native import Fault, WireModel


class ModelTestIn(WireModel):
    """The model to test, as `provider:model` or `builtin`; without it, the one that answers where none is named."""

    model: Annotated[str | None, Field(min_length=1, max_length=200)] = None


class ModelTestOut(WireModel):
    """What came of a test: how long the model took to begin its answer, or why it gave none."""

    ok: bool
    model: str
    elapsed_ms: int
    error: Fault | None = None
