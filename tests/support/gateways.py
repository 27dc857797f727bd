"""A gateway model against a fake of each provider."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from tests.support.fake_anthropic import FakeAnthropic
from tests.support.fake_openai import FakeOpenAI

from tablewright.models.gateway.config import ProviderConfig
from tablewright.models.gateway.model import GatewayModel
from tablewright.models.tokens import TokenCounter

Provider = Literal["openai", "anthropic"]
PROVIDERS: tuple[Provider, ...] = ("openai", "anthropic")
KEY = "sk-test-3f9a77c1e2"


@dataclass(frozen=True, kw_only=True)
class Wired:
    """A fake endpoint and a model that speaks to it."""

    endpoint: FakeOpenAI | FakeAnthropic
    model: GatewayModel


@asynccontextmanager
async def wired(
    kind: Provider, *, counter: TokenCounter | None = None, reasoning_field: str = "reasoning_content", **config: Any
) -> AsyncIterator[Wired]:
    """Start the fake of `kind` and connect a model to it; `config` changes the provider's configuration."""
    endpoint = FakeAnthropic() if kind == "anthropic" else FakeOpenAI(reasoning_field=reasoning_field)
    async with endpoint:
        values = {"name": "mine", "kind": kind, "base_url": endpoint.base_url, "api_key": KEY, **config}
        model = GatewayModel(ProviderConfig(**values), "fake-model", counter=counter)
        try:
            yield Wired(endpoint=endpoint, model=model)
        finally:
            await model.aclose()
