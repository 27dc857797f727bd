"""Candidate tests of rows: cells, flags, missing cells and parts of texts that the question names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from tablewright.analyst.grammar.amounts import comparisons
from tablewright.analyst.grammar.clocks import clock_conditions
from tablewright.analyst.grammar.comparing import columns_compared
from tablewright.analyst.grammar.lexicon import means_nothing
from tablewright.analyst.grammar.months import cells_of_months
from tablewright.analyst.grammar.scene import Scene, gap
from tablewright.analyst.grammar.semantics import ConditionPart, Features, mask_of
from tablewright.analyst.grammar.texts import texts
from tablewright.analyst.grammar.times import time_conditions
from tablewright.analyst.linking.mentions import ValueMention
from tablewright.analyst.plan import AllOf, AnyOf, Col, Compare, Condition, Lit, Missing, Not, OneOf

MOST_PLACES = 4
NEAR = 3
NEGATED_NEAR = 5
MISSING_NEAR = 2
MOST_CELLS = 60
MOST_ALTERNATIVES = 10
MOST_MORE = 4


def conditions(scene: Scene) -> list[ConditionPart]:
    """Return every test that words of the question may mean, in order of place."""
    found = [*_cells(scene), *comparisons(scene), *time_conditions(scene), *_flags(scene)]
    found += [*_missing(scene), *texts(scene), *clock_conditions(scene), *_defined(scene), *columns_compared(scene)]
    found += _months(scene)
    found += [other for part in found for other in _negated(scene, part)]
    found += _alternatives(scene, found)
    return sorted(found, key=lambda part: part.start)


def _cells(scene: Scene) -> Iterator[ConditionPart]:
    for cell in scene.cells:
        places: dict[str, list[str]] = defaultdict(list)
        for column, value in cell.places:
            places[column].append(value)
        for column, values in list(places.items())[:MOST_PLACES]:
            if len(values) > MOST_CELLS:
                continue
            part = _cell(scene, cell, column, tuple(values), len(places))
            yield part
            for link in scene.links:
                near = gap(link.start, link.end, cell.start, cell.end) <= 2
                if near and link.column.name == column and not link.mask & part.mask:
                    yield replace(
                        part,
                        mask=part.mask | link.mask,
                        features=(*part.features, ("value:named", 1.0), ("link:loss", 1 - link.score)),
                    )


def _cell(scene: Scene, cell: ValueMention, column: str, values: tuple[str, ...], places: int) -> ConditionPart:
    of = Col(name=column)
    one = Compare(op="=", left=of, right=Lit(value=values[0]))
    where: Condition = one if len(values) == 1 else OneOf(of=of, values=values)
    features: Features = (
        ("condition:value", 1.0),
        (f"value:{cell.how}", 1.0),
        ("value:loss", 1.0 - cell.score),
        ("value:several", 1.0 if len(values) > 1 else 0.0),
        ("value:ambiguous", 1.0 if places > 1 else 0.0),
        ("value:named_like_column", 1.0 if _also_column(scene, cell) else 0.0),
        ("value:asked", 1.0 if _asked_before(scene, cell.start) else 0.0),
    )
    return ConditionPart(
        mask=mask_of(cell.start, cell.end), features=features, where=where, column=column, start=cell.start,
        values=values,
    )  # fmt: skip


def _asked_before(scene: Scene, place: int) -> bool:
    """Return whether a question word stands right before: what follows it is asked for, and no cell."""
    return any(word.end == place and word.meaning in {"which", "much"} for word in scene.of("wh"))


def _also_column(scene: Scene, cell: ValueMention) -> bool:
    return any(link.score >= 0.9 and link.mask & mask_of(cell.start, cell.end) for link in scene.links)


def _defined(scene: Scene) -> Iterator[ConditionPart]:
    """Yield the tests that words of the tenant stand for; they are as sure as cells that are named in full."""
    for word in scene.tests:
        features: Features = (("condition:value", 1.0), ("value:exact", 1.0))
        yield ConditionPart(
            mask=mask_of(word.start, word.end), features=features, where=word.where, column=word.column,
            start=word.start,
        )  # fmt: skip


def _months(scene: Scene) -> Iterator[ConditionPart]:
    """Yield the cells that are called by a month of the question (`4月月考`)."""
    for one, column, values in cells_of_months(scene.periods, scene.known):
        of = Col(name=column)
        alone = Compare(op="=", left=of, right=Lit(value=values[0]))
        features: Features = (("condition:value", 1.0), ("value:month", 1.0), ("value:several", float(len(values) > 1)))
        yield ConditionPart(
            mask=mask_of(one.start, one.end), features=features, column=column, start=one.start, values=values,
            where=alone if len(values) == 1 else OneOf(of=of, values=values),
        )  # fmt: skip


def _flags(scene: Scene) -> Iterator[ConditionPart]:
    for link in scene.links:
        if link.column.yes:
            of, (first, *others) = Col(name=link.column.name), link.column.yes
            where: Condition = Compare(op="=", left=of, right=Lit(value=first))
            where = OneOf(of=of, values=(first, *others)) if others else where
            features: Features = (("condition:flag", 1.0), ("link:loss", 1 - link.score))
            yield ConditionPart(
                mask=link.mask, features=features, where=where, column=link.column.name, start=link.start
            )


def _missing(scene: Scene) -> Iterator[ConditionPart]:
    """Yield that cells are missing or not; that something is not done says so too, where cells of it are missing."""
    for word in scene.of("missing", "present", "not"):
        said = word.type != "not"
        for link in scene.near(word.start, word.end, 3, list(scene.links)):
            far = gap(link.start, link.end, word.start, word.end)
            if far > NEGATED_NEAR or not (said or (link.column.missing and far <= MISSING_NEAR)):
                continue
            test = _nothing(scene, link.column.name)
            features: Features = (
                ("condition:missing", 1.0),
                ("missing:negated", float(not said)),
                ("missing:distance", float(far)),
                ("missing:none", 0.0 if link.column.missing else 1.0),
                ("link:loss", 1 - link.score),
            )
            yield ConditionPart(
                mask=word.mask | link.mask,
                features=features,
                where=Not(of=test) if word.type == "present" else test,
                column=link.column.name,
                start=min(word.start, link.start),
            )


def _nothing(scene: Scene, column: str) -> Condition:
    """Return that a cell of a column is empty, or says in a word that there is nothing."""
    of = Col(name=column)
    marks = tuple(cell for cell in scene.known.get(column, ()) if means_nothing(cell))
    if not marks:
        return Missing(of=of)
    return AnyOf(parts=(Missing(of=of), OneOf(of=of, values=marks)))


def _negated(scene: Scene, part: ConditionPart) -> Iterator[ConditionPart]:
    """Yield a test with each negation near it turned round."""
    if isinstance(part.where, Not):
        return
    places = [place for place in range(len(scene.tokens)) if part.mask >> place & 1]
    for word in scene.of("not"):
        away = gap(word.start, word.end, places[0], places[-1] + 1)
        if word.mask & part.mask or away > NEGATED_NEAR:
            continue
        features = (*part.features, ("condition:negated", 1.0), ("negation:distance", float(away)))
        features += (("negation:behind", 1.0 if word.start > places[0] else 0.0),)
        yield replace(
            part, mask=part.mask | word.mask, features=features, where=_not(part.where), negated=True, values=()
        )


def _alternatives(scene: Scene, tests: list[ConditionPart]) -> list[ConditionPart]:
    """Return pairs of tests with a word for `or` between them, of one column or of the same kind."""
    found = []
    for word in scene.of("or"):
        before = [part for part in tests if _end(part) <= word.start and word.start - _end(part) <= 1]
        behind = [part for part in tests if _start(part) >= word.end and _start(part) - word.end <= NEAR]
        for left in _widest(before):
            for right in _widest(behind):
                if not left.mask & right.mask and not (left.values and right.values and left.column == right.column):
                    features = (*left.features, *right.features, ("condition:or", 1.0))
                    features += (("or:kinds", float(_kind(left) != _kind(right))),)
                    features += (("or:columns", float(left.column != right.column)),)
                    either = replace(
                        left, mask=left.mask | right.mask | word.mask, features=features, values=(),
                        where=AnyOf(parts=(left.where, right.where)),
                    )  # fmt: skip
                    found.append(either)
                    found += _with_more(scene, tests, left, right, either)
    return found


def _with_more(
    scene: Scene, tests: list[ConditionPart], left: ConditionPart, right: ConditionPart, either: ConditionPart
) -> Iterator[ConditionPart]:
    """Yield what holds where a test and the one before it do, with a word for `and` between them, or another does."""
    for word in scene.of("and"):
        if not 0 <= _start(left) - word.end <= NEAR:
            continue
        before = [part for part in tests if 0 <= word.start - _end(part) <= 1 and not part.mask & either.mask]
        for more in _widest(before)[:MOST_MORE]:
            both = AllOf(parts=(more.where, left.where))
            yield replace(
                either, mask=either.mask | more.mask | word.mask, start=more.start,
                features=(*either.features, *more.features, ("or:all", 1.0)),
                where=AnyOf(parts=(both, right.where)),
            )  # fmt: skip


def _widest(tests: list[ConditionPart]) -> list[ConditionPart]:
    return sorted(tests, key=lambda part: -part.mask.bit_count())[:MOST_ALTERNATIVES]


def _kind(part: ConditionPart) -> str:
    return next((name for name, _ in part.features if name.startswith("condition:")), "")


def _start(part: ConditionPart) -> int:
    return (part.mask & -part.mask).bit_length() - 1


def _end(part: ConditionPart) -> int:
    return part.mask.bit_length()


def _not(where: Condition) -> Condition:
    if isinstance(where, Compare) and where.op == "=":
        return Compare(op="!=", left=where.left, right=where.right)
    return Not(of=where)
