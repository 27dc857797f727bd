"""How far a single number that is computed is rounded: nobody reads the tenth decimal of an average."""

from __future__ import annotations

from tablewright.analyst.grammar.composed import Parts
from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.semantics import MeasurePart

DECIMALS = 2
FINE = 4
"""The decimals of numbers below one."""
FINEST = 6
"""The decimals of what may be far below one: of a quotient nothing is known before it is computed."""
_COMPUTED = frozenset({"mean", "median", "std", "var", "quantile", "skew", "kurtosis"})


def decimals_of(scene: Scene, parts: Parts) -> int | None:
    """Return the decimals of a reading's number; None for groups, and for what is counted or added up."""
    measure = parts.measure
    if measure is None or parts.keys:
        return None
    if measure.kind == "aggregate" and measure.function not in _COMPUTED:
        return None
    if measure.kind in {"rows", "distinct", "span", "gap"}:
        return None
    if measure.kind == "ratio":
        return FINEST
    return FINE if measure.kind == "aggregate" and _small(scene, measure) else DECIMALS


def _small(scene: Scene, measure: MeasurePart) -> bool:
    """Return whether all numbers of a column are below one."""
    column = next((one for one in scene.facts.columns if one.name == measure.column), None)
    ends = (column.minimum, column.maximum) if column is not None else ()
    numbers = [abs(end) for end in ends if isinstance(end, int | float)]
    return bool(numbers) and max(numbers) < 1
