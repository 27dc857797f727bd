"""Questions that go on from the one before them (`and by region?`, `那华北呢`, `as a pie chart`): the earlier reading
with some of its slots filled anew, scored like any other reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, get_args

from tablewright.analyst.grammar.aggregating import of_period
from tablewright.analyst.grammar.frames import FRAMES, Frame, Slot
from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.search import Search, State
from tablewright.analyst.grammar.semantics import (
    AnyPart,
    ConditionPart,
    Features,
    HavingPart,
    KeyPart,
    MeasurePart,
    OperatorPart,
    OrderPart,
    ProjectionPart,
)
from tablewright.analyst.plan import AggregateName

MOST = 120
"""So many readings go on from the earlier question."""
BASES = 4
"""So many readings of the earlier question are gone on from."""
LONGEST = 20
"""A question of more words stands by itself."""
_LONG, _SHORT = 9, 3
_ASKING = ("wh", "count", "aggregate", "list", "yes", "share", "difference", "look", "describe")
"""Words with which a question stands by itself."""
_SLOTS: dict[type[Any], Slot] = {
    MeasurePart: "measure", KeyPart: "key", ProjectionPart: "projection", HavingPart: "having",
    OperatorPart: "operator",
}  # fmt: skip
_DROPPED: tuple[tuple[Slot, ...], ...] = (
    (), ("sorting",), ("projection",), ("extreme",), ("extreme", "projection"), ("projection", "sorting"),
    ("key",), ("having",), ("operator",), ("key", "extreme"), ("key", "sorting"),
)  # fmt: skip
"""What of the earlier reading is given up where it does not go with what is new, the least first."""
Spanned = TypeVar("Spanned", bound=Any)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Slots as they were filled with the words of a scene. `free` are words that need no part beside those that never
    do, `spared` is what covering all words would spare, and `features` are those of going on."""

    seen: Scene
    state: State
    spared: float
    free: int = 0
    features: Features = ()


def may_follow(seen: Scene) -> bool:
    """Return whether a question is short enough to go on from another."""
    return _size(seen) <= LONGEST


def _size(seen: Scene) -> int:
    return sum(token.kind != "mark" for token in seen.tokens)


def followed(before: Sequence[Read], search: Search) -> list[Read]:
    """Return the likeliest readings of a question that goes on from an earlier one, which was read as `before`."""
    return sorted(_followed(before, search), key=lambda one: one.spared - one.state.score)[:MOST]


def _followed(before: Sequence[Read], search: Search) -> Iterator[Read]:
    seen = search.scene
    drawn = bool(seen.of("chart"))
    free = 0
    for word in seen.of("follow"):
        free |= word.mask
    best = max((one.state.score - one.spared for one in before), default=0.0)
    changes = search.changes()
    asks = _size(seen) > _SHORT and bool(seen.of(*_ASKING))
    features: Features = (
        ("follow:said", float(bool(free))),
        ("follow:unsaid", float(asks and not free)),
        ("follow:fragment", float(not asks)),
        ("follow:long", float(max(0, _size(seen) - _LONG))),
        ("follow:before", -best),
    )
    wholes: dict[int, Scene] = {}
    for base in before[:BASES]:
        whole = wholes.setdefault(id(base.seen), _joined(base.seen, seen))
        shift = len(base.seen.tokens)
        kept = base.free | (free << shift) | (_chart(base.seen) if drawn else 0)
        for change in [*changes, *_functions(base.state, seen)]:
            if not change.mask and not drawn:
                continue
            for state, replaced, more in _merged(base.state, change, shift):
                yield Read(
                    seen=whole, state=state, spared=base.spared + search.spared, free=kept | replaced,
                    features=(*features, *more),
                )  # fmt: skip


def _joined(before: Scene, after: Scene) -> Scene:
    """Return both questions as one, the later behind the earlier; a chart that is asked for anew is the only one."""
    shift = len(before.tokens)
    earlier = before.words
    if after.of("chart"):
        earlier = tuple(word for word in earlier if word.type != "chart")
    return replace(
        before,
        question=f"{before.question}\n{after.question}",
        tokens=(*before.tokens, *after.tokens),
        words=(*earlier, *_moved(after.words, shift)),
        links=(*before.links, *_moved(after.links, shift)),
        cells=(*before.cells, *_moved(after.cells, shift)),
        numbers=(*before.numbers, *_moved(after.numbers, shift)),
        periods=(*before.periods, *_moved(after.periods, shift)),
        quoted=(*before.quoted, *((start + shift, end + shift) for start, end in after.quoted)),
        typos=before.typos | {place + shift for place in after.typos},
        tests=(*before.tests, *_moved(after.tests, shift)),
        formulas=(*before.formulas, *_moved(after.formulas, shift)),
        defined=before.defined | after.defined << shift,
    )


def _moved(spans: Sequence[Spanned], shift: int) -> tuple[Spanned, ...]:
    return tuple(replace(one, start=one.start + shift, end=one.end + shift) for one in spans)


def _chart(seen: Scene) -> int:
    mask = 0
    for word in seen.of("chart", "distribution"):
        mask |= word.mask
    return mask


def _functions(base: State, seen: Scene) -> Iterator[State]:
    """Yield the earlier measure by another aggregate: `and the average?`."""
    measure = next((part for part in base.parts if isinstance(part, MeasurePart)), None)
    if measure is None or measure.kind != "aggregate":
        return
    for word in seen.of("aggregate"):
        name = next((one for one in get_args(AggregateName) if one == word.meaning), None)
        if name is not None:
            features: Features = ((f"measure:{name}", 1.0), ("follow:function", 1.0))
            other = replace(measure, mask=word.mask, features=features, function=name, argument=None)
            yield State(0.0, word.mask, (), (other,))


def _merged(base: State, change: State, shift: int) -> Iterator[tuple[State, int, Features]]:
    """Yield the earlier slots with the new ones in their place or beside them, the words of the parts that are
    replaced, and features."""
    new = [_shifted(part, shift) for part in change.parts if part is not None]
    tests = [_shifted(test, shift) for test in change.conditions]
    columns = {test.column for test in tests} | {part.column for part in new if isinstance(part, KeyPart)}
    timed = any(map(of_period, tests))
    kept = [test for test in base.conditions if test.column not in columns and not (timed and of_period(test))]
    earlier = [part for part in base.parts if part is not None]
    for beside in (False, True):
        if beside and not any(isinstance(part, KeyPart | ProjectionPart) for part in new):
            continue
        parts = _replaced(earlier, new, beside=beside)
        for dropped in _DROPPED:
            rest = [part for part in parts if part in new or _slot(part) not in dropped]
            if dropped and len(rest) == len(parts):
                continue
            pool = tuple(rest)
            states = list(_filled((*kept, *tests), pool, base, change))
            if states:
                lost = [part for part in (*base.conditions, *earlier) if part not in (*kept, *pool)]
                replaced = _union(lost)
                said: Features = (
                    ("follow:beside", float(beside)),
                    ("follow:dropped", float(len(parts) - len(rest))),
                    ("follow:condition", float(bool(tests))),
                )
                yield from ((state, replaced, said) for state in states)
                break


def _replaced(earlier: Sequence[AnyPart], new: Sequence[AnyPart], *, beside: bool) -> list[AnyPart]:
    """Return the parts of both; what is new stands in the place of what was said of its slot before, keys and shown
    columns `beside` it if so."""
    slots = {_slot(part) for part in new}
    if slots & {"extreme", "sorting"}:
        slots |= {"extreme", "sorting"}
    if beside:
        slots -= {"key", "projection"}
    by = next((part.by for part in earlier if isinstance(part, OrderPart) and part.count is not None), None)
    told = [replace(part, by=by) if isinstance(part, OrderPart) and part.by is None and by else part for part in new]
    return [*(part for part in earlier if _slot(part) not in slots), *told]


def _filled(
    conditions: tuple[ConditionPart, ...], pool: tuple[AnyPart, ...], base: State, change: State
) -> Iterator[State]:
    """Yield the kinds of answers that have a slot for each of the parts."""
    score = base.score + change.score
    mask = _union([*conditions, *pool])
    for frame in FRAMES:
        parts = _in_slots(frame, conditions, pool)
        if parts is not None and frame.takes(conditions):
            yield State(score, mask, conditions, parts, frame)


def _in_slots(
    frame: Frame, conditions: tuple[ConditionPart, ...], pool: tuple[AnyPart, ...]
) -> tuple[AnyPart | None, ...] | None:
    rest, parts = list(pool), list[AnyPart | None]()
    for slot, optional in frame.slots:
        fitting = (part for part in rest if _slot(part) == slot and frame.fits(conditions, tuple(parts), part))
        found = next(fitting, None)
        if found is None and not optional:
            return None
        parts.append(found)
        if found is not None:
            rest.remove(found)
    return None if rest else tuple(parts)


def _slot(part: AnyPart) -> Slot:
    if isinstance(part, OrderPart):
        return "sorting" if part.count is None else "extreme"
    return _SLOTS[type(part)]


def _shifted(part: Spanned, shift: int) -> Spanned:
    moved = replace(part, mask=part.mask << shift)
    return replace(moved, start=moved.start + shift) if hasattr(moved, "start") else moved


def _union(parts: Sequence[AnyPart]) -> int:
    mask = 0
    for part in parts:
        mask |= part.mask
    return mask
