"""The agents that take runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from tablewright.agent.base import Agent
from tablewright.agent.chat import Chat
from tablewright.agent.code_analyst import CodeAnalyst
from tablewright.agent.loop import LoopRules
from tablewright.agent.routed import RoutedAgent
from tablewright.agent.unavailable import Unavailable
from tablewright.domain.run import Run
from tablewright.models.dialogue import CodeTags
from tablewright.routing.choosing import choose
from tablewright.routing.route import Route
from tablewright.service.deliveries import Deliveries
from tablewright.settings.tree import ReactSettings
from tablewright.tools.base import ToolProvider


def code_tags(settings: ReactSettings) -> CodeTags:
    """Return the marks of the dialogue between the code analyst and a model."""
    return CodeTags(
        code_begin=settings.code_begin_tag,
        code_end=settings.code_end_tag,
        step_annotation=settings.step_annotation,
        conclusion_step_zh=settings.conclusion_step_zh,
        conclusion_step_en=settings.conclusion_step_en,
    )


def agents(
    settings: ReactSettings, deliveries: Deliveries, tools: ToolProvider | None = None
) -> Callable[[Run], Agent]:
    """Return what chooses the agent of a run; the agent says first that it was chosen."""
    rules = LoopRules(
        mode=settings.mode,
        max_step_retry=settings.max_step_retry,
        max_total_retry=settings.max_total_retry,
        step_timeout_s=settings.step_timeout,
        tags=code_tags(settings),
    )

    def agent_of(run: Run) -> Agent:
        route = choose(run.question, run.mode)
        analyst = CodeAnalyst(replace(rules, deliver=deliveries.name(run.conversation_id)), tools)
        return RoutedAgent(_named(route, analyst), name=route.agent, reason=route.reason)

    return agent_of


def _named(route: Route, analyst: Agent) -> Agent:
    match route.reason:
        case "greeting" | "thanks" | "abilities":
            return Chat(route.reason)
        case "edit" | "plan" | "workflow":
            return Unavailable(route.reason)
        case "tables" | "mode":
            return analyst
        case _:
            assert_never(route.reason)
