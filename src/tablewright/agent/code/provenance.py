"""Provenance of the numbers in an answer: looks up each in the outputs of the steps. Pure functions."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from tablewright.agent.code.derived import Proven, derived
from tablewright.agent.code.figures import Figure, figures
from tablewright.domain.answer import NumberSource
from tablewright.domain.table import Cell, Table
from tablewright.domain.task import StepFacts

TEXT_CHARS = 100_000
"""How many characters of a step's printed text are searched."""
SOURCES = 500
ROUNDED_FROM = 20
"""Smaller whole numbers must match exactly: too many values round to 3."""
_RELATIVE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _Seen:
    """A number that a step output; `rank` says how directly (result, table, chart, text, row count)."""

    value: float
    rank: int
    step: int


def provenance(text: str, outputs: Mapping[str, StepFacts], question: str = "") -> tuple[NumberSource, ...]:
    """Return the numbers of `text`, each with the step that output it: a key of `outputs`, which is in execution order.

    A number may match exactly, rounded as written, as a share for a percentage, or without its sign. One that matches
    nothing has no step and counts as unverified; it is left out if it only repeats the question or may be a year. A
    percentage that is the share of two matched numbers of its line, or their difference, belongs to the step of these.
    """
    steps = tuple(outputs)
    seen = sorted(each for place, step in enumerate(steps) for each in _seen(outputs[step], place))
    values = [each.value for each in seen]
    asked = {figure.written for figure in figures(question)}
    found: list[tuple[Figure, str | None]] = []
    for figure in islice(figures(text), SOURCES):
        best = min(_matches(figure, seen, values), default=None)
        if best is not None or not (figure.bare_year or figure.written in asked):
            found.append((figure, None if best is None else steps[-best[2]]))
    lines = _lines(text, found)
    return tuple(
        NumberSource(
            value=figure.value,
            start=figure.start,
            end=figure.end,
            step_id=step_id or derived(figure, lines[_line(text, figure)]),
        )
        for figure, step_id in found
    )


def _line(text: str, figure: Figure) -> int:
    """Return where the line of a figure begins."""
    return text.rfind("\n", 0, figure.start) + 1


def _lines(text: str, found: list[tuple[Figure, str | None]]) -> dict[int, list[Proven]]:
    """Return the proven numbers of each line that has any number."""
    lines: dict[int, list[Proven]] = {}
    for figure, step_id in found:
        line = lines.setdefault(_line(text, figure), [])
        if step_id is not None:
            line.append(Proven(figure=figure, step_id=step_id))
    return lines


def _matches(figure: Figure, seen: list[_Seen], values: list[float]) -> Iterator[tuple[int, int, int]]:
    """Yield the quality of each match, smallest best: how it was read, how directly it was output, how recently."""
    for reading, (value, unit) in enumerate(_readings(figure)):
        rounding = 0.5 * 10.0**-figure.decimals * unit
        exact = abs(value) * _RELATIVE
        loose = rounding * (1 + 1e-6) if figure.decimals or unit > 1 or abs(value) >= ROUNDED_FROM else 0.0
        for place in range(
            bisect_left(values, value - max(exact, loose)), bisect_right(values, value + max(exact, loose))
        ):
            is_exact = abs(values[place] - value) <= exact
            yield reading * 2 + (not is_exact), seen[place].rank, -seen[place].step


def _readings(figure: Figure) -> Iterator[tuple[float, float]]:
    """Yield the values that the figure may stand for, likeliest first, each with the unit of its last whole digit."""
    scaled = figure.written * figure.scale
    yield scaled, figure.scale
    if figure.percent:
        yield scaled / 100, 0.01
    if figure.scale > 1:
        yield figure.written, 1.0
    if scaled:
        yield -scaled, figure.scale
        if figure.percent:
            yield -scaled / 100, 0.01


def _seen(facts: StepFacts, step: int) -> Iterator[_Seen]:
    tables = [(0, facts.result), *((1, table) for table in facts.tables)]
    for rank, table in tables:
        if table is not None:
            yield from (_Seen(value=value, rank=rank, step=step) for value in _cells(table))
            yield _Seen(value=float(table.total_rows), rank=4, step=step)
    for chart in facts.charts:
        for value in (*chart.x, *chart.y):
            yield from (_Seen(value=number, rank=2, step=step) for number in _numbers(value))
    for figure in figures(facts.text[:TEXT_CHARS]):
        yield _Seen(value=figure.written * figure.scale, rank=3, step=step)


def _cells(table: Table) -> Iterator[float]:
    for row in table.rows:
        for value in row:
            yield from _numbers(value)


def _numbers(value: Cell) -> Iterator[float]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, str):
        yield from (figure.written * figure.scale for figure in figures(value[:200]))
    elif math.isfinite(value):
        yield float(value)
