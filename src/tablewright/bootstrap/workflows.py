"""Workflows: their agent and use cases, imported with the first run of one and the first use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, cast

from tablewright.agent.base import Agent, AgentContext, AgentInput
from tablewright.bootstrap.loader import (
    SCHEDULE_RUNNER,
    WEB_REQUESTS,
    WORKFLOW_AGENT,
    WORKFLOW_DEFAULTS,
    WORKFLOW_LIBRARY,
    WORKFLOW_NODE_PARTS,
    WORKFLOW_SERVICES,
    WORKFLOW_TEMPLATE,
    WORKFLOW_USE_CASES,
    load,
)
from tablewright.bootstrap.routing import plain_router
from tablewright.data.base import WebPages, WebRequests
from tablewright.domain.ids import Ids
from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.workflow import Workflow
from tablewright.routing.continuation import CONTINUE_WORDS
from tablewright.service.app import App
from tablewright.service.conversations import Conversations
from tablewright.service.databases.connections import Secrets
from tablewright.service.later import Later
from tablewright.service.runs.parts import EngineParts
from tablewright.service.runs.runs import Runs
from tablewright.service.workbooks.workbooks import Workbooks
from tablewright.store.base import Store
from tablewright.tools.base import ToolProvider

if TYPE_CHECKING:
    from tablewright.routing.workflows.router import WorkflowRouter
    from tablewright.service.schedules.runner import ScheduleRunner
    from tablewright.service.workflow_use_cases import WorkflowUseCases
    from tablewright.service.workflows.library import WorkflowLibrary


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowParts:
    """What workflows inside a chat are made of, known before anything of them is loaded."""

    router: Later[WorkflowRouter] = field(default_factory=plain_router)
    requests: Callable[[], WebRequests] = lambda: cast("WebRequests", load(WEB_REQUESTS)())
    """Makes what sends webhooks."""
    fires: bool = True
    """Whether schedules are fired by this process."""
    agents: Collection[str] | None = None
    tools: ToolProvider | None = None
    servers: tuple[str, ...] = ()
    """The agents and tools that nodes can name, and how the names of each server's tools begin; None: not known."""
    enabled: bool = True
    restart_after: timedelta = timedelta(minutes=30)
    continue_words: tuple[str, ...] = CONTINUE_WORDS


def workflow_agent(tools: ToolProvider | None, pages: WebPages | None) -> Agent:
    """Return the agent; its nodes use `tools`, read the web with `pages`, and send requests if they may read it."""

    def services(given: AgentInput, context: AgentContext) -> object:
        library, requests = load(WORKFLOW_TEMPLATE), None if pages is None else load(WEB_REQUESTS)()
        return load(WORKFLOW_SERVICES)(given, context, tools=tools, pages=pages, requests=requests, library=library)

    agent: Agent = load(WORKFLOW_AGENT)(services)
    return agent


def definitions_of(store: Store) -> Callable[[Scope, str], Awaitable[Workflow | None]]:
    """Return what finds the workflow that a name stands for, for nodes that run one."""

    async def definition(scope: Scope, name: str) -> Workflow | None:
        library = cast("WorkflowLibrary", load(WORKFLOW_LIBRARY)(store.workflows))
        return await library.definition(scope, name)

    return definition


def use_cases_of(
    parts: EngineParts,
    conversations: Conversations,
    runs: Runs,
    workbooks: Workbooks,
    secrets: Secrets,
    given: WorkflowParts,
) -> Callable[[], WorkflowUseCases]:
    """Return what makes the use cases of workflows, once."""

    @cache
    def use_cases() -> WorkflowUseCases:
        defaults = load(WORKFLOW_DEFAULTS)(
            enabled=given.enabled, restart_after=given.restart_after, continue_words=given.continue_words
        )
        nodes = load(WORKFLOW_NODE_PARTS)(agents=given.agents, tools=given.tools, servers=given.servers)
        core = parts.store, conversations, runs, workbooks, parts.clock, parts.ids
        made = load(WORKFLOW_USE_CASES)(*core, given.router(), secrets, defaults, nodes)
        return cast("WorkflowUseCases", made)

    return use_cases


def schedule_runner(
    store: Store,
    app: App,
    ids: Ids,
    secrets: Secrets,
    given: WorkflowParts,
    system: SystemScope,
) -> ScheduleRunner:
    """Return what fires schedules in this process, which looks for them whenever it looks for runs to wake."""
    runner = cast(
        "ScheduleRunner",
        load(SCHEDULE_RUNNER)(
            store,
            app.conversations,
            lambda: app.workflows().launches,
            secrets,
            given.requests,
            clock=app.clock,
            ids=ids,
            system=system,
        ),
    )
    app.runs.at_wakes(runner.tick)
    return runner
