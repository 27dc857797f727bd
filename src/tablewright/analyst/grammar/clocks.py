"""Candidate tests of times of day: before, after or at a time, in columns that hold times or moments."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.amounts import OPS, Op
from tablewright.analyst.grammar.scene import Scene, gap
from tablewright.analyst.grammar.semantics import ConditionPart, Features, mask_of, union
from tablewright.analyst.plan import Bucket, Col, Compare, Lit

_NEAR = 3
_HOURS, _NOON, _MINUTES = 24, 12, 60
MOST_COLUMNS = 3


def clock_conditions(scene: Scene) -> Iterator[ConditionPart]:
    """Yield the tests of times of day."""
    timed = [column.name for column in scene.facts.columns if column.kind == "time"][:MOST_COLUMNS]
    moments = [column.name for column in scene.facts.columns if column.kind == "datetime"][:MOST_COLUMNS]
    for span, hours, minutes in _clocks(scene):
        start, end = (span & -span).bit_length() - 1, span.bit_length()
        for word in scene.of("before", "after", "compare"):
            near = gap(word.start, word.end, start, end) <= _NEAR and not word.mask & span
            if not near or word.meaning in {"=", "!="}:
                continue
            op: Op = OPS.get(word.meaning) or ("<" if word.type == "before" else ">")
            for name, mask, features in _columns(scene, timed, span | word.mask):
                where = Compare(op=op, left=Col(name=name), right=Lit(value=f"{hours:02}:{minutes:02}"))
                said = (*features, ("condition:clock", 1.0))
                yield ConditionPart(mask=span | word.mask | mask, features=said, where=where, column=name, start=start)
            for name, mask, features in _columns(scene, moments, span | word.mask) if not minutes else ():
                hour = Bucket(of=Col(name=name), unit="hour")
                where = Compare(op=">=" if op in {">", ">="} else "<", left=hour, right=Lit(value=hours))
                said = (*features, ("condition:clock", 1.0), ("clock:moment", 1.0))
                yield ConditionPart(mask=span | word.mask | mask, features=said, where=where, column=name, start=start)


def _clocks(scene: Scene) -> Iterator[tuple[int, int, int]]:
    """Yield times as (words, hours, minutes)."""
    tokens = scene.tokens
    for place, token in enumerate(tokens):
        if token.kind != "number" or not token.norm.isdecimal() or int(token.norm) >= _HOURS:
            continue
        behind = tokens[place + 1 : place + 3]
        hours = int(token.norm)
        if len(behind) == 2 and behind[0].norm in {":", "："} and behind[1].norm.isdecimal():
            if int(behind[1].norm) < _MINUTES:
                yield _in_half(scene, mask_of(place, place + 3), hours, int(behind[1].norm))
        else:
            for word in scene.of("clock", "half_day"):
                if word.start == place + 1:
                    yield _in_half(scene, mask_of(place, word.end), hours, 0)


def _in_half(scene: Scene, span: int, hours: int, minutes: int) -> tuple[int, int, int]:
    """Return a time with the words beside it for the half of the day, as counted from midnight."""
    start, end = (span & -span).bit_length() - 1, span.bit_length()
    halves = [
        word
        for word in scene.of("half_day")
        if word.end == start or 0 <= word.start - end <= 1 or start <= word.start < end
    ]
    if halves:  # the hours of a half begin with twelve
        hours = hours % _NOON + _NOON * (halves[0].meaning == "pm") if hours <= _NOON else hours
    return span | union(word.mask for word in halves), hours, minutes


def _columns(scene: Scene, timed: list[str], taken: int) -> Iterator[tuple[str, int, Features]]:
    for place, name in enumerate(timed):
        yield name, 0, (("implied:date", 1.0), ("implied:date_place", float(place)))
        for link in scene.links:
            if link.column.name == name and not link.mask & taken:
                yield name, link.mask, (("date:named", 1.0), ("link:loss", 1 - link.score))
