"""Segments: named pieces of code, and their assembly into one block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags

MOST_STEPS = 8
"""A run executes at most ten segments; the remaining two are reserved for a repair."""


@dataclass(slots=True, kw_only=True)
class Segment:
    """One step. `part` is the index of the plan's part it belongs to (-1: loading)."""

    name: str
    part: int
    lines: list[str] = field(default_factory=list[str])


def fitted(segments: Sequence[Segment], limit: int = MOST_STEPS) -> list[Segment]:
    """Return at most `limit` segments by joining the shortest neighbours, first those of the same part. Loading and
    the last step are never joined."""
    kept = [segment for segment in segments if segment.lines]
    while len(kept) > limit:
        places = range(1, len(kept) - 2)
        place = min(places, key=lambda at: (kept[at].part != kept[at + 1].part, _size(kept[at]) + _size(kept[at + 1])))
        kept[place : place + 2] = [_joined(kept[place], kept[place + 1])]
    return kept


def _size(segment: Segment) -> int:
    return len(segment.lines)


def _joined(first: Segment, second: Segment) -> Segment:
    """Return both segments as one, named after the second; each keeps its name as a comment."""
    return Segment(name=second.name, part=second.part, lines=[*_headed(first), "", *_headed(second)])


def _headed(segment: Segment) -> list[str]:
    return segment.lines if segment.lines[0].startswith("# ") else [f"# {segment.name}", *segment.lines]


def block(segments: Sequence[Segment], tags: CodeTags = DEFAULT_TAGS) -> str:
    """Return the segments as one code block, including its tags."""
    pieces: list[str] = []
    for segment in segments:
        name = " ".join(segment.name.replace("<|", "< |").split())
        pieces.append("\n".join([f"{tags.step_annotation} {name}", *segment.lines]))
    return f"{tags.code_begin}\n" + "\n\n".join(pieces) + f"\n{tags.code_end}\n"
