"""A service that Genie's page asks, and scripts of runs for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.support.chat_client import served
from tests.support.genie_client import KEYS, PAGE_ORIGIN, Serving
from tests.support.parts import FakeParts, one_step

from tablewright.api.access import Access


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    """Return what serves parts, or a script; gives the address."""
    async with AsyncExitStack() as stack:

        async def opened(script: Any = one_step, *, keyless: bool = True) -> str:
            parts = script if isinstance(script, FakeParts) else FakeParts(folder=tmp_path, script=script)
            access = Access(keyless=keyless, read_key=KEYS.get, origins=frozenset({PAGE_ORIGIN}))
            url = await stack.enter_async_context(served(parts, access))
            return url.removesuffix("/v1")

        yield opened
