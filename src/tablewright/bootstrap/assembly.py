"""Assembles an application from its adapters, opens and closes it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.agent.base import Agent
from tablewright.bootstrap.chats import chats_of, keyed_chats_of
from tablewright.bootstrap.databases import LazyDatabases, LazySealer
from tablewright.bootstrap.downloads import LazyDownloads
from tablewright.bootstrap.gauges import Loaded, counted_events, timed_agents, watch
from tablewright.bootstrap.loader import (
    CHANNEL_USE_CASES,
    EXPORTS,
    PLAN_PREVIEWS,
    REPORT_DOCUMENTS,
    TOOL_SERVICES,
    WORKBOOK_VIEWS,
    load,
)
from tablewright.bootstrap.workflows import WorkflowParts, definitions_of, schedule_runner, use_cases_of
from tablewright.data.base import Downloads, FileReaders
from tablewright.domain.ids import Clock, Ids, SystemClock, Uuid7Ids
from tablewright.domain.run import Run
from tablewright.domain.scope import SystemScope
from tablewright.errors import StorageFull
from tablewright.models.base import BUILTIN
from tablewright.models.catalogue import Models
from tablewright.sandbox.lazy import LazySandbox
from tablewright.service.api_keys import ApiKeys
from tablewright.service.conversation_logs.folder import LogFolder
from tablewright.service.conversation_logs.logs import ConversationLogs
from tablewright.service.conversations import Conversations
from tablewright.service.databases.connections import Connections
from tablewright.service.files.files import FileLimits, Files
from tablewright.service.files.permits import FilePermits
from tablewright.service.files.profiles import Previews
from tablewright.service.files.shapes import FileShapes
from tablewright.service.files.sources import Sources
from tablewright.service.files.suggesting import FileQuestions, NoQuestions, QuestionSuggester
from tablewright.service.files.table_writer import TableWriter
from tablewright.service.files.terms import TermsOfFiles
from tablewright.service.later import Later
from tablewright.service.model_keys import ModelKeys
from tablewright.service.notes import Notes
from tablewright.service.plan_files import PlanFiles
from tablewright.service.retention.calls import CallRetention
from tablewright.service.retention.collector import Collector
from tablewright.service.runs.engine import RunEngine
from tablewright.service.runs.event_bus import EventBus
from tablewright.service.runs.keyed import KeyedRuns
from tablewright.service.runs.kinds import AgentKinds
from tablewright.service.runs.leases import Leases, this_instance
from tablewright.service.runs.parts import EngineParts
from tablewright.service.runs.runs import Runs
from tablewright.service.saved_code import SavedCodes
from tablewright.service.sessions.sessions import ConversationSessions
from tablewright.service.shares.shares import Shares, ShareTerms
from tablewright.service.space import DiskSpace
from tablewright.service.structured_queries import StructuredQueries
from tablewright.service.task_plans import TaskPlans
from tablewright.service.vocabulary import Vocabulary
from tablewright.service.workbooks.formats import WorkbookFormats
from tablewright.service.workbooks.plan_edits import PlanEdits
from tablewright.service.workbooks.run_workbook import RunWorkbooks
from tablewright.service.workbooks.states import WorkbookStates
from tablewright.service.workbooks.workbooks import Workbooks
from tablewright.store.base import BlobStore, Store
from tablewright.store.reserve import DiskReserve
from tablewright.tools.base import ToolProvider
from tablewright.workbook.base import WorkbookEditor

if TYPE_CHECKING:
    from tablewright.metrics import Metrics
    from tablewright.workbook.views import WorkbookViewer

from tablewright.service.app import App

LOGS = Path("logs", "conversations")
"""The subfolder of the data folder for the logs of structured rounds."""
OUTPUTS = "outputs"
"""The subfolder of the data folder for files of local callers of the tools, with one folder per run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """The concrete parts of an application. The store has not been opened yet; the sandbox is already starting."""

    store: Store
    blobs: BlobStore
    tables: FileReaders
    editor: WorkbookEditor
    viewer: Callable[[], WorkbookViewer]
    sandbox: LazySandbox
    models: Models
    agents: Callable[[Run], Agent]
    clock: Clock
    ids: Ids
    kinds: AgentKinds = field(default_factory=AgentKinds)
    downloads: Downloads = field(default_factory=LazyDownloads)
    databases: LazyDatabases = field(default_factory=LazyDatabases)
    shared: Path | None = None
    max_rounds: int = 10
    keep_calls: timedelta | None = None
    shares: ShareTerms = field(default_factory=ShareTerms)
    workflows: WorkflowParts = field(default_factory=WorkflowParts)
    reserve: DiskReserve | None = None
    metrics: Metrics | None = None
    tools: ToolProvider | None = None
    pools: Mapping[str, Loaded] = field(default_factory=dict[str, Loaded])
    agent_names: tuple[str, ...] = ()
    suggester: QuestionSuggester = field(default_factory=NoQuestions)


@asynccontextmanager
async def open_app(
    adapters: Adapters, *, data_dir: Path, model: str = BUILTIN, file_limits: FileLimits | None = None
) -> AsyncIterator[App]:
    """Assemble an application from `adapters` and open it.

    On exit, its runs are ended and its models and store closed.
    """
    reserve = adapters.reserve or DiskReserve(data_dir)
    await _open_store(adapters.store, reserve)
    try:
        system = SystemScope(instance_id=adapters.ids.new())
        space = DiskSpace(reserve, adapters.store, adapters.blobs, adapters.clock, system)
        logs = ConversationLogs(adapters.store, LogFolder(data_dir / LOGS), adapters.clock, system)
        place = _Place(data_dir=data_dir, limits=file_limits, reserve=reserve, space=space)
        app = _assembled(adapters, place, model, logs, system)
        collector = Collector(
            adapters.store,
            adapters.blobs,
            adapters.clock,
            system,
            calls=app.calls,
            terms=app.file_terms,
            shares=app.shares,
        )
        fires = adapters.workflows.fires
        schedules = (
            schedule_runner(adapters.store, app, adapters.ids, LazySealer(data_dir), adapters.workflows, system)
            if fires
            else None
        )
        await app.runs.open_up()
        await logs.open_up()
        await collector.open_up()
        try:
            yield app
        finally:
            await collector.close()
            if schedules is not None:
                await schedules.close()
            await app.runs.close()
            if (excel := app.excel.made) is not None:
                await excel.rounds.close()
            await logs.close()
            await app.models.aclose()
            if (router := adapters.workflows.router.made) is not None:
                await router.aclose()
            await adapters.databases.stop()
    finally:
        await adapters.store.close()


def _watch(adapters: Adapters, engine: RunEngine, bus: EventBus, reserve: DiskReserve) -> None:
    if adapters.metrics is not None:
        pools = adapters.pools
        watch(adapters.metrics, engine=engine, bus=bus, sandbox=adapters.sandbox, reserve=reserve, pools=pools)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where data is kept, and how much of it."""

    data_dir: Path
    limits: FileLimits | None
    reserve: DiskReserve
    space: DiskSpace


def _assembled(adapters: Adapters, place: _Place, model: str, logs: ConversationLogs, system: SystemScope) -> App:
    store, blobs, clock, ids = adapters.store, adapters.blobs, adapters.clock, adapters.ids
    states, files = WorkbookStates(store, blobs, adapters.editor, clock), _files(adapters, place.limits, place.space)
    run_workbooks, sessions = _run_workbooks(adapters, states), ConversationSessions(adapters.sandbox, store, clock)
    workbooks = Workbooks(store, states, adapters.editor, ids)
    connections, parts = _connected(
        adapters, place.data_dir, _engine_parts(adapters, files, run_workbooks, sessions, logs)
    )
    runs = _runs(adapters, parts, place.reserve, model, PlanEdits(run_workbooks))
    conversations = Conversations(store, runs, clock, ids, sessions=sessions, space=place.space, logs=logs)
    workflows = use_cases_of(parts, conversations, runs, workbooks, LazySealer(place.data_dir), adapters.workflows)
    core = parts, conversations, runs
    terms, sources, permits = _served(adapters, files, place.data_dir)
    return App(
        conversations=conversations,
        files=files,
        workbooks=workbooks,
        plan_files=PlanFiles(store, workbooks, run_workbooks, runs, ids),
        plan_previews=Later(lambda: load(PLAN_PREVIEWS)(run_workbooks)),
        excel=Later(lambda: load(CHANNEL_USE_CASES)(*core, states, workbooks, adapters.max_rounds)),
        runs=runs,
        keyed_runs=(keyed := KeyedRuns(store, conversations, runs)),
        task_plans=TaskPlans(store, runs, ids),
        agent_names=adapters.agent_names,
        queries=StructuredQueries(store, conversations, runs),
        chats=chats_of(parts, conversations, runs, terms, workflows, adapters.workflows),
        keyed_chats=keyed_chats_of(parts, conversations, runs, keyed, workflows, adapters.workflows),
        file_terms=terms,
        file_permits=permits,
        tool_services=Later(lambda: load(TOOL_SERVICES)(*core, files, permits, sources, adapters.workflows.router())),
        sessions=sessions,
        sources=sources, file_questions=FileQuestions(files, adapters.suggester),
        file_shapes=FileShapes(files, blobs, adapters.tables),
        connections=connections, model_keys=ModelKeys(place.data_dir, LazySealer(place.data_dir)),
        table_writer=(writer := TableWriter(adapters.sandbox, adapters.tables)),
        formats=WorkbookFormats(workbooks, writer),
        views=Later(lambda: load(WORKBOOK_VIEWS)(store, states, adapters.viewer())),
        calls=CallRetention(store, conversations, clock, outputs=place.data_dir / OUTPUTS, keep=adapters.keep_calls),
        shares=Shares(store, blobs, clock, ids, system, adapters.shares),
        exports=Later(lambda: load(EXPORTS)(store, blobs)), reports=Later(lambda: load(REPORT_DOCUMENTS)(store, files)),
        saved_code=SavedCodes(store, files, runs),
        vocabulary=Vocabulary(store, blobs, clock, ids), notes=Notes(store, clock),
        workflows=workflows,
        models=adapters.models, sandbox=adapters.sandbox,
        store=store, blobs=blobs, clock=clock,
        keys=ApiKeys(place.data_dir),
        reserve=place.reserve, metrics=adapters.metrics, tools=adapters.tools,
        readers=adapters.tables,
        data_dir=place.data_dir, default_model=model,
    )  # fmt: skip


def _served(adapters: Adapters, files: Files, data_dir: Path) -> tuple[TermsOfFiles, Sources, FilePermits]:
    """Return what knows how long files are kept, where they come from, and who may have them by address."""
    terms = TermsOfFiles(adapters.store, files, adapters.clock)
    return terms, _sources(adapters, files), FilePermits(LazySealer(data_dir), adapters.store, files)


def _connected(adapters: Adapters, data_dir: Path, parts: EngineParts) -> tuple[Connections, EngineParts]:
    """Return the connections to databases, and the parts with which runs use them."""
    connections = adapters.databases.connections(parts.store, data_dir, parts.clock)
    return connections, replace(parts, databases=connections.for_run)


def _run_workbooks(adapters: Adapters, states: WorkbookStates) -> RunWorkbooks:
    store, clock, ids = adapters.store, adapters.clock, adapters.ids
    return RunWorkbooks(store, states, editor=adapters.editor, sandbox=adapters.sandbox, clock=clock, ids=ids)


def _runs(adapters: Adapters, parts: EngineParts, reserve: DiskReserve, model: str, edits: PlanEdits) -> Runs:
    store, clock, ids, bus, engine = parts.store, parts.clock, parts.ids, parts.bus, RunEngine(parts)
    _watch(adapters, engine, bus, reserve)
    instance = this_instance(ids.new(), clock.now())
    leases = Leases(store, bus, engine, clock, SystemScope(instance_id=instance.id), instance=instance)
    return Runs(
        store,
        bus,
        engine,
        leases,
        models=adapters.models,
        clock=clock,
        ids=ids,
        model=model,
        edits=edits,
        kinds=adapters.kinds,
    )


def system_parts() -> tuple[Clock, Ids]:
    """Return the machine's clock and random identifiers."""
    return SystemClock(), Uuid7Ids()


async def _open_store(store: Store, reserve: DiskReserve) -> None:
    """Open the store, on a full disk with the space of the reserve: what is stored can be deleted only then."""
    try:
        await store.open()
    except StorageFull:
        if not await reserve.give_up():
            raise
        await store.open()


def _sources(adapters: Adapters, files: Files) -> Sources:
    previews = Previews(adapters.tables, adapters.editor)
    return Sources(files, previews, adapters.blobs, adapters.downloads, shared=adapters.shared)


def _files(adapters: Adapters, limits: FileLimits | None, space: DiskSpace) -> Files:
    return Files(
        adapters.store,
        adapters.blobs,
        tables=adapters.tables,
        editor=adapters.editor,
        clock=adapters.clock,
        ids=adapters.ids,
        limits=limits,
        space=space,
    )


def _engine_parts(
    adapters: Adapters,
    files: Files,
    run_workbooks: RunWorkbooks,
    sessions: ConversationSessions,
    logs: ConversationLogs,
) -> EngineParts:
    metrics = adapters.metrics
    observers = (logs.observe, *(() if metrics is None else (counted_events(metrics),)))
    return EngineParts(
        store=adapters.store,
        blobs=adapters.blobs,
        bus=EventBus(adapters.store, adapters.clock, observers),
        models=adapters.models,
        agents=adapters.agents if metrics is None else timed_agents(adapters.agents, metrics, adapters.clock),
        sessions=sessions,
        clock=adapters.clock,
        ids=adapters.ids,
        kinds=adapters.kinds,
        files=files,
        readers=adapters.tables,
        run_workbooks=run_workbooks,
        workflows=definitions_of(adapters.store),
    )
