"""What a model is asked to do, as data.

A language model reads the messages rendered from a task; the built-in analyst reads the task itself. Both answer in
the form that the task's type asks for, and nothing after them asks which of the two answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from tablewright.domain.chart import Chart
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.rounds import OperationPlan, Round, ToldStep
from tablewright.domain.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFacts:
    """An earlier question of the conversation and its answer."""

    question: str
    answer: str
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFacts:
    """A step of this run that was executed, and what came out of it."""

    name: str
    code: str
    text: str = ""
    result: Table | None = None
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    files: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskBase:
    """What every task carries."""

    question: str
    language: Language
    datasets: tuple[DatasetFacts, ...] = ()
    history: tuple[TurnFacts, ...] = ()
    progress: tuple[StepFacts, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyzeTable(TaskBase):
    """Answer a question about tables: code in `@step` segments, or the conclusion once `progress` holds it."""

    type: Literal["analyze_table"] = "analyze_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairStep(TaskBase):
    """The last step of `progress` failed: write that step anew, with the state that the others left."""

    attempt: int = 1
    type: Literal["repair_step"] = "repair_step"


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedPlan:
    """A plan the person did not want, and why."""

    plan: OperationPlan
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOperations(TaskBase):
    """Plan the operations that do on a workbook what `question` asks, on its state as `outline` tells.

    `rounds` were executed before; steps that failed in the last of them are to be planned anew, and nothing else is.
    `asked` holds what the planner asked and what the person answered. `unreadable` says why the last plan of this call
    could not be read; `impossible` is a plan of this call none of whose steps can be done, its `problems` say why. The
    last `rounds_told` rounds are told step by step, older ones in a line each; before them stand those that the client
    tells of in `told`, which nobody has recorded. Written is the JSON of a plan:
    `{execution_plan: [{step, function, parameters, description, retries?}], covers_request?, completed?, need_info?,
    message?, error?, is_conversational?, response?}`.
    """

    outline: WorkbookOutline
    rounds: tuple[Round, ...] = ()
    told: tuple[ToldStep, ...] = ()
    rejected: tuple[RejectedPlan, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()
    unreadable: str | None = None
    impossible: OperationPlan | None = None
    rounds_told: int = 3
    type: Literal["plan_operations"] = "plan_operations"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarize(TaskBase):
    """No step is left: conclude from `progress`, without code."""

    type: Literal["summarize"] = "summarize"


Task = Annotated[AnalyzeTable | RepairStep | Summarize | PlanOperations, Field(discriminator="type")]
