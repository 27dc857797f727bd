"""Makes what a chat shows from the events of a run: a pure fold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, assert_never

from tablewright.api.chat_completions.plans import plan_lines
from tablewright.api.chat_completions.words import AsksSomebody, Links, asked, beside, fenced, output
from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import (
    AnswerCompleted,
    AnswerEvent,
    ArtifactCreated,
    CodeDelta,
    CodeFinished,
    CodeRetrieved,
    CodeSaved,
    ContextCleaned,
    ContextMeasured,
    Event,
    MessageAdded,
    NodeChunk,
    NodeEvent,
    NodeFinished,
    NodeInput,
    NodeOutput,
    NodeStarted,
    NodeWaiting,
    OutputChart,
    OutputError,
    OutputEvent,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
    PlanEdited,
    PlanUpdated,
    ProgressReported,
    RepairStarted,
    RequestAnswered,
    RequestEvent,
    RoundAnswered,
    RouteChosen,
    RunEvent,
    RunFinished,
    RunStarted,
    SessionLost,
    StepAnnounced,
    StepEvent,
    StepFinished,
    StepStarted,
    StructuredEvent,
    SuggestionsOffered,
    TaskEvent,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    UsageReported,
    WarningRaised,
    WorkbookEvent,
    WorkflowChosen,
    WritingEvent,
)
from tablewright.domain.language import Language
from tablewright.domain.run import OpenRequest, Run, RunFailure
from tablewright.domain.task_plan import TaskPlan
from tablewright.texts.errors import error_text

Channel = Literal["content", "reasoning"]
_PASSED_OVER = (
    SuggestionsOffered
    | WorkbookEvent
    | RoundAnswered
    | ToolFinished
    | CodeSaved
    | CodeRetrieved
    | ContextCleaned
    | NodeInput
    | NodeOutput
    | NodeFinished
    | NodeWaiting
    | ContextMeasured
)
"""What a chat has no words for, or what it is told otherwise: the answer names suggestions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Text that is added to what the chat shows: to the answer, or to how it came about."""

    channel: Channel
    text: str


@dataclass(slots=True, kw_only=True)
class Usage:
    """The tokens that providers have counted, of a run and of those below it."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    def add(self, body: UsageReported) -> None:
        """Add a call of a model."""
        self.input_tokens += body.input_tokens
        self.output_tokens += body.output_tokens
        self.cached_tokens += body.cached_tokens


@dataclass(slots=True, kw_only=True)
class ChatFold:
    """Takes the events of a run, and of those below it, in order; gives the pieces that each adds.

    What the run itself writes for the person, asks and answers is content; its steps, and all that runs below it
    write, is reasoning. `outcome` and `failure` say how the run has ended.
    """

    run: Run
    links: Links = field(default_factory=Links)
    usage: Usage = field(default_factory=Usage)
    outcome: Outcome | None = None
    failure: RunFailure | None = None
    answer: Answer | None = None
    _asked: str | None = None
    _written: dict[Channel, bool] = field(default_factory=dict[Channel, bool])
    _turn: str = ""
    _last_turn: str = ""
    _names: dict[str, str] = field(default_factory=dict[str, str])
    _code: dict[str, str] = field(default_factory=dict[str, str])
    _plan: TaskPlan = field(default_factory=TaskPlan)
    _figures: list[ArtifactRef] = field(default_factory=list[ArtifactRef])

    @property
    def language(self) -> Language:
        """The language of the run."""
        return self.run.language

    def take(self, event: Event) -> Iterator[Piece]:
        """Take the next event."""
        body, own = event.body, event.run_id == self.run.id
        if isinstance(body, RunEvent):
            yield from self._of_run(body, own=own)
        elif isinstance(body, WritingEvent):
            yield from self._writing(body, own=own)
        elif isinstance(body, StepEvent):
            yield from self._step(body)
        elif isinstance(body, OutputEvent):
            yield from self._output(body)
        elif isinstance(body, RequestEvent):
            yield from self._request(body)
        else:
            yield from self._rest_of(body, own=own)

    def rests(self, request: OpenRequest | None) -> Iterator[Piece]:
        """Say what the run waits for, where that is not what was said last."""
        if request is not None and self._asked != request.id:
            yield from self._paragraph("content", asked(request, self.language))

    def _rest_of(
        self, body: AnswerEvent | StructuredEvent | WorkbookEvent | NodeEvent | TaskEvent, *, own: bool
    ) -> Iterator[Piece]:
        if isinstance(body, _PASSED_OVER):
            return
        match body:
            case AnswerCompleted() if own:
                yield from self._answered(body.answer)
            case NodeStarted():
                yield from self._paragraph("reasoning", f"**{body.name}**")
            case NodeChunk():
                yield self._piece("reasoning", body.text)
            case ToolStarted():
                yield from self._paragraph("reasoning", f"`{body.name}`")
            case PlanUpdated() if own:
                yield from self._paragraph("reasoning", plan_lines(self._plan, body.plan))
                self._plan = body.plan
            case AnswerCompleted() | PlanUpdated():
                pass
            case _:
                assert_never(body)

    def _of_run(self, body: RunEvent, *, own: bool) -> Iterator[Piece]:
        match body:
            case UsageReported():
                self.usage.add(body)
            case WarningRaised():
                words = error_text(body.code, self.language, body.params)
                yield from self._paragraph("content" if own else "reasoning", f"> {words}")
            case RunFinished() if own:
                self.outcome, self.failure = body.outcome, body.failure
            case RunStarted() | MessageAdded() | WorkflowChosen() | RouteChosen() | SessionLost() | RunFinished():
                pass
            case _:
                assert_never(body)

    def _writing(self, body: WritingEvent, *, own: bool) -> Iterator[Piece]:
        match body:
            case ThinkingDelta():
                yield self._piece("reasoning", body.text)
            case TextDelta() if own:
                yield from self._text(body.text)
            case TextDelta():
                yield self._piece("reasoning", body.text)
            case TextFinished() if own:
                if body.text.startswith(self._turn):
                    yield from self._text(body.text[len(self._turn) :])
                self._last_turn, self._turn = body.text, ""
            case CodeFinished():
                self._code[body.step_id or ""] = body.code
            case TextFinished() | CodeDelta():
                pass
            case _:
                assert_never(body)

    def _step(self, body: StepEvent) -> Iterator[Piece]:
        key = body.step_id or ""
        match body:
            case StepAnnounced():
                self._names[key] = body.name
            case StepStarted():
                yield from self._paragraph("reasoning", f"**{self._names.get(key, '')}**\n")
                if code := self._code.get(key):
                    yield self._piece("reasoning", fenced(code, "python"))
            case RepairStarted():
                yield from self._paragraph("reasoning", f"> {' '.join(body.error.split())[:500]}")
            case ProgressReported():
                yield from self._paragraph("reasoning", body.message)
            case StepFinished():
                pass
            case _:
                assert_never(body)

    def _output(self, body: OutputEvent) -> Iterator[Piece]:
        match body:
            case OutputText():
                yield self._piece("reasoning", output(body.text))
            case OutputError():
                yield self._piece("reasoning", output(f"{body.name}: {body.message}"))
            case OutputImage():
                self._figures.append(body.image)
            case OutputTable() | OutputHtml() | OutputChart() | ArtifactCreated():
                pass
            case _:
                assert_never(body)

    def _request(self, body: RequestEvent) -> Iterator[Piece]:
        match body:
            case RequestAnswered() | PlanEdited():
                pass
            case _:
                yield from self._asks(body)

    def _asks(self, body: AsksSomebody) -> Iterator[Piece]:
        if self.run.approvals == "ask":
            yield from self._paragraph("content", asked(body, self.language))
            self._asked = body.request_id

    def _text(self, words: str) -> Iterator[Piece]:
        if not words:
            return
        if not self._turn:
            yield from self._paragraph("content", words)
        else:
            yield self._piece("content", words)
        self._turn += words

    def _answered(self, answer: Answer) -> Iterator[Piece]:
        """Say what of the answer has not been said: its text may be the turn that was written last."""
        self.answer = answer
        said, words = (self._turn or self._last_turn).strip(), answer.text.strip()
        if said and words.startswith(said):
            yield self._piece("content", words[len(said) :])
        else:
            yield from self._paragraph("content", words)
        for part in beside(answer, self._figures, self.links, self.run.id, self.language):
            yield from self._paragraph("content", part)

    def _paragraph(self, channel: Channel, words: str) -> Iterator[Piece]:
        if words.strip():
            yield self._piece(channel, f"\n\n{words}" if self._written.get(channel) else words)

    def _piece(self, channel: Channel, words: str) -> Piece:
        if words:
            self._written[channel] = True
            if channel == "content":
                self._asked = None
        return Piece(channel=channel, text=words)


def content_of(run: Run, events: Iterable[Event], links: Links) -> str:
    """Return all that the chat has shown as the answer to a message whose reply is made of `events`."""
    fold = ChatFold(run=run, links=links)
    return "".join(piece.text for event in events for piece in fold.take(event) if piece.channel == "content")
