"""Charts of readings: as asked, or, of groups, as one may expect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from tablewright.analyst.grammar.composed import Composed, Parts
from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.semantics import Features, union
from tablewright.analyst.plan import Drawing
from tablewright.domain.chart import ChartKind

_SERIES: dict[str, ChartKind] = {"line": "grouping line", "scatter": "grouping scatter", "bar": "stacked bar"}
_AXES = ("x", "y")
_POINTS = frozenset({"scatter", "grouping scatter"})
_SHOWN = {"pie": "share", "line": "trend", "scatter": "relation", "grouping scatter": "relation"}
"""What a kind of chart shows by itself, so that nothing else need be computed for it."""


def chart_mask(scene: Scene) -> int:
    """Return the words that ask for a chart."""
    mask = 0
    kinds = {word.meaning for word in scene.of("chart")}
    shown = [_SHOWN[kind] for kind in kinds if kind in _SHOWN]
    for word in scene.of("chart", "axis", "distribution", *shown):
        mask |= word.mask
    return mask


def drawings(scene: Scene, parts: Parts, composed: Composed) -> Iterator[tuple[Drawing | None, Features, int]]:
    """Yield the ways to show a relation: without a chart, or with one; their features, and the words that a kind of
    chart answers by itself, as a pie does those that ask for shares."""
    words = scene.of("chart")
    columns = (*composed.keys, *composed.measures)
    if len(composed.measures) == len(_AXES) and any(word.meaning in _POINTS for word in words):
        columns = (composed.measures[0], *composed.keys, composed.measures[1])
    drawn = composed.form in {"whole", "with"} and 2 <= len(columns) <= 3
    if not words:
        yield None, (), 0
    elif not drawn:
        yield None, (("drawing:none", 1.0),), 0
    if not drawn:
        return
    for kind, mask in _implied(scene, parts, composed):
        yield _drawing(kind, columns), ((f"drawing:implied:{kind}", 1.0), ("drawing:unsaid", float(not words))), mask
    if words:
        kind, features = _kind(scene, parts)
        yield _drawing(kind, columns), features, 0
    elif composed.keys and composed.measures:
        yield _drawing("bar", columns), (("drawing:unsaid", 1.0),), 0


def _implied(scene: Scene, parts: Parts, composed: Composed) -> Iterator[tuple[ChartKind, int]]:
    """Yield the kinds of chart that words for shares, trends and relations ask for without naming them."""
    if any(word.meaning for word in scene.of("chart")):
        return
    columns = [*(part.column for part in parts.projections), *(part.column for part in parts.keys)]
    roles = [scene.column(name).role for name in columns]
    plain = parts.measure is not None and parts.measure.kind in {"rows", "aggregate"}
    fits: dict[ChartKind, bool] = {
        "pie": plain and len(composed.keys) == 1 and bool(scene.of("chart")),
        "scatter": roles == ["number", "number"] and not composed.measures,
        "line": "date" in roles and len(composed.keys) + len(composed.measures) == len(_AXES),
    }
    for kind, fit in fits.items():
        words = [word for word in scene.of(_SHOWN[kind]) if fit]
        if words:
            yield kind, union(word.mask for word in words)


def _kind(scene: Scene, parts: Parts) -> tuple[ChartKind, Features]:
    said = [word.meaning for word in sorted(scene.of("chart"), key=lambda word: word.start - word.end) if word.meaning]
    if said:
        kinds = [kind for kind in get_args(ChartKind) if kind == said[0]]
        kind: ChartKind = kinds[0] if kinds and not (kinds[0] == "histogram" and parts.keys) else "bar"
        return kind, (("drawing:said", 1.0),)
    timed = any(key.unit not in {None, "weekday", "hour"} for key in parts.keys)
    return ("line" if timed else "bar"), (("drawing:kind_unsaid", 1.0),)


def _drawing(kind: ChartKind, columns: tuple[str, ...]) -> Drawing:
    if len(columns) < 3:
        return Drawing(kind=kind, x=columns[0], y=columns[1])
    return Drawing(kind=_SERIES.get(kind, kind), x=columns[0], y=columns[-1], series=columns[1])
