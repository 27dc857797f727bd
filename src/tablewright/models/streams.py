"""Close models' streams, and models, however reading them ends."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar, runtime_checkable

T = TypeVar("T")


@asynccontextmanager
async def closing(stream: AsyncIterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """Provide `stream`, and close it at the end of the block, which stops the model's call."""
    try:
        yield stream
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()


@runtime_checkable
class Closing(Protocol):
    """An object with connections that need closing."""

    async def aclose(self) -> None:
        """Close them."""
        ...


async def close(model: object) -> None:
    """Close a model's connections, if it holds any."""
    if isinstance(model, Closing):
        await model.aclose()
