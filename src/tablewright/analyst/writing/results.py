"""What is known of the column that holds the results of an aggregate."""

from __future__ import annotations

from typing import Protocol

from tablewright.analyst.plan import Measure
from tablewright.analyst.writing.columns import DATED, Column
from tablewright.analyst.writing.statistics import COUNTING, SPREADS
from tablewright.domain.dataset import ColumnKind


class Aggregated(Protocol):
    """What is known of the cells that are aggregated."""

    @property
    def kind(self) -> ColumnKind: ...
    @property
    def unit(self) -> str | None: ...
    @property
    def missing(self) -> bool: ...
    @property
    def date_format(self) -> str | None: ...
    @property
    def is_date(self) -> bool: ...


def result_column(measure: Measure, of: Aggregated | None) -> Column:
    """Return the column that holds a measure's results."""
    kind: ColumnKind = "number"
    unit = None
    if of is None or measure.function in COUNTING:
        kind = "integer"
    elif measure.function in {"min", "max", "mode", "first", "last", "median"}:
        kind, unit = (of.kind if measure.function != "median" or of.kind in DATED else "number"), of.unit
    elif measure.function in {"any", "all"}:
        kind = "boolean"
    elif measure.function in {"sum", "mean", "std", "range", "quantile"}:
        kind, unit = ("integer" if of.kind == "integer" and measure.function in {"sum", "range"} else "number"), of.unit
        kind = of.kind if of.is_date and measure.function in {"mean", "quantile"} else kind
    elif measure.function == "missing_percent":
        unit = "%"
    return Column(
        name=measure.name, kind=kind, unit=unit, date_format=_date_format(measure, of), missing=_missing(measure, of)
    )


def _missing(measure: Measure, of: Aggregated | None) -> bool:
    """Return whether a group's result may be missing: counts never are, and the spread of a single value is."""
    never = of is None or measure.function in COUNTING | {"missing_percent", "any", "all"}
    return not never and (of is None or of.missing or measure.where is not None or measure.function in SPREADS)


def _date_format(measure: Measure, of: Aggregated | None) -> str | None:
    kept = of is not None and measure.function in {"mode", "first", "last"}
    return of.date_format if of is not None and kept else None
