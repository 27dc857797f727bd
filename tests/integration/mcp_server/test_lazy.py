"""The libraries of the tools over HTTP are loaded for the first request to them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from tests.integration.mcp_server.test_access import begun, served

LOADED = "import sys, tablewright.cli.serve; print(*sorted({'fastmcp', 'mcp', 'cryptography'} & sys.modules.keys()))"


def test_a_service_starts_without_them() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True)
    assert done.stdout.split() == []


async def test_many_first_requests_at_once_are_all_answered(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        found = await asyncio.gather(*(begun(client) for _ in range(5)))
    assert len({headers["mcp-session-id"] for headers in found}) == 5


async def test_a_service_that_was_never_asked_closes(tmp_path: Path) -> None:
    async with served(tmp_path, sse=True) as client:
        assert (await client.get("/api/v1/files")).status_code == 200
    async with served(tmp_path) as client:
        assert (await client.get("/api/v1/files")).status_code == 200
