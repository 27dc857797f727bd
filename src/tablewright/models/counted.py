"""A wrapper that counts and times the calls of a model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from tablewright.errors import ModelError
from tablewright.models.base import Model, ModelRequest, StreamPart, UsageSeen, input_tokens_of
from tablewright.models.streams import close, closing

if TYPE_CHECKING:
    from tablewright.metrics import Metrics


class CountedModel:
    """Reports each call to `metrics`."""

    def __init__(self, model: Model, metrics: Metrics) -> None:
        self._model = model
        self._metrics = metrics

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def input_tokens(self) -> int | None:
        return input_tokens_of(self._model)

    async def aclose(self) -> None:
        """Close the model's connections."""
        await close(self._model)

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        with self._metrics.calling(self.name) as failed:
            try:
                async with closing(self._model.stream(request)) as parts:
                    async for part in parts:
                        if isinstance(part, UsageSeen):
                            self._metrics.tokens.labels(self.name, "input").inc(part.input_tokens)
                            self._metrics.tokens.labels(self.name, "output").inc(part.output_tokens)
                        yield part
            except ModelError as error:
                failed(error.code)
                raise
