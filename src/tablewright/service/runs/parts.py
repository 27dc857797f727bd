"""What runs are executed with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from tablewright.agent.base import Agent
from tablewright.data.base import FileReaders
from tablewright.data.sql.base import SourceFile
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.domain.workflow import Workflow
from tablewright.models.base import ModelCatalogue
from tablewright.service.databases.connections import RunDatabases
from tablewright.service.files.files import Files
from tablewright.service.runs.event_bus import EventBus
from tablewright.service.runs.kinds import AgentKinds
from tablewright.service.sessions.sessions import ConversationSessions
from tablewright.service.workbooks.run_workbook import RunWorkbooks
from tablewright.store.base import BlobStore, Store

LEASE = timedelta(seconds=15)
"""How long a process owns a run after each of its heartbeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineParts:
    """What the engine executes runs with.

    `agents` chooses the agent for a run. Without `run_workbooks`, runs have no workbook; without `files`, files whose
    tables are not known are not profiled; without `readers`, tools read no files, without `databases` they query none;
    without `workflows`, nodes of workflows find templates only.
    `kinds` say what runs of each agent may use.
    """

    store: Store
    blobs: BlobStore
    bus: EventBus
    models: ModelCatalogue
    agents: Callable[[Run], Agent]
    sessions: ConversationSessions
    clock: Clock
    ids: Ids
    kinds: AgentKinds = field(default_factory=AgentKinds)
    files: Files | None = None
    readers: FileReaders | None = None
    run_workbooks: RunWorkbooks | None = None
    databases: Callable[[Scope, Sequence[SourceFile]], RunDatabases] | None = None
    workflows: Callable[[Scope, str], Awaitable[Workflow | None]] | None = None


class Launcher(Protocol):
    """Executes runs in this process."""

    def start(self, scope: Scope, run: Run) -> None:
        """Execute `run`, which this process owns at its `attempt`."""
        ...

    def cancel(self, run_id: str) -> None:
        """Stop the run if this process executes it."""
        ...
