"""Where a message wants something written: the words for a new sheet, and what it says without them."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.grammar.semantics import mask_of, union
from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.operating.instructing.clause import Clause, Memory, clause_of
from tablewright.analyst.operating.instructing.naming import new_sheets
from tablewright.analyst.operating.instructing.parts import Part
from tablewright.analyst.operating.instructing.segments import segments_of
from tablewright.analyst.operating.scene import Scene
from tablewright.data.base import ValueLookup

_SAID = 0.2
"""What a name costs at most that is in quotation marks or behind a word such as `called`."""
_LEADS = frozenset({"act", "filler", "name", "also", "reply"})
"""Types of words that lead to the place where something is written, or follow it, and say nothing of what it is."""
_EACH = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """A new sheet that a message wants filled, `sheet` if it says its name; `wish` is what the message says without the
    words for it."""

    sheet: str
    wish: str


async def destination_of(text: str, scene: Scene, values: ValueLookup) -> Destination | None:
    """Return the new sheet on which a message wants something written; None if it wants none, or one for each."""
    if not scene.places:
        return None
    kept: list[str] = []
    found: str | None = None
    for start, end in segments_of(text):
        said = text[start:end]
        clause = await clause_of(said, scene, scene.places[0], Memory(), values)
        parts = list(new_sheets(clause))
        if _one_for_each(clause):
            return None
        if not parts:
            kept.append(said.strip())
            continue
        part = min(parts, key=_preference)
        found = found or part.value
        kept.append(_without(clause, part.mask))
    wish = (", " if text.isascii() else "，").join(one for one in kept if one)
    return Destination(sheet=found, wish=wish) if found is not None and wish else None


def _preference(part: Part) -> tuple[bool, float, int]:
    named = bool(part.value) and part.cost <= _SAID
    return not named, part.cost, -part.mask.bit_count()


def _one_for_each(clause: Clause) -> bool:
    """Return whether a sheet for each of several things is meant."""
    sheets = clause.of("noun:newsheet")
    each = [word for word in clause.linked.words if word.type == "each"]
    return any(0 <= one.start - sheet.end < _EACH for sheet in sheets for one in each)


def _without(clause: Clause, mask: int) -> str:
    """Return what a clause says without these tokens and the words around them that only lead there."""
    leading = union(word.mask for word in clause.words if word.type in _LEADS)
    leading |= union(mask_of(at, at + 1) for at, token in enumerate(clause.tokens) if token.norm in stopwords())
    named = union(link.mask for link in clause.linked.links)
    gone, wider = 0, mask
    while wider != gone:
        gone = wider
        wider = gone | ((gone << 1 | gone >> 1) & leading & ~named)
    spans = [(token.start, token.end) for at, token in enumerate(clause.tokens) if not gone >> at & 1]
    if all(clause.tokens[at].kind == "mark" for at in range(len(clause.tokens)) if not gone >> at & 1):
        return ""
    first = spans[0][0]
    pieces, last = [], first
    for start, end in spans:
        pieces.append(clause.text[last:start] if not clause.text[last:start].strip() else " ")
        pieces.append(clause.text[start:end])
        last = end
    return "".join(pieces).strip()
