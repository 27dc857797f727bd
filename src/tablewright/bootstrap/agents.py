"""Chooses the agents of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast, get_args

from tablewright.agent.base import Agent
from tablewright.agent.by_workbook import ByWorkbook
from tablewright.agent.chat import Chat
from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.agent.code.rules import LoopRules
from tablewright.agent.code.supplied import SuppliedCode
from tablewright.agent.plan_or_answer import PlanOrAnswer
from tablewright.agent.query_writer import QueryWriter
from tablewright.agent.registered import RegisteredAgent
from tablewright.agent.rounds.agent import Rounds
from tablewright.agent.routed import RoutedAgent
from tablewright.agent.structured.rules import StructuredRules
from tablewright.agent.unavailable import Unavailable
from tablewright.bootstrap.builtin import code_tags
from tablewright.bootstrap.loader import (
    DEEP_SEARCH_AGENT,
    FORMULA,
    MODEL_ROUTER,
    PLAN_SOLVE_AGENT,
    REACT_AGENT,
    READING_STATEMENT,
    STRUCTURED_AGENT,
    load,
)
from tablewright.bootstrap.tools import agent_tools, data_tools
from tablewright.bootstrap.work import DATA_EXECUTOR, DATA_PLAN, DATA_REACT, PLAN_SOLVE, REACT, ROUTER, WorkRules
from tablewright.bootstrap.workflows import workflow_agent
from tablewright.data.base import SearchProvider, WebPages
from tablewright.domain.rounds.rules import RoundRules
from tablewright.domain.run import Run
from tablewright.errors import NotFound
from tablewright.models.base import BUILTIN
from tablewright.routing.policy import choose, unless_planned
from tablewright.routing.route import AgentName, Route
from tablewright.settings.tree import ReactSettings, ReportSettings, RoundSettings
from tablewright.tools.base import ToolProvider
from tablewright.workflows.assistant import BUILTIN as ASSISTANT

STANDS_FOR_MODE = frozenset({REACT, PLAN_SOLVE, DATA_REACT, DATA_PLAN})
"""Agents that stand for a mode: small talk that is said to them by name is answered as in the mode."""


def round_rules(settings: RoundSettings) -> RoundRules:
    """Return the limits of a run on a workbook."""
    return RoundRules(
        max_rounds=settings.max_rounds,
        max_history_rounds=settings.max_history_rounds,
        max_new_plans=settings.max_new_plans,
        outline_tokens=settings.outline_tokens,
    )


def _named(
    by_name: Mapping[AgentName, Callable[[Route], Agent]], registered: Mapping[str, RegisteredAgent], name: str
) -> Agent:
    if name in registered:
        return registered[name].agent
    if name not in get_args(AgentName):
        raise NotFound(kind="agent", id=name)
    agent = cast(AgentName, name)
    return by_name[agent](Route(agent=agent, reason="mode"))


def _routed(by_name: Mapping[AgentName, Callable[[Route], Agent]], run: Run, *, workbook: bool) -> Agent:
    """Return the agent that the policy chooses for the question of a run; with the built-in analyst, after the one that
    is tried before it: a language model would be paid for the attempt, and tells what is meant by itself."""

    def of(route: Route) -> Agent:
        return RoutedAgent(by_name[route.agent](route), name=route.agent, reason=route.reason)

    route = choose(run.question, run.mode, workbook=workbook)
    planned = unless_planned(route, run.question, run.mode, workbook=workbook)
    return of(route) if planned is None or run.model != BUILTIN else PlanOrAnswer(of(planned), of(route))


def _of_mode(by_name: Mapping[AgentName, Callable[[Route], Agent]], run: Run) -> Agent:
    return ByWorkbook(_routed(by_name, run, workbook=True), _routed(by_name, run, workbook=False))


def _router(by_name: Mapping[AgentName, Callable[[Route], Agent]], run: Run) -> Agent:
    """Return the agent that has a language model choose; small talk needs none."""
    choices: dict[str, tuple[str, Agent]] = {
        REACT: (REACT, by_name["react"](Route(agent="react", reason="mode"))),
        "plan": (PLAN_SOLVE, by_name["plan_solve"](Route(agent="plan_solve", reason="mode"))),
    }
    router: Agent = load(MODEL_ROUTER)(choices=choices, plain=_of_mode(by_name, run), settled=lambda _: _is_talk(run))
    return router


def _is_talk(run: Run) -> bool:
    return choose(run.question, run.mode).agent == "chat"


def _as_said(run: Run) -> Run:
    """Return a run as one of mode `chat` where the workflow that answers instead of others hands on what a person has
    said to it; other workflows ask their agents what they want to know."""
    handed_on = run.workflow_id == ASSISTANT and run.parent_id is not None
    return replace(run, mode="chat") if handed_on else run


def _with_tools(rules: WorkRules, tools: ToolProvider | None) -> Mapping[AgentName, Callable[[Route], Agent]]:
    """Return the agents that call tools, and those that have of these the ones that analyse data."""
    data = None if tools is None else data_tools(tools)
    return {
        "react": lambda _: load(REACT_AGENT)(rules.alone, tools),
        "plan_solve": lambda _: load(PLAN_SOLVE_AGENT)(rules.plan),
        "executor": lambda _: load(REACT_AGENT)(rules.executor, tools),
        "data_react": lambda _: load(REACT_AGENT)(rules.alone, data),
        "data_plan": lambda _: load(PLAN_SOLVE_AGENT)(replace(rules.plan, executor=DATA_EXECUTOR)),
        "data_executor": lambda _: load(REACT_AGENT)(rules.executor, data),
    }


def _query_writers() -> Mapping[AgentName, Callable[[Route], Agent]]:
    return {
        "query_writer": lambda _: QueryWriter(load(READING_STATEMENT)),
        "formula_writer": lambda _: QueryWriter(load(FORMULA)),
    }


def agents(
    settings: ReactSettings,
    tools: ToolProvider | None = None,
    rounds: RoundSettings | None = None,
    reports: ReportSettings | None = None,
    every: ToolProvider | None = None,
    pages: WebPages | None = None,
    work: WorkRules | None = None,
    registered: Mapping[str, RegisteredAgent] | None = None,
    search: SearchProvider | None = None,
) -> Callable[[Run], Agent]:
    """Return a function that chooses the agent of a run; that agent first reports the route by which it was chosen.

    `tools` are those of other servers, `every` tool includes our own; `pages` reads the web, `search` finds its pages;
    `work` holds for agents with tools; `registered` are those of packages of others.
    """
    rules = LoopRules(
        mode=settings.mode,
        max_step_retry=settings.max_step_retry,
        max_total_retry=settings.max_total_retry,
        step_timeout_s=settings.step_timeout,
        tags=code_tags(settings),
    )
    analyst, editing = CodeAnalyst(rules, tools), Rounds(round_rules(rounds or RoundSettings()))
    told = reports or ReportSettings()
    report_rules = StructuredRules(prompts=told.prompts, database_tokens=told.database_tokens)
    acting = tools if every is None else agent_tools(every, search, pages)
    by_name: Mapping[AgentName, Callable[[Route], Agent]] = {
        "code_analyst": lambda _: analyst,
        "rounds": lambda _: editing,
        "structured": lambda _: load(STRUCTURED_AGENT)(report_rules, every or tools),
        "supplied_code": lambda _: SuppliedCode(rules),
        "workflow": lambda _: workflow_agent(every or tools, pages),
        "deep_search": lambda _: load(DEEP_SEARCH_AGENT)(search, pages),
        **_with_tools(work or WorkRules(), acting),
        **_query_writers(),
        "chat": lambda route: Chat(route.reason),
        "unavailable": lambda route: Unavailable(route.reason),
    }

    def agent_of(run: Run) -> Agent:
        """Return the agent of a run: the one that was chosen for it before, or else by its question and its files."""
        if run.agent == ROUTER:
            return _router(by_name, run)
        said = _as_said(run)
        by_mode = run.agent is None or ((run.agent in STANDS_FOR_MODE or said is not run) and _is_talk(said))
        return _of_mode(by_name, said) if by_mode else _named(by_name, registered or {}, run.agent or "")

    return agent_of
