"""The first step: reads each data set once and converts the columns that the plan computes with to numbers and
dates."""

from __future__ import annotations

from tablewright.analyst.writing.columns import Column, Frame, facts_column
from tablewright.analyst.writing.literals import fitted_line, quoted
from tablewright.analyst.writing.naming import Names, slug
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.loading import date_expression, load_lines, number_expression

_SHOWN_ALIKE = frozenset({"%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S"})
"""Formats whose dates print the same after parsing; others stay text, as in the file, until they are computed with."""


def load(
    dataset: DatasetFacts, names: Names, *, named: frozenset[str], computed: frozenset[str], alone: bool
) -> tuple[list[str], Frame]:
    """Return the lines that load `dataset`, and the resulting variable."""
    name = names.fresh(slug(dataset.name), otherwise="df" if alone else "table")
    lines = [line.replace("<|", "\\x3c|") for line in load_lines(dataset, name)]
    columns: list[Column] = []
    for facts in dataset.columns:
        series = f"{name}[{quoted(facts.name)}]"
        converted, column = _column(series, facts, dataset.read.decimal, named=named, computed=computed)
        if converted:
            lines += fitted_line(series, converted)
        columns.append(column)
    return lines, Frame(name=name, columns=tuple(columns))


def _column(
    series: str, facts: ColumnFacts, decimal: str | None, *, named: frozenset[str], computed: frozenset[str]
) -> tuple[str, Column]:
    """Return the code that converts a column as its facts require (empty: it stays as written), and the resulting
    column."""
    plain = facts_column(facts, date_format=None)
    used = facts.name in computed
    if facts.notation == "plain":
        return "", plain
    if facts.kind in {"number", "integer"}:
        if used or (facts.notation == "thousands" and facts.name in named):
            return number_expression(series, facts, decimal=decimal), plain
        return "", Column(name=facts.name, kind="text", missing=plain.missing)
    if facts.kind in {"date", "datetime"}:
        if used and facts.date_format in _SHOWN_ALIKE:
            return date_expression(series, facts), plain
        return "", facts_column(facts, date_format=facts.date_format or "")
    if facts.kind == "time":
        return "", facts_column(facts, date_format=facts.date_format)
    return "", plain
