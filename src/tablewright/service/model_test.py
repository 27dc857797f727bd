"""A test of a model: one tiny call, so that a wrong key or address is found out before a question is lost on it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from tablewright.domain.message import Message, TextPart
from tablewright.domain.task import Chat
from tablewright.errors import ModelError, ModelSilent, ModelTimeout
from tablewright.models.base import (
    BUILTIN,
    Model,
    ModelCatalogue,
    ModelRequest,
    ModelSettings,
    StreamEnded,
    TextPiece,
    ThinkingPiece,
)
from tablewright.models.streams import closing

TEST_S = 20.0
WORDS = "1 + 1 ="
"""Reads the same in every language."""
ANSWER_TOKENS = 64
"""Enough for a model that reasons first; the call ends with its first piece anyway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTest:
    """What came of a test: how long the first piece of the answer took, or why there was none."""

    model: str
    elapsed_s: float
    error: ModelError | None = None


async def run_model_test(models: ModelCatalogue, name: str, *, timeout_s: float = TEST_S) -> ModelTest:
    """Call the model `name` and wait for the beginning of its answer; what goes wrong is part of the result.

    The built-in analyst calls nobody: it always works, and takes no time.
    """
    if name == BUILTIN:
        return ModelTest(model=name, elapsed_s=0.0)
    begun = time.monotonic()
    error: ModelError | None = None
    try:
        async with asyncio.timeout(timeout_s):
            await _first_piece(models.get(name), timeout_s)
    except TimeoutError:
        error = ModelTimeout(model=name, waited_s=round(timeout_s))
    except ModelError as came:
        error = came
    return ModelTest(model=name, elapsed_s=time.monotonic() - begun, error=error)


async def _first_piece(model: Model, timeout_s: float) -> None:
    """Return once the model has begun to answer. Raises `ModelError`."""
    request = ModelRequest(
        messages=(Message(role="user", parts=(TextPart(text=WORDS, origin="user"),)),),
        task=Chat(question=WORDS, language="en"),
        purpose="conclude",
        tool_choice="none",
        settings=ModelSettings(max_output_tokens=ANSWER_TOKENS, timeout_s=timeout_s),
    )
    async with closing(model.stream(request)) as parts:
        async for part in parts:
            # A model whose tokens all went into hidden reasoning has answered too.
            if isinstance(part, TextPiece | ThinkingPiece) or (
                isinstance(part, StreamEnded) and part.reason == "length"
            ):
                return
    raise ModelSilent(model=model.name)
