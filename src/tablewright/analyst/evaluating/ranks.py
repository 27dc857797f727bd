"""Ranks of the cells of a column."""

from __future__ import annotations

from typing import Any, Literal

from tablewright.analyst.evaluating.vectors import Order, Values


def arranged(values: Values, *, descending: bool = False, order: Order | None = None) -> list[int]:
    """Return the places of the cells that are not missing, in order; equal ones stay as they stand."""
    places = [place for place, value in enumerate(values) if value is not None]
    if order is None:
        places.sort(key=values.__getitem__, reverse=descending)
    else:
        places.sort(key=lambda place: order[values[place]], reverse=descending)
    return places


def ranks(
    values: Values,
    *,
    method: Literal["min", "dense", "first", "average"] = "min",
    descending: bool = False,
    order: Order | None = None,
) -> Values:
    """Return the rank of each cell, from 1 and as a float; missing for those that are."""
    found: list[Any] = [None] * len(values)
    tied: list[int] = []
    before, distinct = 0, 0
    places = arranged(values, descending=descending, order=order)
    for number, place in enumerate(places):
        if method == "first":
            found[place] = float(number + 1)
            continue
        if tied and values[tied[-1]] != values[place]:
            before, distinct, tied = number, distinct + 1, []
        tied.append(place)
        found[place] = float(distinct + 1 if method == "dense" else before + 1)
    if method == "average":
        _averaged(values, places, found)
    return found


def _averaged(values: Values, places: list[int], found: list[Any]) -> None:
    start = 0
    for stop in range(1, len(places) + 1):
        if stop == len(places) or values[places[stop]] != values[places[start]]:
            for place in places[start:stop]:
                found[place] = (start + 1 + stop) / 2
            start = stop
