"""Starts commands with a server of the session that has imported them (`warm_server`), and gives them as `asyncio`
gives processes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

ROOT = Path(__file__).parents[2]
LEFT_S = 5.0
"""How long the output of a process that has ended is read on when others hold its other end."""
MOST_OUTPUT = 1 << 26


class Process(Protocol):
    """What tests use of `asyncio.subprocess.Process`."""

    @property
    def pid(self) -> int: ...
    @property
    def returncode(self) -> int | None: ...
    @property
    def stdout(self) -> asyncio.StreamReader | None: ...
    @property
    def stderr(self) -> asyncio.StreamReader | None: ...
    async def wait(self) -> int: ...
    async def communicate(self) -> tuple[bytes, bytes]: ...
    def send_signal(self, signal: int) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


class _Pipe(asyncio.StreamReaderProtocol):
    """Reads a pipe to its end, whether or not somebody takes what is read."""

    def __init__(self) -> None:
        self.reader = asyncio.StreamReader(limit=MOST_OUTPUT)
        self.ended = asyncio.Event()
        super().__init__(self.reader)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.ended.set()


class WarmProcess:
    """A process that the server started."""

    def __init__(self, pid: int, told: socket.socket, pipes: Mapping[_Pipe, asyncio.BaseTransport]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._pipes = pipes
        self.stdout, self.stderr = (pipe.reader for pipe in pipes)
        self._end = asyncio.create_task(self._ended(told), name=f"end of {pid}")

    async def wait(self) -> int:
        """Return the exit code, negative for a signal, once the process has ended."""
        return await asyncio.shield(self._end)

    async def communicate(self) -> tuple[bytes, bytes]:
        """Return all that the process wrote, once it has ended."""
        out, err, _ = await asyncio.gather(self.stdout.read(), self.stderr.read(), self.wait())
        return out, err

    def send_signal(self, signal: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.returncode is None:
            os.kill(self.pid, signal)

    def terminate(self) -> None:
        """End the process with a signal that it can answer."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process with a signal that it cannot answer."""
        self.send_signal(signal.SIGKILL)

    async def _ended(self, told: socket.socket) -> int:
        try:
            with told:
                self.returncode = int(await asyncio.get_running_loop().sock_recv(told, 64))
            async with asyncio.timeout(LEFT_S):
                await asyncio.gather(*(pipe.ended.wait() for pipe in self._pipes))
        except TimeoutError:
            assert self.returncode is not None
        finally:
            for transport in self._pipes.values():
                transport.close()
        return self.returncode


@dataclass(frozen=True, slots=True)
class WarmStart:
    """A server that starts commands."""

    control: socket.socket

    async def module(self, name: str, *arguments: str) -> WarmProcess:
        """Start a module of ours that is a program, in the folder of the project."""
        return await self.start(("-m", name, *arguments), ROOT, os.environ)

    async def start(self, words: tuple[str, ...], folder: Path, environ: Mapping[str, str]) -> WarmProcess:
        """Start a command."""
        loop = asyncio.get_running_loop()
        told, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        told.setblocking(False)
        pipes: dict[_Pipe, asyncio.BaseTransport] = {}
        given = [theirs.detach()]
        try:
            for _ in range(2):
                mine, other = os.pipe()
                given.append(other)
                transport, pipe = await loop.connect_read_pipe(_Pipe, os.fdopen(mine, "rb", buffering=0))
                pipes[pipe] = transport
            message = json.dumps({"words": words, "folder": str(folder), "environ": dict(environ)}).encode()
            socket.send_fds(self.control, [message], given)
        finally:
            for descriptor in given:
                os.close(descriptor)
        return WarmProcess(int(await loop.sock_recv(told, 64)), told, pipes)


@pytest.fixture(scope="session")
def warm_start(scrubbed_environment: None) -> Iterator[WarmStart]:
    """A server that has imported the commands, for all tests of the session."""
    del scrubbed_environment
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with control:
        with theirs:
            number = theirs.fileno()
            server = subprocess.Popen(
                [sys.executable, "-m", "tests.support.warm_server", str(number)], cwd=ROOT, pass_fds=(number,)
            )
        yield WarmStart(control)
        control.shutdown(socket.SHUT_RDWR)
        server.wait()
