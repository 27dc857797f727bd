"""Which parts agree with each other in a kind of answer, and with the conditions."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.analyst.grammar.semantics import (
    AnyPart,
    ConditionPart,
    KeyPart,
    MeasurePart,
    OperatorPart,
    OrderPart,
    ProjectionPart,
)

Parts = tuple[AnyPart | None, ...]
Conditions = tuple[ConditionPart, ...]
Agreement = Callable[[Conditions, Parts, AnyPart], bool]


def pair_of(conditions: Conditions) -> tuple[ConditionPart, ConditionPart] | None:
    """Return the two tests of one column that are compared, if there are exactly two."""
    for column in dict.fromkeys(part.column for part in conditions):
        same = [part for part in conditions if part.column == column and not part.negated]
        if len(same) == 2:
            return same[0], same[1]
    return None


def distinct(_conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Keys and projections differ from those before them, and stand in their order."""
    if isinstance(part, KeyPart):
        before = [one for one in parts if isinstance(one, KeyPart)]
        return all((one.column, one.unit) != (part.column, part.unit) and one.start <= part.start for one in before)
    if isinstance(part, ProjectionPart):
        shown = [one for one in parts if isinstance(one, ProjectionPart)]
        return all(one.column != part.column and one.start <= part.start for one in shown)
    return True


def grouped(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """A measure of groups that no test leaves one of, in an order of their own or of the measure."""
    if isinstance(part, KeyPart):
        measure = next((one for one in parts if isinstance(one, MeasurePart)), None)
        single = any(one.column == part.column and one.values and not one.negated for one in conditions)
        several = len([one for one in conditions if one.column == part.column]) > 1
        if measure is not None and measure.column == part.column and measure.kind != "rate" and part.unit is None:
            return False
        return (not single or several or part.unit is not None) and distinct(conditions, parts, part)
    if isinstance(part, OrderPart):
        keys = {one.column for one in parts if isinstance(one, KeyPart)}
        measured = {one.column for one in parts if isinstance(one, MeasurePart)}
        return part.by is None or part.by in keys | measured
    return True


def ranked(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Groups in the order of their measure."""
    if isinstance(part, OrderPart) and part.by is not None:
        return False
    return grouped(conditions, parts, part)


def rows(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Rows in the order of a column."""
    if isinstance(part, OrderPart):
        return part.by is not None
    return distinct(conditions, parts, part)


def listed(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Columns of rows, in the order of one that is shown."""
    if isinstance(part, OrderPart):
        shown = {one.column for one in parts if isinstance(one, ProjectionPart)}
        return part.by is None or part.by in shown
    return distinct(conditions, parts, part)


def both(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Two measures of the same rows, in the order in which they are said."""
    if isinstance(part, MeasurePart) and parts and isinstance(first := parts[0], MeasurePart):
        return bool(part.mask) and bool(first.mask) and _start(first.mask) < _start(part.mask) and part != first
    return grouped(conditions, parts, part)


def _start(mask: int) -> int:
    return (mask & -mask).bit_length()


def extreme_each(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The extreme of each group: keys are columns, and not shown again."""
    if isinstance(part, KeyPart):
        return part.unit is None
    if isinstance(part, ProjectionPart):
        return part.column not in {one.column for one in parts if isinstance(one, KeyPart)}
    return rows(conditions, parts, part)


def nested(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The extreme among the first few by another column."""
    if isinstance(part, OrderPart):
        first = parts[0] if parts else None
        if isinstance(first, OrderPart):
            return part.by is not None and part.by != first.by
        return part.by is not None and part.count is not None and part.count > 1
    if isinstance(part, KeyPart):
        return part.unit is None and not part.mask
    return distinct(conditions, parts, part)


def operated_with_column(name: str) -> Agreement:
    """An operator on groups with a test of values."""

    def agrees(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
        if isinstance(part, OperatorPart):
            return part.name == name and any(one.values and not one.negated for one in conditions)
        return grouped(conditions, parts, part) and not (isinstance(part, KeyPart) and part.unit is not None)

    return agrees


def operated(*names: str) -> Agreement:
    """One of these operators on a measure, or on groups by time."""

    def agrees(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
        if isinstance(part, OperatorPart):
            return part.name in names
        if isinstance(part, KeyPart):
            return part.unit is not None and part.unit not in {"weekday", "hour"}
        if isinstance(part, MeasurePart):
            return part.kind != "distinct"
        return distinct(conditions, parts, part)

    return agrees


def shared(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """What groups have of a whole that adds up."""
    if isinstance(part, OperatorPart):
        return part.name == "share"
    if isinstance(part, MeasurePart):
        return part.kind == "rows" or (part.kind == "aggregate" and part.function == "sum")
    if isinstance(part, OrderPart) and part.count is not None:
        return part.by is None
    return grouped(conditions, parts, part)


def against(*names: str) -> Agreement:
    """A measure of groups under each of two conditions."""

    def agrees(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
        if isinstance(part, OperatorPart):
            return part.name in names
        if isinstance(part, KeyPart):
            pair = pair_of(conditions)
            return pair is not None and part.column != pair[0].column and grouped(conditions, parts, part)
        return ranked(conditions, parts, part)

    return agrees


def averaged(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The mean over groups of what adds up or is counted: a day's, a customer's."""
    if isinstance(part, OperatorPart):
        return part.name == "average"
    if isinstance(part, MeasurePart):
        return part.kind == "rows" or (part.kind == "aggregate" and part.function == "sum")
    return isinstance(part, KeyPart) and bool(part.mask) and grouped(conditions, parts, part)


def exists(conditions: Conditions, _parts: Parts, part: AnyPart) -> bool:
    """Whether there are rows that pass a test."""
    if isinstance(part, OperatorPart):
        return part.name == "exists" and bool(conditions)
    return isinstance(part, MeasurePart) and part.kind == "rows" and not part.mask


def of_rows(_conditions: Conditions, _parts: Parts, part: AnyPart) -> bool:
    """A measure of the first few rows by a column."""
    if isinstance(part, OrderPart):
        return part.by is not None
    return isinstance(part, MeasurePart) and part.kind in {"aggregate", "rows"} and bool(part.mask)


def of_head(conditions: Conditions, _parts: Parts, part: AnyPart) -> bool:
    """A measure of the first or last few rows as they stand."""
    if isinstance(part, OperatorPart):
        return part.name in {"head", "tail"} and not conditions
    return isinstance(part, MeasurePart) and part.kind == "aggregate" and bool(part.mask)


def stepped_most(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The period or number with the greatest change from the one before."""
    if isinstance(part, OperatorPart):
        return part.name == "growth"
    if isinstance(part, OrderPart):
        return part.by is None
    return grouped(conditions, parts, part)


def alike(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Other rows that agree with some in a column."""
    if isinstance(part, OperatorPart):
        return part.name == "same" and any(one.values and not one.negated for one in conditions)
    tested = {one.column for one in conditions}
    if isinstance(part, KeyPart):
        return part.unit is None and part.column not in tested
    keys = {one.column for one in parts if isinstance(one, KeyPart)}
    return isinstance(part, ProjectionPart) and part.column not in keys


def than_row(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Rows compared with those that are tested."""
    if isinstance(part, OperatorPart):
        named = any(one.values and not one.negated for one in conditions)
        return part.name == "than_row" and named and part.columns[0] not in {one.column for one in conditions}
    if isinstance(part, MeasurePart):
        return part.kind in {"rows", "distinct"} and bool(part.mask)
    operator = next((one for one in parts if isinstance(one, OperatorPart)), None)
    return isinstance(part, ProjectionPart) and operator is not None and part.column not in operator.columns


def streak(conditions: Conditions, _parts: Parts, part: AnyPart) -> bool:
    """Rows in a row that pass a test."""
    return isinstance(part, OperatorPart) and part.name == "streak" and bool(conditions)


def rising(conditions: Conditions, _parts: Parts, part: AnyPart) -> bool:
    """Rows in a row in which a column rises or falls."""
    if isinstance(part, OperatorPart):
        return part.name == "rising" and not conditions
    return isinstance(part, ProjectionPart) and bool(part.mask)


def opposite(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The best group and the worst."""
    return _turned(parts, part) and ranked(conditions, parts, part)


def opposite_rows(conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """The rows with the highest value of a column, and those with the lowest."""
    return _turned(parts, part) and rows(conditions, parts, part)


def _turned(parts: Parts, part: AnyPart) -> bool:
    first = next((one for one in parts if isinstance(one, OrderPart)), None)
    if first is None or not isinstance(part, OrderPart):
        return True
    return part.descending != first.descending and part.by == first.by and _start(first.mask) < _start(part.mask)


def said(_conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
    """Only what words say, an order or the first few."""
    ordered = isinstance(part, OrderPart) and any(isinstance(one, OrderPart) for one in parts)
    return bool(part.mask) and not ordered
