"""How often something may be sent: some of it at once, and then so many a second."""

from __future__ import annotations

import time


class Pace:
    """Counts what is sent from `begin` on. The service ends a session that sends several times as much."""

    def __init__(self, *, at_once: int, per_s: float) -> None:
        self._at_once = at_once
        self._per_s = per_s
        self.begin()

    def begin(self) -> None:
        """Start anew."""
        self._began_at = time.monotonic()
        self._sent = 0

    def spend(self, count: int = 1) -> None:
        """Note that `count` were sent."""
        self._sent += count

    def left(self) -> int:
        """Return how many may be sent now; negative if more were sent than that."""
        return int(self._at_once + self._per_s * (time.monotonic() - self._began_at)) - self._sent
