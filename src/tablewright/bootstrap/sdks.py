"""Loads the SDKs of configured providers in the background, so that the first question does not wait for them."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from tablewright.bootstrap.loader import LOAD_SDK, load
from tablewright.bootstrap.model_catalogue import KINDS, provider_config
from tablewright.settings.tree import ProviderSettings, Settings


def load_sdks(settings: Settings, stack: AsyncExitStack) -> None:
    """Begin to load them and return at once; without a configured provider nothing is loaded."""
    providers = dict(settings.providers)
    chosen, colon, _ = settings.model.partition(":")
    if colon and chosen in KINDS:
        providers.setdefault(chosen, ProviderSettings())
    if not providers:
        return
    task = asyncio.create_task(_load(providers), name="SDKs")

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)


async def _load(providers: dict[str, ProviderSettings]) -> None:
    for name, provider in providers.items():
        await load(LOAD_SDK)(provider_config(name, provider))
