"""What a session keeps on disk is bounded by its own file system, or counted whether or not it has a name."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.integration.sandbox.conftest import started

from tablewright.errors import NotFound
from tablewright.sandbox.base import Level, Limits
from tablewright.sandbox.conformance.examples import EXITS, SCOPE, end, run, text
from tablewright.sandbox.conformance.files import content, paths
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize

MIB = 1024**2
LIMITS = Limits(disk_bytes=64 * MIB, files=500, memory_bytes=512 * MIB)
own_disk = pytest.mark.parametrize("level", [Level.L3], ids=["strongest"], indirect=True)
KEEPS_DELETED = """
import os
kept, block = [], bytes(1 << 20)
for number in range(64):
    kept.append(os.open('f', os.O_RDWR | os.O_CREAT))
    os.unlink('f')
    for _ in range(8):
        os.write(kept[-1], block)
"""
CATCHES = """
import time
while True:
    try:
        time.sleep(60)
    except BaseException:
        pass
"""
FREES = "for file in kept: os.close(file)\nopen('after', 'w').write('there is room again')"


@pytest.fixture
async def sandbox(level: Level, tmp_path: Path) -> AsyncIterator[EmbeddedSandbox]:
    size = PoolSize(minimum=1, maximum=2)
    policy = ImportPolicy(checked=False)
    running = await started(
        EmbeddedConfig(strongest=level, folder=tmp_path, preload=(), limits=LIMITS, size=size, imports=policy)
    )
    yield running
    await running.stop()


@pytest.mark.requirement("sandbox-disk-bounded")
async def test_deleted_files_that_are_open_count_towards_the_quota(sandbox: EmbeddedSandbox, level: Level) -> None:
    session = await sandbox.acquire(SCOPE)
    outputs = await run(session, KEEPS_DELETED, timeout_s=60)
    if level is Level.L1:
        assert end(outputs).status == "disk_quota"
    else:
        assert end(outputs).status == "error"
        assert end(await run(session, FREES)).status == "ok"
        assert await content(session, "after") == b"there is room again"
    await session.release()


@pytest.mark.requirement("sandbox-disk-bounded")
@own_disk
async def test_nothing_of_a_session_with_its_own_disk_is_on_the_host_s(
    sandbox: EmbeddedSandbox, tmp_path: Path
) -> None:
    session = await sandbox.acquire(SCOPE)
    await run(session, "open('here', 'w').write('x')")
    assert await paths(session) == ["here"]
    found = [path.name for path in tmp_path.rglob("*")]  # noqa: ASYNC240 - a handful of files
    assert "here" not in found
    await session.release()


@own_disk
async def test_the_number_of_files_is_bounded_as_their_space_is(sandbox: EmbeddedSandbox) -> None:
    session = await sandbox.acquire(SCOPE)
    outputs = await run(session, "for n in range(501): open(str(n), 'w').close()")
    assert end(outputs).status == "error"
    assert "No space left on device" in repr(outputs)
    assert len(await session.files()) == 500
    assert text(await run(session, "print('goes on')")) == "goes on\n"
    await session.release()


@pytest.mark.parametrize("death", [EXITS, CATCHES], ids=["exited", "killed"])
async def test_files_are_read_after_the_process_is_gone_and_not_after_the_release(
    sandbox: EmbeddedSandbox, death: str
) -> None:
    session = await sandbox.acquire(SCOPE)
    await run(session, "open('output/a', 'wb').write(bytes(2_000_000))")
    assert end(await run(session, death, timeout_s=0.5)).session_lost
    assert await content(session, "output/a") == bytes(2_000_000)
    reading = session.read("output/a")
    assert await anext(reading)
    await session.release()
    with pytest.raises(NotFound):
        await content(session, "output/a")
    assert await session.files() == ()


async def test_a_released_session_leaves_no_descriptor(sandbox: EmbeddedSandbox) -> None:
    await (await sandbox.acquire(SCOPE)).release()
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names are enough
    for _ in range(3):
        session = await sandbox.acquire(SCOPE)
        await session.files()
        await session.release()
    assert len(os.listdir("/proc/self/fd")) <= before + 8  # noqa: PTH208 - a warm worker has a few of its own
