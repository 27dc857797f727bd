"""Every attack, in containers on the host's kernel and on gVisor's: contained, named, and survived by everyone else."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable
from typing import Literal

import pytest
import pytest_asyncio
from tests.integration.sandbox.attacks_seen import judge
from tests.integration.sandbox.docker.daemon import Daemon
from tests.support.patience import found

from tablewright.sandbox.base import Limits, Session, Status
from tablewright.sandbox.conformance.attacking import AttacksConformance, AttackTarget, target
from tablewright.sandbox.docker.config import DockerConfig
from tablewright.sandbox.docker.sandbox import DockerSandbox
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize

LIMITS = Limits(memory_bytes=3 * 512 * 1024**2, disk_bytes=256 * 1024**2, files=2_000, text_chars=200_000)
SIZE = PoolSize(minimum=4, maximum=4)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def attacked(config: DockerConfig, daemon: Daemon) -> AsyncIterator[AttackTarget]:
    assert config.folder is not None
    sandbox = DockerSandbox(dataclasses.replace(config, imports=ImportPolicy(checked=False), limits=LIMITS, size=SIZE))
    await sandbox.start()

    async def settled(session: Session) -> None:
        name = f"name=tablewright-{(await session.info()).id}"

        async def gone() -> Literal[True] | None:
            left = await asyncio.to_thread(daemon.containers, "--filter", name)
            return True if not left and sandbox.stats().leased == 1 else None

        await found(gone)

    async with target(sandbox, config.folder, settled) as made:
        yield made
    await sandbox.stop()
    assert not daemon.containers()


@pytest.fixture(scope="module")
def seen(runtime: str) -> Callable[[str, Status], None]:
    return judge(runtime)


@pytest.mark.asyncio(loop_scope="module")
class TestDockerAttacks(AttacksConformance):
    pass
