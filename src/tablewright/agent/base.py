"""The interface of every agent, and what it is given."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from tablewright.data.sql.base import Databases
from tablewright.domain.artifact import ArtifactRef, ArtifactSink
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.events import ArtifactCreated, Event, EventBody, UsageReported
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.inbox import InboxItem
from tablewright.domain.language import Language
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.notice import Notice
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round
from tablewright.domain.run import Approvals, OpenRequest, Run, RunLimits
from tablewright.domain.table_facts import TableRelation
from tablewright.domain.task import TurnFacts
from tablewright.domain.task_plan import TaskPlan
from tablewright.domain.workflow import Workflow
from tablewright.models.base import Model
from tablewright.sandbox.base import Input, Sandbox
from tablewright.tools.base import KeptNotes, ToolContext, ToolFiles


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentInput:
    """The task of an agent.

    `transcript` is what this run has written so far (empty at its first iteration); `answered` holds the requests that
    a person has answered since, and `news` all that has reached the run since. Of a run that can be taken over, `log`
    has its own events from its earlier iterations: what one was given before it was lost stands there. `worked_s` is
    how long its earlier attempts worked.
    """

    run_id: str
    question: str
    language: Language
    datasets: tuple[DatasetFacts, ...]
    inputs: tuple[Input, ...]
    missing: tuple[str, ...] = ()
    """The ids of files that the run was given and that have been deleted since."""
    relations: tuple[TableRelation, ...] = ()
    preferred: str | None = None
    """The reading, in words, that the tenant chose for this question before."""
    notes: tuple[str, ...] = ()
    """Notes about the owner's data that were kept with their word, the oldest first."""
    history: tuple[TurnFacts, ...] = ()
    transcript: tuple[Message, ...] = ()
    answered: tuple[OpenRequest, ...] = ()
    news: tuple[InboxItem, ...] = ()
    log: tuple[Event, ...] = ()
    worked_s: float = 0.0
    earlier_plan: TaskPlan | None = None
    """The plan of tasks of the request before in the conversation, for a run that plans."""
    limits: RunLimits = field(default_factory=RunLimits)
    approvals: Approvals = "ask"
    asked_at: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    deliver: str | None = None
    """The name of the file in which the run must leave its `result`, if any."""
    guard: bool = True
    """Whether texts that begin like formulas get an apostrophe in that file, if it is csv."""


class RunWorkbook(Protocol):
    """The workbook of record of one run: reads, checks and changes its newest state.

    Methods raise the errors of reading a workbook (`FileUnreadable` and its subclasses) and `StorageFull`.
    """

    async def version(self) -> int:
        """Return the number of the current version."""
        ...

    async def outline(self, *, tokens: int = 4_000) -> WorkbookOutline:
        """Describe all sheets in about `tokens` tokens."""
        ...

    async def losses(self) -> tuple[Notice, ...]:
        """Return what the first write would lose or change as a side effect; empty once something has been written."""
        ...

    async def check(self, steps: Sequence[PlanStep]) -> tuple[tuple[Notice, ...], ...]:
        """Return the problems of each step (unknown function, wrong parameters, what the workbook does not allow),
        without writing. Each step is checked against the workbook as the steps before it would leave it."""
        ...

    async def execute(
        self, plan: OperationPlan, *, plan_id: str, watch: Callable[[int | None], None] | None = None
    ) -> Round:
        """Execute the plan's steps in order and commit what they wrote as one version, under the round's id.

        `watch` is called with the place of each step (from 0) as it begins, and with None once all are applied; if
        steps have to be applied again, it is called again. Raises `WorkbookChanged`, having done nothing, if the
        workbook is no longer at `plan.base_version`. A plan already executed under this `plan_id` and number is not
        executed again: its round is returned.
        """
        ...

    async def rounds(self) -> tuple[Round, ...]:
        """Return the rounds of this run in order, including those undone since."""
        ...

    async def artifact(self) -> ArtifactRef:
        """Return the workbook as a downloadable file."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildTask:
    """Work for a child run. `task_id` is unique among the children of a run, so that a task is begun once.

    `limits` are cut down to its share of what the parent has left; None stands for those of the agent's kind. It may
    work `within_s` at most, if that is less. `opening` are the first entries of the child's transcript: what its agent
    should know from the start.
    """

    task_id: str
    agent: str
    question: str
    file_ids: tuple[str, ...] = ()
    limits: RunLimits | None = None
    within_s: float | None = None
    opening: tuple[Message, ...] = ()


class Children(Protocol):
    """The child runs of one run, which work at the same time, each with its own log, model calls and sandbox."""

    async def start(self, *tasks: ChildTask) -> tuple[Run, ...]:
        """Begin a child for each task that has none yet, and return the children of the tasks.

        They get equal shares of what is left. Raises `RunLimit` if no tokens are left.
        """
        ...

    async def all(self) -> tuple[Run, ...]:
        """Return the children in the order in which they began."""
        ...

    async def settled(self) -> tuple[Run, ...]:
        """Return the children once none of them works: each has ended or waits for a person.

        The run's own sandbox session is given up first.
        """
        ...

    async def cancel(self, run_id: str) -> None:
        """Ask a child to stop; its end is told as any other."""
        ...

    async def transcript(self, run_id: str) -> tuple[Message, ...]:
        """Return what a child has written so far, with its opening."""
        ...


class Inbox(Protocol):
    """What reaches a run while its agent works."""

    async def next(self) -> tuple[InboxItem, ...]:
        """Wait until something reaches the run, and return it."""
        ...


Late = UsageReported | ArtifactCreated
"""What is still recorded of an agent that is no longer iterated: tokens used and files finished."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """The resources an agent works with."""

    model: Model
    sandbox: Sandbox
    artifacts: ArtifactSink
    clock: Clock
    ids: Ids
    workbook: RunWorkbook | None = None
    """None if the run has no workbook."""
    late: Callable[[Late], None] | None = None
    """Takes what a stopped agent still reports shortly afterwards."""
    stored: Callable[[], Awaitable[None]] | None = None
    """Returns once all that the agent has yielded is stored: called before an effect outside, so that what has begun is
    known whatever happens."""
    files: ToolFiles | None = None
    """The files of the conversation, for tools."""
    children: Children | None = None
    inbox: Inbox | None = None
    wake: Callable[[datetime], None] | None = None
    """Has the run resumed at a time once its iteration has ended without an answer; the earliest time counts."""
    databases: Databases | None = None
    notes: KeptNotes | None = None
    withdraw: Callable[[str], Awaitable[None]] | None = None
    """Closes an open request of the run, by its id, as one that has expired: nothing waits for its answer any more."""
    workflows: Callable[[str], Awaitable[Workflow | None]] | None = None
    """Returns the workflow that a name stands for where its caller says it, or None."""

    def for_tools(self, given: AgentInput, sandbox: Sandbox | None = None) -> ToolContext:
        """Return what tools of the run are given; they work in `sandbox`, if it is not the run's own."""
        return ToolContext(
            run_id=given.run_id,
            language=given.language,
            artifacts=self.artifacts,
            clock=self.clock,
            ids=self.ids,
            sandbox=self.sandbox if sandbox is None else sandbox,
            inputs=given.inputs,
            model=self.model,
            files=self.files,
            databases=self.databases,
            notes=self.notes,
        )


class Agent(Protocol):
    """Yields event bodies for the run's log and entries for its transcript, in the order in which they happen.

    An agent never yields `run.started`, `run.finished` or `message.added`, which the service adds. It ends with
    `answer.completed`, by asking a person something or for a time to be woken at, or by raising a `TablewrightError`,
    which ends the run as failed (`RunLimit`: as `limit`). Cancelling the iterating task stops model and code.
    """

    def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        """Work on the question."""
        ...
