"""A run as one HTML document for reading: no scripts, nothing loaded from elsewhere, everything escaped."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files as resources
from typing import assert_never

from tablewright.domain.answer import Answer
from tablewright.domain.chart import Chart
from tablewright.domain.events import (
    ArtifactCreated,
    CodeFinished,
    Event,
    OutputChart,
    OutputError,
    OutputEvent,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
    StepAnnounced,
    StepFinished,
    StepStarted,
)
from tablewright.domain.language import Language
from tablewright.domain.run import Run
from tablewright.domain.table import Cell, Table
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text

SHOWN = (
    "step.announced",
    "step.started",
    "step.finished",
    "code.finished",
    "output.text",
    "output.error",
    "output.image",
    "output.table",
    "output.chart",
)
"""The event types that the document is built from."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
CHART_POINTS = 200
FOOT = "</main>\n</body>\n</html>"


@dataclass(slots=True, kw_only=True)
class ShownStep:
    """A step that ran: its code, how it ended, and what it put out, in order."""

    id: str
    name: str
    code: str = ""
    status: str = ""
    outputs: list[OutputEvent] = field(default_factory=list[OutputEvent])

    @property
    def images(self) -> tuple[str, ...]:
        """The ids of its figures."""
        return tuple(body.image.id for body in self.outputs if isinstance(body, OutputImage))


def shown_steps(events: Iterable[Event]) -> tuple[ShownStep, ...]:
    """Return the steps that ran, failed ones included, in the order in which they ran."""
    steps: dict[str | None, ShownStep] = {}
    ran: dict[str, ShownStep] = {}
    for body in (event.body for event in events):
        step = steps.get(body.step_id)
        if isinstance(body, StepAnnounced):
            steps[body.step_id] = ShownStep(id=body.step_id or "", name=body.name)
        elif step is None:
            continue
        elif isinstance(body, StepStarted):
            ran[step.id] = step
        elif isinstance(body, CodeFinished):
            step.code = body.code
        elif isinstance(body, StepFinished):
            step.status = body.status
        elif isinstance(body, OutputEvent):
            step.outputs.append(body)
    return tuple(ran.values())


def document(run: Run, steps: Iterable[ShownStep], names: Iterable[str], images: Mapping[str, bytes]) -> str:
    """Return the document. `names` are those of the run's files; `images` maps figure ids to PNG bytes."""
    sections = RunSections(run, tuple(steps), images)
    lines = (*head(run.question, run.language), f"<h1>{plain(run.question)}</h1>", *sections.lines(tuple(names)), FOOT)
    return "\n".join(lines) + "\n"


def head(title: str, language: Language, about: str = "") -> Iterator[str]:
    """Yield the beginning of a document, up to its content; `about` is more of its head, in HTML."""
    style = resources("tablewright.service.exports").joinpath("page.css").read_text(encoding="utf-8")
    yield f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="content-security-policy" content="{POLICY}">{about}'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{plain(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>"


class RunSections:
    """The parts of a document that show one run; `prefix` tells its places apart from those of other runs there."""

    def __init__(self, run: Run, steps: tuple[ShownStep, ...], images: Mapping[str, bytes], prefix: str = "") -> None:
        self._run = run
        self._steps = steps
        self._images = images
        self._place = f"{prefix}step"
        self._places = {step.id: place for place, step in enumerate(steps, 1)}

    def lines(self, names: tuple[str, ...]) -> Iterator[str]:
        """Yield who made it of what, what came of it, and its steps."""
        run = self._run
        made = self._say("export.made", model=run.model, at=run.created_at.strftime("%Y-%m-%d %H:%M UTC"))
        files = self._say("export.page_files", names=text("agent.list_comma", run.language).join(names) or "–")
        yield f"<p class=about>{made}<br>{files}</p>"
        yield from self._conclusion()
        if self._steps:
            yield f"<h2>{self._say('export.page_steps')}</h2>"
        for step in self._steps:
            yield from self._step(step)

    def _say(self, code: str, **params: str | float) -> str:
        return escape(text(code, self._run.language, **params))

    def _conclusion(self) -> Iterator[str]:
        answer, failure = self._run.answer, self._run.failure
        if failure is not None:
            yield f"<p class=failed>{escape(error_text(failure.code, self._run.language, failure.params))}</p>"
        if answer is None:
            return
        yield f"<section><h2>{self._say('export.page_answer')}</h2><div class=words>{self._sourced(answer)}</div>"
        if answer.table is not None:
            yield from self._table(answer.table)
        for chart in answer.charts:
            yield from self._chart(chart)
        if answer.files:
            yield f"<p>{self._say('export.page_made', names=', '.join(file.name for file in answer.files))}</p>"
        yield "</section>"

    def _sourced(self, answer: Answer) -> str:
        """Return the answer's text with its numbers linked to their steps, those of no step marked."""
        parts: list[str] = []
        at = 0
        for source in sorted(answer.sources, key=lambda source: source.start):
            if source.start < at:
                continue
            number = escape(answer.text[source.start : source.end])
            parts.append(escape(answer.text[at : source.start]))
            place = self._places.get(source.step_id or "")
            if place is not None:
                where = self._say("export.page_source", number=place)
                parts.append(f'<a href="#{self._place}-{place}" title="{where}">{number}</a>')
            else:
                parts.append(f'<mark title="{self._say("export.page_unverified")}">{number}</mark>')
            at = source.end
        return "".join((*parts, escape(answer.text[at:])))

    def _step(self, step: ShownStep) -> Iterator[str]:
        place = self._places[step.id]
        well = step.status == "ok"
        ended = "" if well else f" <span class=failed>{self._say('export.page_failed')}</span>"
        yield f'<section id="{self._place}-{place}"><h3>{place}. {plain(step.name)}{ended}</h3>'
        if step.code.strip():
            yield f"<details><summary>{self._say('export.page_code')}</summary><pre>{escape(step.code)}</pre></details>"
        for body in step.outputs:
            yield from self._output(body)
        yield "</section>"

    def _output(self, body: OutputEvent) -> Iterator[str]:
        match body:
            case OutputText():
                yield f"<pre>{escape(body.text)}</pre>"
            case OutputError():
                yield f"<pre class=failed>{escape(f'{body.name}: {body.message}')}</pre>"
            case OutputTable():
                yield from self._table(body.table)
            case OutputChart():
                yield from self._chart(body.chart)
            case OutputImage():
                yield self._image(body)
            case OutputHtml() | ArtifactCreated():  # pages are not shown without a sandboxed frame
                pass
            case _:
                assert_never(body)

    def _image(self, body: OutputImage) -> str:
        content = self._images.get(body.image.id)
        if not content:
            return f"<p class=about>{self._say('export.page_no_image', name=body.image.name)}</p>"
        data = base64.b64encode(content).decode()
        return f'<img alt="{plain(body.image.name)}" src="data:image/png;base64,{data}">'

    def _chart(self, chart: Chart) -> Iterator[str]:
        """Yield a chart as the table of what it shows: it is drawn from data by whoever displays it."""
        columns = [chart.labels.get("x", "x"), chart.labels.get("y", "y")]
        rows: list[tuple[Cell, ...]] = list(zip(chart.x, chart.y, strict=False))
        if chart.series is not None:
            columns.insert(1, chart.labels.get("series", ""))
            rows = [(x, one, y) for (x, y), one in zip(rows, chart.series, strict=False)]
        title = chart.title or self._say("export.page_chart")
        shown = tuple(rows[:CHART_POINTS])
        yield from self._table(Table(columns=tuple(columns), rows=shown, total_rows=len(rows), title=title))

    def _table(self, table: Table) -> Iterator[str]:
        yield "<div class=table><table>"
        if table.title:
            yield f"<caption>{plain(table.title)}</caption>"
        yield f"<thead><tr>{''.join(f'<th>{plain(name)}</th>' for name in table.columns)}</tr></thead><tbody>"
        for row in table.rows:
            yield f"<tr>{''.join(map(_cell, row))}</tr>"
        yield "</tbody></table></div>"
        if table.total_rows > len(table.rows):
            yield f"<p class=about>{self._say('export.page_rows', shown=len(table.rows), total=table.total_rows)}</p>"


def _cell(cell: Cell) -> str:
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        shown = f"{cell:,.6f}".rstrip("0").rstrip(".") if isinstance(cell, float) else str(cell)
        return f"<td class=number>{shown}</td>"
    return f"<td>{'' if cell is None else escape(str(cell))}</td>"


def plain(words: str) -> str:
    """Return words in one line, escaped."""
    return escape(" ".join(words.split()))
