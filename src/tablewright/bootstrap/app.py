"""The application: assembles and opens all its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from tablewright.agent.base import Agent
from tablewright.bootstrap.downloading import LazyDownloads
from tablewright.bootstrap.excel import Excel, excel_of
from tablewright.bootstrap.keys import Keys
from tablewright.bootstrap.starting import StartingSandbox
from tablewright.data.base import Downloads, TableFiles
from tablewright.domain.ids import Clock, Ids, SystemClock, Uuid7Ids
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import TablewrightError
from tablewright.models.catalogue import Models
from tablewright.service.activation import EngineParts
from tablewright.service.call_keeping import CallKeeping
from tablewright.service.collector import Collector
from tablewright.service.conversations import Conversations
from tablewright.service.deliveries import Deliveries
from tablewright.service.desk import Desks
from tablewright.service.engine import Engine
from tablewright.service.event_bus import EventBus
from tablewright.service.exports import Exports
from tablewright.service.files import FileLimits, Files
from tablewright.service.leases import Leases, this_instance
from tablewright.service.plan_files import PlanFiles
from tablewright.service.profiles import Previews
from tablewright.service.runs import RunDefaults, Runs
from tablewright.service.sessions import ConversationSessions
from tablewright.service.sources import Sources
from tablewright.service.table_files import TableWriter
from tablewright.service.workbook_states import WorkbookStates
from tablewright.service.workbooks import Workbooks
from tablewright.store.base import BlobStore, Store
from tablewright.workbook.base import WorkbookEditor

OUTPUTS = "outputs"
"""The subfolder of the data folder for files of local callers of the tools, with one folder per run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """The concrete parts of an application. The store has not been opened yet; the sandbox is already starting."""

    store: Store
    blobs: BlobStore
    tables: TableFiles
    editor: WorkbookEditor
    sandbox: StartingSandbox
    models: Models
    agents: Callable[[Run], Agent]
    clock: Clock
    ids: Ids
    downloads: Downloads = field(default_factory=LazyDownloads)
    deliveries: Deliveries = field(default_factory=Deliveries)
    shared: Path | None = None
    max_rounds: int = 10
    keep_calls: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Whether a part works, with a short detail."""

    ok: bool
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadinessFound:
    """The conditions that readiness depends on."""

    sandbox: Condition
    database: Condition
    models: tuple[str, ...]

    @property
    def ready(self) -> bool:
        """Whether questions can be answered."""
        return self.sandbox.ok and self.database.ok


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """The use cases, ready to be served."""

    conversations: Conversations
    files: Files
    workbooks: Workbooks
    plan_files: PlanFiles
    excel: Excel
    runs: Runs
    sessions: ConversationSessions
    sources: Sources
    table_writer: TableWriter
    deliveries: Deliveries
    calls: CallKeeping
    exports: Exports
    models: Models
    sandbox: StartingSandbox
    store: Store
    keys: Keys
    clock: Clock
    data_dir: Path
    default_model: str

    async def readiness(self) -> ReadinessFound:
        """Check whether the sandbox has started and the database answers."""
        return ReadinessFound(
            sandbox=await self._sandbox_condition(), database=await self._database_condition(), models=self.models.names
        )

    async def _sandbox_condition(self) -> Condition:
        try:
            await self.sandbox.ready()
        except TablewrightError as error:
            return Condition(ok=False, detail=error.code)
        return Condition(ok=True, detail=self.sandbox.level().name)

    async def _database_condition(self) -> Condition:
        try:
            await self.store.conversations.find(Scope(), limit=1)
        except TablewrightError as error:
            return Condition(ok=False, detail=error.code)
        return Condition(ok=True, detail="ok")


@asynccontextmanager
async def open_app(
    adapters: Adapters, *, data_dir: Path, defaults: RunDefaults, file_limits: FileLimits | None = None
) -> AsyncIterator[App]:
    """Assemble an application from `adapters` and open it.

    On exit, its runs are ended and its models and store closed.
    """
    await adapters.store.open()
    try:
        app = _assembled(adapters, data_dir, defaults, file_limits)
        system = SystemScope(instance_id=adapters.ids.new())
        collector = Collector(adapters.store, adapters.blobs, adapters.clock, system, calls=app.calls)
        await app.runs.open_up()
        await collector.open_up()
        try:
            yield app
        finally:
            await collector.close()
            await app.runs.close()
            await app.excel.rounds.close()
            await app.models.aclose()
    finally:
        await adapters.store.close()


def _assembled(adapters: Adapters, data_dir: Path, defaults: RunDefaults, limits: FileLimits | None) -> App:
    store, blobs, clock, ids = adapters.store, adapters.blobs, adapters.clock, adapters.ids
    bus = EventBus(store, clock)
    files = Files(store, blobs, tables=adapters.tables, editor=adapters.editor, clock=clock, ids=ids, limits=limits)
    states = WorkbookStates(store, blobs, adapters.editor, clock)
    sessions = ConversationSessions(adapters.sandbox, store, clock)
    desks = Desks(store, states, editor=adapters.editor, sandbox=adapters.sandbox, clock=clock, ids=ids)
    parts = EngineParts(
        store=store,
        blobs=blobs,
        bus=bus,
        models=adapters.models,
        agents=adapters.agents,
        sessions=sessions,
        clock=clock,
        ids=ids,
        files=files,
        desks=desks,
    )
    engine = Engine(parts)
    instance = this_instance(ids.new(), clock.now())
    leases = Leases(store, bus, engine, clock, SystemScope(instance_id=instance.id), instance=instance)
    models = adapters.models
    runs = Runs(store, bus, engine, leases, files=files, models=models, clock=clock, ids=ids, defaults=defaults)
    workbooks = Workbooks(store, states, adapters.editor, ids)
    conversations = Conversations(store, runs, clock, ids, sessions=sessions)
    return App(
        conversations=conversations,
        files=files,
        workbooks=workbooks,
        plan_files=PlanFiles(store, workbooks, desks, runs, ids),
        excel=excel_of(parts, states, conversations, runs, workbooks, max_rounds=adapters.max_rounds),
        runs=runs,
        sessions=sessions,
        sources=Sources(
            files, Previews(adapters.tables, adapters.editor), blobs, adapters.downloads, shared=adapters.shared
        ),
        table_writer=TableWriter(adapters.sandbox, adapters.tables),
        deliveries=adapters.deliveries,
        calls=CallKeeping(store, conversations, clock, outputs=data_dir / OUTPUTS, keep=adapters.keep_calls),
        exports=Exports(store, blobs),
        models=models,
        sandbox=adapters.sandbox,
        store=store,
        keys=Keys(data_dir),
        clock=clock,
        data_dir=data_dir,
        default_model=defaults.model,
    )


def system_parts() -> tuple[Clock, Ids]:
    """Return the machine's clock and random identifiers."""
    return SystemClock(), Uuid7Ids()
