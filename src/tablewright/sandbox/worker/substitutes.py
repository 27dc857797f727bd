"""Replacements for what the filter of system calls refuses although honest code does it."""

from __future__ import annotations

import asyncio.selector_events
import os
import socket
from types import ModuleType
from typing import Any


class _PipeEnd:
    """One end of a pipe, with what an event loop uses of a socket."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def setblocking(self, flag: bool) -> None:  # noqa: FBT001 - as a socket has it
        os.set_blocking(self._descriptor, flag)

    def recv(self, count: int) -> bytes:
        return os.read(self._descriptor, count)

    def send(self, data: bytes) -> int:
        return os.write(self._descriptor, data)

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def _pipe() -> tuple[_PipeEnd, _PipeEnd]:
    reading, writing = os.pipe2(os.O_CLOEXEC)
    return _PipeEnd(reading), _PipeEnd(writing)


class _Sockets(ModuleType):
    """The module `socket` as event loops see it: what wakes a loop is a pipe."""

    socketpair = staticmethod(_pipe)

    def __getattr__(self, name: str) -> Any:
        return getattr(socket, name)


def _truncate(path: Any, length: int) -> None:
    """Shorten or lengthen a file; `path` may be a descriptor."""
    if isinstance(path, int):
        os.ftruncate(path, length)
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.ftruncate(descriptor, length)
    finally:
        os.close(descriptor)


def install() -> None:
    """Install the replacements in this process; call it before forking."""
    setattr(asyncio.selector_events, "socket", _Sockets("socket"))  # noqa: B010 - one module stands in for another
    os.truncate = _truncate
