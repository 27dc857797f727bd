"""The tables of the data sets as a plan finds them: converted and cleaned as far as the plan computes with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tablewright.analyst.evaluating.conversion import one_type, parsed
from tablewright.analyst.evaluating.grids import Grid
from tablewright.analyst.evaluating.moments import Moment, dates_of, iso_micros, moment
from tablewright.analyst.evaluating.stored import StoredTable
from tablewright.analyst.evaluating.vectors import Stopped, Values, Vector, of_column, once, unknown
from tablewright.analyst.writing.cleaning import Use, manners
from tablewright.analyst.writing.columns import Column
from tablewright.analyst.writing.loaded import Form, loaded
from tablewright.domain.cleaning import dated_form, folded, lacks_year, spellings
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.loading import WEEKDAYS


def forms_of(dataset: DatasetFacts, use: Use) -> str:
    """Return in what forms a plan has the columns of a data set (of clean facts) loaded, as a key."""
    forms = [(loaded(facts, use), sorted(manners(facts, use))) for facts in dataset.columns]
    return repr([(form, column.kind, ways) for (form, column), ways in forms])


def source(dataset: DatasetFacts, table: StoredTable, use: Use) -> Grid:
    """Return the table of a data set (of clean facts) for a plan that uses it so."""
    if len(table.columns) != len(dataset.columns):
        raise Stopped(unknown(dataset.id))
    columns: dict[str, Vector] = {}
    for place, facts in enumerate(dataset.columns):
        form, column = loaded(facts, use)
        ways = tuple(sorted({*manners(facts, use)} & {"spelling", "spaces"}))
        read = _reading(table, place, facts, form, column, ways, dataset.read.decimal)
        columns[facts.name] = of_column(column, read)
    rows = len(table.columns[0]) if table.columns else 0
    return Grid(rows=rows, columns=columns)


def _reading(
    table: StoredTable,
    place: int,
    facts: ColumnFacts,
    form: Form,
    column: Column,
    ways: tuple[str, ...],
    decimal: str | None,
) -> Callable[[], Values]:
    """Return what reads a column; its cells are kept with the table, since they are the same for the next plan."""
    key = (place, form, column.kind, column.date_format, ways)

    def make() -> Values:
        found = table.converted.get(key)
        if found is None:
            values = _converted(list(table.columns[place]), facts, form, column, decimal)
            found = table.converted[key] = _spelled(values, facts, ways) if ways else values
        return found

    return once(make)


def _converted(values: Values, facts: ColumnFacts, form: Form, column: Column, decimal: str | None) -> Values:
    if form == "numbers":
        return parsed(values, facts, decimal)
    if form == "dates":
        return _dates(values, facts)
    if column.is_date and column.date_format is None:
        return _moments(values)
    return one_type(values) if column.is_number else values


def _dates(values: Values, facts: ColumnFacts) -> Values:
    if facts.notation != "date_text":
        return _moments(values)
    if facts.clean is not None and facts.clean.weekdays:
        values = [re.sub(WEEKDAYS, "", value) if isinstance(value, str) else value for value in values]
    formats = facts.clean.date_formats if facts.clean is not None else ()
    first, *others = formats if len(formats) > 1 else (facts.date_format or "",)
    found = dates_of(values, first)
    year = facts.clean.year if facts.clean is not None else None
    for form in others:
        bare = year is not None and lacks_year(form)
        read = dates_of(_in_year(values, year), dated_form(form)) if bare else dates_of(values, form)
        found = _filled(found, read)
    # Cells of a workbook that are dates by themselves are stored as ISO text, beside texts in other notations.
    return _filled(found, _moments(values)) if None in found else found


def _in_year(values: Values, year: int | None) -> Values:
    return [f"{year} {value}" if isinstance(value, str) else value for value in values]


def _filled(values: Values, others: Values) -> Values:
    return [one if one is not None else other for one, other in zip(values, others, strict=True)]


def _moments(values: Values) -> Values:
    known: dict[Any, Moment | None] = {}
    for value in set(values):
        known[value] = moment(iso_micros(value)) if isinstance(value, str) else None
    return [known[value] for value in values]


def _spelled(values: Values, facts: ColumnFacts, ways: tuple[str, ...]) -> Values:
    """Return the values of a column of words, each written in one way."""
    meant = spellings(facts) if "spelling" in ways else {}

    def spell(text: Any) -> Any:
        if not isinstance(text, str):
            return text
        return meant.get(folded(text)) or (text.strip() if "spaces" in ways else text)

    known = {value: spell(value) for value in set(values)}
    return [known[value] for value in values]
