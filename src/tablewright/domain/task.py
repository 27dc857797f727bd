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
from tablewright.domain.task_plan import TaskPlan


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
class AskedPair:
    """A question that was asked back, and its answer.

    Where it offered readings of the person's question, `readings` are these, as whoever asked wrote them; its `options`
    stand for them.
    """

    question: str
    answer: str
    options: tuple[str, ...] = ()
    readings: tuple[dict[str, Any], ...] = ()


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
    asked: tuple[AskedPair, ...] = ()
    """What the person was asked in this run, and has answered, in order."""
    preferred: str | None = None
    """The reading, in words, that was chosen when this question was asked before."""
    notes: tuple[str, ...] = ()
    """Notes about the person's data that were kept with their word, the oldest first."""


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
class WorkBase(TaskBase):
    """Fields shared by tasks of agents that work with tools.

    `brief` is a system prompt in place of the one that ships; `{{date}}` in it stands for `today`, `{{files}}` for the
    names of the `files`, `{{history_dialogue}}` for the earlier questions with their answers.
    """

    today: str = ""
    files: tuple[str, ...] = ()
    brief: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UseTools(WorkBase):
    """Take the next turn of work that is done with tools: call some, or write, without a call, what came of the work.

    `part` says whether it is all that was asked, or a task of somebody's plan; with `last`, no tools are left, and what
    is known so far is to be written.
    """

    part: Literal["alone", "executor"] = "alone"
    last: bool = False
    type: Literal["use_tools"] = "use_tools"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTasks(WorkBase):
    """Plan the tasks that `question` needs, or change the plan by what came of them, with calls of the planning tool.

    `plan` is the plan so far, `earlier` that of the request before in the conversation. Where nothing is to be changed,
    no call is made.
    """

    plan: TaskPlan | None = None
    earlier: TaskPlan | None = None
    type: Literal["plan_tasks"] = "plan_tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneTask:
    """A task of a plan that is over, and what came of it."""

    text: str
    result: str
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SumUp(WorkBase):
    """Answer `question` from what came of the tasks, and name the files that matter.

    `tasks` are in the order of the plan; `record` is all that was said and done, a line each. The answer is text; the
    names of the files stand in the end between `<files>` and `</files>`, one per line.
    """

    tasks: tuple[DoneTask, ...] = ()
    record: str = ""
    type: Literal["sum_up"] = "sum_up"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteQuery(TaskBase):
    """Write the statements that answer `question` from tables of one database, which are not read here.

    The answer is JSON: `{queries: [{query, sql}]}`, a statement for each question that is meant, in its words; or
    `decline` is called. `unreadable` says what was wrong with the last answer.
    """

    unreadable: str | None = None
    type: Literal["write_query"] = "write_query"


Task = Annotated[
    AnalyzeTable
    | RepairStep
    | Summarize
    | PlanOperations
    | StructuredRound
    | UseTools
    | PlanTasks
    | SumUp
    | ChooseWorkflow
    | Chat
    | WriteQuery,
    Field(discriminator="type"),
]
