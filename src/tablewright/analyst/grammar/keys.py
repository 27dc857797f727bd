"""Candidate keys of groups: columns, and dates by a unit of time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from tablewright.analyst.grammar.columns import ColumnView
from tablewright.analyst.grammar.months import only_months
from tablewright.analyst.grammar.scene import ColumnLink, Scene
from tablewright.analyst.grammar.semantics import Features, KeyPart, Word
from tablewright.analyst.plan import Bucket, Col, TimeUnit

_NEAR = 3
_ASKED = {"who": frozenset({"person", "name", "customer", "player", "driver", "doctor"}),
          "where": frozenset({"place", "region", "city", "country", "venue", "store", "address"}),
          "when": frozenset({"date", "year", "month"})}  # fmt: skip
MOST_IMPLIED = 4


def keys(scene: Scene) -> list[KeyPart]:
    """Return every key that the question may name, in order of place."""
    found = [*_columns(scene), *_units(scene), *_called_by_months(scene), *_asked(scene)]
    return sorted(found, key=lambda key: key.start)


def _fit(scene: Scene, column: ColumnView) -> Features:
    return (
        ("key:numbers_rows", float(scene.numbers_rows(column))),
        (f"key:{column.role}", 1.0),
        ("key:unique", float(column.unique)),
        ("key:amount", float(column.role == "number" and not column.year and not column.identifies)),
        ("key:many", float(column.distinct > 200)),
    )


def _columns(scene: Scene) -> Iterator[KeyPart]:
    for link in scene.links:
        features = (("link:loss", 1 - link.score), *_fit(scene, link.column))
        of = Col(name=link.column.name)
        name = link.column.name
        yield KeyPart(mask=link.mask, features=(("key:bare", 1.0), *features), of=of, column=name, start=link.start)
        for word in scene.of("each", "by", "series"):
            if 0 <= link.start - word.end <= _NEAR:
                said = (("key:each", 1.0), ("key:distance", float(link.start - word.end)), *features)
                yield KeyPart(mask=word.mask | link.mask, features=said, of=of, column=name, start=link.start)
        for word in _coordinating(scene, link):
            said = (("key:also", 1.0), *features)
            yield KeyPart(mask=word.mask | link.mask, features=said, of=of, column=name, start=link.start)
        for word in scene.of("wh"):
            if word.meaning != "where" and 0 <= link.start - word.end <= _NEAR - 1:
                said = (("key:which", 1.0), ("key:distance", float(link.start - word.end)), *features)
                yield KeyPart(mask=word.mask | link.mask, features=said, of=of, column=name, start=link.start)


def _coordinating(scene: Scene, link: ColumnLink) -> Iterator[Word]:
    """Yield a word for `and` right before a column, of which the other one stands behind a word such as `per`."""
    for word in scene.of("and"):
        if word.end != link.start:
            continue
        others = [one.start for one in scene.links if one.end == word.start]
        if any(0 <= other - one.end <= 1 for one in scene.of("each", "by") for other in others):
            yield word


def _units(scene: Scene) -> Iterator[KeyPart]:
    dates = [column for column in scene.columns if column.role == "date"][:3]
    for word in scene.of("unit", "trend"):
        unit = _unit(word.meaning) or "month"
        helpers = [one for one in scene.of("each", "by", "wh") if 0 <= word.start - one.end <= 1]
        mask = word.mask
        for one in helpers[-1:]:
            mask |= one.mask
        for place, column in enumerate(dates):
            features: Features = (
                ("key:unit", 1.0),
                ("key:trend", float(word.type == "trend")),
                ("key:each", float(bool(helpers) or word.about == "each")),
                ("implied:date_place", float(place)),
            )
            bucket = Bucket(of=Col(name=column.name), unit=unit)
            yield KeyPart(mask=mask, features=features, of=bucket, column=column.name, unit=unit, start=word.start)
            for link in scene.near(word.start, word.end, 2, [one for one in scene.links if one.column is column]):
                if not link.mask & mask:
                    said = (*features, ("date:named", 1.0), ("link:loss", 1 - link.score))
                    yield KeyPart(
                        mask=mask | link.mask, features=said, of=bucket, column=column.name, unit=unit,
                        start=word.start,
                    )  # fmt: skip


def _called_by_months(scene: Scene) -> Iterator[KeyPart]:
    """Yield the columns whose cells are names of months, where the question speaks of months."""
    columns = [name for name, cells in scene.known.items() if only_months(cells)]
    for word in scene.of("unit", "trend"):
        if not columns or (_unit(word.meaning) or "month") != "month":
            continue
        helpers = [one for one in scene.of("each", "by", "wh") if 0 <= word.start - one.end <= 1]
        features: Features = (
            ("key:unit", 1.0),
            ("key:trend", float(word.type == "trend")),
            ("key:each", float(bool(helpers) or word.about == "each")),
        )
        mask = word.mask | (helpers[-1].mask if helpers else 0)
        yield KeyPart(mask=mask, features=features, of=Col(name=columns[0]), column=columns[0], start=word.start)


def _unit(meaning: str) -> TimeUnit | None:
    for unit in get_args(TimeUnit):
        if unit == meaning:
            return unit  # type: ignore[no-any-return]
    return None


def _asked(scene: Scene) -> Iterator[KeyPart]:
    """Yield columns of persons for `who`, of places for `where`, and what the rows are called for anything else."""
    named = sorted((column for column in scene.columns if column.role == "text"), key=lambda one: -one.naming)
    for word in scene.of("wh"):
        concepts = _ASKED.get(word.meaning, frozenset())
        for place, column in enumerate(named[:MOST_IMPLIED]):
            fits = bool(column.concepts & concepts)
            features: Features = (
                ("key:implied", 1.0),
                ("key:asked_fits", float(fits)),
                ("key:asked_place", float(place)),
                *_fit(scene, column),
            )
            yield KeyPart(
                mask=word.mask, features=features, of=Col(name=column.name), column=column.name, start=word.start
            )
