"""Makes the frames of a question about data from the events of its run: a pure fold.

The page shows the thoughts, which each frame has whole, and draws the tables; `READY` ends it, whatever happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tablewright.api.chat_completions.words import asked
from tablewright.api.genie.tables import answer_data
from tablewright.api.genie.words import failure_words
from tablewright.domain.answer import Answer
from tablewright.domain.answer_note import with_note
from tablewright.domain.events import (
    AnswerCompleted,
    Event,
    RunFinished,
    StepAnnounced,
    TextDelta,
    TextFinished,
    ThinkingDelta,
)
from tablewright.domain.run import OpenRequest, Run

Frame = dict[str, Any]


def frame(kind: str, data: Any) -> Frame:
    """Return a frame of this wire."""
    return {"eventType": kind, "data": data}


def ending(problem: str | None = None) -> Iterator[Frame]:
    """Yield what ends an answer."""
    if problem is not None:
        yield frame("THINK", problem)
        yield frame("ERROR", problem)
    yield frame("READY", "")


@dataclass(slots=True, kw_only=True)
class QuestionFold:
    """Takes the events of a run, in order; gives the frames that each becomes."""

    run: Run
    ended: bool = False
    _thoughts: list[str] = field(default_factory=lambda: [""])
    _answer: Answer | None = None

    def start(self) -> Iterator[Frame]:
        """Yield the first frame."""
        yield frame("DEBUG", self.run.id)

    def take(self, event: Event) -> Iterator[Frame]:
        """Take the next event; most are not told."""
        body, own = event.body, event.run_id == self.run.id
        if isinstance(body, ThinkingDelta | TextDelta):
            self._thoughts[-1] += body.text
            yield self._thought()
        elif isinstance(body, TextFinished):
            self._thoughts.append("")
        elif isinstance(body, StepAnnounced):
            self._thoughts += [f"- {body.name}", ""]
            yield self._thought()
        elif isinstance(body, AnswerCompleted) and own:
            self._answer = body.answer
        elif isinstance(body, RunFinished) and own:
            yield from self._finished(body)

    def rests(self, requests: tuple[OpenRequest, ...]) -> Iterator[Frame]:
        """End with what the run waits for, as words."""
        if not self.ended:
            yield from self._said(*(asked(request, self.run.language) for request in requests[:1]))
            self.ended = True
            yield from ending()

    def fails(self, words: str) -> Iterator[Frame]:
        """End with an error."""
        if not self.ended:
            self.ended = True
            yield from ending(words)

    def _finished(self, body: RunFinished) -> Iterator[Frame]:
        answer = self._answer
        self.ended = True
        if answer is None or body.outcome not in {"completed", "declined", "limit"}:
            yield from ending(failure_words(self.run, body))
            return
        yield from self._said(with_note(answer, self.run.language))
        if drawn := _drawn(self.run.question, answer):
            yield frame("CHART_DATA", drawn)
        yield from ending()

    def _said(self, *words: str) -> Iterator[Frame]:
        """Yield the thoughts with further words, where they are not the last that was thought."""
        for one in words:
            if one.strip() not in "\n\n".join(self._thoughts):
                self._thoughts.append(one)
        yield self._thought()

    def _thought(self) -> Frame:
        return frame("THINK", "\n\n".join(part.strip("\n") for part in self._thoughts if part.strip()))


def _drawn(question: str, answer: Answer) -> list[Frame]:
    """Return what the page draws: the table of the answer, or those of the readings that it could not choose among."""
    table = answer.table or answer.result
    if table is not None:
        return [answer_data(question, table, answer.charts)] if table.rows else []
    readings = [(each, each.result) for each in answer.readings]
    return [answer_data(each.text, table, each.charts) for each, table in readings if table is not None and table.rows]
