"""Every attack, at every level: contained, named, and survived by everyone else."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from tests.integration.sandbox.conftest import started
from tests.integration.sandbox.processes import below

from tablewright.sandbox.base import Input, Level, Limits
from tablewright.sandbox.conformance.attacks import ATTACKS, KEPT, Attack, Facts
from tablewright.sandbox.conformance.examples import PRINTS, SCOPE, end, run, text, until
from tablewright.sandbox.embedded.config import PRELOAD_FAST, EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.session import LeasedSession

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMITS = Limits(memory_bytes=1024**3, disk_bytes=256 * 1024**2, files=2_000, text_chars=200_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A sandbox under attack, a session that must not notice, and what there is to be found."""

    sandbox: EmbeddedSandbox
    witness: LeasedSession
    facts: Facts
    steady: int
    others: set[int]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def target(level: Level, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Target]:
    folder = tmp_path_factory.mktemp("state")
    others = below(os.getpid())  # what the parts of other tests keep until the end
    config = EmbeddedConfig(
        strongest=level,
        folder=folder,
        import_policy=False,
        preload=PRELOAD_FAST,
        limits=LIMITS,
        size=PoolSize(minimum=2, maximum=2),
    )
    sandbox = await started(config)
    secret = folder / "secret"
    secret.write_text("nobody reads this")
    witness = await sandbox.acquire(SCOPE, [Input(path=secret, name="other.csv")])
    assert isinstance(witness, LeasedSession)
    await run(witness, "open('other.txt', 'w').write('mine');")
    listener = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    await until(lambda: sandbox.stats().idle == 1)
    facts = Facts(
        secret=str(secret),
        port=listener.sockets[0].getsockname()[1],
        service=os.getpid(),
        other=witness.id,
        other_folder=str(next(folder.glob(f"*/sessions/{witness.id}"))),
        shared="/data/shared",
    )
    yield Target(sandbox=sandbox, witness=witness, facts=facts, steady=len(below(os.getpid()) - others), others=others)
    listener.close()
    await witness.release()
    await sandbox.stop()
    assert not below(os.getpid()) - others
    assert secret.read_text() == "nobody reads this"


@pytest.mark.requirement("sandbox-attacks-contained")
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name.replace(" ", "_"))
async def test_an_attack_is_contained_and_nobody_else_notices(target: Target, attack: Attack) -> None:
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
    await until(lambda: target.sandbox.stats().idle == 1)
    assert len(below(os.getpid()) - target.others) == target.steady


async def test_links_and_special_files_of_a_session_are_not_read_by_the_service(target: Target, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    session = await target.sandbox.acquire(SCOPE)
    code = "import os\nos.symlink('$secret', 'link')\nos.symlink('/etc', 'folder')\nopen('plain', 'w').close()"
    await run(session, code.replace("$secret", target.facts.secret))
    assert [file.path for file in await session.files()] == ["plain"]
    for path in ("link", "folder/shadow", "folder/../../secret"):
        with pytest.raises(Exception, match="not_found"):
            _ = [chunk async for chunk in session.read(path)]
    await session.release()
