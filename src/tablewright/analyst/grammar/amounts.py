"""Candidate tests of numbers: a column above, below or equal to a number, an average or another column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from tablewright.analyst.grammar.expressions import SaidExpression, amounts_said
from tablewright.analyst.grammar.scene import Scene, gap
from tablewright.analyst.grammar.semantics import ConditionPart, Features, HavingPart, mask_of
from tablewright.analyst.grammar.units import unit_features
from tablewright.analyst.linking.mentions import NumberMention
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.plan import Between, Col, Compare, Condition, Lit, Statistic

Op = Literal["=", "!=", "<", "<=", ">", ">="]
OPS: dict[str, Op] = {"=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_BEFORE = 2
_AFTER = 3
_FAR = 8
_SIZES = {"万": 1e4, "亿": 1e8, "million": 1e6, "billion": 1e9, "thousand": 1e3, "k": 1e3, "m": 1e6}
MOST_COLUMNS = 4


def comparisons(scene: Scene) -> Iterator[ConditionPart]:
    """Yield the tests of numbers."""
    said = amounts_said(scene)
    for op, number, mask, start in compared(scene):
        for one in _candidates(said, mask, start, number.end):
            of = one.of
            features = (("condition:compare", 1.0), (f"compare:{one.how}", 1.0), *one.features)
            features += (("compare:distance", _far(one, start, number.end)), *unit_features(scene, number, of))
            for value, scaled in _scales(scene, one, number):
                where = Compare(op=op, left=of, right=Lit(value=value))
                yield _part(one, mask, start, (*features, *scaled), where, (value,) if op == "=" else ())
    yield from _labelled(scene)
    yield from _bare(scene, said)
    yield from _ranges(scene, said)
    yield from _statistics(scene, said)


def _scales(scene: Scene, one: SaidExpression, number: NumberMention) -> Iterator[tuple[int | float, Features]]:
    """Yield a number as it is said and, if it is said in millions or the like, as a column in millions holds it."""
    maximum = next((column.maximum for column in scene.facts.columns if column.name == one.column), None)
    highest = maximum if isinstance(maximum, int | float) else 0
    beyond = isinstance(one.of, Col) and 0 < highest < number.value
    yield number.value, (("number:beyond", float(beyond)),)
    size = next((_SIZES[t.norm] for t in scene.tokens[number.start : number.end] if t.norm in _SIZES), None)
    if size is not None and isinstance(one.of, Col):
        value = number.value / size
        yield (int(value) if value.is_integer() else value), (("number:scaled", 1.0),)


def _part(
    one: SaidExpression, mask: int, start: int, features: Features, where: Condition, values: tuple[int | float, ...]
) -> ConditionPart:
    return ConditionPart(
        mask=mask | one.mask, features=features, where=where, column=one.column, start=start, values=values
    )


def _candidates(said: Sequence[SaidExpression], mask: int, start: int, end: int) -> list[SaidExpression]:
    free = [one for one in said if not one.mask & mask]
    return sorted(free, key=lambda one: (one.rank, gap(one.start, one.end, start, end)))[: MOST_COLUMNS + 2]


def _far(one: SaidExpression, start: int, end: int) -> float:
    """Return how far a named amount stands from its number, 0 to 1; nothing for one that is implied."""
    return min(gap(one.start, one.end, start, end), _FAR) / _FAR if one.mask else 0.0


def compared(scene: Scene) -> Iterator[tuple[Op, NumberMention, int, int]]:
    """Yield each number beside a comparator, as (operator, number, words, place)."""
    for number in scene.numbers:
        unit = _unit(scene, number)
        for word in scene.of("compare"):
            before = 0 <= number.start - word.end <= _BEFORE
            behind = 0 <= word.start - number.end <= _AFTER
            if (before or behind) and word.meaning in OPS:
                mask = word.mask | mask_of(number.start, number.end) | unit
                yield OPS[word.meaning], number, mask, min(word.start, number.start)


def _unit(scene: Scene, number: NumberMention) -> int:
    """Return the words right after a number that are its unit."""
    units = [word for word in scene.of("unit_word", "day_unit", "time_unit") if word.start == number.end]
    return max((word.mask for word in units), default=0)


def _labelled(scene: Scene) -> Iterator[ConditionPart]:
    """Yield numbers that tell things apart, said as the cells of a column are written: `3号楼`."""
    for number in scene.numbers:
        for column in scene.columns:
            unit = scene.facts.columns[column.place].unit
            if not unit or not column.identifies or column.role != "number":
                continue
            behind = tuple(token.norm for token in scene.tokens[number.end : number.end + len(unit)])
            written = [token.norm for token in tokenize(unit)]
            size = next((one for one in range(len(written), 0, -1) if list(behind[:one]) == written[:one]), 0)
            if size:
                mask = mask_of(number.start, number.end + size)
                features: Features = (("condition:value", 1.0), ("value:exact", 1.0))
                features += (("value:label_short", float(size < len(written))),)
                where = Compare(op="=", left=Col(name=column.name), right=Lit(value=number.value))
                yield ConditionPart(
                    mask=mask, features=features, where=where, column=column.name, start=number.start,
                    values=(number.value,),
                )  # fmt: skip


def _bare(scene: Scene, said: Sequence[SaidExpression]) -> Iterator[ConditionPart]:
    """Yield numbers that a column beside them equals."""
    for number in scene.numbers:
        for one in said:
            near = gap(one.start, one.end, number.start, number.end)
            if not one.mask or near > 2 or one.mask & mask_of(number.start, number.end):
                continue
            features = (("condition:equal", 1.0), ("equal:distance", float(near)), *one.features)
            where = Compare(op="=", left=one.of, right=Lit(value=number.value))
            yield _part(one, mask_of(number.start, number.end), number.start, features, where, (number.value,))
        if number.year:
            for column in scene.columns:
                if column.year:
                    where = Compare(op="=", left=Col(name=column.name), right=Lit(value=number.value))
                    yield ConditionPart(
                        mask=mask_of(number.start, number.end), features=(("condition:year", 1.0),), where=where,
                        column=column.name, start=number.start, values=(number.value,),
                    )  # fmt: skip


def _ranges(scene: Scene, said: Sequence[SaidExpression]) -> Iterator[ConditionPart]:
    for low, high in zip(scene.numbers, scene.numbers[1:], strict=False):
        if not 0 < high.start - low.end <= _AFTER or low.value >= high.value:
            continue
        words = scene.of("between", "between_end")
        near = [word for word in words if gap(word.start, word.end, low.start, high.end) <= _BEFORE]
        mask = mask_of(low.start, high.end) | _unit(scene, high)
        for word in near:
            mask |= word.mask
        for one in _candidates(said, mask, low.start, high.end):
            features = (("condition:range", 1.0), (f"compare:{one.how}", 1.0), *one.features)
            features += (("range:unsaid", 0.0 if near else 1.0), ("compare:distance", _far(one, low.start, high.end)))
            where = Between(of=one.of, low=low.value, high=high.value)
            yield _part(one, mask, low.start, features, where, ())


def _statistics(scene: Scene, said: Sequence[SaidExpression]) -> Iterator[ConditionPart]:
    """Yield columns above or below their average."""
    for word in scene.of("compare"):
        for mean in scene.of("aggregate"):
            if mean.meaning not in {"mean", "median"} or not 0 <= mean.start - word.end <= _BEFORE:
                continue
            mask = word.mask | mean.mask
            for one in _candidates(said, mask, word.start, mean.end):
                features = (("condition:statistic", 1.0), (f"compare:{one.how}", 1.0), *one.features)
                value = Statistic(name="mean" if mean.meaning == "mean" else "median", of=one.of)
                where = Compare(op=OPS[word.meaning], left=one.of, right=value)
                yield _part(one, mask, word.start, features, where, ())


def havings(scene: Scene) -> list[HavingPart]:
    """Return the numbers with which the measure of a group may be compared."""
    found = [
        HavingPart(mask=mask, features=(("having:said", 1.0),), op=op, value=float(number.value))
        for op, number, mask, _ in compared(scene)
    ]
    for number in scene.numbers:
        times = [word for word in scene.of("unit_word") if word.start == number.end]
        if times:
            mask = mask_of(number.start, number.end) | times[0].mask
            found.append(HavingPart(mask=mask, features=(("having:equal", 1.0),), op="=", value=float(number.value)))
    found += [
        HavingPart(mask=word.mask, features=(("having:repeat", 1.0),), op=">", value=1.0) for word in scene.of("repeat")
    ]
    return [*found, *_rivals(scene)]


def _rivals(scene: Scene) -> Iterator[HavingPart]:
    """Yield that a group's measure is above or below the average of all groups."""
    for mean in scene.of("rival"):
        for word in scene.of("compare", "comparative", "superlative"):
            if word.meaning not in {">", "<", "max", "min"} or gap(word.start, word.end, mean.start, mean.end) > _FAR:
                continue
            distance = gap(word.start, word.end, mean.start, mean.end) / _FAR
            features: Features = (("having:mean", 1.0), ("having:distance", distance))
            mask = word.mask | mean.mask
            for than in scene.of("than"):
                mask |= than.mask
            op: Op = ">" if word.meaning in {">", "max"} else "<"
            yield HavingPart(mask=mask, features=features, op=op, than="mean")
