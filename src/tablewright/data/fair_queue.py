"""Who is next: the fair order of calls that wait for a worker. A value without a clock or a process.

- While there is more than one worker, one of them is left to small calls.
- An owner is not given the last worker while a call of another owner could have it.
- Otherwise the owner is next who has fewer calls under way, wants less, and has waited longer; of an owner's calls the
  smaller is next. Each turn that others are given counts for those who wait, so that every call is next in the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Size = Literal["small", "large"]
SMALL_BYTES = 1024**2
"""A call on no more bytes than this is small; larger calls cost one more for each further such amount."""
MOST_COST = 32
"""How much a call costs at most, and so after how many turns of others the largest goes before a small newcomer."""
BUSY_COST = 8
"""How much is added for each call of the same owner that is under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of `owner` that has to read `size_bytes`; `arrived` is the number of turns granted before it came."""

    id: int
    owner: str
    size_bytes: int
    arrived: int = 0

    @property
    def cost(self) -> int:
        """How much it weighs against others, from 1 to `MOST_COST`."""
        return min(1 + max(self.size_bytes - 1, 0) // SMALL_BYTES, MOST_COST)

    @property
    def small(self) -> bool:
        return self.cost == 1

    @property
    def size(self) -> Size:
        return "small" if self.small else "large"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLoad:
    """How much a pool of `workers` has to do: calls that have a worker, and calls that wait for one, by their size."""

    workers: int
    busy: Mapping[Size, int]
    waiting: Mapping[Size, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class FairQueue:
    """The calls that wait for one of `workers`, in order of arrival, and those that have one.

    `turns` counts the calls that were given a worker; `served` names for each owner the turn of its last one.
    """

    workers: int
    waiting: tuple[Call, ...] = ()
    running: tuple[Call, ...] = ()
    turns: int = 0
    served: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def load(self) -> QueueLoad:
        """How much there is to do at present."""
        return QueueLoad(workers=self.workers, busy=_by_size(self.running), waiting=_by_size(self.waiting))

    def with_call(self, call: Call) -> FairQueue:
        """Add a call that arrives now."""
        return replace(self, waiting=(*self.waiting, replace(call, arrived=self.turns)))

    def without(self, call_id: int) -> FairQueue:
        """Remove a call that has ended, or is no longer wanted."""
        waiting = tuple(call for call in self.waiting if call.id != call_id)
        running = tuple(call for call in self.running if call.id != call_id)
        present = {call.owner for call in (*waiting, *running)}
        served = {owner: turn for owner, turn in self.served.items() if owner in present}
        return replace(self, waiting=waiting, running=running, served=served)

    def granted(self) -> tuple[Call, FairQueue] | None:
        """Return the call that is given a worker now and what follows from it; None if there is no worker for any."""
        possible = self._possible()
        if not possible:
            return None
        owners = {call.owner for call in possible}
        chosen = self._smallest(min(sorted(owners), key=lambda owner: self._rank(owner, possible)), possible)
        return chosen, replace(
            self,
            waiting=tuple(call for call in self.waiting if call.id != chosen.id),
            running=(*self.running, chosen),
            turns=self.turns + 1,
            served={**self.served, chosen.owner: self.turns + 1},
        )

    def held(self, owner: str) -> int:
        """Return how many workers an owner has."""
        return sum(call.owner == owner for call in self.running)

    def _possible(self) -> tuple[Call, ...]:
        """Return the calls that may be given a worker now."""
        free = self.workers - len(self.running)
        if free < 1:
            return ()
        large = sum(not call.small for call in self.running)
        room = large < max(self.workers - 1, 1)
        fitting = tuple(call for call in self.waiting if call.small or room)
        others = tuple(call for call in fitting if self.workers == 1 or self.held(call.owner) < self.workers - 1)
        return others or fitting

    def _rank(self, owner: str, possible: tuple[Call, ...]) -> tuple[int, int]:
        """Return how far an owner is from its turn, less being nearer; of two as near, who was served longer ago."""
        since = max(min(call.arrived for call in possible if call.owner == owner), self.served.get(owner, 0))
        cost = self._smallest(owner, possible).cost + BUSY_COST * self.held(owner)
        return cost - (self.turns - since), self.served.get(owner, 0)

    def _smallest(self, owner: str, possible: tuple[Call, ...]) -> Call:
        """Return the owner's next call: the smaller first, each turn that it has waited counting for it."""
        own = (call for call in possible if call.owner == owner)
        return min(own, key=lambda call: (call.cost - (self.turns - call.arrived), call.id))


def _by_size(calls: Sequence[Call]) -> dict[Size, int]:
    small = sum(call.small for call in calls)
    return {"small": small, "large": len(calls) - small}
