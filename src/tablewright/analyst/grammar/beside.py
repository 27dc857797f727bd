"""Candidate operators that set rows beside others: more than a named one, one after the other, which of two is more."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.scene import Scene, gap
from tablewright.analyst.grammar.semantics import OperatorPart, Word

_NEAR = 4
_LESS = frozenset({"<", "<=", "min"})
MOST = 12


def beside(scene: Scene) -> Iterator[OperatorPart]:
    """Yield the operators that words ask for."""
    yield from _streaks(scene)
    if scene.cells or len(scene.periods) > 1:
        yield from _verdicts(scene)
        yield from _more(scene)
    if scene.cells:
        yield from list(_than_rows(scene))[:MOST]


def _union(words: list[Word]) -> int:
    mask = 0
    for word in words:
        mask |= word.mask
    return mask


def _streaks(scene: Scene) -> Iterator[OperatorPart]:
    for word in scene.of("consecutive"):
        around = [one for one in scene.of("superlative", "count", "aggregate") if one.meaning in {"", "max"}]
        mask = word.mask | _union(around)
        yield OperatorPart(mask=mask, features=(("operator:streak", 1.0),), name="streak")
        for change in scene.of("growth"):
            features = (("operator:rising", 1.0),)
            yield OperatorPart(mask=mask | change.mask, features=features, name="rising", option=change.meaning)


def _verdicts(scene: Scene) -> Iterator[OperatorPart]:
    for yes in scene.of("yes"):
        for word in scene.of("comparative", "compare"):
            if word.meaning in {"max", "min", ">", "<"} and not word.mask & yes.mask:
                mask = yes.mask | word.mask | _union(scene.of("than"))
                option = "min" if word.meaning in _LESS else "max"
                yield OperatorPart(mask=mask, features=(("operator:more_yes", 1.0),), name="more_yes", option=option)


def _more(scene: Scene) -> Iterator[OperatorPart]:
    """Yield that there is more of something under the one of two conditions than under the other."""
    than = _union(scene.of("than"))
    for word in scene.of("comparative", "compare"):
        if word.meaning in {"max", "min", ">", "<"}:
            option = "min" if word.meaning in _LESS else "max"
            features = (("operator:more", 1.0),)
            yield OperatorPart(mask=word.mask | than, features=features, name="more", option=option)


def _than_rows(scene: Scene) -> Iterator[OperatorPart]:
    than = _union(scene.of("than"))
    for word in scene.of("compare", "comparative", "before", "after"):
        if word.type == "compare" and word.meaning not in {"<", ">"}:
            continue
        less = word.meaning in _LESS or word.type == "before"
        for link in scene.links:
            far = gap(link.start, link.end, word.start, word.end)
            if link.column.role in {"number", "date"} and far <= _NEAR and not link.mask & word.mask:
                yield OperatorPart(
                    mask=word.mask | link.mask | than,
                    features=(("operator:than_row", 1.0), ("link:loss", 1 - link.score)),
                    name="than_row", option="<" if less else ">", columns=(link.column.name,),
                )  # fmt: skip
