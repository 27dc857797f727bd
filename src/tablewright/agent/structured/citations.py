"""Numbers in a part of a report that names the call it is about: they come from that call. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tablewright.domain.answer import NumberSource

_PART = re.compile(r"^#{1,6} ", re.MULTILINE)
_BLOCK_END = re.compile(r"\n[ \t]*\n")
_CITED = re.compile(r"`([^`\n]{1,200})`")


def by_citation(report: str, sources: Sequence[NumberSource], steps: Mapping[str, str]) -> tuple[NumberSource, ...]:
    """Return the sources of a report that a program wrote, of which paragraphs name calls; `steps` are the steps of
    the calls by their ids. All numbers of a paragraph that names one call come from it, and so do those of its part
    below a heading up to the next paragraph that names another: those too that no step has put out as they are
    (shares, rounded ones, powers of ten). In a part that names no call, numbers come from no step: that a step has put
    out an equal one is chance."""
    blocks = list(_blocks(report, steps))
    if not any(named for _, named in blocks):
        return tuple(sources)
    made: list[NumberSource] = []
    block = 0
    for source in sources:
        while block + 1 < len(blocks) and source.start >= blocks[block + 1][0]:
            block += 1
        named = blocks[block][1]
        step = next(iter(named)) if len(named) == 1 else source.step_id if named else None
        made.append(replace(source, step_id=step))
    return tuple(made)


def _blocks(report: str, steps: Mapping[str, str]) -> Iterator[tuple[int, set[str]]]:
    """Yield where each paragraph begins, and the steps that its numbers may come from."""
    starts = [0, *(found.start() for found in _PART.finditer(report))]
    for start, end in zip(starts, [*starts[1:], len(report)], strict=True):
        whole = _cited(report[start:end], steps)
        begins = [start, *(found.end() for found in _BLOCK_END.finditer(report, start, end))]
        before: set[str] = whole
        for begin, stop in zip(begins, [*begins[1:], end], strict=True):
            before = _cited(report[begin:stop], steps) or before
            yield begin, before


def _cited(part: str, steps: Mapping[str, str]) -> set[str]:
    return {steps[name] for name in _CITED.findall(part) if name in steps}
