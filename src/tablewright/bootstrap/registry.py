"""Agents and tools of packages of others, by entry points; one that cannot be loaded is named in the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint, entry_points
from typing import Any, get_args

from tablewright.agent.registered import AGENTS, TOOLS, AgentParts, RegisteredAgent
from tablewright.domain.run import RunLimits
from tablewright.routing.route import AgentName
from tablewright.service.runs.kinds import AgentKind
from tablewright.tools.base import Tool, ToolProvider

log = logging.getLogger(__name__)


@dataclass(slots=True)
class RegisteredTools:
    """Implements `ToolProvider`: the tools of others, made anew for each run."""

    _entries: tuple[EntryPoint, ...] = field(default_factory=lambda: tuple(entry_points(group=TOOLS)))

    async def tools(self) -> tuple[Tool, ...]:
        return tuple(make() for _, make in _loaded(self._entries))

    def __bool__(self) -> bool:
        return bool(self._entries)


def registered_agents(tools: ToolProvider | None) -> Mapping[str, RegisteredAgent]:
    """Return the agents of others by their names. None has the name of one of ours."""
    made: dict[str, RegisteredAgent] = {}
    for name, make in _loaded(tuple(entry_points(group=AGENTS))):
        if name in get_args(AgentName):
            log.warning("the agent %s of another package has the name of one of ours, and is left out", name)
            continue
        try:
            made[name] = make(AgentParts(tools=tools))
        except Exception:
            log.warning("the agent %s of another package cannot be made, and is left out", name, exc_info=True)
    return made


def registered_kinds(agents: Mapping[str, RegisteredAgent], limits: RunLimits) -> Mapping[str, AgentKind]:
    """Return the kinds of agents of others; `limits` are those of any run."""
    return {
        name: AgentKind(limits=one.limits or replace(limits), takeover=one.takeover) for name, one in agents.items()
    }


def _loaded(entries: tuple[EntryPoint, ...]) -> Iterator[tuple[str, Any]]:
    for entry in entries:
        try:
            yield entry.name, entry.load()
        except Exception:
            log.warning("%s of another package cannot be loaded, and is left out", entry.value, exc_info=True)
