"""Who waits for a worker, in fair order.

All runs of one tree share one turn. This is fair queueing by virtual time: each who comes is tagged with the present
round, or with the round after that of the one before it of the same turn, and the earliest round is served first. A
round has passed when as many were served as there are turns, so that nobody waits for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(eq=False, slots=True, kw_only=True)
class Waiter(Generic[T]):
    """Somebody who waits: `round` decides who is next, of one round `place`, which counts arrivals."""

    turn: str
    round: float
    place: int
    future: asyncio.Future[T]


@dataclass(slots=True)
class Waiters(Generic[T]):
    """Those who wait, in the order in which they are served."""

    _waiting: list[Waiter[T]] = field(default_factory=list[Waiter[T]])
    _last: dict[str, float] = field(default_factory=dict[str, float])
    _now: float = 0.0
    _places: int = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[Waiter[T]]:
        return iter(self._waiting)

    def add(self, turn: str, future: asyncio.Future[T]) -> Waiter[T]:
        """Let somebody wait whose turn is that of all with the same `turn`; an empty one is shared with nobody."""
        self._places += 1
        round_ = max(self._now, self._last[turn] + 1) if turn in self._last else self._now
        waiter = Waiter(turn=turn, round=round_, place=self._places, future=future)
        if turn:
            self._last[turn] = round_
        self._waiting.append(waiter)
        self._waiting.sort(key=lambda one: (one.round, one.place))
        return waiter

    def next(self) -> Waiter[T] | None:
        """Remove and return who is next, or None if nobody waits."""
        while self._waiting:
            turns = len({one.turn or one for one in self._waiting})
            waiter = self._waiting.pop(0)
            if waiter.future.done():
                continue
            self._now = max(self._now, waiter.round) + 1 / turns
            self._last = {turn: last for turn, last in self._last.items() if last + 1 > self._now}
            return waiter
        return None

    def remove(self, waiter: Waiter[T]) -> None:
        """Let somebody leave who may have been served already."""
        if waiter in self._waiting:
            self._waiting.remove(waiter)

    def clear(self) -> None:
        """Let everybody leave."""
        self._waiting.clear()
