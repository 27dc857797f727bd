"""Two opposite sides between which a question asks to choose: `more or less than`, `before or after`, `above or
below`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MORE = {
    "more": {"less", "fewer"}, "greater": {"less", "smaller", "lesser"}, "higher": {"lower"}, "larger": {"smaller"},
    "bigger": {"smaller"}, "longer": {"shorter"}, "taller": {"shorter"}, "older": {"younger", "newer"},
    "better": {"worse"},
    "heavier": {"lighter"}, "after": {"before", "prior to"}, "later": {"earlier", "sooner"},
    "above": {"below", "under"},
    "over": {"under"},
}  # fmt: skip
_SIDES = [(more, less) for more, others in _MORE.items() for less in others]
_OPEN = re.compile(
    "|".join(rf"\b{one}(?: [a-z]+)? or {other}\b" for pair in _SIDES for one, other in (pair, reversed(pair)))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposites:
    """The words for more and for less, and the span of the two in the question, in characters."""

    more: str
    less: str
    start: int
    end: int


def opposites(question: str) -> Opposites | None:
    """Return the two sides between which an English question asks to choose, or None."""
    match = _OPEN.search(question.lower())
    if match is None:
        return None
    said = match[0]
    more, less = next(
        (more, less)
        for more, less in _SIDES
        if {said.split()[0], said.split(" or ")[1]} in ({more, less}, {more, less.split()[0]})
    )
    return Opposites(more=more, less=less, start=match.start(), end=match.end())
