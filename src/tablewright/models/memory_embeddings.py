"""The fake of the embeddings port: texts with the same words have the same vectors, and nothing is sent."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from tablewright.models.embeddings import Vector

DIMENSIONS = 64


class MemoryEmbeddings:
    """Implements `EmbeddingModel`: counts of words, by their hash. `calls` are the texts of each call."""

    def __init__(self, *, name: str = "memory:words") -> None:
        self._name = name
        self.calls: list[tuple[str, ...]] = []

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    async def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        self.calls.append(tuple(texts))
        return tuple(map(_vector, texts))

    async def aclose(self) -> None:
        """Do nothing: nothing is open."""


def _vector(text: str) -> Vector:
    counts = [0.0] * DIMENSIONS
    for word in text.casefold().split():
        counts[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
    return tuple(counts)
