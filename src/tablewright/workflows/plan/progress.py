"""How far a run of a workflow has come, as far as it decides what is next."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

_TURN = re.compile(r"(.+)\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Place:
    """A node in a turn: `path` names the turns around it, as in `events/nodes`.

    A loop under its own turn stands for the turn.
    """

    path: str
    node_id: str

    def __str__(self) -> str:
        return f"{self.path}/{self.node_id}" if self.path else self.node_id

    def holds(self, place: Place) -> bool:
        """Return whether a place is within the loop at this one, at any depth."""
        return place.path.startswith(f"{self}[")

    def turn(self, number: int) -> str:
        """Return the path of a turn of the loop at this place."""
        return f"{self}[{number}]"

    def turn_place(self, number: int) -> Place:
        """Return the place that stands for a turn of the loop at this place."""
        return Place(self.turn(number), self.node_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn around a place: that of the loop at `loop`, whose path is `path`."""

    loop: Place
    number: int
    path: str


def turns_of(path: str) -> tuple[Turn, ...]:
    """Return the turns that a path names, from the outermost."""
    turns: list[Turn] = []
    around = ""
    for part in path.split("/") if path else ():
        found = _TURN.fullmatch(part)
        assert found is not None
        loop = Place(around, found[1])
        around = f"{around}/{part}" if around else part
        turns.append(Turn(loop=loop, number=int(found[2]), path=around))
    return tuple(turns)


AGAIN, DONE = "again", "done"
"""The ways of a turn that has ended: another may follow, or the loop's condition holds."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a node, and the way that it chose, if it chooses one."""

    port: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What has happened.

    `begun` are the places that work or wait. Of a loop that has begun, `turns` has the number of its items, or None
    where only its condition ends it, and `turned` how many of its first turns have all ended. `failed` are the places
    that have failed for good, and so the loops that they are in.
    """

    finished: Mapping[Place, Finished] = field(default_factory=dict[Place, Finished])
    begun: Collection[Place] = ()
    turns: Mapping[Place, int | None] = field(default_factory=dict[Place, int | None])
    turned: Mapping[Place, int] = field(default_factory=dict[Place, int])
    failed: Collection[Place] = ()
