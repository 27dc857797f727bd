"""A part's bytes in pieces, most of which are windows of the part as it was read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_WINDOW_BYTES = 1024**2


@dataclass(frozen=True, slots=True)
class Pieces:
    """Bytes that are never put together unless somebody reads them."""

    pieces: tuple[bytes | memoryview, ...]

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return sum(map(len, self.pieces))

    def windows(self) -> Iterator[bytes | memoryview]:
        """Yield all bytes in windows of bounded size."""
        small: list[bytes | memoryview] = []
        size = 0
        for piece in self.pieces:
            if len(piece) < _WINDOW_BYTES:
                small.append(piece)
                size += len(piece)
                if size < _WINDOW_BYTES:
                    continue
            if small:
                yield b"".join(small)
                small, size = [], 0
            if len(piece) >= _WINDOW_BYTES:
                view = memoryview(piece)
                yield from (view[at : at + _WINDOW_BYTES] for at in range(0, len(view), _WINDOW_BYTES))
        yield b"".join(small)

    def joined(self) -> bytes:
        """Return all bytes."""
        return b"".join(self.pieces)

    def same(self, part: bytes) -> bool:
        """Whether these are the bytes of `part`."""
        view, at = memoryview(part), 0
        for piece in self.pieces:
            if view[at : at + len(piece)] != piece:
                return False
            at += len(piece)
        return at == len(part)
