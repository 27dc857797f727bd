"""The words of spans of time: units with their lengths, and what names of columns say of clocks among the cells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tablewright.domain.spans import Clock

_NUMERALS = frozenset("半一二两三四五六七八九十几数个")
_HOURS_OF_A_DAY = 24
_BRACKETED = re.compile(r"[(（\[【](.*?)[)）\]】]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit of time: `ms` are its milliseconds; `english` and `chinese` are what it is called."""

    name: str
    ms: int
    english: str
    chinese: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What `spans.json` says. `ways` are the units by how they are written, in lower case; `depending` are the ways of
    which other units in the column say what they are: the unit, and any of the units it then stands beside."""

    units: dict[str, Unit]
    ways: dict[str, str]
    depending: dict[str, dict[str, frozenset[str]]]
    between: frozenset[str]
    clocks: dict[Clock, frozenset[str]]
    lasting: tuple[str, ...]
    hours: tuple[str, ...]
    labels: tuple[str, ...]


@cache
def words() -> Words:
    """Return the words of spans of time."""
    told = json.loads(Path(__file__).with_name("spans.json").read_text(encoding="utf-8"))
    units = {
        name: Unit(name=name, ms=entry["ms"], english=entry["names"][0], chinese=entry["names"][1])
        for name, entry in told["units"].items()
    }
    return Words(
        units=units,
        ways={way: name for name, entry in told["units"].items() for way in entry["ways"].split()},
        depending={
            way: {name: frozenset(beside.split()) for name, beside in meanings.items()}
            for way, meanings in told["depending"].items()
        },
        between=frozenset(told["between"]),
        clocks={clock: frozenset(forms.split()) for clock, forms in told["clocks"].items()},
        lasting=tuple(told["lasting"]),
        hours=tuple(told["hours"]),
        labels=tuple(told["labels"]),
    )


def units_of(ways: Iterable[str], beside: Iterable[str] = ()) -> dict[str, str] | None:
    """Return what unit each way to write one is, in a column that has the units `beside` too; None if one is none, or
    if it is open which."""
    known, every = words(), set(ways)
    found = {way: known.ways[way.casefold()] for way in every if way.casefold() in known.ways}
    certain = {*found.values(), *beside}
    for way in every - set(found):
        meanings = known.depending.get(way.casefold(), {})
        fitting = [unit for unit, others in meanings.items() if others & certain]
        if len(fitting) != 1:
            return None
        found[way] = fitting[0]
    return found


def bracketed(name: str) -> str:
    """Return what stands in the first brackets of a column's name."""
    found = _BRACKETED.search(name)
    return "" if found is None else found[1].strip()


def is_label(name: str) -> bool:
    """Return whether the name of a column says that its cells are sizes or codes."""
    return _says(name, words().labels)


def is_lasting(name: str) -> bool:
    """Return whether the name of a column says that its cells are how long something lasts."""
    return _says(name, words().lasting + words().hours) or _form(name) == "m:s"


def clock_of(name: str, clocks: Iterable[str], beside: Iterable[str]) -> Clock | None:
    """Return what two numbers with a colon are, in a column of this name with the units `beside` and these `clocks`;
    None if nothing says so, or if these may be times of the day."""
    others = set(beside)
    if others & {"hour", "minute", "second"}:
        if {"hour", "second"} <= others:
            return None
        return "m:s" if "second" in others else "h:m"
    form = _form(name)
    if form == "m:s" or not is_lasting(name):
        return "m:s" if form == "m:s" or _beyond_the_day(clocks) else None
    if form is not None or _says(name, words().hours):
        return "h:m"
    of_name = words().ways.get(bracketed(name).casefold())
    if of_name in {"hour", "minute"}:
        return "h:m" if of_name == "hour" else "m:s"
    # Where one lasts over an hour, `1:02:33`, the others are shorter: `45:10`.
    return "m:s" if any(text.count(":") == 2 for text in clocks) else None


def _beyond_the_day(clocks: Iterable[str]) -> bool:
    """Return whether clocks are no times of the day: some of two numbers begin beyond the hours, beside some of three
    numbers, `51:29` beside `1:02:33`."""
    written = [text.split(":") for text in clocks]
    return any(len(parts) == 3 for parts in written) and any(
        len(parts) == 2 and int(parts[0]) >= _HOURS_OF_A_DAY for parts in written
    )


def names_span(mark: str) -> bool:
    """Return whether a text without digits is a span of time nevertheless: `half an hour`, `半天`."""
    known = words().ways
    if any(word.casefold() in known and len(word) > 1 for word in mark.split()):
        return True
    return any(way in known for start, sign in enumerate(mark) if sign in _NUMERALS for way in _runs(mark[start + 1 :]))


def _runs(text: str) -> list[str]:
    return [text[:size] for size in range(1, 4)]


def _form(name: str) -> Clock | None:
    written = bracketed(name).casefold().replace(" ", "").replace("：", ":")
    return next((clock for clock, forms in words().clocks.items() if written in forms), None)


def _says(name: str, phrases: Iterable[str]) -> bool:
    plain = "".join(sign if sign.isalnum() else " " for sign in name.casefold())
    plain = f" {' '.join(plain.split())} "
    return any((phrase in plain) if not phrase.isascii() else f" {phrase} " in plain for phrase in phrases)
