"""A table of boat trips, and what tags about it are read as."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.analyst.known_tables import Values, column, table

from tablewright.analyst.base import NotUnderstood
from tablewright.analyst.grammar.forms.reader import prescribed, read_form
from tablewright.analyst.plan import (
    Aggregate,
    Condition,
    Derive,
    Filter,
    Plan,
    Procedure,
    Project,
    Relation,
    Source,
    Top,
)
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import language_of

SOURCE = Source(dataset_id="trips")


def trips() -> DatasetFacts:
    """Return the facts of a table of boat trips."""
    return table(
        "trips",
        "trips",
        120,
        column("Boat", "text", 3, None, None, "Heron", "Otter", "Swift"),
        column("Crew_Sex", "text", 2, None, None, "M", "F"),
        column("Sailed", "date", 110, "2022-01-02", "2023-12-28"),
        column("Left", "time", 90, None, None, "07:30", "18:05"),
        replace(column("Fuel", "number", 80, 2.5, 90.0), missing=6),
        column("Miles", "number", 100, 1.0, 60.0),
        column("Planned", "number", 100, 1.0, 60.0),
        column("Built", "integer", 40, 1961, 2019),
        column("Delayed", "text", 2, None, None, "Yes", "No"),
        column("Aborted", "integer", 2, 0, 1),
    )


async def read(question: str, form: str) -> Plan:
    """Read a question with its form."""
    return await plan_for(f"{question}\nAnswer format: {form}", trips())


async def plan_for(question: str, *tables: DatasetFacts) -> Plan:
    """Read a question with a form that must be understood."""
    reading = await read_form(question, tables, Values())
    assert reading is not None
    assert reading.plan is not None
    return reading.plan


async def refusal_for(question: str, *tables: DatasetFacts) -> NotUnderstood:
    """Read a question with a form that must be declined."""
    reading = await prescribed(question, language_of(question), tables, Values())
    assert isinstance(reading, NotUnderstood), reading
    return reading


def relation(plan: Plan, place: int = 0) -> Relation:
    """Return what a tag is a cell of."""
    return plan.parts[plan.tags[place].part].relation


def aggregated(plan: Plan, place: int = 0) -> Aggregate:
    """Return the aggregate of a tag."""
    found = relation(plan, place)
    assert isinstance(found, Aggregate), found
    return found


def filtered(plan: Plan, place: int = 0) -> Filter:
    """Return the filter of the rows that the aggregate of a tag is of."""
    found = aggregated(plan, place).source
    assert isinstance(found, Filter), found
    return found


def ranked(plan: Plan, place: int = 0) -> tuple[Top, Aggregate]:
    """Return the extreme that a tag is a cell of, and the groups that it is chosen from."""
    found = relation(plan, place)
    assert isinstance(found, Top), found
    assert isinstance(found.source, Aggregate), found.source
    return found, found.source


def procedure(plan: Plan, place: int = 0) -> Procedure:
    """Return the procedure whose result a tag is."""
    found = relation(plan, place)
    assert isinstance(found, Procedure), found
    return found


def shared(plan: Plan, place: int = 0) -> tuple[Condition | None, Relation]:
    """Return what the share of a tag counts, and of which rows."""
    found = relation(plan, place)
    assert isinstance(found, Project)
    assert isinstance(found.source, Derive)
    assert isinstance(found.source.source, Aggregate)
    return found.source.source.measures[0].where, found.source.source.source
