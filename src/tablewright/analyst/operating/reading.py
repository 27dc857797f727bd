"""Reads a whole wish, part by part, each on the table as the earlier parts leave it."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field, replace

from tablewright.analyst.linking.linker import link
from tablewright.analyst.linking.mentions import ValueMention
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.operating.after_a_column import of_the_column
from tablewright.analyst.operating.afterwards import after
from tablewright.analyst.operating.cells_said import said_range
from tablewright.analyst.operating.columns_named import named_columns, written_columns
from tablewright.analyst.operating.coverage import left_out
from tablewright.analyst.operating.families import HEADS, READERS
from tablewright.analyst.operating.postponing import in_order
from tablewright.analyst.operating.scene import Place, Scene
from tablewright.analyst.operating.splitting import clauses, doing
from tablewright.analyst.operating.wish import Lacking, Memory, Op, Read, Wish
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DistinctValues

_SHEET = re.compile(r"\b(?:work)?sheets?\b|\btabs?\b|工作表|表", re.IGNORECASE)
_LOOKS_UP = re.compile(r"\b[vx]?look ?-?ups?\b|\bfetch\b|\bbring in\b|\bpull\b|查找|匹配|查询|引用|带出", re.IGNORECASE)


@dataclass(slots=True)
class Outcome:
    """What was read of a wish: the steps, what is missing, and the parts that could not be read."""

    ops: list[Op] = field(default_factory=list)
    lacking: Lacking | None = None
    unread: list[str] = field(default_factory=list)
    memory: Memory = field(default_factory=Memory)


class KnownValues:
    """A lookup that returns no values for a table that was never profiled."""

    def __init__(self, values: ValueLookup) -> None:
        self._values = values

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        """Return the distinct values of a column, or None if they are not known."""
        return await self._values.values(profile_ref, column) if profile_ref else None


async def read_wishes(question: str, scene: Scene, values: ValueLookup, memory: Memory | None = None) -> Outcome:
    """Return the outcome of reading all parts of a wish, in order; empty if the workbook has no sheet to read it on."""
    outcome = Outcome(memory=memory or Memory())
    home = scene.home(question)
    if home is None:
        return outcome
    reading = _Reading(question, scene, values, outcome, home)
    parts = clauses(question)
    while parts:
        part, *parts = parts
        if parts and await reading.together(part, parts[0]):
            parts = parts[1:]
        else:
            await reading.read(part)
    outcome.ops = renamed(outcome.ops)
    return outcome


async def about_workbook(question: str, scene: Scene, values: ValueLookup) -> bool:
    """Return whether a message has anything to do with the workbook: it names a sheet, a column, a cell or a value."""
    if scene.said_sheets(question):
        return True
    for place in scene.places:
        wish = await wish_of(question, question, scene, place, Memory(), values)
        exact = any(isinstance(one, ValueMention) and one.how == "exact" for one in wish.linked.mentions)
        if exact or written_columns(question, place.names) or wish.ranges():
            return True
    return False


class _Reading:
    """Reads the parts of a wish in turn, and keeps the tables as the earlier parts leave them."""

    def __init__(self, question: str, scene: Scene, values: ValueLookup, outcome: Outcome, home: Place) -> None:
        self._question = question
        self._scene = scene
        self._values = values
        self._outcome = outcome
        self._home = home
        self._tabled = [place for place in scene.places if place.names]
        self._places = {place.sheet: place for place in reversed(self._tabled)} | {home.sheet: home}

    async def read(self, part: str) -> None:
        """Read one part, and record as unread whatever its steps leave out."""
        made = self._outcome.memory.made
        wish = await self._wish(of_the_column(part, made) if made else part)
        read = _read(wish)
        if isinstance(read, Lacking):
            self._outcome.lacking = self._outcome.lacking or read
        elif read is not None:
            self._take(wish, read)
            self._outcome.unread += left_out(wish, read)
        elif doing(part):
            self._outcome.unread.append(part)

    async def together(self, part: str, following: str) -> bool:
        """Read two parts as one if the second says what the column added by the first contains; return whether they
        were."""
        kept = deepcopy(self._outcome.memory)
        found = await self._joined(part, following, kept)
        if found is None:
            self._restore(kept)
            return False
        self._take(*found)
        return True

    async def _joined(self, part: str, following: str, kept: Memory) -> tuple[Wish, list[Op]] | None:
        first = _read(await self._wish(part))
        second = _read(await self._wish(following))
        self._restore(kept)
        if _empty_column(first):
            empty, words = first, (part, following)
        elif _empty_column(second) and (not _writes(first) or _unnamed(first, part)):
            empty, words = second, (following, part)
        else:
            return None
        wish = await self._wish((", " if part.isascii() else "，").join(words))
        read = _read(wish)
        if not isinstance(read, list) or _empty_column(read[:1]) or not isinstance(empty, list) or left_out(wish, read):
            return None
        same = read[0].parameters.get("header") == empty[0].parameters["header"]
        return (wish, read) if same and len({op.function for op in read} - {"set_number_format"}) == 1 else None

    def _restore(self, kept: Memory) -> None:
        for name in Memory.__slots__:
            setattr(self._outcome.memory, name, deepcopy(getattr(kept, name)))

    def _take(self, wish: Wish, read: list[Op]) -> None:
        place = wish.place
        self._outcome.ops = in_order(_without_empty(self._outcome.ops, read), read, place)
        if place.names:
            self._places[place.sheet] = after(place, read)
            self._home = self._places[place.sheet] if self._home.sheet == place.sheet else self._home
        _note(wish)

    async def _wish(self, part: str) -> Wish:
        scene, memory = self._scene, self._outcome.memory
        place = _bare(part, scene, self._home) or _place(part, scene, self._places, self._home)
        wish = await wish_of(part, self._question, scene, place, memory, self._values)
        for other in self._tabled:
            if other.sheet == place.sheet and other.region.range.split(":")[0] == place.region.range.split(":")[0]:
                continue
            now = self._places[other.sheet] if other is scene.on(other.sheet) else other
            wish.elsewhere = (*wish.elsewhere, await wish_of(part, self._question, scene, now, memory, self._values))
        return wish


def _empty_column(read: Read) -> bool:
    """Return whether the part only adds a column without saying what it contains."""
    if not isinstance(read, list) or len(read) != 1:
        return False
    return read[0].function == "add_column" and not read[0].parameters.get("formula")


def _unnamed(read: Read, part: str) -> bool:
    """Return whether the part only adds a column whose name it does not give."""
    if not isinstance(read, list) or len(read) != 1 or read[0].function != "add_column":
        return False
    return str(read[0].parameters["header"]) not in part


def _writes(read: Read) -> bool:
    return isinstance(read, list) and any(op.function not in _READING for op in read)


_READING = frozenset({"aggregate", "describe", "identify_top", "run_python", "sort_rows"})
"""Functions as which a part may be misread that only explains how the next part's column is computed."""


async def wish_of(part: str, whole: str, scene: Scene, place: Place, memory: Memory, values: ValueLookup) -> Wish:
    """Return one part of a wish, with its words linked to the table."""
    part = _LABELLED.sub("column ", part)
    tokens = tokenize(_without_cells(part, place))
    linked = await link(part, tokens, place.facts, KnownValues(values), ())
    return Wish(text=part, whole=whole, scene=scene, place=place, memory=memory, tokens=tokens, linked=linked)


_LABELLED = re.compile(
    r"\bcolumn [A-Z]{1,2}\s*,?\s+(?:which is )?(?:labell?ed|titled|headed)\s+(?:as\s+)?(?=[\"“'‘])", re.IGNORECASE
)
"""A column given by letter and by header, of which the header says enough."""
_CELLS = re.compile(
    r"(?P<lead>\b(?:in|into|to|at|from|cells?|range|of|for)\s+"
    r"|[在到于从至])(?P<cells>\$?[A-Z]{1,2}\$?\d{1,6}(?:\s*:\s*\$?[A-Z]{1,2}\$?\d{1,6})?)(?![A-Za-z0-9])"
)


_COLUMN = re.compile(r"(?P<lead>\b[Cc]olumns?\s+)(?P<cells>[A-Z]{1,2})(?![A-Za-z0-9])")


def _without_cells(part: str, place: Place) -> str:
    """Blank out references to cells, which are not values, unless the table holds them as values."""
    held = {str(sample) for column in place.facts.columns for sample in column.samples}
    for pattern in (_CELLS, _COLUMN):
        part = pattern.sub(
            lambda match: match[0] if match["cells"] in held else match["lead"] + " " * len(match["cells"]), part
        )
    return part


def _read(wish: Wish) -> Read:
    """Return what the first suitable reader reads; something missing is reported only if no other reader succeeds."""
    lacking: Lacking | None = None
    for reader in (*(first for verb, first in HEADS if wish.has(verb)), *READERS):
        found = reader(wish)
        if isinstance(found, Lacking):
            lacking = lacking or found
        elif found is not None:
            return found
    return lacking


def _bare(part: str, scene: Scene, home: Place) -> Place | None:
    """Return the sheet without a table that a part names, if the part is about cells of it; else None."""
    said = scene.said_sheets(part)
    bare = next((place for place in scene.places if not place.names and place.sheet in said[:1]), None)
    if bare is None or said_range(part) is None or named_columns(part, home.facts):
        return None
    return bare


def _place(part: str, scene: Scene, places: dict[str, Place], home: Place) -> Place:
    """Return the table that a part is about. A sheet whose name is an ordinary word is meant only if the part says
    that it is a sheet, or names its columns rather than those of the home table."""
    said = [name for name in scene.said_sheets(part) if name in places]
    taken = [name for name in said if _taken_from(part, name)]
    if taken and (left := [name for name in said if name not in taken]):
        return places[left[0]]
    if not said or ((_LOOKS_UP.search(part) or taken) and len(places) > 1):
        others = [place for place in places.values() if place.sheet not in said]
        return home if home.sheet not in said or not others else others[0]
    found = places[said[0]]
    if said[0] in part and _SHEET.search(part):
        return found
    return found if len(named_columns(part, found.facts)) >= len(named_columns(part, home.facts)) else home


def _taken_from(part: str, sheet: str) -> bool:
    """Return whether a part fills cells with something from a sheet: `add a column with the rate from the Rates
    sheet`."""
    if not re.search(
        r"\b(?:add|insert|fill|bring|calculate|compute)\b|新增|增加|添加|加一?列|插入|计算|填", part, re.IGNORECASE
    ):
        return False
    source = rf"(?:\bfrom\s+(?:the\s+)?(?:sheet\s+)?|从|用|根据)[\"“'‘「]?{re.escape(sheet)}"
    return re.search(source, part, re.IGNORECASE) is not None


def _without_empty(ops: list[Op], more: list[Op]) -> list[Op]:
    """Return the steps without a last one that adds the sheet which `more` is about to make."""
    made = {op.parameters.get("target_sheet") or op.parameters.get("name") for op in more if op.function in _MAKING}
    return ops[:-1] if ops and ops[-1].function == "add_sheet" and ops[-1].parameters["name"] in made else ops


_MAKING = frozenset({"summarize", "add_sheet"})


def renamed(ops: list[Op]) -> list[Op]:
    """Return the steps with sheets called by the names they have by then."""
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


def _note(wish: Wish) -> None:
    said = [name for name in wish.said() if name in wish.place.names]
    if said and wish.memory.made is None:
        wish.memory.columns = [*[name for name in wish.memory.columns if name not in said], *said]
