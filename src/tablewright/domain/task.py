"""Tasks for a model, as data.

A language model reads messages rendered from a task; the built-in analyst reads the task itself. Both answer in the
form required by the task's type, and later code does not depend on which of them answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from tablewright.domain.chart import Chart
from tablewright.domain.database import DatabaseFacts
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.rounds.plan import OperationPlan, RejectedPlan, ReportedStep
from tablewright.domain.rounds.round import Round
from tablewright.domain.structured import StructuredRoundFacts
from tablewright.domain.table import Table
from tablewright.domain.table_facts import TableRelation


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFacts:
    """An earlier question of the conversation, and its answer."""

    question: str
    answer: str
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryFacts:
    """A query that was made of a database: whose it was, and the file that code finds its result in.

    `rows` are those of the file; `truncated`: the result had more. Without a `path` the result was told, not kept.
    """

    connection: str
    path: str | None = None
    rows: int = 0
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFacts:
    """An executed step of this run, and its output. That of a query of a database has the statement as its `code`."""

    name: str
    code: str
    text: str = ""
    result: Table | None = None
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    files: tuple[str, ...] = ()
    error: str | None = None
    query: QueryFacts | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskBase:
    """Fields shared by all tasks."""

    question: str
    language: Language
    datasets: tuple[DatasetFacts, ...] = ()
    history: tuple[TurnFacts, ...] = ()
    progress: tuple[StepFacts, ...] = ()
    relations: tuple[TableRelation, ...] = ()
    """What connects the tables of `datasets`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyzeTable(TaskBase):
    """Answer a question about tables: with code in `@step` segments, or with the conclusion once `progress`
    contains it."""

    type: Literal["analyze_table"] = "analyze_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairStep(TaskBase):
    """Rewrite the last step of `progress`, which failed, to run in the state left by the others."""

    attempt: int = 1
    type: Literal["repair_step"] = "repair_step"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOperations(TaskBase):
    """Plan the operations that do what `question` asks on a workbook, in the state described by `outline`.

    `rounds` have been executed before; if steps of the last one failed, only those are planned again. `asked` contains
    the planner's questions with the person's answers. `unreadable` says why the last plan of this call could not be
    parsed; `impossible` is a plan of this call none of whose steps can be executed, for the reasons in its `problems`.
    The last `rounds_told` rounds are described step by step, older ones in a line each; before them come rounds that
    are not stored but reported by the client in `told`. The answer is a plan as JSON: `{execution_plan: [{step,
    function, parameters, description, retries?}], covers_request?, completed?, need_info?, message?, error?,
    is_conversational?, response?}`.
    """

    outline: WorkbookOutline
    rounds: tuple[Round, ...] = ()
    told: tuple[ReportedStep, ...] = ()
    rejected: tuple[RejectedPlan, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()
    unreadable: str | None = None
    impossible: OperationPlan | None = None
    rounds_told: int = 3
    type: Literal["plan_operations"] = "plan_operations"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFacts:
    """A tool that can be called; `parameters` is the JSON schema of an object."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredRound(TaskBase):
    """Take the next round of an analysis: ask for tool calls, or write the report.

    `rounds` are over; `round` is the number of this one, at most `max_rounds`, in which the report must be written.
    An empty `question` leaves it to the model what matters in the data. `databases` can be queried beside the files;
    about `database_tokens` tokens tell of them. `unreadable` says what was wrong with the last answer of this round.
    The answer is JSON: `{task_analysis, execution_plan, current_round, action: {type, content, recommended_questions?,
    download_links?}}`.
    """

    round: int
    max_rounds: int
    tools: tuple[ToolFacts, ...] = ()
    rounds: tuple[StructuredRoundFacts, ...] = ()
    databases: tuple[DatabaseFacts, ...] = ()
    database_tokens: int = 3_000
    unreadable: str | None = None
    type: Literal["structured_round"] = "structured_round"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTask:
    """A step of a plan of tasks, and what came of it."""

    text: str
    status: Literal["not_started", "in_progress", "completed", "blocked"] = "not_started"
    result: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTasks(TaskBase):
    """Say which tasks are to be done next for `question`, all at the same time, or that it is done.

    `plan` are the tasks so far with their results. The answer is JSON: `{tasks: [text]}`, empty once nothing is left.
    """

    plan: tuple[PlannedTask, ...] = ()
    type: Literal["plan_tasks"] = "plan_tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowFacts:
    """A workflow that a message can start; `score` is the probability that it is meant, where that was computed."""

    id: str
    name: str
    description: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseWorkflow(TaskBase):
    """Choose the workflow that fits `question`. The answer is JSON: `{workflow: id | null}`; null where none fits.

    `threshold` is the score that a candidate needs where nothing but scores is known of it.
    """

    candidates: tuple[WorkflowFacts, ...] = ()
    threshold: float = 1.0
    type: Literal["choose_workflow"] = "choose_workflow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarize(TaskBase):
    """Conclude from `progress`, without code: no step is left."""

    type: Literal["summarize"] = "summarize"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat(TaskBase):
    """Write what `question` asks for, from `materials` (name and text each), which are data.

    With `schema`, the JSON schema of an object, the answer is such an object as JSON; `unreadable` says what was wrong
    with the last answer. Else it is text.
    """

    materials: tuple[tuple[str, str], ...] = ()
    schema: dict[str, Any] | None = None
    unreadable: str | None = None
    type: Literal["chat"] = "chat"


Task = Annotated[
    AnalyzeTable | RepairStep | Summarize | PlanOperations | StructuredRound | PlanTasks | ChooseWorkflow | Chat,
    Field(discriminator="type"),
]
