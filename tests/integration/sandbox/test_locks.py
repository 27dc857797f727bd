"""What a session locks is locked for nobody else: neither the libraries that all share, nor its inputs."""

from __future__ import annotations

import fcntl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.integration.sandbox.conftest import started

from tablewright.sandbox.base import Input, Level
from tablewright.sandbox.conformance.examples import SCOPE, end, run
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.environment import find
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize

LOCKS = """
import fcntl, os, sys
kept = [os.open(path, os.O_RDONLY) for path in (sys.prefix + '/pyvenv.cfg', '/data/shared/a.csv')]
for file in kept:
    fcntl.flock(file, fcntl.LOCK_EX)
"""


@pytest.fixture
async def sandbox(level: Level, tmp_path: Path) -> AsyncIterator[EmbeddedSandbox]:
    size = PoolSize(minimum=1, maximum=1)
    config = EmbeddedConfig(
        strongest=level, folder=tmp_path / "state", preload=(), size=size, imports=ImportPolicy(checked=False)
    )
    running = await started(config)
    yield running
    await running.stop()


@pytest.mark.requirement("sandbox-locks-bind-nobody")
async def test_a_lock_on_a_library_or_an_input_binds_nobody_else(sandbox: EmbeddedSandbox, tmp_path: Path) -> None:
    stored = tmp_path / "stored"
    stored.write_text("a\n1\n")
    session = await sandbox.acquire(SCOPE, [Input(path=stored, name="a.csv")])
    assert end(await run(session, LOCKS)).status == "ok"
    python = find(None)
    assert python is not None
    (shared,) = (tmp_path / "state").glob("*/sessions/*/shared/a.csv")
    for path in (python.parent.parent / "pyvenv.cfg", shared):
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    await session.release()
