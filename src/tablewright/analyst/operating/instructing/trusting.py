"""How far a reading can be trusted: done, done with a word of doubt, or declined."""

from __future__ import annotations

from typing import Literal

from tablewright.analyst.operating.instructing.reader import Reading, Step
from tablewright.domain.operations.decoding import decode

Trust = Literal["sure", "unsure", "declined"]
_SURE_LEFT, _SURE_COST = 0.4, 1.6
_LEFT, _COST = 1.0, 1.6
_CONDITION = frozenset({"column", "value", "part", "missing", "present", "contains", "between", "before", "after"})
"""Classes of words that say which rows or columns are meant: what destroys something needs all of them."""


def trust_of(reading: Reading | None) -> Trust:
    """Return the trust in the step that is understood worst. An unread negation, comparison, number or period declines,
    and so does anything unsure that only reads, as half a question has another answer, and what destroys something
    while a part of its condition is unread."""
    if reading is None or not reading.ops:
        return "declined"
    grades = {_of(step) for step in reading.steps}
    return "declined" if "declined" in grades else "unsure" if "unsure" in grades else "sure"


def _of(step: Step) -> Trust:
    destroys = False
    for op in step.ops:
        operation, _ = decode(op.function, op.parameters)
        if operation is None:
            return "declined"
        destroys = destroys or operation.destructive
    if step.vetoed or step.left > _LEFT or step.cost > _COST:
        return "declined"
    if step.left > _SURE_LEFT or step.cost > _SURE_COST:
        return "declined" if step.reads or (destroys and _CONDITION & set(step.loose)) else "unsure"
    return "sure"
