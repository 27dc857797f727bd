"""How far a child has come with a batch, told through a named pipe: a byte as each operation begins, one when all are done.

The child's answer comes as one piece at its end; this comes meanwhile, and costs a system call for each operation.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from tablewright.workbook.base import Watch

MARK = b"."
_READ_BYTES = 65_536


@contextmanager
def watched(watch: Watch | None, operations: int) -> Iterator[str | None]:
    """Give the path of the pipe that a child writes to, None where nobody watches or there can be no pipe. What it tells
    is told to `watch`, on this loop, until the end of the context."""
    if watch is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
        path = Path(folder) / "marks"
        try:
            os.mkfifo(path, 0o600)
        except OSError:  # a file system without pipes
            yield None
            return
        with _reading(path, watch, operations):
            yield str(path)


@contextmanager
def _reading(path: Path, watch: Watch, operations: int) -> Iterator[None]:
    pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)  # a writer too, so that no child's leaving ends it
    seen = count()

    def read() -> None:
        with suppress(BlockingIOError):
            for _ in os.read(pipe, _READ_BYTES):
                place = next(seen)
                watch(place if place < operations else None)

    loop = asyncio.get_running_loop()
    loop.add_reader(pipe, read)
    try:
        yield
        read()
    finally:
        loop.remove_reader(pipe)
        os.close(pipe)


@contextmanager
def marking(path: str | None) -> Iterator[Callable[[], None]]:
    """Give what the child calls as each operation begins, and once after the last."""
    pipe = None if path is None else _opened(path)
    if pipe is None:
        yield _unmarked
        return
    try:
        yield lambda: _mark(pipe)
    finally:
        os.close(pipe)


def _opened(path: str) -> int | None:
    try:
        return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # who watched has left
        return None


def _mark(pipe: int) -> None:
    with suppress(OSError):
        os.write(pipe, MARK)


def _unmarked() -> None:
    """Nobody watches."""
