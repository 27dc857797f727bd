"""Follows a model while it writes one turn: its events as they arrive, and the steps that are ready to run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Literal

from tablewright.agent.emission import Emit, closing
from tablewright.agent.steps import CodeStep
from tablewright.agent.stream.blocks import (
    BlockEnd,
    BlockStart,
    CodePiece,
    Found,
    InventedOutput,
    Prose,
    SegmentReady,
    StepAnnotation,
)
from tablewright.agent.stream.echo import Echo, may_begin_again
from tablewright.agent.stream.prose import ProseBuffer
from tablewright.agent.stream.segments import SegmentReader
from tablewright.domain.events import (
    CodeDelta,
    CodeFinished,
    StepAnnounced,
    StepFinished,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    UsageReported,
    WarningRaised,
)
from tablewright.domain.ids import Ids
from tablewright.errors import ModelStreamCut
from tablewright.models.base import (
    Model,
    ModelRequest,
    StreamEnded,
    StreamPart,
    TextPiece,
    ThinkingPiece,
    ToolCalled,
    UsageSeen,
)
from tablewright.models.dialogue import CodeTags
from tablewright.models.tokens import estimated

Mode = Literal["whole_block", "announce", "pre_execute"]
"""What happens while a model writes: nothing until the block is complete; steps are announced; or they also run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterRules:
    """How a turn is read. `steps_left` is how many more named steps may begin; code is ignored unless `may_run`."""

    tags: CodeTags
    mode: Mode
    unnamed: str
    steps_left: int
    may_run: bool = True


@dataclass(slots=True, kw_only=True)
class AnnouncedStep:
    """An announced step; `coded` once its code has begun."""

    id: str
    name: str
    named: bool
    coded: bool = False


@dataclass(slots=True, kw_only=True)
class TurnWriter:
    """One turn while it is being written.

    `submit` takes each step that is ready, in order; `begin` is called when code is first seen.
    """

    rules: WriterRules
    ids: Ids
    emit: Emit
    begin: Callable[[], None]
    submit: Callable[[CodeStep], None]
    reader: SegmentReader = field(init=False)
    words: ProseBuffer = field(default_factory=ProseBuffer)
    calls: list[ToolCalled] = field(default_factory=list[ToolCalled])
    ended: StreamEnded | None = None
    out_of_steps: bool = False
    made_up: bool = False
    tagged: bool = False
    seen: dict[int, AnnouncedStep] = field(default_factory=dict[int, AnnouncedStep])
    waiting: list[Found] = field(default_factory=list[Found])
    cut_key: int | None = None
    words_finished: bool = False
    counted: bool = False
    thought: list[str] = field(default_factory=list[str])
    submitted: bool = False
    text_echo: Echo = field(default_factory=Echo)
    thought_echo: Echo = field(default_factory=Echo)

    def __post_init__(self) -> None:
        self.reader = SegmentReader(self.rules.tags)

    @property
    def begun(self) -> int:
        """The number of named steps that have code."""
        return sum(step.named and step.coded for step in self.seen.values())

    @property
    def spoken(self) -> str:
        """All that the model has written so far, including its reasoning."""
        return "".join((*self.thought, self.reader.text))

    @property
    def cut_off(self) -> bool:
        """Whether the model was stopped before it had finished, by its own limit or by its provider."""
        return self.ended is not None and self.ended.reason in {"length", "content_filter"}

    async def follow(self, model: Model, request: ModelRequest) -> None:
        """Read the model's stream until it ends, exceeds the steps left, or makes up the output of its code.

        If the stream is abandoned early, its usage is estimated. If it is cut before any step is ready, the model is
        asked again, and what it repeats is passed over.
        """
        attempt = 1
        while not await self._attempt(model, request, attempt):
            attempt += 1
        if self.out_of_steps or self.made_up:
            self._estimate(model.name, request)
        if self.out_of_steps:
            return
        found = self.reader.finish()
        self.cut_key = _last_open(found) if self.cut_off else None
        self._read(found)
        self._finish_words()

    async def _attempt(self, model: Model, request: ModelRequest, attempt: int) -> bool:
        """Read one stream; return False if it was cut and may be tried again."""
        try:
            async with closing(model.stream(request)) as parts:
                async for part in parts:
                    self._part(part, model.name)
                    if self.out_of_steps or self.made_up:
                        break
        except asyncio.CancelledError:
            self._estimate(model.name, request)
            raise
        except ModelStreamCut as cut:
            begun = bool(self.text_echo.written or self.thought_echo.written)
            if not may_begin_again(cut, attempt, begun=begun, ran=self.submitted):
                raise
            self._estimate(model.name, request)
            self.counted = False
            self.calls.clear()
            self.text_echo, self.thought_echo = Echo(self.reader.text), Echo("".join(self.thought))
            return False
        return True

    def _begin_anew(self) -> None:
        """Drop what was shown: the model writes something else now."""
        self.close(())
        self.emit(WarningRaised(code="model_began_anew"))
        self.reader, self.words = SegmentReader(self.rules.tags), ProseBuffer()
        self.words_finished = self.tagged = False
        self.seen.clear()
        self.waiting.clear()

    def close(self, started: Container[str]) -> None:
        """Finish the words if the turn was stopped, and report the steps that never ran: those not in `started`."""
        self._finish_words()
        for step in self.seen.values():
            if step.id not in started:
                self.emit(StepFinished(step_id=step.id, status="dropped", elapsed_s=0.0))

    def _estimate(self, model: str, request: ModelRequest) -> None:
        usage = None if self.counted else estimated(model, request, self.spoken)
        if usage is not None:
            self._part(usage, model)

    def _finish_words(self) -> None:
        if self.words.text and not self.words_finished:
            self.words_finished = True
            self.emit(TextFinished(text=self.words.text))

    def _part(self, part: StreamPart, model: str) -> None:
        match part:
            case TextPiece():
                known = self.text_echo.differs
                new = self.text_echo.new(part.text)
                if self.text_echo.differs and not known:
                    self._begin_anew()
                self._read(self.reader.feed(new))
            case ThinkingPiece():
                if new := self.thought_echo.new(part.text):
                    self.thought.append(new)
                    self.emit(ThinkingDelta(text=new))
            case ToolCalled():
                self.calls.append(part)
            case UsageSeen():
                self.counted = True
                self.emit(
                    UsageReported(
                        model=model,
                        input_tokens=part.input_tokens,
                        output_tokens=part.output_tokens,
                        cached_tokens=part.cached_tokens,
                        method=part.method,
                    )
                )
            case StreamEnded():
                self.ended = part

    def _read(self, found: list[Found]) -> None:
        for part in found:
            if self.out_of_steps:
                return
            self.tagged = self.tagged or isinstance(part, BlockStart | InventedOutput)
            if isinstance(part, Prose):
                if shown := self.words.add(part.text):
                    self.emit(TextDelta(text=shown))
            elif isinstance(part, BlockStart):
                self.words.code()
                if self.rules.may_run:
                    self.begin()
            elif isinstance(part, InventedOutput):
                self.made_up = True
            elif self.rules.may_run:
                self._in_block(part)

    def _in_block(self, part: Found) -> None:
        """Process a part of a block, either at once or, depending on the mode, when the block has ended."""
        late = self.rules.mode == "whole_block" or (self.rules.mode == "announce" and isinstance(part, SegmentReady))
        if isinstance(part, BlockEnd):
            waiting, self.waiting = self.waiting, []
            for each in waiting:
                self._take(each)
        elif late:
            self.waiting.append(part)
        else:
            self._take(part)

    def _take(self, part: Found) -> None:
        if self.out_of_steps:
            return
        if isinstance(part, StepAnnotation):
            name = self.rules.unnamed if part.name is None else part.name
            self.seen[part.key] = seen = AnnouncedStep(id=self.ids.new(), name=name, named=part.name is not None)
            self.emit(StepAnnounced(name=name, step_id=seen.id))
        elif isinstance(part, CodePiece):
            self._code(part)
        elif isinstance(part, SegmentReady):
            self._ready(part)

    def _code(self, part: CodePiece) -> None:
        seen = self.seen[part.key]
        if not seen.coded:
            if seen.named and self.begun >= self.rules.steps_left:
                self.out_of_steps = True
                return
            seen.coded = True
        self.emit(CodeDelta(text=part.text, step_id=seen.id))

    def _ready(self, part: SegmentReady) -> None:
        seen = self.seen[part.key]
        step = CodeStep(
            id=seen.id,
            name=seen.name,
            code=part.code,
            named=seen.named,
            also=tuple(self.seen[key].id for key in part.also),
            end=part.end,
            cut=part.key == self.cut_key,
        )
        self.emit(CodeFinished(code=part.code, step_id=seen.id))
        self.submitted = True
        self.submit(step)


def _last_open(found: list[Found]) -> int | None:
    """Return the key of the last step of a block left open at the end of the turn, or None."""
    if not any(isinstance(part, BlockEnd) and not part.closed for part in found):
        return None
    return next((part.key for part in reversed(found) if isinstance(part, SegmentReady)), None)
