"""A service whose tool services programs call, and scripts of runs for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.support.chat_client import served
from tests.support.genie_client import KEYS, Serving
from tests.support.parts import FakeParts, one_step

from tablewright.api.access import Access


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    """Return what serves parts, or a script; gives the address of the services."""
    async with AsyncExitStack() as stack:

        async def opened(script: Any = one_step, *, keyless: bool = True) -> str:
            parts = script if isinstance(script, FakeParts) else FakeParts(folder=tmp_path, script=script)
            return str(await stack.enter_async_context(served(parts, Access(keyless=keyless, read_key=KEYS.get))))

        yield opened
