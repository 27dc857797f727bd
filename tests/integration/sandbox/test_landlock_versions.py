"""Kernels whose Landlock governs less: what it leaves open is closed by the filter of system calls."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tablewright.sandbox.base import Input, Level
from tablewright.sandbox.conformance.examples import SCOPE, end, run, text
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize

WORDS = "nobody empties this"
EMPTIES = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def each(target):
    yield lambda: os.truncate(target, 0)
    yield lambda: os.close(os.open(target, os.O_RDONLY | os.O_TRUNC))
    yield lambda: os.close(os.open(target, 3 | os.O_TRUNC))
    yield lambda: os.close(os.open(target, os.O_WRONLY | os.O_TRUNC))
    yield lambda: os.close(os.open(target, os.O_RDWR))
    yield lambda: check(libc.truncate(target.encode(), ctypes.c_long(0)))
    how = (ctypes.c_uint64 * 3)(0o1000)
    yield lambda: check(libc.syscall(ctypes.c_long(437), -100, target.encode(), how, ctypes.c_long(24)))
def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), 'refused')
for target in TARGETS:
    for act in each(target):
        try:
            act()
            print('BREACH', target)
        except OSError as error:
            print(error.errno, end=' ')
"""
WORKS = """
import os, shutil
with open('mine.txt', 'w') as file:
    file.write('0123456789')
os.truncate('mine.txt', 5)
print(open('mine.txt').read())
shutil.copyfile('mine.txt', 'copy.txt')
open('mine.txt', 'w').close()
print(os.path.getsize('mine.txt'), os.path.getsize('copy.txt'))
"""


@pytest.fixture(scope="module")
def public() -> Iterator[Path]:
    """A folder that everybody may enter: only the jail keeps a session out of it."""
    folder = Path(tempfile.mkdtemp(prefix="landlock-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=[1, 2, 3])
async def sandbox(request: pytest.FixtureRequest, public: Path) -> AsyncIterator[EmbeddedSandbox]:
    config = EmbeddedConfig(
        strongest=Level.L1,
        landlock=request.param,
        folder=public / "state",
        imports=ImportPolicy(checked=False),
        preload=(),
        size=PoolSize(minimum=1, maximum=1),
    )
    running = EmbeddedSandbox(config)
    await running.start()
    yield running
    await running.stop()


@pytest.mark.requirement("sandbox-attacks-contained")
@pytest.mark.asyncio(loop_scope="module")
async def test_no_file_that_is_not_the_sessions_own_can_be_emptied(sandbox: EmbeddedSandbox, public: Path) -> None:
    secret, given = public / "secret", public / "given"
    for file in (secret, given):
        file.write_text(WORDS)
        file.chmod(0o666)
    session = await sandbox.acquire(SCOPE, [Input(path=given, name="given.csv")])
    place = next((public / "state").glob("*/sessions/*/shared/given.csv"))
    place.chmod(0o666)  # nothing but the jail protects it, as where sessions have the service's own user id
    outputs = await run(session, EMPTIES.replace("TARGETS", repr([str(secret), str(place)])))
    assert end(outputs).status == "ok", outputs
    assert "BREACH" not in text(outputs), text(outputs)
    assert (secret.read_text(), place.read_text()) == (WORDS, WORDS)
    await session.release()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_session_shortens_and_copies_its_own_files(sandbox: EmbeddedSandbox) -> None:
    session = await sandbox.acquire(SCOPE)
    outputs = await run(session, WORKS)
    assert text(outputs) == "01234\n0 5\n", outputs
    await session.release()
