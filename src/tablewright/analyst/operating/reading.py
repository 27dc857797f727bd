"""A whole wish read: part after part, each on the table as the parts before it leave it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

from tablewright.analyst.linking.linker import link
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.operating.columns_named import named_columns
from tablewright.analyst.operating.families import HEADS, READERS
from tablewright.analyst.operating.scene import Place, Scene
from tablewright.analyst.operating.splitting import clauses, doing
from tablewright.analyst.operating.wish import Lacking, Memory, Op, Read, Wish
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DistinctValues
from tablewright.workbook.areas import column_number

_SHEET = re.compile(r"\b(?:work)?sheets?\b|\btabs?\b|工作表|表", re.IGNORECASE)
_LOOKS_UP = re.compile(r"\b[vx]?look ?-?ups?\b|\bfetch\b|\bbring in\b|\bpull\b|查找|匹配|查询|引用|带出", re.IGNORECASE)


@dataclass(slots=True)
class Outcome:
    """What was read of a wish: the steps, what is missing, the parts that were not read."""

    ops: list[Op] = field(default_factory=list)
    lacking: Lacking | None = None
    unread: list[str] = field(default_factory=list)
    memory: Memory = field(default_factory=Memory)


class KnownValues:
    """The lookup of values; a table that was never profiled has none."""

    def __init__(self, values: ValueLookup) -> None:
        self._values = values

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        """Return the distinct values of a column, if they are known."""
        return await self._values.values(profile_ref, column) if profile_ref else None


async def read_wishes(question: str, scene: Scene, values: ValueLookup, memory: Memory | None = None) -> Outcome:
    """Read all parts of a wish."""
    outcome = Outcome(memory=memory or Memory())
    home = scene.home(question)
    if home is None:
        return outcome
    places = {place.sheet: place for place in reversed(scene.places)} | {home.sheet: home}
    for part in clauses(question):
        place = _place(part, scene, places, home)
        wish = await wish_of(part, question, scene, place, outcome.memory, values)
        read = _read(wish)
        if isinstance(read, Lacking):
            outcome.lacking = outcome.lacking or read
        elif read is not None:
            outcome.ops += read
            places[place.sheet] = after(place, read)
            home = places[place.sheet] if home.sheet == place.sheet else home
            _note(wish)
        elif doing(part):
            outcome.unread.append(part)
    outcome.ops = renamed(outcome.ops)
    return outcome


async def wish_of(part: str, whole: str, scene: Scene, place: Place, memory: Memory, values: ValueLookup) -> Wish:
    """Return a part of a wish with its words linked."""
    tokens = tokenize(part)
    linked = await link(part, tokens, place.facts, KnownValues(values), ())
    return Wish(text=part, whole=whole, scene=scene, place=place, memory=memory, tokens=tokens, linked=linked)


def _read(wish: Wish) -> Read:
    """The first reader that reads the words; what one lacks is kept only where no other reads them."""
    lacking: Lacking | None = None
    for reader in (*(first for verb, first in HEADS if wish.has(verb)), *READERS):
        found = reader(wish)
        if isinstance(found, Lacking):
            lacking = lacking or found
        elif found is not None:
            return found
    return lacking


def _place(part: str, scene: Scene, places: dict[str, Place], home: Place) -> Place:
    """The table that a part is about. A sheet whose name is a word of the sentence like any other is meant only where
    the sentence says that it is a sheet, or names its columns rather than those at home."""
    said = [name for name in scene.said_sheets(part) if name in places]
    if not said or (_LOOKS_UP.search(part) and len(places) > 1):
        others = [place for place in places.values() if place.sheet not in said]
        return home if home.sheet not in said or not others else others[0]
    found = places[said[0]]
    if said[0] in part and _SHEET.search(part):
        return found
    return found if len(named_columns(part, found.facts)) >= len(named_columns(part, home.facts)) else home


def renamed(ops: list[Op]) -> list[Op]:
    """Return the steps with the sheets as they are called by then."""
    names: dict[str, str] = {}
    found: list[Op] = []
    for op in ops:
        given = {
            key: names.get(value, value) if key in {"sheet", "from_sheet"} and isinstance(value, str) else value
            for key, value in op.parameters.items()
        }
        if op.function == "rename_sheet":
            names[op.parameters["sheet"]] = given["name"]
        found.append(replace(op, parameters=given))
    return found


def after(place: Place, ops: list[Op]) -> Place:
    """Return the table as steps leave it, as far as its columns go."""
    for op in ops:
        if op.parameters.get("sheet") == place.sheet:
            place = _changed(place, op)
    return place


def _changed(place: Place, op: Op) -> Place:
    given = op.parameters
    if op.function in {"add_column", "join_columns"} and given["header"] not in place.names:
        return place.with_column(given["header"], after=given.get("after"))
    if op.function == "lookup_join":
        for name in given["columns"]:
            place = place if name in place.names else place.with_column(name)
    elif op.function == "split_column":
        for before, name in pairwise([given["column"], *given["headers"]]):
            place = place if name in place.names else place.with_column(name, "text", after=before)
    elif op.function == "delete_columns":
        return place.without(given["columns"])
    elif op.function == "insert_columns":
        before = place.letters.get(given["before"], given["before"])
        return place.with_blank(column_number(before), given.get("count", 1))
    return place


def _note(wish: Wish) -> None:
    said = [name for name in wish.said() if name in wish.place.names]
    if said and wish.memory.made is None:
        wish.memory.columns = [*[name for name in wish.memory.columns if name not in said], *said]
