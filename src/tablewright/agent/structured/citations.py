"""Numbers in a part of a report that names the one call it is about: they come from that call. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tablewright.domain.answer import NumberSource

_PART = re.compile(r"^#{1,6} ", re.MULTILINE)
_CITED = re.compile(r"`([^`\n]{1,200})`")


def by_citation(report: str, sources: Sequence[NumberSource], steps: Mapping[str, str]) -> tuple[NumberSource, ...]:
    """Return the sources of a report that a program wrote, of which parts below a heading name a call; `steps` are the
    steps of the calls by their ids. All numbers of such a part come from its call, those too that no step has put out
    as they are: shares, rounded ones, powers of ten."""
    starts = [0, *(found.start() for found in _PART.finditer(report))]
    ends = [*starts[1:], len(report)]
    cited = [_cited(report[start:end], steps) for start, end in zip(starts, ends, strict=True)]
    made: list[NumberSource] = []
    part = 0
    for source in sources:
        while source.start >= ends[part] and part + 1 < len(ends):
            part += 1
        step = cited[part]
        made.append(source if step is None else replace(source, step_id=step))
    return tuple(made)


def _cited(part: str, steps: Mapping[str, str]) -> str | None:
    named = {steps[name] for name in _CITED.findall(part) if name in steps}
    return named.pop() if len(named) == 1 else None
