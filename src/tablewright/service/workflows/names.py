"""What nodes of workflows can name in this service: its agents, its tools, and the databases of a tenant."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tablewright.domain.scope import Scope
from tablewright.domain.workflow import ToolNode, Workflow
from tablewright.domain.workflow.definition import all_nodes
from tablewright.service.databases.connections import PRIMARY
from tablewright.store.connection_store import ConnectionStore
from tablewright.tools.base import ToolProvider
from tablewright.workflows.validate import Names


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeParts:
    """The `agents` and `tools` of a service; None: which there are is not known.

    `servers` are the beginnings of the names of tools of each server, which contributes none while it is away.
    """

    agents: Collection[str] | None = None
    tools: ToolProvider | None = None
    servers: tuple[str, ...] = ()


class NodeNames:
    """Tells what the nodes of a caller's workflow can name."""

    def __init__(self, connections: ConnectionStore, parts: NodeParts) -> None:
        self._connections = connections
        self._parts = parts

    async def of(self, scope: Scope, workflow: Workflow) -> Names:
        """Return the names; servers of tools are asked only if the workflow names a tool."""
        tools = await self._tools() if any(isinstance(each.node, ToolNode) for each in all_nodes(workflow)) else None
        away = (each for each in self._parts.servers if not any(name.startswith(each) for name in tools or ()))
        return Names(
            agents=self._parts.agents,
            tools=tools,
            databases=(PRIMARY, *(one.name for one in await self._connections.all(scope))),
            away=tuple(away),
        )

    async def _tools(self) -> tuple[str, ...] | None:
        if self._parts.tools is None:
            return None
        return tuple(tool.spec.name for tool in await self._parts.tools.tools())
