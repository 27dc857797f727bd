"""Events of steps, which are named pieces of work with outputs.

The order per step is: announced, code…, started, output…, finished.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.chart import Chart
from tablewright.domain.events.base import Body
from tablewright.domain.table import Table

StepStatus = Literal["ok", "error", "interrupted", "dropped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAnnounced(Body):
    """The name of a step, as soon as it is known; `step_id` is set on this and all later events of the step."""

    name: str
    type: Literal["step.announced"] = "step.announced"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepStarted(Body):
    """Execution of the step's code begins."""

    type: Literal["step.started"] = "step.started"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFinished(Body):
    """The step has ended, after its last output.

    `dropped` means that it was never run, because an earlier one failed.
    """

    status: StepStatus
    elapsed_s: float
    type: Literal["step.finished"] = "step.finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairStarted(Body):
    """A failed step is being rewritten; `step_id` identifies the failed one."""

    attempt: int
    error: str
    type: Literal["repair.started"] = "repair.started"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressReported(Body):
    """Progress of long work; `fraction` is from 0 to 1, if known."""

    message: str
    fraction: float | None = None
    type: Literal["progress.reported"] = "progress.reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputText(Body):
    """Printed text, or the value of a last expression (`value`); `cut_chars` is the number of characters left out."""

    text: str
    stream: Literal["stdout", "stderr", "value"] = "stdout"
    cut_chars: int = 0
    type: Literal["output.text"] = "output.text"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputError(Body):
    """The exception with which the step failed."""

    name: str
    message: str
    traceback: str
    type: Literal["output.error"] = "output.error"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputImage(Body):
    """A figure, stored as an artifact."""

    image: ArtifactRef
    type: Literal["output.image"] = "output.image"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputTable(Body):
    """A table that was displayed (`shown`), or the value of the name `result` (`result`)."""

    table: Table
    role: Literal["shown", "result"] = "shown"
    type: Literal["output.table"] = "output.table"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputHtml(Body):
    """HTML, stored as an artifact: it may only run in a sandboxed frame."""

    html: ArtifactRef
    type: Literal["output.html"] = "output.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputChart(Body):
    """A chart as data."""

    chart: Chart
    type: Literal["output.chart"] = "output.chart"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactCreated(Body):
    """A file that the person can download."""

    artifact: ArtifactRef
    type: Literal["artifact.created"] = "artifact.created"


StepEvent = StepAnnounced | StepStarted | StepFinished | RepairStarted | ProgressReported
"""The course of a step."""
OutputEvent = OutputText | OutputError | OutputImage | OutputTable | OutputHtml | OutputChart | ArtifactCreated
"""What a step puts out."""
