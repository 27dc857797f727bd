"""What a cell costs beyond its own code: who is woken for it, and what it leaves behind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tablewright.sandbox.base import Level, Session
from tablewright.sandbox.conformance.examples import SCOPE, end, run, until
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.session import LeasedSession

CELLS = 20


@pytest.fixture
async def session(tmp_path: Path, level: Level) -> AsyncIterator[Session]:
    config = EmbeddedConfig(
        strongest=level,
        folder=tmp_path,
        preload=(),
        imports=ImportPolicy(checked=False),
        size=PoolSize(minimum=1, maximum=2),
    )
    sandbox = EmbeddedSandbox(config)
    await sandbox.start()
    leased = await sandbox.acquire(SCOPE)
    await until(lambda: sandbox.stats().idle == 1)
    yield leased
    await sandbox.stop()


def parent(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(status.partition("PPid:")[2].split()[0])


def zygote_of(session: Session) -> int:
    assert isinstance(session, LeasedSession)
    process = session._worker.process
    assert process is not None
    return parent(process)


def turns(process: int) -> int:
    """Return how often the system has let a process run."""
    return int(Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()[2])


async def test_the_zygote_sleeps_while_its_sessions_work(session: Session) -> None:
    zygote = zygote_of(session)
    before = turns(zygote)
    for _ in range(CELLS):
        assert end(await run(session, "pass")).status == "ok"
    assert turns(zygote) == before
