"""What a run has already executed, read back from its transcript, and executed again in a new session."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tablewright.agent.base import AgentInput
from tablewright.agent.code.result_delivery import run_unwritten
from tablewright.agent.code.step_runner import StepRunner
from tablewright.agent.emission import Emit
from tablewright.agent.steps import CodeStep, StepRecord
from tablewright.agent.stream.blocks import SegmentReady
from tablewright.agent.stream.segments import SegmentReader
from tablewright.domain.events import SessionLost
from tablewright.domain.events.runs import RESUMED
from tablewright.domain.ids import Ids
from tablewright.domain.message import Message, TextPart
from tablewright.errors import SandboxLost
from tablewright.models.dialogue import CodeTags
from tablewright.texts.catalogue import text


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedSegment:
    """A segment that ran successfully; `name` is None if it had no annotation."""

    name: str | None
    code: str


async def replay(
    given: AgentInput, tags: CodeTags, runner: StepRunner, ids: Ids, emit: Emit
) -> AsyncIterator[StepRecord]:
    """Run again what the run's transcript says was run, and yield each step. Raises `SandboxLost` if one fails now."""
    segments = replayed_segments(given.transcript, tags)
    if segments:
        emit(SessionLost(reason=RESUMED))
    for segment in segments:
        name = segment.name or text("agent.step_unnamed", given.language)
        step = CodeStep(id=ids.new(), name=name, code=segment.code, named=segment.name is not None)
        record = await run_unwritten(step, runner, emit)
        if record.error is not None:
            raise SandboxLost("lost_error", step=name, status="error")
        yield record


def replayed_segments(transcript: Sequence[Message], tags: CodeTags) -> tuple[ReplayedSegment, ...]:
    """Return the segments of the transcript that ran successfully, in order: those of every turn that was given its
    output, without the last of a turn that was given an error."""
    done: list[ReplayedSegment] = []
    for turn, reply in pairwise(transcript):
        if turn.role != "assistant" or not _marked(reply, tags.output, tags.error):
            continue
        reader = SegmentReader(tags)
        found = [*reader.feed(turn.text), *reader.finish()]
        segments = [ReplayedSegment(name=part.name, code=part.code) for part in found if isinstance(part, SegmentReady)]
        done.extend(segments[:-1] if _marked(reply, tags.error) else segments)
    return tuple(done)


def _marked(reply: Message, *marks: str) -> bool:
    """Return whether `reply` opens one of `marks` in the system's own text; text from data may contain anything."""
    return reply.role == "user" and any(
        part.text.lstrip().startswith(marks)
        for part in reply.parts
        if isinstance(part, TextPart) and part.origin == "system"
    )
