"""Candidate measures: rows, distinct things, aggregates, rates of a condition, ratios of two amounts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import get_args

from tablewright.analyst.grammar.expressions import SaidExpression, amounts_said
from tablewright.analyst.grammar.formulas import is_ratio
from tablewright.analyst.grammar.paired import paired
from tablewright.analyst.grammar.scene import ColumnLink, Scene, gap
from tablewright.analyst.grammar.semantics import ConditionPart, Features, MeasurePart, Word, mask_of
from tablewright.analyst.plan import AggregateName, Col, Math

_COUNTED = 2
MOST_RATES = 14
FUNCTIONS: frozenset[str] = frozenset(get_args(AggregateName))


def measures(scene: Scene, tests: Sequence[ConditionPart]) -> list[MeasurePart]:
    """Return every measure that the question may ask for."""
    said = amounts_said(scene)
    found = [*_counts(scene), *_aggregates(scene, said), *_bare(said), *_rates(scene, tests), *_ratios(scene, said)]
    found += [*_quotients(scene), *paired(scene)]
    found.append(MeasurePart(mask=0, features=(("measure:count", 1.0), ("implied:count", 1.0)), kind="rows"))
    return found


def _counts(scene: Scene) -> Iterator[MeasurePart]:
    for word in scene.of("count"):
        yield MeasurePart(mask=word.mask, features=(("measure:count", 1.0),), kind="rows")
        for total in scene.of("aggregate"):
            if total.meaning == "sum" and not total.mask & word.mask:
                yield MeasurePart(mask=word.mask | total.mask, features=(("measure:count", 1.0),), kind="rows")
        for link in scene.links:
            if link.mask & word.mask or gap(link.start, link.end, word.start, word.end) > _COUNTED:
                continue
            features: Features = (
                ("link:loss", 1 - link.score),
                (f"counted:{link.column.role}", 1.0),
                ("counted:unique", float(link.column.unique)),
                ("counted:behind", float(link.start > word.start)),
                ("counted:each", float(_is_key(scene, word, link))),
            )
            yield MeasurePart(
                mask=word.mask | link.mask,
                features=(("measure:count_noun", 1.0), *features),
                kind="rows",
            )
            if link.column.role != "number" or link.column.identifies or link.column.year:
                yield MeasurePart(
                    mask=word.mask | link.mask,
                    features=(("measure:distinct_implied", 1.0), *features),
                    kind="distinct",
                    function="count_distinct",
                    of=Col(name=link.column.name),
                    column=link.column.name,
                )
    yield from _distinct(scene)


def _is_key(scene: Scene, word: Word, link: ColumnLink) -> bool:
    """Whether a word such as "per" stands between what is counted and the column."""
    return any(word.end <= each.start and each.end <= link.start for each in scene.of("each", "per"))


def _distinct(scene: Scene) -> Iterator[MeasurePart]:
    for word in scene.of("distinct"):
        counts = [count for count in scene.of("count") if not count.mask & word.mask]
        for link in scene.links:
            if link.mask & word.mask or gap(link.start, link.end, word.start, word.end) > _COUNTED:
                continue
            for count in counts[:2]:
                if not count.mask & link.mask:
                    yield MeasurePart(
                        mask=word.mask | link.mask | count.mask,
                        features=(("measure:distinct", 1.0), ("link:loss", 1 - link.score)),
                        kind="distinct",
                        function="count_distinct",
                        of=Col(name=link.column.name),
                        column=link.column.name,
                    )


def _aggregates(scene: Scene, said: Sequence[SaidExpression]) -> Iterator[MeasurePart]:
    for word in scene.of("aggregate"):
        if word.meaning not in FUNCTIONS:
            continue
        for one in said:
            if one.mask & word.mask:
                continue
            yield _aggregate(word, one)
        yield from _dates(scene, word)
        yield from _shared(scene, word, said)


def _shared(scene: Scene, word: Word, said: Sequence[SaidExpression]) -> Iterator[MeasurePart]:
    """Yield the aggregate of a column that is named once for several aggregates."""
    if len({one.start for one in scene.of("aggregate")}) < len(("one", "other")):
        return
    for one in said:
        if one.how == "named" and not one.mask & word.mask:
            part = _aggregate(word, one)
            yield replace(part, mask=word.mask, features=(*part.features, ("measure:shared", 1.0)))


def _aggregate(word: Word, one: SaidExpression) -> MeasurePart:
    name = _function(word.meaning)
    far = gap(one.start, one.end, word.start, word.end) if one.mask else 0
    features: Features = (
        (f"measure:{name}", 1.0),
        (f"amount:{one.how}", 1.0),
        ("measure:sum_of_level", float(name == "sum" and one.adds is False)),
        ("measure:sum_of_amount", float(name == "sum" and one.adds is True)),
        ("measure:distance", min(far, 8) / 4),
        *one.features,
    )
    return MeasurePart(
        mask=word.mask | one.mask, features=features, kind="aggregate", function=name, of=one.of, column=one.column,
        argument=0.9 if name == "quantile" else None,
    )  # fmt: skip


def _function(meaning: str) -> AggregateName:
    for name in get_args(AggregateName):
        if name == meaning:
            return name  # type: ignore[no-any-return]
    raise KeyError(meaning)


def _dates(scene: Scene, word: Word) -> Iterator[MeasurePart]:
    if word.meaning not in {"min", "max"}:
        return
    for link in scene.links:
        if link.column.role == "date" and not link.mask & word.mask:
            yield MeasurePart(
                mask=word.mask | link.mask,
                features=(("measure:date_extreme", 1.0), ("link:loss", 1 - link.score)),
                kind="aggregate",
                function="min" if word.meaning == "min" else "max",
                of=Col(name=link.column.name),
                column=link.column.name,
            )


def _bare(said: Sequence[SaidExpression]) -> Iterator[MeasurePart]:
    """Yield amounts summed and levels averaged without a word for it."""
    for one in said:
        for name in ("sum", "mean"):
            features: Features = (
                (f"measure:bare_{name}", 1.0),
                (f"amount:{one.how}", 1.0),
                (f"bare_{name}:amount", float(one.adds is True)),
                (f"bare_{name}:level", float(one.adds is False)),
                *one.features,
            )
            yield MeasurePart(
                mask=one.mask, features=features, kind="aggregate", function=_function(name), of=one.of,
                column=one.column,
            )  # fmt: skip


def _rates(scene: Scene, tests: Sequence[ConditionPart]) -> Iterator[MeasurePart]:
    words = scene.of("share")
    said = amounts_said(scene)
    amounts = [one for one in said if one.how in {"named", "product"} and one.adds is not False][:3]
    amounts += [one for one in said if one.how in {"hinted", "implied"} and one.adds][:2]
    for word in words:
        for test in tests[: MOST_RATES * 2]:
            if test.mask & word.mask:
                continue
            features: Features = (("measure:rate", 1.0), *test.features)
            yield MeasurePart(
                mask=word.mask | test.mask, features=features, kind="rate", where=test.where, column=test.column
            )
            for one in amounts:
                if not one.mask & (word.mask | test.mask):
                    yield MeasurePart(
                        mask=word.mask | test.mask | one.mask,
                        features=(("measure:rate_of_amount", 1.0), *test.features, *one.features),
                        kind="rate",
                        function="sum",
                        where=test.where,
                        of=one.of,
                        column=one.column,
                    )


def _ratios(scene: Scene, said: Sequence[SaidExpression]) -> Iterator[MeasurePart]:
    yield from _ratios_of_counts(scene)
    named = [_with_sum(scene, one) for one in said if one.how == "named"]
    for word in scene.of("per", "each", "share"):
        for above in named:
            for below in named:
                apart = not above.mask & below.mask and not (above.mask | below.mask) & word.mask
                if word.type == "each" and not 0 <= below.start - word.end <= 1:
                    continue
                if above.column != below.column and apart:
                    features: Features = (("measure:ratio", 1.0), *above.features, *below.features)
                    features += (("ratio:levels", float(above.adds is False or below.adds is False)),)
                    features += (("ratio:turned", float(above.start > below.start)),)
                    yield MeasurePart(
                        mask=word.mask | above.mask | below.mask | _mean_before(scene, above), features=features,
                        kind="ratio", function="sum", of=above.of, column=above.column, below=below.of,
                    )  # fmt: skip


def _quotients(scene: Scene) -> Iterator[MeasurePart]:
    """Yield the quotients that words of the tenant stand for, of sums."""
    for word in scene.formulas:
        if is_ratio(word.of) and isinstance(word.of, Math):
            yield MeasurePart(
                mask=mask_of(word.start, word.end), features=(("measure:ratio", 1.0),), kind="ratio", function="sum",
                of=word.of.left, column=word.phrase, below=word.of.right,
            )  # fmt: skip


def _with_sum(scene: Scene, one: SaidExpression) -> SaidExpression:
    """Return an amount with the word beside it that says that it is summed."""
    sums = [word for word in scene.of("aggregate") if word.meaning == "sum" and _touches(word, one)]
    return replace(one, mask=one.mask | sums[0].mask) if sums else one


def _touches(word: Word, one: SaidExpression) -> bool:
    return word.end == one.start or word.start == one.end


def _mean_before(scene: Scene, one: SaidExpression) -> int:
    """Return the mask of the word right before an amount that says that it is averaged."""
    means = [word.mask for word in scene.of("aggregate") if word.meaning == "mean" and word.end == one.start]
    return means[0] if means else 0


def _ratios_of_counts(scene: Scene) -> Iterator[MeasurePart]:
    """Yield how many rows have the one of two columns, per row that has the other."""
    links = [link for link in scene.links if link.column.missing or link.column.role == "date"][:6]
    for word in scene.of("per", "share"):
        for above in links:
            for below in links:
                apart = not above.mask & below.mask and not (above.mask | below.mask) & word.mask
                if above.column is not below.column and apart and above.start < below.start:
                    features: Features = (
                        ("measure:ratio_of_counts", 1.0),
                        ("link:loss", 2 - above.score - below.score),
                    )
                    yield MeasurePart(
                        mask=word.mask | above.mask | below.mask, features=features, kind="ratio", function="count",
                        of=Col(name=above.column.name), column=above.column.name, below=Col(name=below.column.name),
                    )  # fmt: skip
