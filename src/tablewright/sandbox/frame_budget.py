"""How many frames a worker may send in one execution.

A regular worker paces what it sends (`worker/emitter.py`) and stays far below; whoever forges frames does not, and each
frame would be decoded, stored and shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.domain.ids import Clock
from tablewright.sandbox.frames import ProtocolViolation, WorkerFrame

_MAX_BYTES = 96 * 1024**2
_MAX_FRAMES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rate:
    """So many at once, and so many more each second: counted from the beginning, since a reader may lag behind."""

    at_once: int
    per_s: float = 0.0


_RATES = {
    "text": _Rate(at_once=3_000, per_s=100.0),
    "progress": _Rate(at_once=50, per_s=20.0),
    "file": _Rate(at_once=1_000),
    # An execution has one end. An earlier one may have left its own.
    "done": _Rate(at_once=10),
}
_SHOWN = "shown"
"""What is kept individually: tables, charts, pages, images, errors."""
_RATE_OF_SHOWN = _Rate(at_once=500)


class FrameBudget:
    """Counts the frames of one execution, by kind, from the moment that it is made."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock.monotonic()
        self._bytes = 0
        self._frames = 0
        self._counts: dict[str, int] = {}

    def admit(self, frame: WorkerFrame) -> None:
        """Count `frame`. Raises ProtocolViolation if it is one more than a regular worker sends."""
        self._bytes += frame.size_bytes
        self._frames += 1
        if self._bytes > _MAX_BYTES or self._frames > _MAX_FRAMES:
            raise ProtocolViolation("more output than any worker sends")
        kind = frame.kind if frame.kind in _RATES else _SHOWN
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        rate = _RATES.get(kind, _RATE_OF_SHOWN)
        if count > rate.at_once + rate.per_s * (self._clock.monotonic() - self._began):
            raise ProtocolViolation(f"more frames of kind {frame.kind[:40]!r} than any worker sends")
