"""The learned weights of features."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files


@cache
def weights() -> Mapping[str, float]:
    """Return the weight of every feature that has one; others weigh nothing."""
    text = files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    return {name: float(weight) for name, weight in json.loads(text)["weights"].items()}


def weighed(features: Iterable[tuple[str, float]], by: Mapping[str, float]) -> float:
    """Return the weighted sum of features."""
    return sum(by.get(name, 0.0) * value for name, value in features)
