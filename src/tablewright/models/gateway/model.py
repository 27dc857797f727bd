"""A model behind a provider's endpoint."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from tablewright.errors import ModelNotSetUp, ModelSchemaRefused
from tablewright.models.base import ModelRequest, StreamPart
from tablewright.models.budget import fit
from tablewright.models.catalogue import ModelFactory
from tablewright.models.gateway.config import ProviderConfig
from tablewright.models.profiles import Abilities, abilities
from tablewright.models.streams import closing
from tablewright.models.tokens import CalibratedEstimator, TokenCounter

if TYPE_CHECKING:
    from tablewright.models.gateway.calling import ProviderCaller

log = logging.getLogger(__name__)

ANSWER_TOKENS = 4_096
"""Tokens reserved for the answer if no maximum is known; never more than half of the context."""


class GatewayModel:
    """A `Model` over pydantic-ai. The SDK is imported and connections are opened at the first call.

    An endpoint that refuses the schema of an answer is asked once more without it; once it has answered so, it is sent
    no schema again.
    """

    def __init__(self, config: ProviderConfig, model: str, *, counter: TokenCounter | None = None) -> None:
        self._config = config
        self._model = model
        self._counter = counter or CalibratedEstimator()
        self._caller: ProviderCaller | None = None
        self._connecting = asyncio.Lock()
        self._refuses_schemas = False
        self.abilities = _abilities(config, model)

    @property
    def name(self) -> str:
        return f"{self._config.name}:{self._model}"

    @property
    def input_tokens(self) -> int:
        return self._limit_tokens(None)

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        async with self._connecting:
            if self._caller is None:
                # not on the event loop: the first import of an SDK takes seconds
                self._caller = await asyncio.to_thread(self.connect)
            caller = self._caller
        fitted = self._fitted(request)
        if not self._refuses_schemas:
            try:
                async with closing(caller.stream(fitted)) as parts:
                    async for part in parts:
                        yield part
                return
            except ModelSchemaRefused:
                log.info("%s: refuses the schema of the answer; asked without it", self.name)
        async with closing(caller.stream(replace(fitted, output_schema=None))) as parts:
            async for part in parts:
                self._refuses_schemas = True
                yield part

    async def aclose(self) -> None:
        """Close the connections; a later call opens new ones."""
        caller, self._caller = self._caller, None
        if caller is not None:
            await caller.aclose()

    def _fitted(self, request: ModelRequest) -> ModelRequest:
        """Return the request without whatever does not fit into the model's context."""
        limit = self._limit_tokens(request.settings.max_output_tokens)
        result = fit(
            request.messages,
            request.tools,
            limit_tokens=limit,
            counter=self._counter,
            model=self.name,
            language=request.task.language,
        )
        level = logging.DEBUG if result.fits else logging.WARNING
        log.log(level, "%s: %d input tokens of %d (%s)", self.name, result.tokens, limit, result.method)
        return replace(request, messages=result.messages)

    def _limit_tokens(self, answer_tokens: int | None) -> int:
        """Return what is left of the context for what is read, beside an answer of `answer_tokens`."""
        answer = self.abilities.answer_tokens(answer_tokens) or ANSWER_TOKENS
        return self.abilities.context_tokens - min(answer, self.abilities.context_tokens // 2)

    def connect(self) -> ProviderCaller:
        """Import the SDK and prepare a caller. Blocks for seconds the first time. Raises `ModelNotSetUp`."""
        from tablewright.models.gateway.calling import ProviderCaller

        return ProviderCaller(self._config, self._model, self.abilities, self._counter)


def gateway_factory(config: ProviderConfig) -> ModelFactory:
    """Return the factory of this provider's models, for `models.catalogue.Models`."""

    def make(_provider: str, model: str) -> GatewayModel:
        return GatewayModel(config, model)

    return make


async def load_sdk(config: ProviderConfig) -> None:
    """Import ahead what calling this provider needs, in a thread: it takes seconds. Nothing is sent.

    A provider that lacks a key or a library says so when one of its models is asked.
    """
    with suppress(ModelNotSetUp):
        caller = await asyncio.to_thread(GatewayModel(config, "none").connect)
        await caller.aclose()


def _abilities(config: ProviderConfig, model: str) -> Abilities:
    """Return the abilities from the table, overridden by the configuration."""
    known = abilities(config.kind, model)
    return Abilities(
        context_tokens=config.context_tokens or known.context_tokens,
        max_output_tokens=config.max_output_tokens or known.max_output_tokens,
        tools=known.tools if config.tools is None else config.tools,
        images=known.images if config.images is None else config.images,
        structured=known.structured if config.structured is None else config.structured,
    )
