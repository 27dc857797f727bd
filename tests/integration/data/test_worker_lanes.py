"""The child processes for large files give way, and one for small files is always there."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support.patience import PATIENCE_S, found

from tablewright.data import child as child_module
from tablewright.data import pool as pool_module
from tablewright.data.base import OpenLimits
from tablewright.data.fair_queue import SMALL_BYTES
from tablewright.data.files.tables import WARM
from tablewright.data.pool import WorkerPool
from tablewright.data.priority import NICER, NICEST, delayed_s, give_way
from tablewright.errors import FileUnreadable

PROFILE = "tablewright.data.files.profiler:profile"
GENEROUS = OpenLimits(timeout_s=PATIENCE_S)
IDLE_S = 0.05
BUSY = "import threading\nfor _ in range(3): threading.Thread(target=input).start()\nprint('ready', flush=True)"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (path := tmp_path / "small.csv").write_text("a,b\n1,2\n")
    return path


@pytest.fixture
def large(tmp_path: Path) -> Path:
    (path := tmp_path / "large.csv").write_bytes(b"a,b\n" + b"1,2\n" * (SMALL_BYTES // 4 + 1))
    return path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started so far."""
    start, pids = asyncio.create_subprocess_exec, list[int]()

    async def noted(*words: str, **rest: Any) -> asyncio.subprocess.Process:
        process = await start(*words, **rest)
        pids.append(process.pid)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    return pids


@asynccontextmanager
async def pool_of(size: int, **rest: Any) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(GENEROUS, size=size, warm=WARM, **rest)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.stop()


async def read(pool: WorkerPool, path: Path, limits: OpenLimits | None = None) -> bytes:
    return await pool.call(PROFILE, path, {"name": path.name}, limits)


@asynccontextmanager
async def held(pool: WorkerPool, path: Path, pid: int) -> AsyncIterator[None]:
    """Read a file by the process `pid`, which stands still within the context."""
    os.kill(pid, signal.SIGSTOP)
    call = asyncio.create_task(read(pool, path))
    await asyncio.sleep(0)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)
        await call


def nices(pid: int) -> set[int]:
    threads = Path(f"/proc/{pid}/task").iterdir()
    return {os.getpriority(os.PRIO_PROCESS, int(thread.name)) for thread in threads}


def lives(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    except OSError:
        return False


async def when(count: int, pids: list[int]) -> list[int]:
    """Return the processes among `pids` that are there, once there are `count` of them."""

    async def there() -> list[int] | None:
        alive = [pid for pid in pids if lives(pid)]
        return alive if len(alive) == count else None

    return await found(there)


@pytest.mark.requirement("data-readers-fair")
async def test_large_files_are_read_at_a_lower_priority_and_small_ones_are_not(
    small: Path, large: Path, started: list[int]
) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    async with pool_of(2) as pool:
        await read(pool, large)
        await read(pool, small)
        first, second = started
        assert nices(first) == {min(own + NICER, NICEST)}
        assert nices(second) == {own}
        await asyncio.gather(read(pool, large), read(pool, small))
        assert started == [first, second]


async def test_a_process_for_small_files_is_started_while_a_large_one_is_read_not_when_a_small_one_comes(
    small: Path, large: Path, started: list[int]
) -> None:
    async with pool_of(2) as pool, held(pool, large, started[0]):
        await when(2, started)
        await read(pool, small)
        assert len(started) == 2


async def test_the_last_process_for_small_files_stays_while_a_large_one_is_read(
    small: Path, large: Path, started: list[int]
) -> None:
    async with pool_of(2, idle_s=IDLE_S) as pool, held(pool, large, started[0]):
        await read(pool, small)
        over = asyncio.Event()
        asyncio.get_running_loop().call_later(IDLE_S, over.set)  # set after the process has been idle for so long
        await over.wait()
        before = len(started)
        await read(pool, small)
        assert len(started) == before


async def test_nothing_is_kept_once_nothing_is_read(small: Path, large: Path, started: list[int]) -> None:
    async with pool_of(2, idle_s=IDLE_S) as pool:
        await asyncio.gather(read(pool, large), read(pool, small))
        await when(0, started)


async def test_a_pool_of_one_reads_all_files_with_one_process(small: Path, large: Path, started: list[int]) -> None:
    async with pool_of(1) as pool:
        await read(pool, large)
        await read(pool, small)
        assert nices(started[0]) == {os.getpriority(os.PRIO_PROCESS, 0)}
        assert len(started) == 1


async def test_a_worn_process_reads_on_until_another_is_there(
    small: Path, started: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_module, "USES", 2)
    async with pool_of(2) as pool:
        for _ in range(3):
            await read(pool, small)
        await when(0, started[:1])
        assert len(started) == 2


async def test_waiting_for_a_processor_is_no_part_of_the_time_that_a_large_file_may_take(
    large: Path, started: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    def delayed(pid: int) -> float:
        nonlocal asked
        asked += 1
        if asked > 1:
            os.kill(pid, signal.SIGCONT)
        return asked * PATIENCE_S

    async with pool_of(2) as pool:
        os.kill(started[0], signal.SIGSTOP)
        monkeypatch.setattr(child_module, "delayed_s", delayed)
        for module in (child_module, pool_module):
            monkeypatch.setattr(module, "MOST_DELAY", round(PATIENCE_S / 0.01))
        assert b'"rows":' in await read(pool, large, OpenLimits(timeout_s=0.01))
    assert asked > 1


async def test_a_large_file_that_never_gets_a_processor_is_given_up(
    large: Path, started: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = asyncio.get_running_loop().time
    monkeypatch.setattr(child_module, "delayed_s", lambda pid: clock())
    async with pool_of(2) as pool:
        os.kill(started[0], signal.SIGSTOP)
        begun = clock()
        with pytest.raises(FileUnreadable) as refused:
            await read(pool, large, OpenLimits(timeout_s=0.01))
        assert clock() - begun >= 0.01 * child_module.MOST_DELAY
    assert refused.value.detail == "file_too_slow"


@pytest.fixture
def busy() -> Iterator[subprocess.Popen[str]]:
    """A process with several threads."""
    with subprocess.Popen(
        [sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_all_threads_of_a_process_give_way_and_stay_so(busy: subprocess.Popen[str]) -> None:
    assert len(list(Path(f"/proc/{busy.pid}/task").iterdir())) == 4
    for _ in range(2):
        give_way(busy.pid)
        assert nices(busy.pid) == {min(os.getpriority(os.PRIO_PROCESS, 0) + NICER, NICEST)}


def test_a_process_that_is_gone_gives_way_to_all(busy: subprocess.Popen[str]) -> None:
    busy.kill()
    busy.wait(PATIENCE_S)
    give_way(busy.pid)
    assert delayed_s(busy.pid) == 0
    assert delayed_s(os.getpid()) >= 0
