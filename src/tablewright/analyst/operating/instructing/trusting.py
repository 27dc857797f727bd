"""How far a reading can be trusted, by weights that are learned: done, done with a word of doubt, or declined."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from tablewright.analyst.operating.instructing.reader import Reading, Step
from tablewright.domain.operations.decoding import decode

Trust = Literal["sure", "unsure", "declined"]
WEIGHTS = "trust.json"
_MOST = 3.0
_NOTHING = 0.1
_WHOLE = frozenset({"cost", "left", "share", "parts"})
"""Evidence of which the worst clause counts; the rest is added up."""
_CONDITION = frozenset({"column", "value", "part", "missing", "present", "contains", "between", "before", "after"})
"""Classes of words that say which rows or columns are meant: what destroys something needs all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What each piece of evidence says for a reading, and the least sums of those that are sure and likely."""

    features: Mapping[str, float]
    sure: float
    likely: float


@cache
def learned() -> Learned:
    """Return the weights that ship."""
    rows = json.loads(files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8"))
    return Learned(features=rows["features"], sure=rows["sure"], likely=rows["likely"])


def trust_of(reading: Reading | None) -> Trust:
    """Return the trust in a reading: `unsure` if it is more likely right than not. An unread negation, comparison,
    number or period declines, and so does anything unsure that only reads, as half a question has another answer, and
    what destroys something while a part of its condition is unread."""
    if reading is None or not reading.ops or any(step.vetoed or not _known(step) for step in reading.steps):
        return "declined"
    by, likely = learned(), sum_of(reading)
    if likely >= by.sure:
        return "sure"
    return "unsure" if likely >= by.likely and not any(_risky(step) for step in reading.steps) else "declined"


def sum_of(reading: Reading) -> float:
    """Return what the evidence about a reading says for it, all in all."""
    features = learned().features
    return sum(features.get(name, 0.0) * value for name, value in evidence(reading).items())


def evidence(reading: Reading) -> dict[str, float]:
    """Return what speaks for and against a reading."""
    found = defaultdict[str, float](float)
    for step in reading.steps:
        for name, value in step.evidence.items():
            found[name] = max(found[name], value) if name in _WHOLE else min(found[name] + value, _MOST)
    found["always"] = 1.0
    found["steps"] = min(math.log2(max(len(reading.steps), 1)), _MOST)
    found["margin"] = min(reading.margin, 1.0)
    if not all(step.reads for step in reading.steps):
        found["leaning"] = max(min(reading.leaning, _MOST), -_MOST)
        found["question"] = float(reading.leaning < 0)
    found["destroys"] = float(any(_destroys(step) for step in reading.steps))
    found["full"] = float(found["left"] <= _NOTHING)
    found |= {f"does:{op.function}": 1.0 for op in reading.ops}
    return dict(found)


def _known(step: Step) -> bool:
    return all(decode(op.function, op.parameters)[0] is not None for op in step.ops)


def _destroys(step: Step) -> bool:
    found = (decode(op.function, op.parameters)[0] for op in step.ops)
    return any(operation is not None and operation.destructive for operation in found)


def _risky(step: Step) -> bool:
    return step.reads or (_destroys(step) and bool(_CONDITION & set(step.loose)))
