"""The bridge of Genie between its backend and MCP servers, written from the description of its wire.

It speaks the older transport of MCP alone, and makes a connection for each request.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mcp import ClientSession
from mcp.client.sse import sse_client

COOKIE, TIMEOUT, KEYS = "Cookie", "Timeout", "X-Server-Keys"
MINUTES = 5.0
Reply = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """`headers` are those of a request: which of them the server is sent, and how long it may take."""

    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    async def list(self, server_url: str) -> Reply:
        """`/v1/tool/list`: the tools as the backend reads them."""

        async def tools(session: ClientSession) -> Any:
            listed = (await session.list_tools()).tools
            return [tool.model_dump(mode="json", by_alias=True) for tool in listed]

        return await self._replied(server_url, tools)

    async def call(self, server_url: str, name: str, arguments: Mapping[str, Any]) -> Reply:
        """`/v1/tool/call`: what a tool gives."""

        async def result(session: ClientSession) -> Any:
            return (await session.call_tool(name, dict(arguments))).model_dump(mode="json", by_alias=True)

        return await self._replied(server_url, result)

    async def pong(self, server_url: str) -> Reply:
        """`/v1/serv/pong`: whether the server is there."""

        async def pinged(session: ClientSession) -> Any:
            await session.send_ping()

        return await self._replied(server_url, pinged)

    async def _replied(self, server_url: str, work: Callable[[ClientSession], Coroutine[Any, Any, Any]]) -> Reply:
        try:
            async with self._session(server_url) as session:
                return {"code": 200, "message": "success", "data": await work(session)}
        except Exception as error:  # noqa: BLE001  # whatever happens is a reply of the bridge
            return {"code": 500, "message": repr(error), "data": None}

    @asynccontextmanager
    async def _session(self, server_url: str) -> AsyncIterator[ClientSession]:
        names = [name for name in self.headers.get(KEYS, "").split(",") if name]
        sent = {name: self.headers[name] for name in (*names, COOKIE) if name in self.headers}
        seconds = 60 * float(self.headers.get(TIMEOUT, MINUTES))
        async with (
            sse_client(server_url, headers=sent, timeout=seconds, sse_read_timeout=seconds) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            yield session
