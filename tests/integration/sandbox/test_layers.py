"""What is said to isolate sessions is what does, on a machine with Landlock and on one without."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.bootstrap import checks
from tablewright.errors import SandboxUnavailable
from tablewright.sandbox.base import Level
from tablewright.sandbox.conformance.examples import PRINTS, SCOPE, end, run
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize
from tablewright.settings.tree import Settings

ONE = PoolSize(minimum=1, maximum=1)
WRITES_ELSEWHERE = (
    "import os\ntry:\n    open('/data/shared/x', 'w')\nexcept OSError as error:\n    raise SystemExit(error.errno)"
)


async def test_every_layer_in_force_is_named_and_no_other(tmp_path: Path) -> None:
    sandbox = EmbeddedSandbox(EmbeddedConfig(folder=tmp_path, preload=(), size=ONE))
    assert sandbox.layers() == ()
    await sandbox.start()
    layers = sandbox.layers()
    assert ("namespaces" in layers) == (sandbox.level() > Level.L1)
    assert set(layers) >= {"landlock", "seccomp", "limits"}
    await sandbox.stop()


async def test_where_landlock_is_blocked_it_is_not_named_and_sessions_run_with_the_rest(tmp_path: Path) -> None:
    sandbox = EmbeddedSandbox(EmbeddedConfig(folder=tmp_path, preload=(), size=ONE, landlock=0))
    try:
        await sandbox.start()
    except SandboxUnavailable:
        pytest.skip("this machine gives no namespaces")
    assert "landlock" not in sandbox.layers()
    assert checks._strength(Settings(), sandbox.level(), sandbox.layers()) == "ungoverned"
    session = await sandbox.acquire(SCOPE)
    assert end(await run(session, PRINTS)).status == "ok"
    assert "30" in repr(await run(session, WRITES_ELSEWHERE))  # a file system that is read-only
    await session.release()
    await sandbox.stop()


async def test_without_namespaces_and_landlock_nothing_runs(tmp_path: Path) -> None:
    sandbox = EmbeddedSandbox(EmbeddedConfig(folder=tmp_path, preload=(), strongest=Level.L1, landlock=0))
    with pytest.raises(SandboxUnavailable, match="Landlock"):
        await sandbox.start()
