"""Maps the outputs of an execution to the events a person sees and the facts the next turn is told."""

from __future__ import annotations

from dataclasses import dataclass, field

from tablewright.domain.artifact import ArtifactRef, ArtifactSink
from tablewright.domain.chart import Chart
from tablewright.domain.events import (
    OutputChart,
    OutputError,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
    ProgressReported,
)
from tablewright.domain.table import Table
from tablewright.sandbox.base import (
    ChartOutput,
    Done,
    ErrorOutput,
    FileOutput,
    HtmlOutput,
    ImageOutput,
    Output,
    ProgressOutput,
    TableOutput,
    TextOutput,
)
from tablewright.texts.catalogue import text
from tablewright.tools.base import Emit
from tablewright.tools.execution.artifact_delivery import ArtifactDelivery
from tablewright.tools.execution.step_digest import StepDigest

IMAGE_SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg"}


@dataclass(slots=True, kw_only=True)
class StepOutputs:
    """Takes one execution's outputs in order and collects what they contain."""

    step_id: str
    emit: Emit
    sink: ArtifactSink
    files: ArtifactDelivery
    digest: StepDigest
    texts: list[str] = field(default_factory=list[str])
    tables: list[Table] = field(default_factory=list[Table])
    charts: list[Chart] = field(default_factory=list[Chart])
    artifacts: list[ArtifactRef] = field(default_factory=list[ArtifactRef])
    result: Table | None = None
    error: ErrorOutput | None = None
    done: Done | None = None

    async def take(self, output: Output) -> None:
        """Process one output. Its event is emitted once what it refers to is stored."""
        match output:
            case TextOutput():
                self._text(output)
            case TableOutput():
                self._table(output)
            case ChartOutput():
                self._chart(output)
            case ErrorOutput():
                self._error(output)
            case Done():
                self._done(output)
            case ProgressOutput():
                self._progress(output)
            case FileOutput():
                await self._file(output)
            case ImageOutput() | HtmlOutput():
                await self._picture(output)

    def _text(self, output: TextOutput) -> None:
        apart = output.stream == "value" and self.texts and not self.texts[-1].endswith("\n")
        self.texts.append(f"\n{output.text}" if apart else output.text)
        (self.digest.value if output.stream == "value" else self.digest.printed)(output.text)
        self.emit(OutputText(text=output.text, stream=output.stream, step_id=self.step_id))

    def _table(self, output: TableOutput) -> None:
        if output.role == "result":
            self.result = output.table
        else:
            self.tables.append(output.table)
        self.digest.table(output.table, result=output.role == "result")
        self.emit(OutputTable(table=output.table, role=output.role, step_id=self.step_id))

    def _chart(self, output: ChartOutput) -> None:
        self.charts.append(output.chart)
        self.digest.chart(output.chart)
        self.emit(OutputChart(chart=output.chart, step_id=self.step_id))

    def _error(self, output: ErrorOutput) -> None:
        self.error = output
        self.emit(
            OutputError(name=output.name, message=output.message, traceback=output.traceback, step_id=self.step_id)
        )

    def _done(self, output: Done) -> None:
        self.done = output
        if output.cut_chars:
            words = f"\n{text('step_output_cut', self.digest.language, count=f'{output.cut_chars:,}')}\n"
            self.digest.printed(words)
            self.emit(OutputText(text=words, stream="stderr", cut_chars=output.cut_chars, step_id=self.step_id))

    def _progress(self, output: ProgressOutput) -> None:
        words = output.message or text("step_still_running", self.digest.language, seconds=round(output.elapsed_s))
        self.emit(ProgressReported(message=words, fraction=output.fraction, step_id=self.step_id))

    async def _file(self, output: FileOutput) -> None:
        if (kept := await self.files.hand_over(output.path, self.step_id)) is not None:
            self.artifacts.append(kept)
            self.digest.file(kept.name)

    async def _picture(self, output: ImageOutput | HtmlOutput) -> None:
        if isinstance(output, ImageOutput):
            name = f"figure.{IMAGE_SUFFIXES.get(output.mime, 'bin')}"
            image = await self.sink.put(name, output.mime, output.content)
            self.digest.image()
            self.emit(OutputImage(image=image, step_id=self.step_id))
            return
        page = await self.sink.put("output.html", "text/html", output.html.encode())
        self.digest.html()
        self.emit(OutputHtml(html=page, step_id=self.step_id))
