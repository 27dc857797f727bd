"""Embedded sandboxes at every level that this machine reaches, each started once for all tests of a module."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tablewright.sandbox.base import Level, Sandbox, Session
from tablewright.sandbox.conformance.examples import SCOPE
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize

LEVELS = [Level.L1, Level.L2, Level.L3]


def level_id(level: Level) -> str:
    return level.name


@pytest.fixture(scope="module", params=LEVELS, ids=level_id)
def level(request: pytest.FixtureRequest) -> Level:
    found: Level = request.param
    return found


async def started(config: EmbeddedConfig) -> EmbeddedSandbox:
    """Start a sandbox of exactly the level that its configuration allows, or skip."""
    sandbox = EmbeddedSandbox(config)
    await sandbox.start()
    if sandbox.level() is not config.strongest:
        await sandbox.stop()
        pytest.skip(f"this machine does not reach {config.strongest.name}")
    return sandbox


def _names(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sandbox(level: Level, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Sandbox]:
    folder = tmp_path_factory.mktemp("state")
    running = await started(EmbeddedConfig(strongest=level, folder=folder))
    yield running
    await running.stop()
    assert not _names(folder)


@pytest_asyncio.fixture(loop_scope="module")
async def session(sandbox: Sandbox) -> AsyncIterator[Session]:
    leased = await sandbox.acquire(SCOPE)
    yield leased
    await leased.release()


@pytest_asyncio.fixture(loop_scope="module")
async def small() -> AsyncIterator[Sandbox]:
    size = PoolSize(minimum=1, maximum=1, wait_s=1.0)
    running = EmbeddedSandbox(EmbeddedConfig(size=size, preload=()))
    await running.start()
    await (await running.acquire(SCOPE)).release()
    yield running
    await running.stop()
