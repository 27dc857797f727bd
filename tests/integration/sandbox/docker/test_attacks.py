"""Every attack, in containers on the host's kernel and on gVisor's: contained, named, and survived by everyone else."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from tests.integration.sandbox.docker.daemon import Daemon

from tablewright.sandbox.base import Input, Limits, Session
from tablewright.sandbox.conformance.attacks import ATTACKS, KEPT, Attack, Facts
from tablewright.sandbox.conformance.examples import PRINTS, SCOPE, end, run, text
from tablewright.sandbox.docker.config import DockerConfig
from tablewright.sandbox.docker.sandbox import DockerSandbox
from tablewright.sandbox.pool import PoolSize

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMITS = Limits(memory_bytes=3 * 512 * 1024**2, disk_bytes=256 * 1024**2, files=2_000, text_chars=200_000)
SIZE = PoolSize(minimum=4, maximum=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A sandbox under attack, a session that must not notice, and what there is to be found."""

    sandbox: DockerSandbox
    witness: Session
    facts: Facts


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def target(config: DockerConfig, daemon: Daemon) -> AsyncIterator[Target]:
    assert config.folder is not None
    sandbox = DockerSandbox(dataclasses.replace(config, import_policy=False, limits=LIMITS, size=SIZE))
    await sandbox.start()
    secret = config.folder.parent / "secret"
    secret.write_text("nobody reads this")
    witness = await sandbox.acquire(SCOPE, [Input(path=secret, name="other.csv")])
    await run(witness, "open('other.txt', 'w').write('mine');")
    listener = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    name = (await witness.info()).id
    facts = Facts(
        secret=str(secret),
        port=listener.sockets[0].getsockname()[1],
        service=os.getpid(),
        other=name,
        other_folder=str(next(config.folder.glob(f"*/sessions/{name}"))),
        shared="/data/shared",
    )
    yield Target(sandbox=sandbox, witness=witness, facts=facts)
    listener.close()
    await witness.release()
    await sandbox.stop()
    assert not daemon.containers()
    assert secret.read_text() == "nobody reads this"


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name.replace(" ", "_"))
async def test_an_attack_is_contained_and_nobody_else_notices(target: Target, daemon: Daemon, attack: Attack) -> None:
    session = await target.sandbox.acquire(SCOPE)
    try:
        outputs = await run(session, attack.aimed(target.facts), timeout_s=attack.timeout_s)
        assert "BREACH" not in text(outputs), text(outputs)
        assert end(outputs).status in attack.ends, outputs[-2:]
        assert end(outputs).session_lost == (end(outputs).status not in KEPT)
        if not end(outputs).session_lost:
            assert end(await run(session, PRINTS)).status == "ok"
        assert end(await run(target.witness, "assert open('other.txt').read() == 'mine'")).status == "ok"
        for file in await session.files():
            assert sum([len(chunk) async for chunk in session.read(file.path)]) == file.size_bytes
    finally:
        await session.release()
    assert not daemon.containers("--filter", f"name=tablewright-{(await session.info()).id}")
    assert target.sandbox.stats().leased == 1
