"""Progress of a batch in a child process, reported through a named pipe.

The child writes a byte as each operation begins, and one when all are done. Its result comes only at the end; this
comes meanwhile, at the cost of one system call per operation.
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
    """Provide the path of a pipe for the child, and report to `watch` on this loop what is written to it.

    The path is None if there is no `watch`, or if no pipe can be created. Reporting stops when the context ends.
    """
    if watch is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
        path = Path(folder) / "marks"
        try:
            os.mkfifo(path, 0o600)
        except OSError:  # a file system that does not support pipes
            yield None
            return
        with _reading(path, watch, operations):
            yield str(path)


@contextmanager
def _reading(path: Path, watch: Watch, operations: int) -> Iterator[None]:
    pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)  # also a writer: a closing child causes no end of file
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
    """Provide the function for the child to call as each operation begins, and once after the last."""
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
    except OSError:  # the reader is gone
        return None


def _mark(pipe: int) -> None:
    with suppress(OSError):
        os.write(pipe, MARK)


def _unmarked() -> None:
    """Do nothing: there is no pipe."""
