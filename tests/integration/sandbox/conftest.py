"""Embedded sandboxes at every level that this machine reaches, each started once for all tests of a module."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.patience import PATIENCE_S

from tablewright.sandbox.base import Level, Sandbox, Session
from tablewright.sandbox.conformance.examples import SCOPE, until
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize

ONE = PoolSize(minimum=1, maximum=1, wait_s=0.1)
LEVELS = {"weakest": Level.L1, "strongest": Level.L3}
"""The least that is ever accepted, and the most that this machine and this user reach."""


@pytest.fixture(scope="module", params=list(LEVELS.values()), ids=list(LEVELS))
def level(request: pytest.FixtureRequest) -> Level:
    found: Level = request.param
    return found


async def started(config: EmbeddedConfig) -> EmbeddedSandbox:
    """Start a sandbox that is held down to L1, or one that is not and has namespaces; skip where there are none."""
    sandbox = EmbeddedSandbox(config)
    await sandbox.start()
    if (sandbox.level() is Level.L1) != (config.strongest is Level.L1):
        await sandbox.stop()
        pytest.skip("this machine gives no namespaces")
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


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_session(sandbox: Sandbox) -> AsyncIterator[Session]:
    leased = await sandbox.acquire(SCOPE)
    yield leased
    await leased.release()


@pytest_asyncio.fixture(loop_scope="module")
async def small() -> AsyncIterator[Sandbox]:
    running = EmbeddedSandbox(EmbeddedConfig(size=replace(ONE, wait_s=PATIENCE_S), preload=()))
    await running.start()
    yield running
    await running.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def short_queue() -> AsyncIterator[Sandbox]:
    running = EmbeddedSandbox(EmbeddedConfig(size=ONE, preload=()))
    await running.start()
    await until(lambda: running.stats().idle == 1)
    yield running
    await running.stop()
