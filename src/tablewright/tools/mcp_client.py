"""Tools of other MCP servers, which are started as programs or reached over HTTP.

A server is connected to when its tools are first needed. One that fails has no tools; if it dies during a call, that is
a failed result, and the next call reconnects.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import ClientTransport, StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp.types import TextContent

from tablewright.domain.events import EventBody
from tablewright.domain.ids import Clock
from tablewright.models.base import ToolSpec
from tablewright.tools.base import Tool, ToolContext, ToolResult
from tablewright.tools.toolset import as_text

NAME_CHARS = 64
TRY_AGAIN_S = 60.0
"""The time before another attempt to connect to a server that could not be reached."""
_UNNAMEABLE = re.compile(r"[^A-Za-z0-9_-]")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """A server: either a `command` to start or a `url`."""

    name: str
    command: str | None = None
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str | None = None
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    timeout_s: float = 60.0
    connect_timeout_s: float = 15.0


class McpTools:
    """Implements `ToolProvider` over several servers."""

    def __init__(self, servers: Iterable[McpServer], clock: Clock) -> None:
        self._connections = tuple(Connection(server, clock) for server in servers)

    async def tools(self) -> tuple[Tool, ...]:
        found = await asyncio.gather(*(connection.tools() for connection in self._connections))
        return tuple(tool for tools in found for tool in tools)

    async def close(self) -> None:
        """Disconnect from all servers; programs that were started end."""
        await asyncio.gather(*(connection.close() for connection in self._connections))


class Connection:
    """The connection to one server, established on demand."""

    def __init__(self, server: McpServer, clock: Clock) -> None:
        self._server = server
        self._clock = clock
        self._client: Client[Any] | None = None
        self._entered = AsyncExitStack()
        self._lock = asyncio.Lock()
        self._failed_at: float | None = None
        self._tools: tuple[Tool, ...] | None = None

    async def tools(self) -> tuple[Tool, ...]:
        """Return the server's tools; empty while it cannot be reached."""
        if self._tools is not None:
            return self._tools
        if self._failed_at is not None and self._clock.monotonic() - self._failed_at < TRY_AGAIN_S:
            return ()
        try:
            async with self._connected() as client, asyncio.timeout(self._server.connect_timeout_s):
                listed = await client.list_tools()
        except Exception as error:  # noqa: BLE001  # an unavailable server is not an error of the run
            log.warning("the MCP server %s is not available: %s", self._server.name, str(error) or type(error).__name__)
            self._failed_at = self._clock.monotonic()
            return ()
        self._failed_at = None
        self._tools = tuple(RemoteTool(self, self._server, tool) for tool in listed)
        return self._tools

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool of the server; any failure becomes a failed result."""
        try:
            async with self._connected() as client, asyncio.timeout(self._server.timeout_s):
                result = await client.call_tool(name, dict(arguments), raise_on_error=False)
        except TimeoutError:
            words = f"The tool {name} of {self._server.name} did not answer within {self._server.timeout_s:g} seconds."
            return ToolResult(text=words, failed=True)
        except ToolError as error:
            return ToolResult(text=str(error), failed=True)
        except Exception as error:  # noqa: BLE001  # a dying server becomes a failed result
            await self._drop()
            words = f"The server {self._server.name} ended or cannot be reached; the call had no result."
            return ToolResult(text=words, detail=f"{type(error).__name__}: {error}", failed=True)
        words = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
        text = words or as_text(result.structured_content or "")
        return ToolResult(text=text, shown=text, failed=result.is_error)

    async def close(self) -> None:
        """Disconnect from the server."""
        async with self._lock:
            await self._drop()

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Client[Any]]:
        async with self._lock:
            if self._client is not None and not self._client.is_connected():
                await self._drop()
            if self._client is None:
                client: Client[Any] = Client(_transport(self._server), init_timeout=self._server.connect_timeout_s)
                async with asyncio.timeout(self._server.connect_timeout_s):
                    await self._entered.enter_async_context(client)
                self._client = client
        yield self._client

    async def _drop(self) -> None:
        self._client = None
        try:
            async with asyncio.timeout(self._server.connect_timeout_s):
                await self._entered.aclose()
        except Exception as error:  # noqa: BLE001  # closing is best effort
            log.debug("leaving the MCP server %s: %s", self._server.name, error)


class RemoteTool:
    """Implements `Tool` for a tool of a server; its name is prefixed with the server's."""

    def __init__(self, connection: Connection, server: McpServer, tool: Any) -> None:
        self._connection = connection
        self._name: str = tool.name
        self._spec = ToolSpec(
            name=_UNNAMEABLE.sub("_", f"{server.name}__{tool.name}")[:NAME_CHARS],
            description=tool.description or tool.name,
            parameters=dict(tool.input_schema),
        )

    @property
    def spec(self) -> ToolSpec:
        return self._spec

    async def call(
        self,
        arguments: Mapping[str, Any],
        context: ToolContext,  # noqa: ARG002
    ) -> AsyncGenerator[EventBody | ToolResult]:
        yield await self._connection.call(self._name, arguments)


def _transport(server: McpServer) -> ClientTransport:
    if server.command is not None:
        return StdioTransport(server.command, list(server.args), env=dict(server.env), cwd=server.cwd, keep_alive=False)
    assert server.url is not None
    return StreamableHttpTransport(server.url, headers=dict(server.headers))
