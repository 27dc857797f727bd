"""The API in process, on fake parts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from asgi_lifespan import LifespanManager
from tests.support.parts import FakeParts

from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.service.api_keys import ApiKeys


@pytest.fixture
def parts(tmp_path: Path) -> FakeParts:
    """Return parts that a test may change before it asks for `client`."""
    return FakeParts(folder=tmp_path)


@pytest.fixture
def access(tmp_path: Path) -> Access:
    """Return the rules on loopback."""
    return Access(keyless=True, read_key=ApiKeys(tmp_path).scope_of)


@pytest.fixture
async def client(parts: FakeParts, access: Access) -> AsyncIterator[httpx2.AsyncClient]:
    """Return a client of the running application."""
    api = create_api(parts.opening(), access)
    async with LifespanManager(api) as running:
        transport = httpx2.ASGITransport(app=running.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8787") as opened:
            yield opened
