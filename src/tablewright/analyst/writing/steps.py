"""Segments: named pieces of code, and how they become one block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags

MOST_STEPS = 8
"""A run executes at most ten segments; the rest is left for a repair."""


@dataclass(slots=True, kw_only=True)
class Segment:
    """One step. `part` tells which of the plan's parts it belongs to (-1: loading)."""

    name: str
    part: int
    lines: list[str] = field(default_factory=list[str])


def fitted(segments: Sequence[Segment], limit: int = MOST_STEPS) -> list[Segment]:
    """Return the segments, where they are too many joined by part, and if that is not enough, all parts in one."""
    kept = [segment for segment in segments if segment.lines]
    if len(kept) > limit:
        kept = _joined(kept, [segment.part for segment in kept])
    if len(kept) > limit:
        last = max(segment.part for segment in kept)
        kept = _joined(kept, [min(segment.part, 0) if segment.part < last else last for segment in kept])
    return kept


def _joined(segments: Sequence[Segment], keys: Sequence[int]) -> list[Segment]:
    joined: list[Segment] = []
    previous: int | None = None
    for segment, key in zip(segments, keys, strict=True):
        if joined and key == previous:
            joined[-1].lines += ["", f"# {segment.name}", *segment.lines]
            joined[-1].name = segment.name
        else:
            joined.append(Segment(name=segment.name, part=segment.part, lines=[f"# {segment.name}", *segment.lines]))
        previous = key
    for segment in joined:
        if sum(line.startswith("# ") for line in segment.lines) == 1:
            del segment.lines[0]
    return joined


def block(segments: Sequence[Segment], tags: CodeTags = DEFAULT_TAGS) -> str:
    """Return the segments as one code block, with its tags."""
    pieces: list[str] = []
    for segment in segments:
        name = " ".join(segment.name.replace("<|", "< |").split())
        pieces.append("\n".join([f"{tags.step_annotation} {name}", *segment.lines]))
    return f"{tags.code_begin}\n" + "\n\n".join(pieces) + f"\n{tags.code_end}\n"
