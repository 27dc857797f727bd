"""Agents and tools of packages of others, which join by entry points.

In such a package's `pyproject.toml`, `[project.entry-points."tablewright.agents"]` names callables that take
`AgentParts` and return a `RegisteredAgent`; `[project.entry-points."tablewright.tools"]` names callables without
arguments that return a `Tool`. Nothing of ours is touched for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.agent.base import Agent
from tablewright.domain.run import RunLimits
from tablewright.tools.base import ToolProvider

AGENTS = "tablewright.agents"
"""The group of entry points of agents."""
TOOLS = "tablewright.tools"
"""The group of entry points of tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentParts:
    """What an agent of others is made with: `tools` are all that this installation has."""

    tools: ToolProvider | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredAgent:
    """An agent of others. With `takeover`, another process continues its runs, from its log.

    Without `limits`, those of any run hold.
    """

    agent: Agent
    takeover: bool = False
    limits: RunLimits | None = None
