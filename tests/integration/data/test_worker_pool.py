"""The children that open files: how they are bounded, ended and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.patience import PATIENCE_S, found

from tablewright.data.base import OpenLimits
from tablewright.data.files.tables import WARM
from tablewright.data.pool import WorkerPool
from tablewright.domain.scope import Scope, acting_for
from tablewright.errors import FileUnreadable, ReadersUnavailable
from tablewright.texts.errors import describe

PROFILE = "tablewright.data.files.profiler:profile"
PREVIEW = "tablewright.data.files.previewer:preview"
GENEROUS = OpenLimits(timeout_s=PATIENCE_S)


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    started = WorkerPool(GENEROUS, size=1, warm=WARM)
    await started.start()
    yield started
    await started.stop()


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.csv"
    path.write_text("a,b\n1,2\n")
    return path


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A file whose opening never ends: a pipe that nobody writes to."""
    path = tmp_path / "endless.csv"
    os.mkfifo(path)
    return path


_OTHERS: set[int] = set()


def children_of_this_process() -> set[int]:
    listed = [file.read_text() for file in Path("/proc/self/task").glob("*/children")]
    return {int(pid) for line in listed for pid in line.split()}


@pytest.fixture(autouse=True)
def others() -> None:
    """Note the processes of other tests (a database, say), which live as long as this one."""
    _OTHERS.clear()
    _OTHERS.update(children_of_this_process())


def children() -> set[int]:
    """Return the processes that this test has started and that are there."""
    return children_of_this_process() - _OTHERS


def environment_at_start(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


async def opens(pool: WorkerPool, path: Path) -> bool:
    return b'"rows":1' in await pool.call(PROFILE, path, {"name": path.name})


async def test_one_child_opens_one_file_after_another(pool: WorkerPool, good: Path) -> None:
    before = children()
    assert await opens(pool, good)
    assert await opens(pool, good)
    assert children() == before


async def test_a_file_that_takes_too_long_ends_its_child_and_the_next_is_read(
    pool: WorkerPool, good: Path, endless: Path
) -> None:
    before = children()
    with pytest.raises(FileUnreadable) as refused:
        await pool.call(PROFILE, endless, {"name": "endless.csv"}, OpenLimits(timeout_s=0.2))
    assert refused.value.detail == "file_too_slow"
    assert not before & children()
    assert await opens(pool, good)


async def test_a_larger_file_has_more_time(pool: WorkerPool, tmp_path: Path) -> None:
    (large := tmp_path / "large.csv").write_bytes(b"1,2\n" * (30 * 1024**2 // 4))
    with pytest.raises(FileUnreadable) as refused:
        await pool.call(PROFILE, large, {"name": "large.csv"}, OpenLimits(timeout_s=0.01))
    assert refused.value.params["limit_s"] == 0.013


async def test_a_child_that_dies_is_an_unreadable_file(pool: WorkerPool, good: Path, endless: Path) -> None:
    (pid,) = children()
    call = asyncio.create_task(pool.call(PROFILE, endless, {"name": "endless.csv"}))
    await asyncio.sleep(0)
    os.kill(pid, signal.SIGSEGV)
    with pytest.raises(FileUnreadable) as refused:
        await call
    assert refused.value.detail == "file_crashed"
    assert await opens(pool, good)


@pytest.mark.requirement("data-readers-bounded")
async def test_a_file_that_needs_too_much_memory_is_refused(pool: WorkerPool, good: Path, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_text("id,text\n" + "".join(f"{number},some text {number}\n" for number in range(700_000)))
    with pytest.raises(FileUnreadable) as refused:
        await pool.call(
            PROFILE, path, {"name": "large.csv"}, OpenLimits(memory_bytes=150 * 1024**2, timeout_s=PATIENCE_S)
        )
    assert refused.value.detail == "file_too_much_memory"
    assert await opens(pool, good)


async def test_cancelling_a_call_ends_its_child(pool: WorkerPool, good: Path, endless: Path) -> None:
    before = children()
    call = asyncio.create_task(pool.call(PROFILE, endless, {"name": "endless.csv"}))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not before & children()
    assert await opens(pool, good)


async def test_more_callers_than_children_wait_their_turn(pool: WorkerPool, good: Path) -> None:
    assert await asyncio.gather(*(opens(pool, good) for _ in range(6))) == [True] * 6
    assert len(children()) == 1


async def opened_for(owner: str, pool: WorkerPool, path: Path, order: list[str]) -> None:
    with acting_for(Scope(owner=owner)):
        await pool.call(PROFILE, path, {"name": path.name})
    order.append(owner)


@pytest.mark.requirement("data-readers-fair")
async def test_a_small_file_of_one_owner_does_not_wait_for_the_large_ones_of_another(
    good: Path, tmp_path: Path
) -> None:
    (large := tmp_path / "large.csv").write_bytes(b"a,b\n" + b"1,2\n" * (8 * 1024**2))
    pool, order = WorkerPool(GENEROUS, size=2, warm=WARM), list[str]()
    await pool.start()
    try:
        noisy = [asyncio.create_task(opened_for("noisy", pool, large, order)) for _ in range(3)]
        await asyncio.sleep(0)
        await opened_for("quiet", pool, good, order)
        await asyncio.gather(*noisy)
    finally:
        await pool.stop()
    assert "quiet" in order[:2]


async def test_a_child_that_is_not_used_ends_and_the_next_file_is_read(good: Path) -> None:
    pool = WorkerPool(GENEROUS, size=1, warm=WARM, idle_s=0.01)
    await pool.start()

    async def none_left() -> bool | None:
        return True if not children() else None

    try:
        assert await opens(pool, good)
        await found(none_left)
        assert await opens(pool, good)
        await found(none_left)
    finally:
        await pool.stop()


async def test_one_child_is_started_ahead_and_others_as_files_come(good: Path, endless: Path) -> None:
    pool = WorkerPool(GENEROUS, size=2, warm=WARM)
    await pool.start()
    assert len(children()) == 1
    call = asyncio.create_task(pool.call(PROFILE, endless, {"name": "endless.csv"}))
    await asyncio.sleep(0)
    assert await opens(pool, good)
    assert len(children()) == 2
    await pool.stop()
    with contextlib.suppress(FileUnreadable):
        await call


async def test_stopping_ends_every_child_and_the_calls_under_way(good: Path, endless: Path) -> None:
    pool = WorkerPool(GENEROUS, size=2, warm=WARM)
    await pool.start()
    call = asyncio.create_task(pool.call(PREVIEW, endless, {"name": "endless.csv", "sheet": 0, "rows": 1}))
    await opens(pool, good)
    await pool.stop()
    with contextlib.suppress(FileUnreadable, ReadersUnavailable):
        await call
    assert children() == set()


async def test_a_missing_file_is_unreadable(pool: WorkerPool, tmp_path: Path) -> None:
    with pytest.raises(FileUnreadable) as refused:
        await opens(pool, tmp_path / "gone.csv")
    assert refused.value.detail == "file_missing"


async def test_children_have_an_empty_environment(pool: WorkerPool) -> None:
    (pid,) = children()
    assert environment_at_start(pid) == b""


async def test_an_operation_that_fails_is_an_unreadable_file(pool: WorkerPool, good: Path) -> None:
    with pytest.raises(FileUnreadable) as refused:
        await pool.call(PREVIEW, good, {"name": "good.csv", "sheet": 0, "rows": "many"})
    assert (refused.value.detail, refused.value.params["cause"]) == ("file_damaged", "TypeError")


async def test_children_that_die_while_they_start_are_told_as_such_with_what_they_said(good: Path) -> None:
    pool = WorkerPool(GENEROUS, size=1, warm=("no_such_module",))
    try:
        with pytest.raises(ReadersUnavailable) as refused:
            await opens(pool, good)
    finally:
        await pool.stop()
    assert "no_such_module" in describe(refused.value, "en")
    assert children() == set()


@pytest.mark.requirement("data-readers-replaced")
async def test_a_child_that_dies_while_it_starts_is_replaced_once(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = asyncio.create_subprocess_exec, list[asyncio.subprocess.Process]()

    async def first_dies(*words: str, **rest: Any) -> asyncio.subprocess.Process:
        started.append(await start(*words, **rest))
        if len(started) == 1:
            started[0].kill()
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", first_dies)
    pool = WorkerPool(GENEROUS, size=1, warm=WARM)
    try:
        assert await opens(pool, good)
    finally:
        await pool.stop()
    assert len(started) == 2


async def test_a_machine_that_starts_no_process_is_told_as_such(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuses(*words: str, **rest: Any) -> asyncio.subprocess.Process:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", refuses)
    with pytest.raises(ReadersUnavailable, match="temporarily unavailable"):
        await opens(WorkerPool(GENEROUS, size=1, warm=WARM), good)


def test_the_adapter_loads_no_reader_into_the_service() -> None:
    code = (
        "import sys; import tablewright.data.base; from tablewright.data.files.tables import FileTables; FileTables();"
        "print(sorted({'polars', 'duckdb', 'python_calamine', 'lxml', 'msoffcrypto', 'olefile'} & set(sys.modules)))"
    )
    said = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    assert said.stdout.strip() == "[]"
