"""The adapters of the web, over real HTTP on loopback."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator

import pytest
from tests.support.scripted_http import Response, ScriptedServer, json_response

from tablewright.data.base import OpenLimits, SearchProvider, WebPages
from tablewright.data.download import DownloadLimits, GuardedDownloads, is_public
from tablewright.data.pool import WorkerPool
from tablewright.data.web.conformance import FOUND, PAGE, QUERIES, PagesConformance, SearchConformance
from tablewright.data.web.pages import TYPES, WebPageReader
from tablewright.data.web.search import SearxNG, Tavily

ANSWERS = len(QUERIES)
"""As many answers as one test of the suite asks for."""


def unused_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@pytest.fixture
async def engine() -> AsyncIterator[ScriptedServer]:
    """Return a search engine that finds the same whatever it is asked."""
    async with ScriptedServer() as running:
        running.respond(*[json_response({"query": "q", "results": list(FOUND)})] * ANSWERS)
        yield running


class TestSearxNG(SearchConformance):
    @pytest.fixture
    def search(self, engine: ScriptedServer) -> SearchProvider:
        return SearxNG(engine.url, "a-key")

    @pytest.fixture
    def away(self) -> SearchProvider:
        return SearxNG(f"http://127.0.0.1:{unused_port()}")


class TestTavily(SearchConformance):
    @pytest.fixture
    def search(self, engine: ScriptedServer) -> SearchProvider:
        return Tavily(engine.url, "a-key")

    @pytest.fixture
    def away(self) -> SearchProvider:
        return Tavily(f"http://127.0.0.1:{unused_port()}", "a-key")


class TestWebPageReader(PagesConformance):
    @pytest.fixture
    async def server(self) -> AsyncIterator[ScriptedServer]:
        html = Response(steps=(PAGE.encode(),), headers={"content-type": "text/html; charset=utf-8"})
        async with ScriptedServer(routes={"/figures": html}) as running:
            yield running

    @pytest.fixture
    def nowhere(self) -> str:
        return f"http://127.0.0.1:{unused_port()}/"

    @pytest.fixture
    def place(self, server: ScriptedServer) -> str:
        return f"{server.url}/figures"

    @pytest.fixture
    async def pages(self, place: str, nowhere: str) -> AsyncIterator[WebPages]:
        """Return a reader that may reach two ports of this machine besides public addresses."""
        ports = {int(url.split(":")[2].split("/")[0]) for url in (place, nowhere)}
        downloads = GuardedDownloads(
            DownloadLimits(), types=TYPES, admits=lambda address, port: is_public(address) or port in ports
        )
        pool = WorkerPool(OpenLimits(), size=1)
        yield WebPageReader(downloads, pool, OpenLimits())
        await pool.stop()
