"""What a state means: a relation, and what its columns are."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.plan import Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """A relation, the names of its columns that are keys (or shown columns) and measures, and which form of the
    answer it is (`whole`, or `short` with the names alone)."""

    relation: Relation
    keys: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    form: str = "whole"
