"""A model that writes again after its stream was cut: what it repeats is not shown a second time."""

from __future__ import annotations

from tablewright.errors import ModelStreamCut

ATTEMPTS = 3
"""How often a model may begin a turn whose stream is cut before any of its code has run."""


class Echo:
    """Compares what is written now with what was written before the stream was cut."""

    def __init__(self, earlier: str = "") -> None:
        self._earlier = earlier
        self._written = ""
        self.differs = False

    @property
    def written(self) -> str:
        """All that has been written now."""
        return self._written

    def new(self, piece: str) -> str:
        """Take the next piece; return what of it goes beyond what was written before.

        When it turns out to be different (`differs`), that is everything since the beginning.
        """
        before = len(self._written)
        self._written += piece
        if self.differs or before >= len(self._earlier):
            return piece
        if self._earlier.startswith(self._written):
            return ""
        if self._written.startswith(self._earlier):
            return self._written[len(self._earlier) :]
        self.differs = True
        return self._written


def may_begin_again(error: ModelStreamCut, attempt: int, *, begun: bool, ran: bool) -> bool:
    """Return whether a turn is tried again after `attempt` (from 1) failed with `error`.

    Before anything had `begun`, the model's own retries were in charge; once code `ran`, it cannot run twice.
    """
    return error.retryable and begun and not ran and attempt < ATTEMPTS
