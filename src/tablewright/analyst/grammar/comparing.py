"""Candidate tests of one column against another: said between them, before them, or of dates by one name alone."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.amounts import OPS, Op
from tablewright.analyst.grammar.lexicon import words
from tablewright.analyst.grammar.scene import ColumnLink, Scene, gap
from tablewright.analyst.grammar.semantics import ConditionPart, Features, Word
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.plan import Col, Compare

_AFTER = 3
_APART = 6
_FEW = 4
_COMPARED = frozenset({"number", "date"})


def columns_compared(scene: Scene) -> Iterator[ConditionPart]:
    """Yield the tests of two columns of one kind against each other."""
    links = [link for link in scene.links if link.column.role in _COMPARED]
    yield from _between(scene, links)
    yield from _than(scene, links)
    yield from _alone(scene, links)
    yield from _late(scene)


def _side(word: Word) -> Op:
    return OPS.get(word.meaning) or ("<" if word.type == "before" else ">")


def _part(op: Op, left: str, right: str, mask: int, start: int, features: Features) -> ConditionPart:
    where = Compare(op=op, left=Col(name=left), right=Col(name=right))
    said = (("condition:columns", 1.0), *features)
    return ConditionPart(mask=mask, features=said, where=where, column=left, start=start)


def _alike(left: ColumnLink, right: ColumnLink) -> bool:
    return left.column is not right.column and left.column.role == right.column.role and not left.mask & right.mask


def _between(scene: Scene, links: list[ColumnLink]) -> Iterator[ConditionPart]:
    for word in scene.of("compare", "before", "after"):
        for left in (link for link in links if link.end <= word.start and word.start - link.end <= _AFTER):
            for right in (link for link in links if link.start >= word.end and link.start - word.end <= _AFTER):
                if _alike(left, right):
                    features: Features = (("link:loss", 2 - left.score - right.score),)
                    mask = word.mask | left.mask | right.mask
                    yield _part(_side(word), left.column.name, right.column.name, mask, left.start, features)


def _than(scene: Scene, links: list[ColumnLink]) -> Iterator[ConditionPart]:
    """Yield columns with `than` between them and the comparison before or behind both."""
    for than in scene.of("than"):
        for word in scene.of("comparative", "superlative"):
            if word.mask & than.mask:
                continue
            for left in links:
                for right in links:
                    near = 0 <= than.start - left.end <= _AFTER and 0 <= right.start - than.end <= _AFTER
                    beside = gap(word.start, word.end, left.start, right.end) <= _APART
                    taken = (left.mask | right.mask) & (word.mask | than.mask)
                    if near and beside and not taken and _alike(left, right):
                        op: Op = "<" if word.meaning == "min" else ">"
                        features = (("columns:than", 1.0), ("link:loss", 2 - left.score - right.score))
                        mask = word.mask | than.mask | left.mask | right.mask
                        yield _part(op, left.column.name, right.column.name, mask, left.start, features)


def _alone(scene: Scene, links: list[ColumnLink]) -> Iterator[ConditionPart]:
    """Yield other dates before or after a date that is named right behind the word."""
    dates = [column for column in scene.columns if column.role == "date"][:_FEW]
    for word in scene.of("compare", "before", "after"):
        behind = [link for link in links if link.column.role == "date" and 0 <= link.start - word.end <= 1]
        for right in behind:
            for place, column in enumerate(one for one in dates if one is not right.column):
                named = [link for link in links if link.column is column and not link.mask & (right.mask | word.mask)]
                mask = word.mask | right.mask
                for link in named[:1]:
                    mask |= link.mask
                features: Features = (
                    ("columns:implied", float(not named)),
                    ("columns:place", float(place)),
                    ("link:loss", 1 - right.score + (1 - named[0].score if named else 0.0)),
                )
                yield _part(_side(word), column.name, right.column.name, mask, word.start, features)


def _late(scene: Scene) -> Iterator[ConditionPart]:
    """Yield what is late or on time: a date after or before another, above all before the one that was promised."""
    late = scene.of("late")
    if not late:
        return
    dates = [column for column in scene.columns if column.role == "date"][:_FEW]
    promised = {
        column.name for column in dates if any(word.type == "promised" for word in words(tokenize(column.name)))
    }
    for word in late:
        for due in dates:
            for done in dates:
                if due is done:
                    continue
                features: Features = (
                    ("columns:late", 1.0),
                    ("late:promised", float(due.name in promised)),
                    ("late:turned", float(done.name in promised)),
                    ("late:backwards", float(done.place < due.place)),
                    ("late:neighbours", float(abs(done.place - due.place) == 1)),
                )
                op = OPS[word.meaning]
                yield _part(op, done.name, due.name, word.mask, word.start, features)
