"""Candidate measures of two columns, or of two ends of one: how far sums are apart or grew, first and last."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.scene import ColumnLink, Scene
from tablewright.analyst.grammar.semantics import Features, MeasurePart, Word
from tablewright.analyst.plan import Col

MOST = 6


def paired(scene: Scene) -> Iterator[MeasurePart]:
    """Yield gaps and changes between two amounts, and least and greatest values at once."""
    yield from _apart(scene)
    yield from _ends(scene)
    yield from _spreads(scene)


def _apart(scene: Scene) -> Iterator[MeasurePart]:
    links = [link for link in scene.links if link.column.role == "number" and not link.column.identifies][:MOST]
    for word in scene.of("difference", "growth", "minus")[:4]:
        change = word.type == "growth"
        mask = word.mask
        for other in scene.of("share", "aggregate") if change else ():
            mask |= other.mask if other.meaning in {"", "sum"} else 0
        for left in links:
            for right in links:
                apart = left.column is not right.column and not left.mask & right.mask
                if left.start < right.start and apart and not (left.mask | right.mask) & mask:
                    yield _between(left, right, word, mask, change=change)


def _between(left: ColumnLink, right: ColumnLink, word: Word, mask: int, *, change: bool) -> MeasurePart:
    turned = change and left.column.place > right.column.place
    first, second = (right, left) if turned else (left, right)
    features: Features = (
        ("measure:change" if change else "measure:gap", 1.0),
        ("link:loss", 2 - left.score - right.score),
        ("paired:levels", float(left.column.adds is False or right.column.adds is False)),
        ("paired:minus", float(word.type == "minus")),
    )
    return MeasurePart(
        mask=mask | left.mask | right.mask, features=features, kind="change" if change else "gap", function="sum",
        of=Col(name=first.column.name), column=first.column.name, below=Col(name=second.column.name),
    )  # fmt: skip


def _ends(scene: Scene) -> Iterator[MeasurePart]:
    dates = [column for column in scene.columns if column.role == "date"][:2]
    for word in scene.of("both_ends"):
        mask = word.mask
        for unit in scene.of("unit"):
            mask |= unit.mask if 0 <= unit.start - word.end <= 1 else 0
        for link in scene.links:
            if link.column.role in {"number", "date"} and not link.mask & word.mask:
                features: Features = (("measure:span", 1.0), ("link:loss", 1 - link.score))
                yield MeasurePart(
                    mask=mask | link.mask, features=features, kind="span", function="min",
                    of=Col(name=link.column.name), column=link.column.name,
                )  # fmt: skip
        for place, column in enumerate(dates):
            yield MeasurePart(
                mask=mask, features=(("measure:span", 1.0), ("implied:date_place", float(place))), kind="span",
                function="min", of=Col(name=column.name), column=column.name,
            )  # fmt: skip


def _one_word(scene: Scene, mask: int) -> bool:
    """Return whether these tokens are within one word, as those of `biggest first` are, which says an order."""
    return any(word.mask & mask == mask for word in scene.words)


def _spreads(scene: Scene) -> Iterator[MeasurePart]:
    """Yield how far the greatest and the least value of a column are apart."""
    highest = [word for word in scene.of("superlative", "aggregate") if word.meaning == "max"][:3]
    lowest = [word for word in scene.of("superlative", "aggregate") if word.meaning == "min"][:3]
    for word in scene.of("difference", "more_than", "comparative")[:3]:
        for high in highest:
            for low in lowest:
                mask = word.mask | high.mask | low.mask
                if high.mask & low.mask or (high.mask | low.mask) & word.mask or _one_word(scene, high.mask | low.mask):
                    continue
                for link in scene.links:
                    if link.column.role == "number" and not link.mask & mask:
                        same = [one for one in scene.links if one.column is link.column and not one.mask & mask]
                        said = mask
                        for one in same:
                            said |= one.mask
                        features: Features = (("measure:spread", 1.0), ("link:loss", 1 - link.score))
                        yield MeasurePart(
                            mask=said, features=features, kind="aggregate", function="range",
                            of=Col(name=link.column.name), column=link.column.name,
                        )  # fmt: skip
