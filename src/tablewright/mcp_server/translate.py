"""Converts a run's events and tables to the results of the tools. Pure functions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.codec import to_json
from tablewright.domain.events import (
    AnswerCompleted,
    AnswerEvent,
    ArtifactCreated,
    CodeDelta,
    CodeFinished,
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
    RoundExecuted,
    RunEvent,
    RunFinished,
    StepAnnounced,
    StepFinished,
    StepStarted,
    StructuredEvent,
    TaskEvent,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    WarningRaised,
    WorkbookEvent,
)
from tablewright.domain.rounds.round import Round
from tablewright.domain.run import RunFailure
from tablewright.domain.table import Cell, Table
from tablewright.domain.table_markdown import markdown
from tablewright.mcp_server.schemas import AnalysisOut, DataFrameOut, PreviewOut, ToolStepOut

INLINE_BYTES = 1024 * 1024
"""Results of at least this size are returned as files."""
DATA_ROWS = 100
OUTPUT_CHARS = 10_000
FILES_LISTED = 50
"""The number of files listed in the text; the data lists all."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}.*")


def key_step(name: str) -> str:
    """Return the notification for a step that begins."""
    return json.dumps({"key_step": True, "content": "", "step": name}, ensure_ascii=False)


_PASSED_OVER = RunEvent | AnswerEvent | RequestEvent | WorkbookEvent | StructuredEvent | NodeEvent | TaskEvent


@dataclass(slots=True, kw_only=True)
class RunSeen:
    """What a run's events have reported so far."""

    steps: dict[str, ToolStepOut] = field(default_factory=dict[str, ToolStepOut])
    ended: int = 0
    images: list[ArtifactRef] = field(default_factory=list[ArtifactRef])
    rounds: list[Round] = field(default_factory=list[Round])
    question: str | None = None
    answer: Answer | None = None
    outcome: Outcome | None = None
    failure: RunFailure | None = None

    @property
    def moves(self) -> int:
        """The number of steps and rounds begun or ended; it only increases."""
        return len(self.steps) + self.ended + len(self.rounds)

    def name_of(self, body: EventBody) -> str:
        """Return the name of the step that an event begins or ends, or an empty text."""
        ends = isinstance(body, StepAnnounced | StepFinished) and body.step_id in self.steps
        return self.steps[str(body.step_id)].name if ends else ""

    def take(self, body: EventBody) -> None:
        """Process the next event."""
        match body:
            case StepAnnounced(step_id=str(key)):
                self.steps[key] = ToolStepOut(name=body.name, status="interrupted")
            case OutputImage():
                self.images.append(body.image)
            case RoundExecuted():
                self.rounds.append(body.round)
            case WarningRaised(code="question_unattended"):
                self.question = str(body.params.get("question", ""))
            case AnswerCompleted():
                self.answer = body.answer
            case RunFinished():
                self.outcome, self.failure = body.outcome, body.failure
            case _ if body.step_id in self.steps:
                self.ended += isinstance(body, StepFinished)
                self._of_step(self.steps[body.step_id], body)
            case _:
                pass  # what concerns no step that was announced

    @staticmethod
    def _of_step(step: ToolStepOut, body: EventBody) -> None:
        if isinstance(body, _PASSED_OVER):
            return
        match body:
            case CodeFinished():
                step.code = body.code
            case StepFinished():
                step.status = body.status
            case OutputText() if len(step.output) <= OUTPUT_CHARS:
                step.output = _cut(step.output + body.text, OUTPUT_CHARS)
            case OutputError():
                step.output = _cut(f"{step.output}\n{body.name}: {body.message}".lstrip("\n"), OUTPUT_CHARS)
            case ThinkingDelta() | TextDelta() | TextFinished() | CodeDelta() | OutputText() | OutputImage():
                pass
            case OutputTable() | OutputHtml() | OutputChart() | ArtifactCreated():
                pass
            case StepAnnounced() | StepStarted() | RepairStarted() | ProgressReported():
                pass
            case _:
                assert_never(body)


def tables_of(answer: Answer) -> list[Table]:
    """Return the tables of an answer, each once: the one shown to the person, and the result if it adds anything."""
    tables = [answer.table] if answer.table is not None else []
    if answer.result is not None and answer.result != answer.table and _says_more(answer.result):
        tables.append(answer.result)
    return tables


def fits_in_line(table: Table) -> bool:
    """Return whether a table is small enough to be returned inline."""
    return len(to_json(Table, table)) < INLINE_BYTES


def dataframe(table: Table) -> DataFrameOut:
    """Return the first rows of a table in the inline format."""
    rows = table.rows[:DATA_ROWS]
    return DataFrameOut(
        title=table.title,
        markdown=markdown(table),
        data={
            column: {str(number): row[place] for number, row in enumerate(rows)}
            for place, column in enumerate(_distinct(table.columns))
        },
        shape=shape(table),
    )


def shape(table: Table) -> tuple[int, int]:
    """Return the rows and columns of the whole table."""
    return table.total_rows, len(table.columns)


def preview(table: Table, rows: int) -> PreviewOut:
    """Return a preview of a table; types are derived from its rows, of which the first `rows` are included."""
    columns = _distinct(table.columns)
    cells = list(zip(*table.rows, strict=True)) or [()] * len(columns)
    return PreviewOut(
        columns=columns,
        types={column: kind_of(values) for column, values in zip(columns, cells, strict=True)},
        shape=shape(table),
        sample=[dict(zip(columns, row, strict=True)) for row in table.rows[:rows]],
        sheet=table.title,
    )


def words(found: AnalysisOut) -> str:
    """Return the result as Markdown: the answer, tables that the answer does not show already, and files."""
    shown = [
        table.markdown for table in found.tables if table.type == "dataframe" and table.markdown not in found.answer
    ]
    files = [f"- {file.name}: {file.file_path}" for file in found.files]
    files += [f"- {table.file_path}" for table in found.tables if table.type == "file"]
    files += [f"- {image.name}: {image.file_path}" for image in found.images if image.file_path is not None]
    if (left := len(files) - FILES_LISTED) > 0:
        files = [*files[:FILES_LISTED], f"- … +{left}"]
    return "\n\n".join((found.answer, *shown, *(["\n".join(files)] if files else [])))


def kind_of(cells: Iterable[Cell]) -> str:
    """Return the kind of a column, derived from its values."""
    kinds = {_kind(cell) for cell in cells if cell is not None and cell != ""}
    if kinds == {"integer", "number"}:
        return "number"
    if kinds == {"date", "datetime"}:
        return "datetime"
    if not kinds:
        return "empty"
    return kinds.pop() if len(kinds) == 1 else "mixed"


def _kind(cell: Cell) -> str:
    if isinstance(cell, bool):
        return "boolean"
    if isinstance(cell, int):
        return "integer"
    if isinstance(cell, float):
        return "number"
    text = str(cell)
    if _DATE.fullmatch(text):
        return "date"
    return "datetime" if _MOMENT.fullmatch(text) else "text"


def _says_more(result: Table) -> bool:
    return len(result.columns) * result.total_rows > 1


def _distinct(names: Sequence[str]) -> list[str]:
    """Make equal names distinct, for use as keys."""
    seen: dict[str, int] = {}
    distinct: list[str] = []
    for name in names:
        seen[name] = number = seen.get(name, -1) + 1
        distinct.append(f"{name}.{number}" if number else name)
    return distinct


def _cut(said: str, chars: int) -> str:
    return said if len(said) <= chars else said[:chars] + "…"
