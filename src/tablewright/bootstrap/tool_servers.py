"""The MCP servers named in the settings, as tools for agents."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import AsyncExitStack
from typing import cast

from tablewright.bootstrap.loader import MCP_SERVER, MCP_TOOLS, load
from tablewright.domain.ids import Clock
from tablewright.errors import SettingsInvalid
from tablewright.settings.tree import McpServerSettings
from tablewright.tools.base import ToolProvider

_UNNAMEABLE = re.compile(r"[^A-Za-z0-9_-]")
"""What `tools.mcp_client`, which is loaded with the first server, writes as `_` in names."""


def tool_servers(servers: dict[str, McpServerSettings], clock: Clock, stack: AsyncExitStack) -> ToolProvider | None:
    """Return the servers' tools, which are closed with `stack`. Without servers, return None and import nothing."""
    if not servers:
        return None
    made = [_server(name, settings) for name, settings in servers.items()]
    tools = load(MCP_TOOLS)(made, clock)
    stack.push_async_callback(tools.close)
    return cast(ToolProvider, tools)


def tool_prefixes(servers: Iterable[str]) -> tuple[str, ...]:
    """Return how the names of the tools of each server begin."""
    return tuple(f"{_UNNAMEABLE.sub('_', name)}__" for name in servers)


def _server(name: str, settings: McpServerSettings) -> object:
    if (settings.command is None) == (settings.url is None):
        raise SettingsInvalid("mcp_server_place", source="mcp.servers", setting=f"mcp.servers.{name}")
    return load(MCP_SERVER)(
        name=name,
        command=settings.command,
        args=settings.args,
        env={key: value.get_secret_value() for key, value in settings.env.items()},
        cwd=None if settings.cwd is None else str(settings.cwd),
        url=settings.url,
        headers={key: value.get_secret_value() for key, value in settings.headers.items()},
        timeout_s=settings.timeout,
        connect_timeout_s=settings.connect_timeout,
    )
