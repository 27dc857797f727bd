from __future__ import annotations

import logging

import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError

from tablewright.mcp_server.server import is_worth_logging


async def test_an_error_that_a_tool_gives_its_caller_is_not_logged_and_a_bug_is(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = FastMCP("test")
    logger = logging.getLogger("fastmcp.server.server")
    logger.addFilter(is_worth_logging)
    monitored = logging.getLogger("fastmcp")
    before, monitored.propagate = monitored.propagate, True

    @server.tool
    def refuse() -> str:
        raise ToolError("not today")

    @server.tool
    def fail() -> str:
        raise RuntimeError("a bug")

    try:
        async with Client(server) as client:
            await client.call_tool("refuse", raise_on_error=False)
            assert caplog.records == []
            await client.call_tool("fail", raise_on_error=False)
    finally:
        logger.removeFilter(is_worth_logging)
        monitored.propagate = before
    assert {bool(record.exc_info) for record in caplog.records} == {True}
