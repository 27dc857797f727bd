"""Arithmetic that a question spells out: `margin = (price - cost) / price`, `revenue divided by area`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tablewright.analyst.grammar.formulas import columns_of, formula_at
from tablewright.analyst.grammar.scene import DefinedFormula, Scene
from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.plan import Expr

_OPEN, _CLOSE = "(（", ")）"
LONGEST_NAME = 8


def spelled_out(seen: Scene) -> Scene:
    """Return the scene with the formulas that the question spells out, and what it calls them."""
    if not any(token.norm in "+-*/×÷−=＝" for token in seen.tokens) and not seen.of("sign_said"):
        return seen
    found: list[DefinedFormula] = []
    defined = seen.defined
    reached = 0
    for place in range(len(seen.tokens)):
        read = formula_at(seen, place) if place >= reached else None
        if read is None:
            continue
        of, end = read
        reached = end
        if len(columns_of(of)) < 1:
            continue
        name = _name_before(seen, place)
        called = list(_called(seen, name, of)) if name is not None else []
        if name is not None and called:
            defined |= mask_of(name[0], _closed(seen, name[0], end))
            found += called
        else:
            start, end = _bracketed(seen, place, end)
            found.append(DefinedFormula(start=start, end=end, of=of, phrase=_text(seen, place, reached)))
    return replace(seen, formulas=(*seen.formulas, *found), defined=defined) if found else seen


def _name_before(seen: Scene, place: int) -> tuple[int, int] | None:
    """Return the words before `=` or a word that defines, back to a mark."""
    signs = [(place - 1, place)] if place and seen.tokens[place - 1].norm in {"=", "＝"} else []
    signs += [(word.start, word.end) for word in seen.of("defines") if word.end == place]
    for start, _ in signs[:1]:
        first = start
        while first and seen.tokens[first - 1].kind != "mark" and start - first < LONGEST_NAME:
            first -= 1
        return (first, start) if first < start else None
    return None


def _called(seen: Scene, name: tuple[int, int], of: Expr) -> Iterator[DefinedFormula]:
    """Yield where else the question says the name, or the longest end of it."""
    for first in range(*name):
        words = [token.lemma for token in seen.tokens[first : name[1]]]
        size = len(words)
        places = [
            place
            for place in range(len(seen.tokens) - size + 1)
            if place + size <= name[0] or place >= name[1]
            if [token.lemma for token in seen.tokens[place : place + size]] == words
        ]
        if places and (size > 1 or seen.tokens[first].kind == "word"):
            text = _text(seen, first, name[1])
            yield from (DefinedFormula(start=place, end=place + size, of=of, phrase=text) for place in places)
            return


def _text(seen: Scene, start: int, end: int) -> str:
    return seen.question[seen.tokens[start].start : seen.tokens[end - 1].end]


def _bracketed(seen: Scene, start: int, end: int) -> tuple[int, int]:
    """Return the span with the brackets around it."""
    opened = start > 0 and seen.tokens[start - 1].norm in _OPEN
    closed = end < len(seen.tokens) and seen.tokens[end].norm in _CLOSE
    return (start - 1, end + 1) if opened and closed else (start, end)


def _closed(seen: Scene, start: int, end: int) -> int:
    return _bracketed(seen, start, end)[1]
