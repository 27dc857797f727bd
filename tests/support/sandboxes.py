"""The embedded sandbox for tests of what stands above it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox


@asynccontextmanager
async def running(config: EmbeddedConfig) -> AsyncIterator[EmbeddedSandbox]:
    """Yield a started sandbox and stop it afterwards; skip the test where code cannot be isolated."""
    sandbox = EmbeddedSandbox(config)
    try:
        await sandbox.start()
    except SandboxUnavailable as missing:
        pytest.skip(f"code cannot be isolated here: {missing.detail}")
    try:
        yield sandbox
    finally:
        await sandbox.stop()
