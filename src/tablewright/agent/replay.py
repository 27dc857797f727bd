"""What a run has already executed, read back from its transcript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tablewright.agent.blocks import SegmentReady
from tablewright.agent.segments import SegmentReader
from tablewright.domain.message import Message, TextPart
from tablewright.models.dialogue import CodeTags


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """A segment that ran successfully; `name` is None if it had no annotation."""

    name: str | None
    code: str


def executed(transcript: Sequence[Message], tags: CodeTags) -> tuple[Executed, ...]:
    """Return the segments of the transcript that ran successfully, in order: those of every turn that was given its
    output, without the last of a turn that was given an error."""
    done: list[Executed] = []
    for turn, reply in pairwise(transcript):
        if turn.role != "assistant" or not _marked(reply, tags.output, tags.error):
            continue
        reader = SegmentReader(tags)
        found = [*reader.feed(turn.text), *reader.finish()]
        segments = [Executed(name=part.name, code=part.code) for part in found if isinstance(part, SegmentReady)]
        done.extend(segments[:-1] if _marked(reply, tags.error) else segments)
    return tuple(done)


def _marked(reply: Message, *marks: str) -> bool:
    """Return whether `reply` opens one of `marks` in the system's own text; text from data may contain anything."""
    return reply.role == "user" and any(
        part.text.lstrip().startswith(marks)
        for part in reply.parts
        if isinstance(part, TextPart) and part.origin == "system"
    )
