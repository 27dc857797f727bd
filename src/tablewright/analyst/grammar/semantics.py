"""The typed parts that a question is read into. Each covers words (a bitmask of tokens) and has features; a reading is
made of parts that cover different words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.plan import AggregateName, Condition, Expr, TimeUnit
from tablewright.domain.table import Cell

Features = tuple[tuple[str, float], ...]
RowsFunction = Literal["rows", "distinct", "aggregate", "rate", "ratio", "gap", "change", "span"]


def mask_of(start: int, end: int) -> int:
    """Return the bitmask of the tokens from `start` to `end` (exclusive)."""
    return ((1 << (end - start)) - 1) << start


def union(masks: Iterable[int]) -> int:
    """Return the tokens of any of these bitmasks."""
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A phrase of the lexicon in the question, `about` the concept that it hints at."""

    start: int
    end: int
    type: str
    meaning: str = ""
    about: str = ""

    @property
    def mask(self) -> int:
        return mask_of(self.start, self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionPart:
    """A test of rows. Two equalities of one column mean either of them."""

    mask: int
    features: Features
    where: Condition
    column: str
    start: int
    values: tuple[Cell, ...] = ()
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurePart:
    """What is computed of rows. A `rate` is the share of rows, or of an amount, for which `where` holds; a `ratio`
    divides two sums, a `gap` takes `below` from `of`, a `change` is the growth from `of` to `below` in percent; a
    `span` is the least and the greatest value."""

    mask: int
    features: Features
    kind: RowsFunction
    function: AggregateName = "count"
    of: Expr | None = None
    column: str = ""
    where: Condition | None = None
    below: Expr | None = None
    argument: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPart:
    """What rows are grouped by."""

    mask: int
    features: Features
    of: Expr
    column: str
    unit: TimeUnit | None = None
    start: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderPart:
    """An order, and how many of its first rows are wanted (None: all). `by` is a column, or None for the measure;
    `axis` says which axis of a chart is meant."""

    mask: int
    features: Features
    descending: bool
    count: int | None = None
    offset: int = 0
    by: str | None = None
    axis: Literal["", "x", "y"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectionPart:
    """A column that is shown; `gaps` tells that some of its cells are missing."""

    mask: int
    features: Features
    column: str
    start: int = 0
    gaps: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HavingPart:
    """A test of a group's measure: against a number, or against a statistic of all groups (`than`)."""

    mask: int
    features: Features
    op: Literal["=", "!=", "<", "<=", ">", ">="]
    value: float = 0.0
    than: Literal["", "mean"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorPart:
    """What is done with what was computed: `difference`, `growth`, `cumulative`, `next`, `previous`, …"""

    mask: int
    features: Features
    name: str
    option: str = ""
    columns: tuple[str, ...] = ()


AnyPart = ConditionPart | MeasurePart | KeyPart | OrderPart | ProjectionPart | HavingPart | OperatorPart
