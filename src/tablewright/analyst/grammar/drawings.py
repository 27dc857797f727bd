"""Charts of readings: as asked, or, of groups, as one may expect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from tablewright.analyst.grammar.composing import Composed, Parts
from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.semantics import Features
from tablewright.analyst.plan import Drawing
from tablewright.domain.chart import ChartKind

_SERIES: dict[str, ChartKind] = {"line": "grouping line", "scatter": "grouping scatter", "bar": "stacked bar"}
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


def drawings(scene: Scene, parts: Parts, composed: Composed) -> Iterator[tuple[Drawing | None, Features]]:
    """Yield the ways to show a relation: without a chart, or with one, and their features."""
    words = scene.of("chart")
    columns = (*composed.keys, *composed.measures)
    drawn = composed.form in {"whole", "with"} and 2 <= len(columns) <= 3
    if not words:
        yield None, ()
        if drawn and composed.keys and composed.measures:
            yield _drawing("bar", columns), (("drawing:unsaid", 1.0),)
        return
    if not drawn:
        yield None, (("drawing:none", 1.0),)
        return
    kind, features = _kind(scene, parts)
    yield _drawing(kind, columns), features


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
