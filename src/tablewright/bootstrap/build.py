"""Builds an application from the settings."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from tablewright.agent.base import Agent
from tablewright.agent.registered import RegisteredAgent
from tablewright.bootstrap.assembly import Adapters, open_app, system_parts
from tablewright.bootstrap.builtin import LazyAnalyst, built_in, code_tags
from tablewright.bootstrap.databases import LazySealer, databases_of
from tablewright.bootstrap.downloads import LazyDownloads
from tablewright.bootstrap.editors import editing_pool, editor_of, viewer_of
from tablewright.bootstrap.evaluating import plan_evaluator
from tablewright.bootstrap.loader import AGENTS, BLOBS, HAND_BACK, METRICS, load
from tablewright.bootstrap.model_catalogue import model_catalogue
from tablewright.bootstrap.processes import Preload, Processes, open_limits, processes
from tablewright.bootstrap.registry import registered_agents, registered_kinds
from tablewright.bootstrap.rehearsal import rehearse_once
from tablewright.bootstrap.routing import workflow_router
from tablewright.bootstrap.sdks import load_sdks
from tablewright.bootstrap.stores import BLOBS_FOLDER, store_of
from tablewright.bootstrap.tool_servers import tool_prefixes, tool_servers
from tablewright.bootstrap.tools import Provided, provided_tools
from tablewright.bootstrap.work import DEEP_SEARCH, PLAN_SOLVE, REACT, work_kinds, work_rules
from tablewright.bootstrap.workflows import WorkflowParts
from tablewright.data.base import OpenLimits
from tablewright.domain.ids import Clock
from tablewright.domain.run import Run, RunLimits
from tablewright.domain.scope import Scope
from tablewright.errors import StorageFull, StorageUnwritable
from tablewright.models.base import Model
from tablewright.models.catalogue import Models
from tablewright.routing.route import AgentName
from tablewright.service.app import App
from tablewright.service.files.files import FileLimits, StoredValues
from tablewright.service.model_keys import ModelKeys
from tablewright.service.runs.kinds import AgentKind, AgentKinds
from tablewright.service.shares.shares import ShareTerms
from tablewright.settings.folders import default_data_dir
from tablewright.settings.tree import Settings
from tablewright.store.base import BlobStore
from tablewright.store.reserve import DiskReserve

if TYPE_CHECKING:
    from tablewright.analyst.evaluating.base import PlanEvaluator
    from tablewright.metrics import Metrics

STRUCTURED: AgentName = "structured"
WORKFLOW: AgentName = "workflow"
NODE_AGENTS = tuple(name for name in get_args(AgentName) if name not in {WORKFLOW, "unavailable"})
"""Our agents that a node of a workflow can name; a workflow within one is a node of its own kind."""
WORKFLOW_RUNS = 20
"""A workflow may use as much as so many runs, which its nodes begin."""
CHECK_S = 10.0
"""How long a service that starts may check its database; `doctor` takes as long as it needs."""


@asynccontextmanager
async def build(settings: Settings, *, preload: Preload = "all", beside: Processes | None = None) -> AsyncIterator[App]:
    """Open the application described by `settings`, with processes that were started before, or with its own.

    Raises `StoreUnavailable`, `StorageFull` or `StorageUnwritable`. A sandbox that fails to start raises where it is
    needed.
    """
    data_dir, least, limits = prepare(settings), preload != "all", open_limits(settings)
    clock, ids = system_parts()
    async with AsyncExitStack() as stack:
        metrics: Metrics | None = None if least else load(METRICS)()
        own = processes(settings, preload=preload, metrics=metrics) if beside is None else nullcontext(beside)
        beside = await stack.enter_async_context(own)
        tables = beside.tables
        edits = await editing_pool(replace(limits, timeout_s=settings.files.edit_timeout), stack, ahead=not least)
        blobs = load(BLOBS)(data_dir / BLOBS_FOLDER, clock, (reserve := await _reserve(data_dir, make=not least)))
        provided = provided_tools(settings, tables.pool, tool_servers(settings.mcp.servers, clock, stack))
        registered = registered_agents(provided.every)
        builtin = _built_in(settings, blobs, plan_evaluator(tables.pool, blobs))
        adapters = Adapters(
            store=await asyncio.to_thread(store_of, settings, data_dir, blobs, check_s=0.0 if least else CHECK_S),
            blobs=blobs,
            tables=tables,
            tools=provided.builtin,
            editor=editor_of(edits),
            viewer=lambda: viewer_of(edits),
            pools={"tables": tables.pool, "workbooks": edits},
            sandbox=beside.sandbox,
            models=(models := _models(settings, builtin, clock, metrics, data_dir)), suggester=builtin,
            agents=_agents(settings, provided, registered), kinds=_kinds(settings, registered),
            agent_names=(REACT, PLAN_SOLVE, DEEP_SEARCH, *registered),
            clock=clock, ids=ids,
            downloads=_downloads(settings),
            databases=databases_of(settings.databases),
            shared=settings.sandbox.data.shared_path,
            max_rounds=settings.rounds.max_rounds,
            keep_calls=_keep_calls(settings),
            shares=ShareTerms(days=settings.shares.days, most=settings.shares.most_days),
            workflows=replace(_workflows(settings, models, provided, registered), fires=not least),
            reserve=reserve,
            metrics=metrics,
        )  # fmt: skip
        if not least:
            load_sdks(settings, stack)
            load(HAND_BACK)(clock, stack)
        opened = open_app(adapters, data_dir=data_dir, model=settings.model, file_limits=_uploads(settings, limits))
        app = await stack.enter_async_context(opened)
        if preload == "least":
            rehearse_once(tables.asked, stack)
        yield app


def _uploads(settings: Settings, limits: OpenLimits) -> FileLimits:
    return FileLimits(upload_bytes=settings.files.max_size, open=limits)


def _agents(
    settings: Settings, provided: Provided, registered: Mapping[str, RegisteredAgent]
) -> Callable[[Run], Agent]:
    """Return a function that chooses the agent of a run; agents are imported with the first of them."""
    rules = work_rules(settings.agents, _limits(settings))

    @cache
    def chosen() -> Callable[[Run], Agent]:
        made: Callable[[Run], Agent] = load(AGENTS)(
            settings.react,
            provided.servers,
            settings.rounds,
            settings.report,
            provided.every,
            provided.pages,
            rules,
            registered,
            provided.search,
        )
        return made

    def agent_of(run: Run) -> Agent:
        return chosen()(run)

    return agent_of


def _built_in(settings: Settings, blobs: BlobStore, evaluator: PlanEvaluator) -> LazyAnalyst:
    values, most_wrong = StoredValues(blobs, Scope()), settings.analyst.most_wrong
    return built_in(values, code_tags(settings.react), evaluator=evaluator, most_wrong=most_wrong)


def _models(settings: Settings, builtin: Model, clock: Clock, metrics: Metrics | None, data_dir: Path) -> Models:
    keys = ModelKeys(data_dir, LazySealer(data_dir))
    return model_catalogue(settings.providers, builtin, clock, metrics, keys.opened)


def _workflows(
    settings: Settings, models: Models, provided: Provided, registered: Mapping[str, RegisteredAgent]
) -> WorkflowParts:
    return WorkflowParts(
        agents=(*NODE_AGENTS, *registered),
        tools=provided.every,
        servers=tool_prefixes(settings.mcp.servers),
        router=workflow_router(settings, models),
        enabled=settings.workflow.enabled,
        restart_after=timedelta(seconds=settings.workflow.restart_after),
        continue_words=settings.routing.continue_words,
    )


def _keep_calls(settings: Settings) -> timedelta | None:
    return timedelta(days=settings.mcp.keep_days) if settings.mcp.keep_days else None


async def _reserve(data_dir: Path, *, make: bool) -> DiskReserve:
    reserve = DiskReserve(data_dir)
    if make:
        await reserve.make()
    return reserve


def _downloads(settings: Settings) -> LazyDownloads:
    given = settings.download
    return LazyDownloads(size_bytes=settings.files.max_size, timeout_s=given.timeout, redirects=given.max_redirects)


def _limits(settings: Settings) -> RunLimits:
    return RunLimits(steps=settings.react.max_steps, tokens=settings.runs.tokens, wall_clock_s=settings.runs.wall_clock)


def _kinds(settings: Settings, registered: Mapping[str, RegisteredAgent]) -> AgentKinds:
    limits = _limits(settings)
    reports = AgentKind(limits=replace(limits, steps=settings.report.max_rounds), takeover=True)
    flows = AgentKind(
        limits=replace(limits, tokens=WORKFLOW_RUNS * limits.tokens, wall_clock_s=WORKFLOW_RUNS * limits.wall_clock_s),
        takeover=True,
    )
    return AgentKinds(
        {
            STRUCTURED: reports,
            WORKFLOW: flows,
            **work_kinds(settings.agents, limits),
            **registered_kinds(registered, limits),
        },
        modes={"report": STRUCTURED, "react": REACT, "plan": PLAN_SOLVE},
        default=AgentKind(limits=limits),
    )


def data_dir_of(settings: Settings) -> Path:
    """Return the folder of the database and the files."""
    return (settings.data_dir or default_data_dir()).expanduser().absolute()


def prepare(settings: Settings) -> Path:
    """Create the data folder and return it. Raises `StorageFull` or `StorageUnwritable`."""
    folder = data_dir_of(settings)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StorageFull(path=str(folder)) from error
        raise StorageUnwritable(words=error.strerror or str(error), path=str(folder)) from error
    return folder
