"""Leaving a model's stream, and a model: whoever reads a stream closes it, however the reading ends."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar, runtime_checkable

T = TypeVar("T")


@asynccontextmanager
async def closing(stream: AsyncIterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """Give `stream`, and close it at the end of the block; a closed model stream has stopped its call."""
    try:
        yield stream
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()


@runtime_checkable
class Closing(Protocol):
    """What holds connections until it is closed."""

    async def aclose(self) -> None:
        """Close them."""
        ...


async def close(model: object) -> None:
    """Close the connections of a model, where it holds some."""
    if isinstance(model, Closing):
        await model.aclose()
