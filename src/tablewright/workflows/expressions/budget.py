"""What one evaluation may cost, counted in units: each value costs its size whenever it is used."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass

UNITS = 2_000_000
"""About a second of the slowest things that expressions do."""
WEIGHT = 1_000_000
"""The most that one value may weigh: characters of texts, and one for everything else in it."""
DEADLINE_S = 1.0
DEADLINE: ContextVar[float] = ContextVar("DEADLINE", default=DEADLINE_S)
"""How many seconds an evaluation may take here."""
SECONDS = "seconds"
BITS = 4_096
"""The longest whole number."""


class OverBudget(Exception):
    """An evaluation uses too much: `limit` is `units`, `weight`, `seconds` or `bits`."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


@dataclass(slots=True)
class Budget:
    """What is left of an evaluation that has begun at `began_s`."""

    began_s: float
    left: int = UNITS
    clock: Callable[[], float] = time.thread_time
    """Counts the seconds that the thread works, so that an expression is not to blame for a busy machine."""

    def spend(self, units: int) -> None:
        """Take `units`; raise `OverBudget` if fewer are left, or if it has taken too long."""
        self.left -= units + 1
        if self.left < 0:
            raise OverBudget("units")
        if self.clock() - self.began_s > DEADLINE.get():
            raise OverBudget(SECONDS)


BUDGET: ContextVar[Budget] = ContextVar("BUDGET")
"""That of the evaluation under way."""


def size(value: object) -> int:
    """Return what it costs to look at a value once, without what is in it."""
    if isinstance(value, int) and value.bit_length() > BITS:
        raise OverBudget("bits")
    return len(value) if isinstance(value, str | Sequence | Mapping) else 1


def weight(value: object) -> int:
    """Return what a value weighs with all that is in it. Raises `OverBudget` if that is too much."""
    total, left = 0, [value]
    while left:
        one = left.pop()
        total += size(one) + 1
        if total > WEIGHT:
            raise OverBudget("weight")
        if isinstance(one, Mapping):
            left.extend(one.values())
            left.extend(one)
        elif isinstance(one, Sequence) and not isinstance(one, str | range):
            left.extend(one)
    return total
