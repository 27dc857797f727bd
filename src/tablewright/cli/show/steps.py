"""The steps of a run according to its events, independent of how they are displayed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, assert_never

from tablewright.cli.show.clean import clean, is_data, one_line
from tablewright.domain.events import (
    AnswerEvent,
    ArtifactCreated,
    EventBody,
    NodeEvent,
    OutputChart,
    OutputError,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
    ProgressReported,
    RepairStarted,
    RequestEvent,
    RoundAnswered,
    RunEvent,
    StepAnnounced,
    StepFinished,
    StepStarted,
    StepStatus,
    StructuredEvent,
    TaskEvent,
    WorkbookEvent,
    WritingEvent,
)

State = Literal["announced", "running"] | StepStatus
KEPT_LINES = 200


@dataclass(slots=True, kw_only=True)
class StepView:
    """A step as known so far. `lines` are the last lines of its output; `hidden` counts those before them.

    A step with `hands_on` prints figures for the rounds after it, as lines of JSON: these are not for a person.
    """

    id: str
    name: str
    state: State = "announced"
    elapsed_s: float = 0.0
    lines: list[str] = field(default_factory=list[str])
    hidden: int = 0
    open_line: bool = False
    hands_on: bool = False

    @property
    def shown(self) -> list[str]:
        """The lines for a person, as far as they are written."""
        unfinished = self.hands_on and self.open_line and self.lines[-1].startswith('{"')
        return self.lines[:-1] if unfinished else self.lines

    def write(self, text: str) -> None:
        """Add output. If a piece does not end its line, the next one continues it."""
        first, *rest = clean(text).split("\n")
        if self.open_line and self.lines:
            self.lines[-1] += first
        else:
            self.lines.append(first)
        self.lines.extend(rest)
        self.open_line = self.lines[-1] != ""
        if not self.open_line:
            self.lines.pop()
        if self.hands_on:
            self._drop_data()
        if (over := len(self.lines) - KEPT_LINES) > 0:
            del self.lines[:over]
            self.hidden += over

    def end(self) -> None:
        """End the output: nothing continues its last line."""
        self.open_line = False
        if self.hands_on:
            self._drop_data()

    def _drop_data(self) -> None:
        whole = len(self.lines) - self.open_line
        self.lines[:whole] = [line for line in self.lines[:whole] if not is_data(line)]


class Steps:
    """The steps in the order in which they were announced."""

    def __init__(self) -> None:
        self._steps: dict[str, StepView] = {}
        self._in_rounds = False

    @property
    def all(self) -> tuple[StepView, ...]:
        """Every step so far."""
        return tuple(self._steps.values())

    def take(self, body: EventBody) -> StepView | None:
        """Process one event and return the step that it changed, or None."""
        if isinstance(body, RoundAnswered):
            self._in_rounds = True
        if body.step_id is None:
            return None
        if isinstance(body, StepAnnounced):
            self._steps[body.step_id] = StepView(id=body.step_id, name=one_line(body.name), hands_on=self._in_rounds)
            return self._steps[body.step_id]
        step = self._steps.get(body.step_id)
        return step if step is not None and _change(step, body) else None


_PASSED_OVER = (
    RunEvent | AnswerEvent | RequestEvent | WritingEvent | WorkbookEvent | StructuredEvent | NodeEvent | TaskEvent
)


def _change(step: StepView, body: EventBody) -> bool:
    if isinstance(body, _PASSED_OVER):
        return False
    match body:
        case StepStarted():
            step.state = "running"
        case StepFinished(status=status, elapsed_s=elapsed):
            step.state, step.elapsed_s = status, elapsed
            step.end()
        case OutputText(text=text):
            step.write(text)
        case OutputError(name=name, message=message):
            step.open_line = False
            step.write(f"{name}: {message}\n")
        case RepairStarted():
            pass
        case (
            StepAnnounced()
            | ProgressReported()
            | OutputImage()
            | OutputTable()
            | OutputHtml()
            | OutputChart()
            | ArtifactCreated()
        ):
            return False
        case _:
            assert_never(body)
    return True
