"""The port of what reads the pieces of a long text, and what comes of the reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A place in a text: lines and pages from 1, the last included; characters from `start` to before `stop`.

    A text without form feeds has no pages (None).
    """

    first_line: int
    last_line: int
    start: int
    stop: int
    first_page: int | None = None
    last_page: int | None = None

    def joined(self, other: Span) -> Span:
        """Return the place from this one to a later one."""
        return Span(
            first_line=self.first_line,
            last_line=other.last_line,
            start=self.start,
            stop=other.stop,
            first_page=self.first_page,
            last_page=other.last_page,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a text, as it stands there."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What a place of a text says of a request; `fault` says in words why it could not be read."""

    span: Span
    text: str
    fault: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What a long text of `chars` characters says of a request, in the order of the text.

    `pieces` is how many it was divided into; those of `left_out` were not read, as there were too many. `cut`: notes
    were made shorter to fit.
    """

    chars: int
    pieces: int
    notes: tuple[Note, ...]
    left_out: tuple[Span, ...] = ()
    cut: bool = False

    @property
    def read(self) -> bool:
        """Whether any of the text was read."""
        return any(note.fault is None for note in self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestBounds:
    """What a digest may take.

    A piece has at most `piece_tokens` tokens, all notes together `digest_tokens`. Of a text of more than `most_pieces`
    pieces those are read that fit the request best, `at_once` at the same time. Notes are put together at most `depth`
    times. What has not been read after `limit_s` seconds is told as not read.
    """

    piece_tokens: int
    digest_tokens: int
    most_pieces: int = 24
    at_once: int = 4
    depth: int = 3
    limit_s: float = 240.0


class PieceReader(Protocol):
    """Writes what an order asks for, from named texts that are data."""

    async def read(self, order: str, materials: Sequence[tuple[str, str]]) -> str:
        """Return what is written for `order` from `materials` (name and text each).

        Raises errors of the `ModelError` family. Cancelling the call stops it.
        """
        ...
