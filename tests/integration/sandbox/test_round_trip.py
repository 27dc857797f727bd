"""What a cell costs beyond its own code: who is woken for it, and what it leaves behind."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tablewright.sandbox.base import Level, Session
from tablewright.sandbox.conformance.examples import SCOPE, end, run, text, until
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.session import LeasedSession

CELLS = 20
HEADROOM = """
import resource
for kind in (resource.RLIMIT_DATA, resource.RLIMIT_AS):
    soft, hard = resource.getrlimit(kind)
    print((hard - soft) // 1024**2)
"""


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


def own_bytes(process: int) -> int:
    """Return the resident memory that no file stands behind."""
    fields = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()
    return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")


def turns(process: int) -> int:
    """Return how often the system has let a process run."""
    return int(Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()[2])


async def test_the_zygote_sleeps_while_its_sessions_work(session: Session) -> None:
    zygote = zygote_of(session)
    before = turns(zygote)
    for _ in range(CELLS):
        assert end(await run(session, "pass")).status == "ok"
    assert turns(zygote) == before


async def test_what_waits_for_the_zygote_outside_holds_no_copy_of_it(session: Session, level: Level) -> None:
    outside = parent(zygote_of(session))
    if level is not Level.L1:
        await until(lambda: own_bytes(outside) < 8_000_000)


async def test_what_was_printed_is_not_kept(session: Session) -> None:
    for _ in range(3):
        await run(session, "print('x' * 1000)")
    assert text(await run(session, "print(len(get_ipython().history_manager.outputs))")) == "0\n"


async def test_the_reserve_of_memory_is_kept_back_from_every_cell(session: Session) -> None:
    for _ in range(2):
        assert text(await run(session, HEADROOM)) == "64\n64\n"
    lower = "hard = resource.getrlimit(resource.RLIMIT_DATA)[1] - 1024**2\n"
    await run(session, f"{lower}resource.setrlimit(resource.RLIMIT_DATA, (hard - 1024**3, hard))")
    for _ in range(2):
        assert text(await run(session, HEADROOM)) == "64\n64\n"
