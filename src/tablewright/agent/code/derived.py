"""Percentages that an answer works out from two other numbers of the same line. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablewright.agent.code.figures import Figure

NEIGHBOURS = 40
"""The most numbers of a line that are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """A number of a text that the step `step_id` has put out."""

    figure: Figure
    step_id: str


def derived(figure: Figure, line: Sequence[Proven]) -> str | None:
    """Return the step of two numbers of which `figure` is the share or the relative difference; None without such.

    `line` are the proven numbers of the same line.
    """
    if not figure.percent:
        return None
    tolerance = (0.5 * 10.0**-figure.decimals) * (1 + 1e-6)
    for part, whole, step_id in _pairs(line[:NEIGHBOURS]):
        share = 100 * part / whole
        if any(abs(value - figure.written) <= tolerance for value in (share, share - 100, 100 - share)):
            return step_id
    return None


def _pairs(line: Sequence[Proven]) -> Iterator[tuple[float, float, str]]:
    values = [(each.figure.written * each.figure.scale, each.step_id) for each in line if not each.figure.percent]
    for at, (part, step_id) in enumerate(values):
        for other, (whole, _) in enumerate(values):
            if at != other and whole:
                yield part, whole, step_id
