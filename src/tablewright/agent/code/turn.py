"""One turn: a model writes, and what it writes is executed while it continues writing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from tablewright.agent.code.step_runner import StepRunner
from tablewright.agent.emission import Emit, stopped
from tablewright.agent.steps import CodeStep, StepRecord
from tablewright.agent.stream.writer import TurnWriter, WriterRules
from tablewright.domain.ids import Ids
from tablewright.domain.message import Message, ToolCallPart
from tablewright.models.base import Model, ModelRequest, ToolCalled
from tablewright.models.dialogue import CodeTags, kept_turn
from tablewright.tools.execution.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """The outcome of a turn.

    `conclusion` is the text after its last code. `message` is the turn as kept in the transcript, without the tool
    calls. `out_of_steps`: it would have exceeded the steps left; `cut_short`: the model was cut off within its text;
    `hollow`: it wrote tags but neither text nor code.
    """

    message: Message
    words: str
    conclusion: str
    records: tuple[StepRecord, ...]
    calls: tuple[ToolCalled, ...]
    out_of_steps: bool
    cut_short: bool = False
    hollow: bool = False

    @property
    def failed(self) -> StepRecord | None:
        """The step that failed, which is always the last that ran, or None."""
        return self.records[-1] if self.records and self.records[-1].error is not None else None

    @property
    def succeeded(self) -> tuple[StepRecord, ...]:
        """The steps that succeeded."""
        return tuple(record for record in self.records if record.error is None)


@dataclass(slots=True, kw_only=True)
class Turn:
    """Takes one turn.

    Steps run strictly in order; when one fails, the model is stopped and everything after that step is dropped.
    """

    ids: Ids
    emit: Emit
    runner: StepRunner
    workspace: Workspace
    steps: asyncio.Queue[CodeStep | None] = field(default_factory=asyncio.Queue[CodeStep | None])
    records: list[StepRecord] = field(default_factory=list[StepRecord])
    started: set[str] = field(default_factory=set[str])

    async def take(self, model: Model, request: ModelRequest, rules: WriterRules) -> TurnRecord:
        """Let `model` answer `request`; raises what the model or a step raises to end the run."""
        writing = TurnWriter(
            rules=rules, ids=self.ids, emit=self.emit, begin=self.workspace.prepare, submit=self.steps.put_nowait
        )
        writer = asyncio.create_task(self._write(writing, model, request))
        worker = asyncio.create_task(self._work())
        try:
            await asyncio.wait((writer, worker), return_when=asyncio.FIRST_COMPLETED)
            if not worker.done():
                writer.result()
            await worker
            if self._broken():
                await stopped(writer)
            else:
                await writer
        except asyncio.CancelledError:
            # Code may take time to stop, but whoever stopped the run does not wait long: rescue files meanwhile.
            await asyncio.gather(stopped(writer, worker), self.runner.files.finished())
            raise
        finally:
            await stopped(writer, worker)
            writing.close(self.started)
        return self._record(writing, rules.tags)

    async def _write(self, writing: TurnWriter, model: Model, request: ModelRequest) -> None:
        await writing.follow(model, request)
        self.steps.put_nowait(None)

    async def _work(self) -> None:
        while (step := await self.steps.get()) is not None:
            self.started.update((step.id, *step.also))
            self.records.append(await self.runner.run(step))
            if self._broken():
                return

    def _broken(self) -> bool:
        return bool(self.records) and self.records[-1].error is not None

    def _record(self, writing: TurnWriter, tags: CodeTags) -> TurnRecord:
        return TurnRecord(
            message=self._kept(writing, tags),
            words=writing.words.text,
            conclusion="" if writing.made_up else writing.words.since_code,
            records=tuple(self.records),
            calls=() if self._broken() or writing.out_of_steps else tuple(writing.calls),
            out_of_steps=writing.out_of_steps,
            cut_short=writing.cut_off and writing.cut_key is None,
            hollow=not (self.records or writing.words.text or writing.out_of_steps) and writing.tagged,
        )

    def _kept(self, writing: TurnWriter, tags: CodeTags) -> Message:
        """Return the turn as the model will read it again.

        If it was stopped early, it is cut after the last step that ran.
        """
        written = writing.reader.text
        if self._broken() or writing.out_of_steps:
            return kept_turn(written[: self.records[-1].step.end if self.records else 0], tags=tags)
        if writing.ended is None or written.rfind(tags.code_begin) > written.rfind(tags.code_end):
            return kept_turn(written, tags=tags)
        return Message(
            role="assistant",
            parts=tuple(part for part in writing.ended.message.parts if not isinstance(part, ToolCallPart)),
        )


def called(turn: TurnRecord, *calls: ToolCalled) -> Message:
    """Return the message that makes `calls`, for the transcript.

    It includes the turn's own parts if nothing ran in between.
    """
    parts = tuple(
        ToolCallPart(call_id=call.call_id, name=call.name, arguments=call.arguments, provider_state=call.provider_state)
        for call in calls
    )
    return Message(role="assistant", parts=parts if turn.records else (*turn.message.parts, *parts))
