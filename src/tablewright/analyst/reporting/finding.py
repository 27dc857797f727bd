"""Findings of a report, and which of them hold when all tests of the report are counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from tablewright.analyst.reporting.figures import PLAIN, Figures
from tablewright.domain.table import Cell

Kind = Literal[
    "unit",
    "duplicates",
    "identity_broken",
    "spellings",
    "break",
    "trend",
    "season",
    "dominant",
    "correlation",
    "group",
    "rate",
    "outlier",
    "missing",
    "leaders",
]

LEVEL = 0.02
"""The chance that a report without any effect to be found claims one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingTable:
    """Rows behind a finding; the columns at the places `shares` are shares of 1, those at `measures` are numbers of a
    column of the table that was looked at, whose `figures` these are."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    shares: tuple[int, ...] = ()
    measures: tuple[tuple[int, str], ...] = ()
    figures: Figures = PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that was found in a table.

    `text` says it; `p` is the probability that chance alone does as much, None for what was counted and not tested;
    `weight` is how much it matters, from 0 to 1; `step` is the id of the call it comes from; `chart` an ECharts option;
    `table` has the rows behind it.
    """

    kind: Kind
    columns: tuple[str, ...]
    text: str
    weight: float
    step: str
    p: float | None = None
    chart: dict[str, Any] | None = None
    table: FindingTable | None = None


def holding(findings: Iterable[Finding], tests: int) -> list[Finding]:
    """Return the findings that were not tested, and of the others those that hold by Holm's method at `LEVEL`, where
    `tests` were made in all: whoever tests a hundred times finds something by chance."""
    found = list(findings)
    tested = sorted((finding for finding in found if finding.p is not None), key=lambda finding: finding.p or 0.0)
    kept: list[Finding] = []
    for place, finding in enumerate(tested):
        if (finding.p or 0.0) > LEVEL / max(1, tests - place):
            break
        kept.append(finding)
    return [finding for finding in found if finding.p is None or finding in kept]


def ranked(findings: Iterable[Finding], most: int) -> list[Finding]:
    """Return the `most` findings that matter most; of a kind, the third and further ones come behind all others."""
    seen: dict[str, int] = {}
    placed: list[tuple[bool, float, int, Finding]] = []
    for place, finding in enumerate(sorted(findings, key=lambda finding: -finding.weight)):
        seen[finding.kind] = seen.get(finding.kind, 0) + 1
        placed.append((seen[finding.kind] > 2, -finding.weight, place, finding))
    return [finding for *_, finding in sorted(placed, key=lambda entry: entry[:3])][:most]
