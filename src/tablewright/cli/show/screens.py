"""Shows a run in progress: live on a terminal, line by line elsewhere, or not at all."""

from __future__ import annotations

from typing import Protocol, assert_never

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from tablewright.cli.show.clean import one_line
from tablewright.cli.show.nodes import node_lines
from tablewright.cli.show.plans import proposed_lines
from tablewright.cli.show.rounds import structured_lines
from tablewright.cli.show.steps import Steps, StepView
from tablewright.domain.events import (
    AnswerEvent,
    ArtifactCreated,
    Event,
    EventBody,
    NodeEvent,
    OutputChart,
    OutputError,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
    PlanProposed,
    ProgressReported,
    RepairStarted,
    RequestEvent,
    RunEvent,
    StepAnnounced,
    StepFinished,
    StepStarted,
    StructuredEvent,
    TaskEvent,
    WarningRaised,
    WorkbookEvent,
    WritingEvent,
)
from tablewright.domain.language import Language
from tablewright.texts.catalogue import catalogue, text

FINISHED_LINES = 12
RUNNING_LINES = 6
STYLES = {"ok": "green", "error": "red", "interrupted": "yellow", "dropped": "dim"}


class Screen(Protocol):
    """Displays a run. After `close`, what was shown remains."""

    def say(self, message: str) -> None:
        """Show a message about what happens before the first step."""
        ...

    def show(self, event: Event) -> None:
        """Process one event."""
        ...

    def close(self) -> None:
        """Stop: nothing more will be shown."""
        ...


class NoScreen:
    """Shows nothing."""

    def say(self, message: str) -> None:
        """Say nothing."""

    def show(self, event: Event) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Leave nothing."""


def finished_line(step: StepView, language: Language) -> str:
    """Return a line with a step's name and outcome."""
    return text(f"cli_step_{step.state}", language, name=step.name, seconds=f"{step.elapsed_s:.1f}")


def warning_line(body: WarningRaised, language: Language) -> str | None:
    """Return a warning's text, or None if the catalogue does not know it."""
    return text(body.code, language, **body.params) if body.code in catalogue(language) else None


def standing_lines(body: EventBody, language: Language) -> list[Text]:
    """Return the lines that stay on any screen: warnings, proposed plans, and structured rounds with their calls."""
    if isinstance(body, StructuredEvent):
        return structured_lines(body, language)
    if isinstance(body, NodeEvent):
        return node_lines(body, language)
    if isinstance(body, PlanProposed):
        return list(proposed_lines(body.plan, language))
    if isinstance(body, WarningRaised) and (line := warning_line(body, language)):
        return [Text(line, style="yellow")]
    return []


def _repair_line(body: RepairStarted, language: Language) -> str:
    return text("cli_repair", language, attempt=body.attempt, error=one_line(body.error)[:200])


_PASSED_OVER = (
    RunEvent | AnswerEvent | RequestEvent | WritingEvent | WorkbookEvent | StructuredEvent | NodeEvent | TaskEvent
)
"""What is not shown line by line: `standing_lines` shows warnings and plans."""


class LineScreen:
    """Plain lines, each written once and never changed."""

    def __init__(self, console: Console, language: Language) -> None:
        self._console = console
        self._language = language
        self._steps = Steps()
        self._shown: dict[str, int] = {}

    def say(self, message: str) -> None:
        self._line(message)

    def show(self, event: Event) -> None:
        body = event.body
        step = self._steps.take(body)
        for line in standing_lines(body, self._language):
            self._console.print(line, soft_wrap=True)
        if step is None:
            return
        if isinstance(body, _PASSED_OVER):
            return
        match body:
            case StepAnnounced():
                self._line(text("cli_step_announced", self._language, name=step.name))
            case StepFinished():
                self._output(step, whole=True)
                self._line(finished_line(step, self._language))
            case RepairStarted():
                self._line(_repair_line(body, self._language))
            case OutputText():
                self._output(step, whole=False)
            case StepStarted() | ProgressReported() | OutputError() | OutputImage() | OutputTable():
                pass
            case OutputHtml() | OutputChart() | ArtifactCreated():
                pass
            case _:
                assert_never(body)

    def close(self) -> None:
        """Do nothing: all lines have been written."""

    def _output(self, step: StepView, *, whole: bool) -> None:
        done = self._shown.get(step.id, 0)
        upto = step.hidden + len(step.lines) - (0 if whole or not step.open_line else 1)
        for line in step.lines[max(done - step.hidden, 0) : max(upto - step.hidden, 0)]:
            self._line(f"    {line}")
        self._shown[step.id] = max(done, upto)

    def _line(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True)


class LiveScreen:
    """A live display: finished steps stay above, the running step is updated below with the end of its output."""

    def __init__(self, console: Console, language: Language) -> None:
        self._console = console
        self._language = language
        self._steps = Steps()
        self._note = text("cli_thinking", language)
        self._live = Live(console=console, refresh_per_second=12, transient=True, get_renderable=self._render)
        self._live.start()

    def say(self, message: str) -> None:
        self._note = message

    def show(self, event: Event) -> None:
        body = event.body
        step = self._steps.take(body)
        if isinstance(body, RepairStarted):
            self._console.print(Text(_repair_line(body, self._language), style="yellow"))
        elif step is not None and isinstance(body, StepFinished):
            self._stand(step)
        for line in standing_lines(body, self._language):
            self._console.print(line)
        self._note = text("cli_thinking", self._language)

    def close(self) -> None:
        self._note = ""
        self._live.stop()

    def _stand(self, step: StepView) -> None:
        self._console.print(Text(finished_line(step, self._language), style=STYLES[step.state]))
        self._console.print(*self._tail(step, FINISHED_LINES), sep="\n", end="\n" if step.shown else "")

    def _tail(self, step: StepView, count: int) -> list[RenderableType]:
        width = max(self._console.width - 4, 20)
        lines: list[RenderableType] = []
        if (hidden := step.hidden + len(step.shown) - count) > 0:
            lines.append(Text("    " + text("cli_lines_hidden", self._language, count=hidden), style="dim"))
        for line in step.shown[-count:]:
            shown = Text("    " + line, style="dim", no_wrap=True)
            shown.truncate(width, overflow="ellipsis")
            lines.append(shown)
        return lines

    def _render(self) -> RenderableType:
        rows: list[RenderableType] = []
        for step in self._steps.all:
            if step.state == "running":
                rows.append(Spinner("dots", Text(step.name, style="bold")))
                rows.extend(self._tail(step, RUNNING_LINES))
            elif step.state == "announced":
                rows.append(Text(f"  {step.name}", style="dim"))
        if not rows and self._note:
            rows.append(Spinner("dots", Text(self._note, style="dim")))
        return Group(*rows)
