"""How a table joins another of the workbook, and the other's columns in formulas of its rows."""

from __future__ import annotations

from tablewright.analyst.grammar.scene import ColumnLink
from tablewright.analyst.grammar.scene import Scene as Linked
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.scene import Place

_AGREED = 0.8


def joints_of(clause: Clause, place: Place, linked: Linked) -> list[tuple[str, str]]:
    """Return the columns in which two tables agree, as (theirs, ours): by name, else by what their cells hold."""
    found = [(name, name) for name in clause.place.names if name in place.names]
    if found:
        return found
    for ours, cells in clause.linked.known.items():
        for theirs, others in linked.known.items():
            common = len(set(cells) & set(others))
            if cells and common >= _AGREED * len(set(cells)) and theirs in place.names:
                found.append((theirs, ours))
    return found


def foreign_links(clause: Clause, start: int) -> list[tuple[ColumnLink, str]]:
    """Return the columns of numbers of other sheets that are named at a token, each as the formula that finds it."""
    found: list[tuple[ColumnLink, str]] = []
    for place, linked in clause.others.values():
        links = [link for link in linked.links if link.start == start and link.column.role == "number"]
        joint = _unique_joint(clause, place, linked) if links else None
        if joint is not None:
            found += [(link, _looked_up(place, link.column.name, joint)) for link in links]
    return sorted(found, key=lambda one: (one[0].score, one[0].end), reverse=True)


def _unique_joint(clause: Clause, place: Place, linked: Linked) -> tuple[str, str] | None:
    """Return the first joint whose values are all different in the other table."""
    return next(
        (joint for joint in joints_of(clause, place, linked) if place.fact(joint[0]).distinct == place.facts.rows), None
    )


def looked_up_in(place: Place, column: str) -> str:
    """Return how a formula begins that looks up a column of a table."""
    return f"INDEX({_reference(place)}!{place.fixed(column)},"


def _reference(place: Place) -> str:
    return place.sheet if place.sheet.isidentifier() else "'" + place.sheet.replace("'", "''") + "'"


def _looked_up(place: Place, column: str, joint: tuple[str, str]) -> str:
    theirs, ours = joint
    return f"{looked_up_in(place, column)}MATCH([{ours}],{_reference(place)}!{place.fixed(theirs)},0))"
