"""A bench for agents: a scripted model, a sandbox that runs trusted test code in this process, artifacts in memory."""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.support.patience import PATIENCE_S

from tablewright.agent.base import Agent, AgentContext, AgentInput, Late
from tablewright.domain.answer import Answer
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.chart import Chart
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.events import AnswerCompleted, EventBody, StepAnnounced, StepFinished, StepStarted
from tablewright.domain.ids import CountingIds, SystemClock
from tablewright.domain.language import Language
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.run import OpenRequest, RunLimits
from tablewright.domain.table import Table
from tablewright.errors import NotFound, TablewrightError
from tablewright.models.base import Model
from tablewright.models.scripted import ScriptedModel
from tablewright.sandbox.base import (
    ChartOutput,
    Done,
    ErrorOutput,
    FileOutput,
    HtmlOutput,
    ImageOutput,
    Input,
    Layer,
    LeaseScope,
    Level,
    Limits,
    Output,
    PoolStats,
    Sandbox,
    Session,
    SessionFile,
    SessionInfo,
    Status,
    TableOutput,
    TextOutput,
    Usage,
    Verdict,
)

T = TypeVar("T")


class Ended(BaseException):
    """Raised by test code to end its execution with a status of the sandbox."""

    def __init__(self, status: Status, *, session_lost: bool = False) -> None:
        super().__init__(status)
        self.status = status
        self.session_lost = session_lost


@dataclass(slots=True, kw_only=True)
class LocalSession:
    """Implements `Session` with `exec`. Code may call `tw_*`, `end(status)`, and `hang()`, which waits until
    stopped."""

    sandbox: LocalSandbox
    names: dict[str, Any] = field(default_factory=dict[str, Any])
    outputs: list[Output] = field(default_factory=list[Output])
    written: dict[str, bytes] = field(default_factory=dict[str, bytes])
    written_ns: dict[str, int] = field(default_factory=dict[str, int])
    inputs: tuple[Input, ...] = ()
    released: bool = False
    parked: bool = False
    lost: bool = False

    def __post_init__(self) -> None:
        self.names.update(
            table=lambda table: self.outputs.append(TableOutput(table=table)),
            chart=lambda **chart: self.outputs.append(ChartOutput(chart=Chart(**chart))),
            image=lambda content: self.outputs.append(ImageOutput(mime="image/png", content=content)),
            html=lambda words: self.outputs.append(HtmlOutput(html=words)),
            file=lambda path: self.outputs.append(FileOutput(path=path)),
            write=self.written.__setitem__,
            end=self._end,
            Table=Table,
        )

    @staticmethod
    def _end(status: Status, *, session_lost: bool = False) -> None:
        raise Ended(status, session_lost=session_lost)

    async def execute(self, code: str, *, step_id: str, timeout_s: float | None = None) -> AsyncGenerator[Output]:
        self.sandbox.executed.append(code)
        self.sandbox.timeouts.append(timeout_s)
        try:
            if "hang()" in code:
                self.sandbox.hanging.set()
                await asyncio.Event().wait()
            if self.sandbox.gate is not None:
                self.sandbox.held.set()
                await self.sandbox.gate.wait()
            for output in self._run(code):
                yield output
        finally:
            self.sandbox.ended.append(code)

    def _run(self, code: str) -> Iterable[Output]:
        self.outputs.clear()
        self.names.pop("result", None)
        status, lost, printed = "ok", False, io.StringIO()
        error: ErrorOutput | None = None
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "<step>", "exec", dont_inherit=True), self.names)
        except Ended as end:
            status, lost = end.status, end.session_lost
        except Exception as problem:  # noqa: BLE001  # whatever test code raises is its outcome
            status = "error"
            lines = "".join(traceback.format_exception_only(problem))
            error = ErrorOutput(name=type(problem).__name__, message=str(problem), traceback=lines)
        if printed.getvalue():
            yield TextOutput(text=printed.getvalue())
        yield from self.outputs
        if "result" in self.names and error is None:
            yield TableOutput(table=as_table(self.names["result"]), role="result")
        if error is not None:
            yield error
        self.lost = lost
        yield Done(status=status, session_lost=lost, usage=Usage(elapsed_s=0.25))  # type: ignore[arg-type]  # as raised

    async def check(self, code: str) -> Verdict:
        return "complete"

    async def interrupt(self) -> None:
        return None

    async def files(self) -> tuple[SessionFile, ...]:
        return tuple(
            SessionFile(path=path, size_bytes=len(content), modified_ns=self.written_ns.get(path, 0))
            for path, content in self.written.items()
        )

    async def read(self, path: str) -> AsyncIterator[bytes]:
        if path not in self.written:
            raise NotFound(kind="file", id=path)
        yield self.written[path]

    async def info(self) -> SessionInfo:
        number = self.sandbox.sessions.index(self)
        lost = self.lost or self.released
        scope = LeaseScope(run_id="")
        return SessionInfo(id=str(number), scope=scope, level=Level.L2, executions=0, age_s=0.0, lost=lost)

    async def add(self, inputs: Sequence[Input]) -> bool:
        self.inputs = (*self.inputs, *inputs)
        return not (self.released or self.lost)

    async def park(self) -> None:
        self.parked = True

    async def unpark(self, inputs: Sequence[Input] = (), *, for_s: float = 0.0) -> bool:
        parked, self.parked = self.parked, False
        if not parked or self.released or self.lost or not set(self.inputs) <= set(inputs):
            return False
        self.inputs = tuple(inputs)
        return True

    async def release(self) -> None:
        self.released = True


def as_table(value: Any) -> Table:
    if isinstance(value, Table):
        return value
    return Table(columns=("result",), rows=((value,),), total_rows=1)


@dataclass(slots=True, kw_only=True)
class LocalSandbox:
    """Implements `Sandbox`. `gate`, where set, holds every execution until it opens."""

    gate: asyncio.Event | None = None
    problem: TablewrightError | None = None
    sessions: list[LocalSession] = field(default_factory=list[LocalSession])
    executed: list[str] = field(default_factory=list[str])
    ended: list[str] = field(default_factory=list[str])
    timeouts: list[float | None] = field(default_factory=list[float | None])
    hanging: asyncio.Event = field(default_factory=asyncio.Event)
    held: asyncio.Event = field(default_factory=asyncio.Event)

    async def start(self) -> None:
        return None

    async def stop(self) -> None:
        return None

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        if self.problem is not None:
            raise self.problem
        session = LocalSession(sandbox=self, inputs=tuple(inputs))
        self.sessions.append(session)
        return session

    def layers(self) -> tuple[Layer, ...]:
        return ("namespaces", "seccomp", "limits")

    def level(self) -> Level:
        return Level.L2

    def stats(self) -> PoolStats:
        return PoolStats(idle=1, leased=0, waiting=0, limit=1)

    @property
    def all_released(self) -> bool:
        return all(session.released for session in self.sessions)


@dataclass(slots=True, kw_only=True)
class MemoryArtifacts:
    """Implements `ArtifactSink`."""

    kept: dict[str, bytes] = field(default_factory=dict[str, bytes])

    async def put(self, name: str, mime: str, content: bytes | AsyncIterator[bytes]) -> ArtifactRef:
        whole = content if isinstance(content, bytes) else b"".join([piece async for piece in content])
        number = len(self.kept) + 1
        self.kept[f"{number}/{name}"] = whole
        return ArtifactRef(id=f"file-{number}", name=name, mime=mime, size_bytes=len(whole))


@dataclass(slots=True, kw_only=True)
class Took:
    """What an agent did."""

    items: list[EventBody | TranscriptEntry]

    @property
    def events(self) -> list[EventBody]:
        return [item for item in self.items if not isinstance(item, TranscriptEntry)]

    @property
    def transcript(self) -> tuple[Message, ...]:
        return tuple(item.message for item in self.items if isinstance(item, TranscriptEntry))

    @property
    def types(self) -> list[str]:
        """Types of the events; neighbouring deltas of one kind are one."""
        return [kind for kind, _ in itertools.groupby(event.type for event in self.events)]

    @property
    def answer(self) -> Answer:
        return self.only(AnswerCompleted).answer

    def of(self, kind: type[T]) -> list[T]:
        return [event for event in self.events if isinstance(event, kind)]

    def only(self, kind: type[T]) -> T:
        (event,) = self.of(kind)
        return event

    @property
    def statuses(self) -> list[tuple[str, str]]:
        """Name and status of every step, in the order in which they ended."""
        names = {event.step_id: event.name for event in self.of(StepAnnounced)}
        return [(names[event.step_id], event.status) for event in self.of(StepFinished)]

    @property
    def started(self) -> list[str]:
        """Names of the steps that ran, in order."""
        names = {event.step_id: event.name for event in self.of(StepAnnounced)}
        return [names[event.step_id] for event in self.of(StepStarted)]


@dataclass(slots=True, kw_only=True)
class Bench:
    """An agent with everything it needs; `took` fills while it works, also when it raises."""

    agent: Agent
    model: Model
    sandbox: LocalSandbox = field(default_factory=LocalSandbox)
    real_sandbox: Sandbox | None = None
    inputs: tuple[Input, ...] = ()
    artifacts: MemoryArtifacts = field(default_factory=MemoryArtifacts)
    took: Took = field(default_factory=lambda: Took(items=[]))
    late: list[Late] = field(default_factory=list[Late])
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    def context(self) -> AgentContext:
        return AgentContext(
            model=self.model,
            sandbox=self.real_sandbox or self.sandbox,
            artifacts=self.artifacts,
            clock=SystemClock(),
            ids=CountingIds("id"),
            late=self.late.append,
        )

    def given(
        self,
        question: str = "How much is it?",
        *,
        language: Language = "en",
        steps: int = 10,
        datasets: tuple[DatasetFacts, ...] = (),
        transcript: tuple[Message, ...] = (),
        answered: tuple[OpenRequest, ...] = (),
        deliver: str | None = None,
    ) -> AgentInput:
        return AgentInput(
            run_id="run-1",
            question=question,
            language=language,
            datasets=datasets,
            inputs=self.inputs,
            transcript=transcript,
            answered=answered,
            limits=RunLimits(steps=steps),
            deliver=deliver,
        )

    async def ask(self, question: str = "How much is it?", **more: Any) -> Took:
        async with asyncio.timeout(PATIENCE_S):
            async for item in self.agent.run(self.given(question, **more), self.context()):
                self.took.items.append(item)
                self.moved.set()
        return self.took

    async def until(self, kind: type, count: int = 1) -> None:
        """Return when `count` events of `kind` have come out of the agent."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.took.of(kind)) < count:
                self.moved.clear()
                await self.moved.wait()


def code(*steps: tuple[str, str] | str) -> str:
    """Write a block of steps, each `(name, code)`, or code without a name."""
    lines = [step if isinstance(step, str) else f"# @step: {step[0]}\n{step[1]}" for step in steps]
    return "\n".join(("<|begin_code|>", *lines, "<|end_code|>"))


def requests(model: Model) -> list[Any]:
    assert isinstance(model, ScriptedModel)
    return model.requests
