"""An MCP server of tests: adds, fails, waits for ever, and dies."""

from __future__ import annotations

import asyncio
import os
import sys

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

server = FastMCP("testing")


@server.tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool
def refuse() -> str:
    """Refuse."""
    raise ToolError("not today")


@server.tool
async def wait() -> str:
    """Wait for ever."""
    await asyncio.Event().wait()
    return "never"


@server.tool
def die() -> str:
    """End the whole server."""
    os._exit(3)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run(transport="http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
    else:
        server.run(show_banner=False)
