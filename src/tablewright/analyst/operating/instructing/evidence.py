"""What speaks for and against a reading of a clause: which of its words are left, and how it came about."""

from __future__ import annotations

from collections import defaultdict

from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.search import Filled
from tablewright.analyst.operating.instructing.segments import segments_of

_MOST = 6.0
_LIGHT = 0.3
"""Words that cost no more hardly say anything."""


def evidence_of(clause: Clause, one: Filled, left: list[int]) -> dict[str, float]:
    """Return the evidence about a filled operation whose words `left` nothing covers."""
    spoken = [token for token in clause.tokens if token.kind != "mark"]
    found = defaultdict[str, float](float)
    found["cost"] = min(one.cost, _MOST)
    found["left"] = min(clause.left(one.mask), _MOST)
    found["parts"] = max(min(one.parts, _MOST), 0.0)
    found["share"] = len(left) / max(len(spoken), 1)
    found["unsaid"] = int(not one.said and bool(one.frame.triggers))
    found["apart"] = _apart(clause, one.mask, set(left))
    instructed = {at: word.type for word in clause.words for at in range(word.start, word.end)}
    asked = {at for word in clause.linked.words for at in range(word.start, word.end)}
    for at in left:
        kind = instructed.get(at)
        found["left:light" if clause.costs[at] <= _LIGHT else f"left:{clause.classes[at]}"] += 1
        if kind == "act":
            found["left:act"] += 1
        elif kind is not None:
            found["left:instructed"] += 1
        elif at in asked:
            found["left:asked"] += 1
        else:
            found["left:unknown"] += 1
        found["left:large"] += clause.tokens[at].text[:1].isupper() and at > 0
    return dict(found)


def _apart(clause: Clause, mask: int, left: set[int]) -> int:
    """Return how many stretches of a clause are left as a whole."""
    count = 0
    for start, end in segments_of(clause.text):
        inside = [at for at, token in enumerate(clause.tokens) if start <= token.start < end]
        count += any(at in left for at in inside) and not any(mask >> at & 1 for at in inside)
    return count
