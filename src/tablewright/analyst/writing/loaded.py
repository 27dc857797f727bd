"""In what form a plan has each column loaded: as written, as numbers, or as dates."""

from __future__ import annotations

from typing import Literal

from tablewright.analyst.writing.cleaning import Use, converted
from tablewright.analyst.writing.columns import Column, facts_column
from tablewright.domain.dataset import ColumnFacts

Form = Literal["written", "numbers", "dates"]
_SHOWN_ALIKE = frozenset({"%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S"})
"""Formats whose dates print the same after parsing; others stay text, as in the file, until they are computed with."""


def loaded(facts: ColumnFacts, use: Use) -> tuple[Form, Column]:
    """Return the form in which a column (of clean facts) is loaded, and the resulting column."""
    plain = facts_column(facts, date_format=None)
    if facts.clean is not None:
        return _cleaned(facts, use)
    if facts.notation == "plain":
        return "written", plain
    used = facts.name in use.computed
    if facts.kind in {"number", "integer"}:
        if used or (facts.notation == "thousands" and facts.name in use.named):
            return "numbers", plain
        return "written", Column(name=facts.name, kind="text", missing=plain.missing)
    if facts.kind in {"date", "datetime"}:
        if used and facts.date_format in _SHOWN_ALIKE:
            return "dates", plain
        return "written", facts_column(facts, date_format=facts.date_format or "")
    if facts.kind == "time":
        return "written", facts_column(facts, date_format=facts.date_format)
    return "written", plain


def _cleaned(facts: ColumnFacts, use: Use) -> tuple[Form, Column]:
    """As `loaded`, of a column that holds numbers or dates once it is cleaned; else it stays a column of words."""
    if not converted(facts, use):
        return "written", Column(name=facts.name, kind="text", missing=True)
    form: Form = "numbers" if facts.kind in {"number", "integer"} else "dates"
    return form, facts_column(facts, date_format=None)
