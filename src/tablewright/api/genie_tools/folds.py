"""Make the frames of tool services from the events of a run: pure folds, one per kind of service.

The last frame is made apart, once the files of the result are known.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablewright.api.chat_completions.words import asked
from tablewright.api.genie.searches import documents, search_frame
from tablewright.api.genie.words import answer_words, failure_words
from tablewright.api.genie_tools.links import ToolLinks
from tablewright.api.genie_tools.pacing import Pacing
from tablewright.domain.answer import Answer
from tablewright.domain.events import (
    AnswerCompleted,
    CodeFinished,
    Event,
    RunFinished,
    StepStarted,
    TextDelta,
    ToolFinished,
    ToolStarted,
    WarningRaised,
)
from tablewright.domain.run import OpenRequest, Run
from tablewright.texts.errors import error_text

Frame = dict[str, Any]
SEARCH = "search"
"""The calls of the agent that searches."""
UNATTENDED = "question_unattended"
"""Says what a run has asked where nobody answers."""
ENDED_WELL = frozenset({"completed", "declined", "limit"})


@dataclass(slots=True, kw_only=True)
class ToolFold(ABC):
    """Takes the events of a run in order. `words` is what it has led to; `answer` only where it ended well."""

    request_id: str
    run: Run
    pacing: Pacing = field(default_factory=Pacing)
    answer: Answer | None = None
    words: str = ""
    ended: bool = False
    _found: Answer | None = None
    _question: str = ""

    def take(self, event: Event) -> Iterator[Frame]:
        """Take the next event."""
        body = event.body
        if isinstance(body, AnswerCompleted) and event.run_id == self.run.id:
            self._found = body.answer
        elif isinstance(body, WarningRaised) and body.code == UNATTENDED and event.run_id == self.run.id:
            self._question = error_text(body.code, self.run.language, body.params)
        elif isinstance(body, RunFinished) and event.run_id == self.run.id:
            self.ended = True
            if self._found is not None and body.outcome in ENDED_WELL:
                self.answer, self.words = self._found, answer_words(self.run, self._found)
            else:
                self.words = self._question or failure_words(self.run, body)
        else:
            yield from self.meanwhile(event)

    def rests(self, requests: Sequence[OpenRequest]) -> None:
        """End with what the run waits for."""
        if not self.ended:
            self.ended = True
            self.words = "\n\n".join(asked(request, self.run.language) for request in requests[:1])

    @abstractmethod
    def meanwhile(self, event: Event) -> Iterator[Frame]:
        """Return the frames of an event that does not end the run."""

    def before_last(self) -> Iterator[Frame]:
        """Return the frames that come once the run has ended, before that with the result."""
        return iter(())

    @abstractmethod
    def last(self, words: str, files: list[Frame]) -> Frame:
        """Return the frame with the result."""


@dataclass(slots=True, kw_only=True)
class CodeFold(ToolFold):
    """The code interpreter: each piece of code that is executed, then what came of it."""

    _codes: dict[str, str] = field(default_factory=dict[str, str])

    def meanwhile(self, event: Event) -> Iterator[Frame]:
        body = event.body
        if isinstance(body, CodeFinished):
            self._codes[body.step_id or ""] = body.code
        elif isinstance(body, StepStarted) and (code := self._codes.pop(body.step_id or "", None)) is not None:
            yield {"requestId": self.request_id, "code": code, "fileInfo": [], "isFinal": False}

    def last(self, words: str, files: list[Frame]) -> Frame:
        return {"requestId": self.request_id, "codeOutput": words, "fileInfo": files, "isFinal": True}


@dataclass(slots=True, kw_only=True)
class ReportFold(ToolFold):
    """What is written, piece by piece, then all of it with its file."""

    def meanwhile(self, event: Event) -> Iterator[Frame]:
        if isinstance(event.body, TextDelta) and (words := self.pacing.take(event.body.text, event.at)):
            yield {"requestId": self.request_id, "data": words, "isFinal": False}

    def last(self, words: str, files: list[Frame]) -> Frame:
        return {"requestId": self.request_id, "data": words, "fileInfo": files, "isFinal": True}


@dataclass(slots=True, kw_only=True)
class AnalysisFold(ToolFold):
    """As `ReportFold`, with the names that the service of analyses has."""

    def meanwhile(self, event: Event) -> Iterator[Frame]:
        if isinstance(event.body, TextDelta) and (words := self.pacing.take(event.body.text, event.at)):
            yield {"request_id": self.request_id, "data": words, "isFinal": False}

    def last(self, words: str, files: list[Frame]) -> Frame:
        return {"request_id": self.request_id, "data": words, "isFinal": True, "file_info": files}


@dataclass(slots=True, kw_only=True)
class SearchFold(ToolFold):
    """Deep search: what is searched for, what each search has found, then the answer."""

    query: str = ""
    _loop: int = 0
    _calls: dict[str, str] = field(default_factory=dict[str, str])

    def meanwhile(self, event: Event) -> Iterator[Frame]:
        body = event.body
        if isinstance(body, ToolStarted) and body.name == SEARCH:
            if (loop := int(body.arguments.get("loop", 1))) != self._loop:
                self._loop = loop
                queries = [str(one) for one in body.arguments.get("queries", ())]
                yield search_frame(self.request_id, self.query, "extend", queries=queries)
            self._calls[body.tool_call_id] = str(body.arguments.get("query", ""))
        elif isinstance(body, ToolFinished) and body.name == SEARCH:
            docs = [] if body.failed else documents(body.text)
            queries = [self._calls.pop(body.tool_call_id, "")]
            yield search_frame(self.request_id, self.query, "search", queries=queries, docs=[docs])
        elif isinstance(body, TextDelta) and (words := self.pacing.take(body.text, event.at)):
            yield search_frame(self.request_id, self.query, "report", answer=words)

    def last(self, words: str, files: list[Frame]) -> Frame:  # noqa: ARG002
        return search_frame(self.request_id, self.query, "report", answer=words, final=True)


def search_failure(request_id: str, query: str, words: str) -> Frame:
    """Return the last frame of a search that came to nothing."""
    return search_frame(request_id, query, "report", answer=words, final=True)


def result_files(fold: ToolFold, links: ToolLinks) -> list[Frame]:
    """Return what is told of the files of a result."""
    return [] if fold.answer is None else links.infos(fold.answer.files)
