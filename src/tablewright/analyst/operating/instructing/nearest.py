"""What of an instruction that is not planned is understood: what is missing, and which of its parts could be done."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.operating.instructing.areas import ranges
from tablewright.analyst.operating.instructing.clause import SURE, Clause, Memory, clause_of
from tablewright.analyst.operating.instructing.reader import read
from tablewright.analyst.operating.instructing.search import unfilled
from tablewright.analyst.operating.instructing.segments import segments_of
from tablewright.analyst.operating.instructing.trusting import trust_of
from tablewright.analyst.operating.op import Op
from tablewright.analyst.operating.scene import Scene
from tablewright.data.base import ValueLookup

_MOST_LEFT = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """An operation that was asked for without something it needs: a column, a name, a range."""

    what: str
    function: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The steps of the parts of an instruction that are understood, and the words of the others."""

    ops: list[Op]
    unread: list[str]


async def lacking_of(text: str, scene: Scene, values: ValueLookup) -> Lacking | None:
    """Return what an instruction of one clause lacks; None if that is not all that is wrong with it."""
    clause = await _first_clause(text, scene, values)
    if clause is None:
        return None
    for frame, mask in unfilled(clause):
        if clause.left(mask) <= _MOST_LEFT:
            return Lacking(what=frame.asks[1], function=frame.asks[2])
    return None


async def parts_of(text: str, scene: Scene, values: ValueLookup) -> Parts:
    """Return which parts of an instruction are understood by themselves, one after another."""
    ops: list[Op] = []
    unread: list[str] = []
    memory = Memory()
    for start, end in segments_of(text):
        words = text[start:end].strip(" ,，;；")
        found = await read(words, scene, values, memory)
        if found is not None and trust_of(found) == "sure":
            ops += found.ops
            memory = found.memory
        else:
            unread.append(words)
    return Parts(ops=ops, unread=unread)


async def about_workbook(text: str, scene: Scene, values: ValueLookup) -> bool:
    """Return whether a message has anything to do with the workbook: it names a sheet, a column, a cell or a value."""
    clause = await _first_clause(text, scene, values)
    if clause is None:
        return False
    linked = [clause.linked, *(other for _, other in clause.others.values())]
    named = any(link.score >= SURE for one in linked for link in one.links) or any(one.cells for one in linked)
    return named or bool(clause.sheets) or any(True for _ in ranges(clause))


async def _first_clause(text: str, scene: Scene, values: ValueLookup) -> Clause | None:
    place = next((place for place in scene.places if place.names), None) or next(iter(scene.places), None)
    return None if place is None else await clause_of(text, scene, place, Memory(), values)
