"""The agents with tools, as the settings describe them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tablewright.agent.plan_solve.rules import EXECUTOR, PlanRules
from tablewright.agent.react.rules import ToolRules
from tablewright.domain.run import RunLimits
from tablewright.errors import SettingsInvalid
from tablewright.models.base import ModelSettings
from tablewright.models.tokens import CalibratedEstimator
from tablewright.service.runs.kinds import AgentKind
from tablewright.settings.tree import AgentSettings

REACT, PLAN_SOLVE, DEEP_SEARCH = "react", "plan_solve", "deep_search"
DATA_REACT, DATA_PLAN, DATA_EXECUTOR = "data_react", "data_plan", "data_executor"
ROUTER = "router"
SEARCH_LOOPS = 2
"""How many rounds of searches a question has that names no other number."""
PLAN_RUNS = 10
"""A plan may use as many tokens and as much time as so many runs, which its tasks begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkRules:
    """What holds for the agent that works alone, for one that carries out a task of a plan, and for the plan."""

    alone: ToolRules = field(default_factory=ToolRules)
    executor: ToolRules = field(default_factory=lambda: ToolRules(part="executor"))
    plan: PlanRules = field(default_factory=PlanRules)


def work_rules(settings: AgentSettings, limits: RunLimits) -> WorkRules:
    """Return the rules of `settings`; `limits` are those of one run. Raises `SettingsInvalid` for unreadable prompts.

    All of them count tokens with one counter, which learns from what providers report.
    """
    counter = CalibratedEstimator()
    writing = ModelSettings(max_output_tokens=settings.max_tokens)
    alone = ToolRules(
        brief=_prompt(settings.base_prompt, "agents.base_prompt"),
        max_input_tokens=settings.max_input_tokens,
        settings=writing,
        counter=counter,
    )
    plan = PlanRules(
        at_once=settings.executors,
        task_limits=replace(limits, steps=settings.max_steps, wall_clock_s=settings.task_timeout),
        brief=_prompt(settings.sop_prompt, "agents.sop_prompt"),
        max_input_tokens=settings.max_input_tokens,
        settings=writing,
        summary_settings=replace(writing, temperature=0.01),
        counter=counter,
    )
    return WorkRules(alone=alone, executor=replace(alone, part="executor", brief=None), plan=plan)


def work_kinds(settings: AgentSettings, limits: RunLimits) -> Mapping[str, AgentKind]:
    """Return the kinds of these agents, of which all but searches survive their process; `limits` are of one run."""
    single = replace(limits, steps=settings.max_steps)
    planned = replace(single, tokens=PLAN_RUNS * limits.tokens, wall_clock_s=PLAN_RUNS * limits.wall_clock_s)
    task = replace(single, wall_clock_s=settings.task_timeout)
    return {
        REACT: AgentKind(limits=single, takeover=True),
        PLAN_SOLVE: AgentKind(limits=planned, takeover=True),
        EXECUTOR: AgentKind(limits=task, takeover=True),
        DATA_REACT: AgentKind(limits=single, takeover=True),
        DATA_PLAN: AgentKind(limits=planned, takeover=True),
        DATA_EXECUTOR: AgentKind(limits=task, takeover=True),
        ROUTER: AgentKind(limits=planned, takeover=True),
        DEEP_SEARCH: AgentKind(limits=replace(limits, steps=SEARCH_LOOPS)),
    }


def _prompt(path: Path | None, setting: str) -> str | None:
    if path is None:
        return None
    try:
        return path.expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsInvalid("setting_unreadable", source=str(path), setting=setting) from error
