"""Makes the responses of a structured query from the events of its run: a pure fold."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import assert_never

from tablewright.api.schemas.structured import QueryResponse, RoundData, RoundMetadata, SavedCodeOut, ToolCallOut
from tablewright.domain.answer import Answer
from tablewright.domain.events import (
    AnswerCompleted,
    CodeRetrieved,
    CodeSaved,
    ContextCleaned,
    Event,
    NodeEvent,
    OutputEvent,
    RequestEvent,
    RoundAnswered,
    RunEvent,
    RunFinished,
    StepEvent,
    SuggestionsOffered,
    TaskEvent,
    ToolFinished,
    ToolStarted,
    WarningRaised,
    WorkbookEvent,
    WritingEvent,
)
from tablewright.domain.run import RunFailure
from tablewright.domain.structured import LINK_LEFT_OUT, StructuredAnswer
from tablewright.models.structured_prompt import call_object

_PASSED_OVER = RunEvent | RequestEvent | WritingEvent | StepEvent | OutputEvent | WorkbookEvent | NodeEvent | TaskEvent
"""What has no words on this wire, but for the end of the run."""


@dataclass(slots=True, kw_only=True)
class QueryFold:
    """Takes the events of a run, in order, and gives the response of each round as it becomes known.

    That of a round of calls is known before its calls are made; that of the report once the run has its answer.
    `failure` says why a run has ended without one; `outcome` how it ended.
    """

    run_id: str
    conversation_id: str
    rounds: list[QueryResponse] = field(default_factory=list[QueryResponse])
    failure: RunFailure | None = None
    outcome: str | None = None
    _began_at: datetime | None = None
    _last_at: datetime | None = None
    _reported: StructuredAnswer | None = None
    _missing: list[str] = field(default_factory=list[str])
    _saved: list[SavedCodeOut] = field(default_factory=list[SavedCodeOut])

    def take(self, event: Event) -> QueryResponse | None:
        """Take the next event; return the response that it completes, if any."""
        if event.run_id != self.run_id:
            return None  # a child's
        self._began_at, self._last_at = self._began_at or event.at, event.at
        response = self._response(event)
        if response is not None:
            self.rounds.append(response)
        return response

    @property
    def duration_ms(self) -> int:
        """The time from the first event that was taken to the last one."""
        if self._began_at is None or self._last_at is None:
            return 0
        return max(0, round((self._last_at - self._began_at).total_seconds() * 1000))

    def _response(self, event: Event) -> QueryResponse | None:
        body = event.body
        if isinstance(body, WarningRaised) and body.code == LINK_LEFT_OUT:
            self._missing.append(str(body.params["name"]))
        if isinstance(body, RunFinished):
            self.outcome, self.failure = body.outcome, body.failure
            return None
        if isinstance(body, _PASSED_OVER):
            return None
        match body:
            case RoundAnswered(answer=answer) if answer.report is None:
                return self._of("", _asking(answer))
            case RoundAnswered(answer=answer):
                self._reported = answer
            case CodeSaved():
                self._saved.append(
                    SavedCodeOut(
                        code_id=body.code_id,
                        file_path=body.file_path,
                        description=body.description,
                        original_length=body.original_length,
                    )
                )
            case AnswerCompleted(answer=answer):
                return self._of(answer.text, self._reporting(answer))
            case ToolStarted() | ToolFinished() | CodeRetrieved() | ContextCleaned() | SuggestionsOffered():
                pass
            case _:
                assert_never(body)
        return None

    def _of(self, words: str, metadata: RoundMetadata) -> QueryResponse:
        return QueryResponse(
            data=RoundData(
                response=words,
                conversation_id=self.conversation_id,
                duration_ms=self.duration_ms,
                metadata=metadata,
            )
        )

    def _reporting(self, answer: Answer) -> RoundMetadata:
        reported = self._reported
        html = contains_html(answer.text)
        return RoundMetadata(
            content_type="html" if html else "markdown",
            has_structured_response=reported is not None,
            action_type="complete",
            current_round=len(self.rounds) + 1 if reported is None else reported.current_round,
            task_analysis="" if reported is None else reported.task_analysis,
            execution_plan="" if reported is None else reported.execution_plan,
            status="complete",
            contains_html=html,
            recommended_questions=[*answer.suggestions] or None,
            download_links=None if reported is None else [*reported.download_links] or None,
            missing_links=self._missing or None,
            saved_codes=self._saved or None,
            unverified=[*answer.unverified] or None,
        )


def contains_html(report: str) -> bool:
    """Return whether a report is HTML for the clients of this wire."""
    return "<div" in report or "<script" in report or "echarts" in report.lower()


def whole(fold: QueryFold) -> QueryResponse | None:
    """Return the last response, with the rounds before it in its metadata; None if there is none yet."""
    if not fold.rounds:
        return None
    *before, last = fold.rounds
    metadata = last.data.metadata.model_copy(update={"rounds": [each.data.metadata for each in before] or None})
    return last.model_copy(update={"data": last.data.model_copy(update={"metadata": metadata})})


def stepped(fold: QueryFold) -> QueryResponse | None:
    """Return the last response as of now: after a round of calls, these were made; None if there is none yet."""
    if not fold.rounds:
        return None
    last = fold.rounds[-1]
    return last.model_copy(update={"data": last.data.model_copy(update={"duration_ms": fold.duration_ms})})


def _asking(answer: StructuredAnswer) -> RoundMetadata:
    return RoundMetadata(
        content_type="text",
        action_type="tool_call",
        current_round=answer.current_round,
        task_analysis=answer.task_analysis,
        execution_plan=answer.execution_plan,
        tool_calls=[ToolCallOut.model_validate(call_object(call)) for call in answer.calls],
        status="processing",
    )
