"""The kinds of answers: which slots each has, and which parts agree with each other in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.grammar.semantics import (
    AnyPart,
    ConditionPart,
    KeyPart,
    MeasurePart,
    OperatorPart,
    OrderPart,
    ProjectionPart,
)

Slot = Literal["measure", "key", "extreme", "sorting", "projection", "having", "operator"]
Parts = tuple[AnyPart | None, ...]
Conditions = tuple[ConditionPart, ...]
Agreement = Callable[[Conditions, Parts, AnyPart], bool]


LOOKS = ("head", "tail", "columns", "size", "describe")
"""First looks at a table; `head` and `tail` have the number of rows as their option."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A kind of answer: its slots in the order in which they are filled, each with whether it may stay empty."""

    name: str
    slots: tuple[tuple[Slot, bool], ...]
    agrees: Agreement
    pairs: bool = False

    def takes(self, conditions: Conditions) -> bool:
        """Return whether the kind of answer fits these conditions."""
        return not self.pairs or pair_of(conditions) is not None

    def fits(self, conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
        """Return whether a part agrees with those before it."""
        return self.agrees(conditions, parts, part)


def pair_of(conditions: Conditions) -> tuple[ConditionPart, ConditionPart] | None:
    """Return the two tests of one column that are compared, if there are exactly two."""
    for column in dict.fromkeys(part.column for part in conditions):
        same = [part for part in conditions if part.column == column and not part.negated]
        if len(same) == 2:
            return same[0], same[1]
    return None


def _distinct(_conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Keys and projections differ from those before them, and stand in their order."""
    if isinstance(part, KeyPart):
        before = [one for one in parts if isinstance(one, KeyPart)]
        return all((one.column, one.unit) != (part.column, part.unit) and one.start <= part.start for one in before)
    if isinstance(part, ProjectionPart):
        shown = [one for one in parts if isinstance(one, ProjectionPart)]
        return all(one.column != part.column and one.start <= part.start for one in shown)
    return True


def _grouped(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    if isinstance(part, KeyPart):
        measure = next((one for one in parts if isinstance(one, MeasurePart)), None)
        single = any(one.column == part.column and one.values and not one.negated for one in conditions)
        several = len([one for one in conditions if one.column == part.column]) > 1
        if measure is not None and measure.column == part.column and measure.kind != "rate" and part.unit is None:
            return False
        return (not single or several or part.unit is not None) and _distinct(conditions, parts, part)
    if isinstance(part, OrderPart):
        keys = {one.column for one in parts if isinstance(one, KeyPart)}
        measured = {one.column for one in parts if isinstance(one, MeasurePart)}
        return part.by is None or part.by in keys | measured
    return True


def _ranked(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    if isinstance(part, OrderPart) and part.by is not None:
        return False
    return _grouped(conditions, parts, part)


def _rows(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    if isinstance(part, OrderPart):
        return part.by is not None
    return _distinct(conditions, parts, part)


def _listed(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    if isinstance(part, OrderPart):
        shown = {one.column for one in parts if isinstance(one, ProjectionPart)}
        return part.by is None or part.by in shown
    return _distinct(conditions, parts, part)


def _both(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Two measures of the same rows, in the order in which they are said."""
    if isinstance(part, MeasurePart) and parts and isinstance(first := parts[0], MeasurePart):
        return bool(part.mask) and bool(first.mask) and _start(first.mask) < _start(part.mask) and part != first
    return _grouped(conditions, parts, part)


def _start(mask: int) -> int:
    return (mask & -mask).bit_length()


def _extreme_each(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The extreme of each group: keys are columns, and not shown again."""
    if isinstance(part, KeyPart):
        return part.unit is None
    if isinstance(part, ProjectionPart):
        return part.column not in {one.column for one in parts if isinstance(one, KeyPart)}
    return _rows(conditions, parts, part)


def _nested(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The extreme among the first few by another column."""
    if isinstance(part, OrderPart):
        first = parts[0] if parts else None
        if isinstance(first, OrderPart):
            return part.by is not None and part.by != first.by
        return part.by is not None and part.count is not None and part.count > 1
    if isinstance(part, KeyPart):
        return part.unit is None and not part.mask
    return _distinct(conditions, parts, part)


def _operated_with_column(name: str) -> Agreement:
    def agrees(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
        if isinstance(part, OperatorPart):
            return part.name == name and any(one.values and not one.negated for one in conditions)
        return _grouped(conditions, parts, part) and not (isinstance(part, KeyPart) and part.unit is not None)

    return agrees


def _operated(*names: str) -> Agreement:
    def agrees(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
        if isinstance(part, OperatorPart):
            return part.name in names
        if isinstance(part, KeyPart):
            return part.unit is not None and part.unit not in {"weekday", "hour"}
        if isinstance(part, MeasurePart):
            return part.kind != "distinct"
        return _distinct(conditions, parts, part)

    return agrees


def _shared(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """What groups have of a whole that adds up."""
    if isinstance(part, OperatorPart):
        return part.name == "share"
    if isinstance(part, MeasurePart):
        return part.kind == "rows" or (part.kind == "aggregate" and part.function == "sum")
    if isinstance(part, OrderPart) and part.count is not None:
        return part.by is None
    return _grouped(conditions, parts, part)


def _against(*names: str) -> Agreement:
    """A measure of groups under each of two conditions."""

    def agrees(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
        if isinstance(part, OperatorPart):
            return part.name in names
        if isinstance(part, KeyPart):
            pair = pair_of(conditions)
            return pair is not None and part.column != pair[0].column and _grouped(conditions, parts, part)
        return _ranked(conditions, parts, part)

    return agrees


def _averaged(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The mean over groups of what adds up or is counted: a day's, a customer's."""
    if isinstance(part, OperatorPart):
        return part.name == "average"
    if isinstance(part, MeasurePart):
        return part.kind == "rows" or (part.kind == "aggregate" and part.function == "sum")
    return isinstance(part, KeyPart) and bool(part.mask) and _grouped(conditions, parts, part)


def _exists(conditions: Conditions, _parts: Parts, part: AnyPart) -> bool:
    """Whether there are rows that pass a test."""
    if isinstance(part, OperatorPart):
        return part.name == "exists" and bool(conditions)
    return isinstance(part, MeasurePart) and part.kind == "rows" and not part.mask


def _of_rows(_conditions: Conditions, _parts: Parts, part: AnyPart) -> bool:
    """A measure of the first few rows by a column."""
    if isinstance(part, OrderPart):
        return part.by is not None
    return isinstance(part, MeasurePart) and part.kind in {"aggregate", "rows"} and bool(part.mask)


def _of_head(conditions: Conditions, _parts: Parts, part: AnyPart) -> bool:
    """A measure of the first or last few rows as they stand."""
    if isinstance(part, OperatorPart):
        return part.name in {"head", "tail"} and not conditions
    return isinstance(part, MeasurePart) and part.kind == "aggregate" and bool(part.mask)


def _stepped_most(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The period or number with the greatest change from the one before."""
    if isinstance(part, OperatorPart):
        return part.name == "growth"
    if isinstance(part, OrderPart):
        return part.by is None
    return _grouped(conditions, parts, part)


def _alike(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Other rows that agree with some in a column."""
    if isinstance(part, OperatorPart):
        return part.name == "same" and any(one.values and not one.negated for one in conditions)
    tested = {one.column for one in conditions}
    if isinstance(part, KeyPart):
        return part.unit is None and part.column not in tested
    keys = {one.column for one in parts if isinstance(one, KeyPart)}
    return isinstance(part, ProjectionPart) and part.column not in keys


def _than_row(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Rows compared with those that are tested."""
    if isinstance(part, OperatorPart):
        named = any(one.values and not one.negated for one in conditions)
        return part.name == "than_row" and named and part.columns[0] not in {one.column for one in conditions}
    if isinstance(part, MeasurePart):
        return part.kind in {"rows", "distinct"} and bool(part.mask)
    operator = next((one for one in parts if isinstance(one, OperatorPart)), None)
    return isinstance(part, ProjectionPart) and operator is not None and part.column not in operator.columns


def _streak(conditions: Conditions, _parts: Parts, part: AnyPart) -> bool:
    """Rows in a row that pass a test."""
    return isinstance(part, OperatorPart) and part.name == "streak" and bool(conditions)


def _rising(conditions: Conditions, _parts: Parts, part: AnyPart) -> bool:
    """Rows in a row in which a column rises or falls."""
    if isinstance(part, OperatorPart):
        return part.name == "rising" and not conditions
    return isinstance(part, ProjectionPart) and bool(part.mask)


def _opposite(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The best group and the worst."""
    return _turned(parts, part) and _ranked(conditions, parts, part)


def _opposite_rows(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The rows with the highest value of a column, and those with the lowest."""
    return _turned(parts, part) and _rows(conditions, parts, part)


def _turned(parts: Parts, part: AnyPart) -> bool:
    first = next((one for one in parts if isinstance(one, OrderPart)), None)
    if first is None or not isinstance(part, OrderPart):
        return True
    return part.descending != first.descending and part.by == first.by and _start(first.mask) < _start(part.mask)


def _said(_conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Only what words say, an order or the first few."""
    ordered = isinstance(part, OrderPart) and any(isinstance(one, OrderPart) for one in parts)
    return bool(part.mask) and not ordered


CHANGES = Frame(
    name="changes",
    slots=(
        ("measure", True), ("key", True), ("extreme", True), ("sorting", True), ("projection", True),
        ("having", True),
    ),
    agrees=_said,
)  # fmt: skip
"""What a question may change in the one before it."""

FRAMES = (
    Frame(name="value", slots=(("measure", False),), agrees=_distinct),
    Frame(
        name="groups",
        slots=(("measure", False), ("key", False), ("key", True), ("sorting", True)),
        agrees=_grouped,
    ),
    Frame(name="best", slots=(("measure", False), ("key", False), ("extreme", False)), agrees=_ranked),
    Frame(
        name="rows",
        slots=(("projection", False), ("projection", True), ("projection", True), ("sorting", True)),
        agrees=_listed,
    ),
    Frame(name="extreme", slots=(("extreme", False), ("projection", False), ("projection", True)), agrees=_rows),
    Frame(name="having", slots=(("measure", False), ("key", False), ("key", True), ("having", False)), agrees=_grouped),
    Frame(name="having_count", slots=(("measure", False), ("key", False), ("having", False)), agrees=_grouped),
    Frame(
        name="difference", slots=(("measure", False), ("operator", False)), agrees=_operated("difference"), pairs=True
    ),
    Frame(name="change", slots=(("measure", False), ("operator", False)), agrees=_operated("growth"), pairs=True),
    Frame(
        name="steps",
        slots=(("measure", False), ("key", False), ("operator", False)),
        agrees=_operated("growth", "cumulative"),
    ),
    Frame(
        name="related",
        slots=(("operator", False), ("projection", False), ("projection", False)),
        agrees=_operated("correlation"),
    ),
    Frame(name="values", slots=(("measure", False), ("measure", False)), agrees=_both),
    Frame(name="extreme_each", slots=(("extreme", False), ("key", False), ("projection", False)), agrees=_extreme_each),
    Frame(
        name="best_each",
        slots=(("measure", False), ("key", False), ("key", False), ("extreme", False)),
        agrees=_ranked,
    ),
    Frame(
        name="nested",
        slots=(("extreme", False), ("extreme", False), ("key", True), ("projection", False)),
        agrees=_nested,
    ),
    Frame(name="position", slots=(("operator", False), ("projection", False)), agrees=_operated("first", "last")),
    Frame(
        name="several",
        slots=(("measure", False), ("measure", False), ("key", False)),
        agrees=_both,
    ),
    Frame(
        name="shares",
        slots=(("measure", False), ("key", False), ("operator", False), ("sorting", True)),
        agrees=_shared,
    ),
    Frame(
        name="top_share",
        slots=(("measure", False), ("key", False), ("extreme", False), ("operator", False)),
        agrees=_shared,
    ),
    Frame(name="mean_each", slots=(("measure", False), ("key", False), ("operator", False)), agrees=_averaged),
    Frame(name="of_first", slots=(("measure", False), ("extreme", False)), agrees=_of_rows),
    Frame(name="of_head", slots=(("measure", False), ("operator", False)), agrees=_of_head),
    Frame(
        name="step_most",
        slots=(("measure", False), ("key", False), ("operator", False), ("extreme", False)),
        agrees=_stepped_most,
    ),
    Frame(name="verdict", slots=(("measure", False), ("operator", False)), agrees=_operated("more_less"), pairs=True),
    Frame(
        name="verdict_yes", slots=(("measure", False), ("operator", False)), agrees=_operated("more_yes"), pairs=True
    ),
    Frame(
        name="against_each",
        slots=(("measure", False), ("key", False), ("operator", False)),
        agrees=_against("growth", "difference"),
        pairs=True,
    ),
    Frame(
        name="against_most",
        slots=(("measure", False), ("key", False), ("operator", False), ("extreme", False)),
        agrees=_against("growth", "difference"),
        pairs=True,
    ),
    Frame(
        name="against_more",
        slots=(("measure", False), ("key", False), ("operator", False), ("having", True)),
        agrees=_against("growth", "more"),
        pairs=True,
    ),
    Frame(name="than_row", slots=(("operator", False), ("projection", False)), agrees=_than_row),
    Frame(name="than_row_count", slots=(("measure", False), ("operator", False)), agrees=_than_row),
    Frame(name="streak", slots=(("operator", False),), agrees=_streak),
    Frame(name="rising", slots=(("operator", False), ("projection", False)), agrees=_rising),
    Frame(
        name="alike",
        slots=(("operator", False), ("key", False), ("projection", False)),
        agrees=_alike,
    ),
    Frame(name="look", slots=(("operator", False),), agrees=_operated(*LOOKS)),
    Frame(
        name="opposites",
        slots=(("measure", False), ("key", False), ("extreme", False), ("extreme", False)),
        agrees=_opposite,
    ),
    Frame(
        name="extreme_opposites",
        slots=(("extreme", False), ("extreme", False), ("projection", False)),
        agrees=_opposite_rows,
    ),
    Frame(name="joined", slots=(("operator", False), ("sorting", True)), agrees=_operated("join")),
    Frame(name="exists", slots=(("measure", False), ("operator", False)), agrees=_exists),
    Frame(name="never", slots=(("operator", False), ("key", False)), agrees=_operated_with_column("never")),
    Frame(name="neighbour", slots=(("operator", False), ("projection", False)), agrees=_operated("next", "previous")),
)
