"""A state's parts by their types, and what they mean: a relation, and what its columns are."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.grammar.search import State
from tablewright.analyst.grammar.semantics import (
    ConditionPart,
    HavingPart,
    KeyPart,
    MeasurePart,
    OperatorPart,
    OrderPart,
    ProjectionPart,
)
from tablewright.analyst.plan import Case, Col, Named, Project, Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """A relation, the names of its columns that are keys (or shown columns) and measures, and which form of the
    answer it is (`whole`, or `short` with the names alone); what is answered `before` it."""

    relation: Relation
    keys: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    form: str = "whole"
    before: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a state by their types."""

    conditions: tuple[ConditionPart, ...]
    measure: MeasurePart | None
    second: MeasurePart | None
    keys: tuple[KeyPart, ...]
    order: OrderPart | None
    inner: OrderPart | None
    projections: tuple[ProjectionPart, ...]
    having: HavingPart | None
    operator: OperatorPart | None

    @property
    def alternatives(self) -> frozenset[str]:
        """The columns of which any test suffices, as what tells rows apart is which of them holds."""
        return frozenset(key.column for key in self.keys if isinstance(key.of, Case))

    @property
    def list_order(self) -> str:
        """The column that a list is in the order of: the one that is named, else the last that is shown, or the first
        where the axis below is meant; empty where nothing is."""
        if self.order is None:
            return ""
        if self.order.by is not None:
            return self.order.by
        shown = [part.column for part in self.projections]
        return shown[0 if self.order.axis == "x" else -1] if shown else ""


def parts_of(state: State) -> Parts:
    """Return the parts of a state by their types."""
    filled = [part for part in state.parts if part is not None]
    measures = [part for part in filled if isinstance(part, MeasurePart)]
    orders = [part for part in filled if isinstance(part, OrderPart)]
    return Parts(
        state.conditions,
        measures[0] if measures else None,
        measures[1] if len(measures) > 1 else None,
        tuple(part for part in filled if isinstance(part, KeyPart)),
        orders[-1] if orders else None,
        orders[0] if len(orders) > 1 else None,
        tuple(part for part in filled if isinstance(part, ProjectionPart)),
        next((part for part in filled if isinstance(part, HavingPart)), None),
        next((part for part in filled if isinstance(part, OperatorPart)), None),
    )


def only(source: Relation, columns: tuple[str, ...]) -> Relation:
    """Return the columns of a relation."""
    return Project(source=source, columns=tuple(Named(name=name, of=Col(name=name)) for name in columns))
