"""What a run in structured rounds has done: a fold of its events, the same while it works and when it is taken up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tablewright.agent.steps import CodeStep, StepRecord
from tablewright.agent.structured.growing_text import GrowingText
from tablewright.domain.answer import Answer
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.chart import Chart
from tablewright.domain.events import (
    ArtifactCreated,
    CodeFinished,
    ContinueAsked,
    EventBody,
    OutputChart,
    OutputError,
    OutputTable,
    OutputText,
    RequestAnswered,
    RoundAnswered,
    StepFinished,
    TextDelta,
    TextFinished,
    ToolFinished,
    UsageReported,
)
from tablewright.domain.run import RequestAnswer
from tablewright.domain.structured import StructuredAnswer, StructuredRoundFacts, ToolOutcome, ToolRequest
from tablewright.domain.table import Table
from tablewright.domain.task import StepFacts

TEXT_CHARS = 100_000
"""How much of a step's printed text is kept."""


@dataclass(slots=True, kw_only=True)
class _Step:
    """The outputs of one step of a tool, or of a call that has no steps."""

    text: str = ""
    code: str = ""
    ok: bool = False
    error: str | None = None
    result: Table | None = None
    tables: list[Table] = field(default_factory=list[Table])
    charts: list[Chart] = field(default_factory=list[Chart])


@dataclass(slots=True, kw_only=True)
class RunRecord:
    """The rounds that are over, the one whose calls are being made (`pending`), and what all calls have put out.

    `paused` is how many rounds a person has been asked to let go on; `decision` the last answer to that.
    `open_text` has been shown since a text was finished last.
    """

    rounds: list[StructuredRoundFacts] = field(default_factory=list[StructuredRoundFacts])
    pending: StructuredAnswer | None = None
    outcomes: dict[str, ToolOutcome] = field(default_factory=dict[str, ToolOutcome])
    files: list[ArtifactRef] = field(default_factory=list[ArtifactRef])
    paused: int = 0
    decision: RequestAnswer | None = None
    open_text: GrowingText = field(default_factory=GrowingText)
    tokens: int = 0
    last_tokens: int = 0
    _steps: dict[str, _Step] = field(default_factory=dict[str, _Step])

    def take(self, body: EventBody) -> None:
        """Take one event; what says nothing about the rounds is passed over."""
        match body:
            case RoundAnswered(answer=answer):
                self.pending = answer
                self.outcomes = {}
            case ToolFinished():
                self._call_ended(body)
            case ContinueAsked():
                self.paused = len(self.rounds)
                self.decision = None
            case RequestAnswered(answer=decision):
                self.decision = decision
            case UsageReported():
                self.last_tokens = body.input_tokens + body.output_tokens
                self.tokens += self.last_tokens
            case ArtifactCreated(artifact=artifact):
                self.files.append(artifact)
            case TextDelta(text=piece):
                self.open_text.append(piece)
            case TextFinished():
                self.open_text.clear()
            case OutputText() | OutputTable() | OutputChart() | OutputError() | CodeFinished() | StepFinished():
                self._output(body)
            case _:
                pass

    def take_all(self, bodies: Iterable[EventBody]) -> None:
        """Take events in order."""
        for body in bodies:
            self.take(body)

    @property
    def number(self) -> int:
        """The number of the next round, from 1."""
        return len(self.rounds) + 1

    @property
    def call_ids(self) -> frozenset[str]:
        """The ids of all calls so far."""
        return frozenset(call.tool_call_id for each in self.rounds for call in each.answer.calls)

    @property
    def left(self) -> tuple[ToolRequest, ...]:
        """The calls of the pending answer that have not ended."""
        calls = () if self.pending is None else self.pending.calls
        return tuple(call for call in calls if call.tool_call_id not in self.outcomes)

    @property
    def cells(self) -> tuple[str, ...]:
        """The code that ran to its end, in order."""
        return tuple(step.code for step in self._steps.values() if step.ok and step.code)

    @property
    def steps_of_calls(self) -> dict[str, str]:
        """The step that carried out a call of code, by the id of the call."""
        steps = {step.code: step_id for step_id, step in self._steps.items() if step.code}
        calls = [call for each in self.rounds for call in each.answer.calls]
        return {call.tool_call_id: steps[code] for call in calls if (code := call.arguments.get("code")) in steps}

    def code_records(self) -> tuple[StepRecord, ...]:
        """Return what the steps of the calls put out, without what a model was told of it."""
        return tuple(_record(step_id, step) for step_id, step in self._steps.items() if step.code)

    def records(self) -> tuple[StepRecord, ...]:
        """Return what the calls put out, as steps: first the calls as a model reads them, then their steps."""
        said = {
            outcome.tool_call_id: _Step(text=outcome.text)
            for each in self.rounds
            for outcome in each.outcomes
            if not outcome.failed
        }
        return tuple(_record(step_id, step) for step_id, step in (*said.items(), *self._steps.items()))

    def results(self) -> Answer:
        """Return the tables and charts of the calls, and the files that were made, as an answer without words."""
        tables = [table for step in self._steps.values() for table in step.tables]
        results = [step.result for step in self._steps.values() if step.result is not None]
        return Answer(
            text="",
            outcome="completed",
            result=results[-1] if results else None,
            table=tables[-1] if tables else results[-1] if results else None,
            charts=tuple(chart for step in self._steps.values() for chart in step.charts),
            files=tuple({file.id: file for file in self.files}.values()),
        )

    def _call_ended(self, body: ToolFinished) -> None:
        self.outcomes[body.tool_call_id] = ToolOutcome(
            tool_call_id=body.tool_call_id,
            tool_name=body.name,
            text=body.text,
            failed=body.failed,
            elapsed_s=body.elapsed_s,
        )
        if self.pending is not None and not self.left:
            ended = tuple(self.outcomes[call.tool_call_id] for call in self.pending.calls)
            self.rounds.append(StructuredRoundFacts(answer=self.pending, outcomes=ended))
            self.pending = None

    def _output(self, body: OutputText | OutputTable | OutputChart | OutputError | CodeFinished | StepFinished) -> None:
        step = self._steps.setdefault(body.step_id or "", _Step())
        match body:
            case OutputText(text=text):
                step.text = (step.text + text)[:TEXT_CHARS]
            case OutputTable(table=table, role="result"):
                step.result = table
            case OutputTable(table=table):
                step.tables.append(table)
            case OutputChart(chart=chart):
                step.charts.append(chart)
            case OutputError(name=name, message=message):
                step.error = f"{name}: {message}"
            case CodeFinished(code=code):
                step.code = code
            case StepFinished(status=status):
                step.ok = status == "ok"
                step.error = None if step.ok else step.error or status


def _record(step_id: str, step: _Step) -> StepRecord:
    facts = StepFacts(
        name=step_id,
        code=step.code,
        text=step.text,
        result=step.result,
        tables=tuple(step.tables),
        charts=tuple(step.charts),
        error=step.error,
    )
    return StepRecord(step=CodeStep(id=step_id, name=step_id, code=step.code), facts=facts, digest="")
