"""Starting, dying, coming back and leaving nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import venv
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.processes import below

from tablewright.domain.ids import ManualClock
from tablewright.errors import InvalidInput, SandboxUnavailable
from tablewright.sandbox import environment
from tablewright.sandbox.base import Done, ErrorOutput, Input, LeaseScope, Level, Limits, Session, TextOutput
from tablewright.sandbox.conformance.examples import LOOPS, PRINTS, SCOPE, end, one, run, text, until
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize

SMALL = PoolSize(minimum=1, maximum=2, wait_s=PATIENCE_S)


def config(folder: Path, level: Level, **more: object) -> EmbeddedConfig:
    values: dict[str, object] = {"size": SMALL, "preload": (), "folder": folder, "strongest": level, **more}
    return EmbeddedConfig(**values)  # type: ignore[arg-type]  # any field may be given


@pytest.fixture
def others() -> set[int]:
    """What the parts of other tests keep running until the end."""
    return below(os.getpid())


@pytest.fixture
async def running(tmp_path: Path, level: Level, others: set[int]) -> AsyncIterator[EmbeddedSandbox]:
    sandbox = EmbeddedSandbox(config(tmp_path, level))
    await sandbox.start()
    yield sandbox
    await sandbox.stop()


def _names(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


async def reading(session: Session, code: str, started: asyncio.Event) -> list[object]:
    outputs: list[object] = []
    async for output in session.execute(code, step_id="s", timeout_s=PATIENCE_S):
        outputs.append(output)
        if isinstance(output, TextOutput):
            started.set()
    return outputs


async def test_the_level_is_known_before_anything_is_loaded(running: EmbeddedSandbox, level: Level) -> None:
    assert running.level() >= Level.L1
    assert (running.level() is Level.L1) == (level is Level.L1)
    session = await running.acquire(SCOPE)
    assert (await session.info()).level is running.level()
    await session.release()


async def test_the_log_names_the_step_that_ended_a_session(
    running: EmbeddedSandbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "tablewright.sandbox.session")
    session = await running.acquire(SCOPE)
    ended: list[object] = []
    for step_id, code in (("s-1", PRINTS), ("s-2", "import os\nos._exit(3)")):
        ended += [output async for output in session.execute(code, step_id=step_id, timeout_s=PATIENCE_S)]
    assert isinstance(ended[-1], Done)
    assert ended[-1].session_lost
    name = (await session.info()).id
    assert [record.getMessage() for record in caplog.records] == [f"session {name} ended with step s-2: exited"]
    await session.release()


@pytest.mark.requirement("sandbox-refuses-weak-isolation")
async def test_too_little_isolation_is_refused_by_name_and_nothing_is_left(tmp_path: Path, others: set[int]) -> None:
    sandbox = EmbeddedSandbox(config(tmp_path, Level.L1, min_isolation=Level.GVISOR))
    with pytest.raises(SandboxUnavailable) as refused:
        await sandbox.start()
    assert refused.value.params["level"] == "L1"
    assert refused.value.params["required"] == "GVISOR"
    with pytest.raises(SandboxUnavailable):
        await sandbox.acquire(SCOPE)
    assert not below(os.getpid()) - others
    assert not _names(tmp_path)


async def test_an_interpreter_that_is_none_is_refused(tmp_path: Path) -> None:
    for python in (tmp_path / "none", tmp_path):
        with pytest.raises(SandboxUnavailable, match="sandbox_python_wrong"):
            await EmbeddedSandbox(config(tmp_path / "state", Level.L3, python=python)).start()


async def test_an_interpreter_without_the_packages_says_what_is_missing(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    await asyncio.to_thread(venv.create, bare, symlinks=True)
    sandbox = EmbeddedSandbox(config(tmp_path / "state", Level.L3, python=bare / "bin" / "python"))
    with pytest.raises(SandboxUnavailable, match="No module named 'IPython'"):
        await sandbox.start()


async def test_an_environment_in_a_private_folder_below_tmp_is_shown_at_its_own_path(
    tmp_path: Path, level: Level
) -> None:
    found = environment.find()
    assert found is not None
    packages = (
        found.parent.parent / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    )
    made = Path(tempfile.mkdtemp(dir="/tmp"))
    try:
        await asyncio.to_thread(venv.create, made / "env", symlinks=True)
        (next((made / "env" / "lib").iterdir()) / "site-packages" / "elsewhere.pth").write_text(f"{packages}\n")
        sandbox = EmbeddedSandbox(config(tmp_path, level, python=made / "env" / "bin" / "python"))
        await sandbox.start()
        session = await sandbox.acquire(SCOPE)
        outputs = await run(session, "import sys, pandas, xml.dom.minidom, sqlite3\nsys.prefix")
        assert str(made / "env") in text(outputs)
        await sandbox.stop()
    finally:
        await asyncio.to_thread(shutil.rmtree, made)


@pytest.mark.requirement("sandbox-zygote-replaced")
async def test_a_dead_zygote_ends_its_sessions_and_another_takes_its_place(
    running: EmbeddedSandbox, others: set[int]
) -> None:
    session = await running.acquire(SCOPE)
    started = asyncio.Event()
    execution = asyncio.create_task(reading(session, LOOPS, started))
    async with asyncio.timeout(PATIENCE_S):
        await started.wait()
    # All are stopped first: a zygote that sees its sessions die tells of a crash before it dies itself.
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for process in below(os.getpid()) - others:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)
    async with asyncio.timeout(PATIENCE_S):
        outputs = await execution
    last = outputs[-1]
    assert isinstance(last, Done)
    assert (last.status, last.session_lost) == ("backend_lost", True)
    await session.release()
    again = await running.acquire(SCOPE)
    assert end(await run(again, PRINTS)).status == "ok"
    await again.release()


async def test_a_zygote_that_cannot_be_started_is_tried_again_until_it_can(
    tmp_path: Path, level: Level, others: set[int]
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {environment.find()} "$@"\n')
    python.chmod(0o755)
    sandbox = EmbeddedSandbox(config(tmp_path / "state", level, python=python))
    await sandbox.start()
    await (await sandbox.acquire(SCOPE)).release()
    away = python.rename(tmp_path / "away")
    for process in below(os.getpid()) - others:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    problem = ""
    async with asyncio.timeout(PATIENCE_S):
        while problem != "sandbox_start_failed":
            with pytest.raises(SandboxUnavailable) as refused:
                await sandbox.acquire(SCOPE)
            problem = refused.value.detail
    away.rename(python)
    async with asyncio.timeout(PATIENCE_S):
        session = await sandbox.acquire(SCOPE)
    assert end(await run(session, PRINTS)).status == "ok"
    await sandbox.stop()


@pytest.mark.requirement("sandbox-stop-ends-every-process")
async def test_stopping_ends_running_code_and_every_process(
    running: EmbeddedSandbox, tmp_path: Path, others: set[int]
) -> None:
    session = await running.acquire(SCOPE)
    started = asyncio.Event()
    execution = asyncio.create_task(reading(session, LOOPS, started))
    async with asyncio.timeout(PATIENCE_S):
        await started.wait()
    await running.stop()
    async with asyncio.timeout(PATIENCE_S):
        outputs = await execution
    assert isinstance(outputs[-2], ErrorOutput)
    assert isinstance(outputs[-1], Done)
    assert not below(os.getpid()) - others
    assert not _names(tmp_path)


async def test_releasing_a_session_ends_its_running_code_and_says_why(running: EmbeddedSandbox) -> None:
    session = await running.acquire(SCOPE)
    started = asyncio.Event()
    execution = asyncio.create_task(reading(session, LOOPS, started))
    async with asyncio.timeout(PATIENCE_S):
        await started.wait()
    await session.release()
    async with asyncio.timeout(PATIENCE_S):
        error, last = (await execution)[-2:]
    assert isinstance(error, ErrorOutput)
    assert "released" in error.message
    assert isinstance(last, Done)
    assert last.status == "backend_lost"


@pytest.mark.requirement("sandbox-nothing-survives-the-service")
async def test_nothing_survives_a_service_that_is_killed(tmp_path: Path, level: Level) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from tablewright.sandbox import environment
from tablewright.sandbox.base import LeaseScope, Level
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox

async def main():
    sandbox = EmbeddedSandbox(EmbeddedConfig(preload=(), folder=Path(sys.argv[1]), strongest=Level[sys.argv[2]]))
    await sandbox.start()
    session = await sandbox.acquire(LeaseScope(run_id="r"))
    code = "import signal\\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\\nprint('looping')\\nwhile True:\\n    pass"
    async for output in session.execute(code, step_id="s"):
        print("running", flush=True)

asyncio.run(main())
"""
    service = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(tmp_path), level.name, stdout=asyncio.subprocess.PIPE
    )
    assert service.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        assert await service.stdout.readline() == b"running\n"
    theirs = below(service.pid)
    assert len(theirs) >= 2
    service.kill()
    await service.wait()
    await until(lambda: not any(Path(f"/proc/{process}").exists() for process in theirs))


async def test_what_a_killed_service_left_on_the_disk_is_removed_by_the_next(tmp_path: Path) -> None:
    left = tmp_path / "dead" / "sessions" / "s" / "work"
    left.mkdir(parents=True)
    (tmp_path / "dead" / "lock").touch()
    (left / "data").write_text("x")
    sandbox = EmbeddedSandbox(config(tmp_path, Level.L3))
    await sandbox.start()
    assert not left.exists()
    await sandbox.stop()


async def test_a_session_that_is_idle_too_long_is_ended(tmp_path: Path) -> None:
    clock = ManualClock()
    sandbox = EmbeddedSandbox(config(tmp_path, Level.L3), clock=clock)
    await sandbox.start()
    limits = Limits(idle_s=60.0)
    idle = await sandbox.acquire(SCOPE, limits=limits)
    used = await sandbox.acquire(LeaseScope(run_id="other"), limits=limits)
    await clock.advance(40)
    assert end(await run(used, PRINTS)).status == "ok"
    await clock.advance(40)
    await until(lambda: sandbox.stats().leased == 1)
    assert (await idle.info()).lost
    assert not (await used.info()).lost
    await sandbox.stop()


async def test_an_idle_worker_that_died_is_replaced(tmp_path: Path) -> None:
    clock = ManualClock()
    sandbox = EmbeddedSandbox(config(tmp_path, Level.L3), clock=clock)
    await sandbox.start()
    await until(lambda: sandbox.stats().idle == 1)
    worker = sandbox._pool._idle[0]
    worker.kill()
    await worker.ended()
    await clock.advance(31)
    await until(lambda: sandbox.stats().idle == 1 and sandbox._pool._idle[0] is not worker)
    session = await sandbox.acquire(SCOPE)
    assert end(await run(session, PRINTS)).status == "ok"
    await sandbox.stop()


async def test_the_pool_grows_with_use_and_shrinks_after_it(tmp_path: Path) -> None:
    size = PoolSize(minimum=1, maximum=4)
    sandbox = EmbeddedSandbox(config(tmp_path, Level.L3, size=size, limits=Limits(memory_bytes=64 * 1024**2)))
    await sandbox.start()
    sessions = [await sandbox.acquire(SCOPE) for _ in range(3)]
    await until(lambda: sandbox.stats().idle == 1)
    assert (sandbox.stats().leased, sandbox.stats().limit) == (3, 4)
    for session in sessions:
        await session.release()
    await until(lambda: sandbox.stats().idle == 1)
    assert sandbox.stats().leased == 0
    await sandbox.stop()


async def test_an_input_that_cannot_be_given_costs_no_worker(running: EmbeddedSandbox, tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    for name in ("../a", "/a", ""):
        with pytest.raises(InvalidInput):
            await running.acquire(SCOPE, [Input(path=tmp_path / "a", name=name)])
    with pytest.raises(FileNotFoundError):
        await running.acquire(SCOPE, [Input(path=tmp_path / "none", name="a")])
    assert running.stats().leased == 0
    session = await running.acquire(SCOPE)
    assert one(await run(session, "1 / 0"), ErrorOutput).name == "ZeroDivisionError"
    await session.release()


DEEP = """
import os
for chain in range(42):
    os.mkdir(f'c{chain}')
    inside = f'c{chain}'
    for _ in range(27):
        inside += '/d'
        os.mkdir(inside)
deepest = None
for chain in reversed(range(42)):
    top = os.open('.', os.O_RDONLY)
    bottom = os.open(f'c{chain}' + '/d' * 27, os.O_RDONLY)
    if deepest is not None:
        os.rename(deepest, 'next', src_dir_fd=top, dst_dir_fd=bottom)
    deepest = f'c{chain}'
    os.close(top), os.close(bottom)
"""


@pytest.mark.requirement("sandbox-slot-survives-removal")
async def test_sessions_with_folders_deeper_than_any_path_leave_no_slot_lost_and_no_folder(
    running: EmbeddedSandbox, tmp_path: Path
) -> None:
    for _ in range(SMALL.maximum + 1):
        session = await running.acquire(SCOPE)
        await run(session, DEEP)
        await session.release()
    assert running.stats().leased == 0
    assert not await asyncio.to_thread(lambda: [*tmp_path.glob("*/sessions/*-*-*"), *tmp_path.glob(".left*")])
    session = await running.acquire(SCOPE)
    assert end(await run(session, PRINTS)).status == "ok"
    await session.release()
