"""How often what is written is sent: piece by piece, some pieces together, or what has come in some seconds. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

PaceMode = Literal["general", "token", "time"]


@dataclass(slots=True, kw_only=True)
class Pacing:
    """Joins pieces. With `token`, `pieces` of them; with `time`, those of `seconds`, as far as others follow."""

    mode: PaceMode = "general"
    pieces: int = 1
    seconds: float = 1.0
    _held: str = ""
    _count: int = 0
    _since: datetime | None = None

    def take(self, words: str, at: datetime) -> str:
        """Take a piece; return what is to be sent now, which may be nothing."""
        if self._since is None:
            self._since = at
        self._held += words
        self._count += 1
        enough = {
            "general": True,
            "token": self._count >= self.pieces,
            "time": (at - self._since).total_seconds() >= self.seconds,
        }[self.mode]
        return self.rest() if enough else ""

    def rest(self) -> str:
        """Return what is held back."""
        held, self._held, self._count, self._since = self._held, "", 0, None
        return held
