"""The port to what turns texts into vectors, for comparing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

Vector = tuple[float, ...]


class EmbeddingModel(Protocol):
    """Something that embeds texts. Raises errors of the `ModelError` family."""

    @property
    def name(self) -> str:
        """The model's name: `provider:model`."""
        ...

    async def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return a vector for each of `texts`, in their order and all of one length."""
        ...

    async def aclose(self) -> None:
        """Close what is open; nothing is embedded after that."""
        ...
