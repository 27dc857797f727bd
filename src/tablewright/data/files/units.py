"""Ways to write one unit: `km`, `KM` and `公里` count the same, `¥` before a number and `元` behind it too."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_MULTIPLES = frozenset({"doz", "dozen", "dozens", "dz", "gross", "score", "打"})


def is_one_unit(ways: Iterable[str]) -> bool:
    """Return whether all these are ways to write one unit; one per another may lack the other: `¥` beside `元/斤`."""
    names, others = set(), set()
    for way in ways:
        name, other = _split(way)
        names.add(name)
        others |= {other} if other else set()
    return len(others) <= 1 and (len(names) == 1 or any(names <= same for same in _same()))


def is_known(ways: Iterable[str]) -> bool:
    """Return whether all these are units that are known to be ones."""
    return all(any(_split(way)[0] in same for same in _same()) for way in ways)


def are_multiples(ways: Iterable[str]) -> bool:
    """Return whether some way is a word for a number of things, beside which a bare number counts single ones: a
    dozen."""
    return any(_split(way)[0] in _MULTIPLES for way in ways)


def _split(way: str) -> tuple[str, str]:
    """Return a unit, and what it is one per; empty if it is none."""
    name, _, other = way.casefold().replace(" ", "").partition("/")
    return name.rstrip("."), other


@cache
def _same() -> tuple[frozenset[str], ...]:
    """Return the ways to write each unit, as `units.json` says."""
    told = json.loads(Path(__file__).with_name("units.json").read_text(encoding="utf-8"))
    return tuple(frozenset(line.split()) for line in told)
