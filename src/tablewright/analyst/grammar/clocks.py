"""Candidate tests of times of day: before, after or at a time, in columns that hold times or moments."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.amounts import OPS, Op
from tablewright.analyst.grammar.scene import Scene, gap
from tablewright.analyst.grammar.semantics import ConditionPart, Features, mask_of
from tablewright.analyst.plan import Col, Compare, Expr, Lit

_NEAR = 3
_HOURS, _MINUTES = 24, 60
MOST_COLUMNS = 3


def clock_conditions(scene: Scene) -> Iterator[ConditionPart]:
    """Yield the tests of times of day."""
    timed = [column.name for column in scene.facts.columns if column.kind == "time"][:MOST_COLUMNS]
    for start, end, hours, minutes in _clocks(scene):
        span = mask_of(start, end)
        for word in scene.of("before", "after", "compare"):
            near = gap(word.start, word.end, start, end) <= _NEAR and not word.mask & span
            if not near or word.meaning in {"=", "!="}:
                continue
            op: Op = OPS.get(word.meaning) or ("<" if word.type == "before" else ">")
            for name, mask, features in _columns(scene, timed, span | word.mask):
                of: Expr = Col(name=name)
                where = Compare(op=op, left=of, right=Lit(value=f"{hours:02}:{minutes:02}"))
                said = (*features, ("condition:clock", 1.0))
                yield ConditionPart(mask=span | word.mask | mask, features=said, where=where, column=name, start=start)


def _clocks(scene: Scene) -> Iterator[tuple[int, int, int, int]]:
    """Yield times as (first token, end, hours, minutes)."""
    tokens = scene.tokens
    for place, token in enumerate(tokens):
        if token.kind != "number" or not token.norm.isdecimal() or int(token.norm) >= _HOURS:
            continue
        behind = tokens[place + 1 : place + 3]
        if len(behind) == 2 and behind[0].norm in {":", "："} and behind[1].norm.isdecimal():
            if int(behind[1].norm) < _MINUTES:
                yield place, place + 3, int(token.norm), int(behind[1].norm)
        else:
            for word in scene.of("clock"):
                if word.start == place + 1:
                    yield place, word.end, int(token.norm), 0


def _columns(scene: Scene, timed: list[str], taken: int) -> Iterator[tuple[str, int, Features]]:
    for place, name in enumerate(timed):
        yield name, 0, (("implied:date", 1.0), ("implied:date_place", float(place)))
        for link in scene.links:
            if link.column.name == name and not link.mask & taken:
                yield name, link.mask, (("date:named", 1.0), ("link:loss", 1 - link.score))
