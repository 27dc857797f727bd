"""A text that grows by pieces, without being copied for each of them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class GrowingText:
    """`str` of it is the text so far."""

    _pieces: list[str] = field(default_factory=list[str])
    _length: int = 0

    def __len__(self) -> int:
        return self._length

    def __str__(self) -> str:
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    def holds(self, part: str, at: int) -> bool:
        """Return whether `part` stands at a place of the text."""
        return str(self).startswith(part, at)

    def append(self, piece: str) -> None:
        """Add a further piece."""
        self._pieces.append(piece)
        self._length += len(piece)

    def clear(self) -> None:
        """Begin anew."""
        self._pieces, self._length = [], 0
