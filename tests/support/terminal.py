"""A terminal with a person at it: commands see a tty, the test reads what they write and types."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.support.commands import STARTER, Commands
from tests.support.patience import PATIENCE_S

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """One command in a terminal of 100 columns."""

    def __init__(self, process: asyncio.subprocess.Process, master: int) -> None:
        self._process = process
        self._master = master
        self._loop = asyncio.get_running_loop()
        self._new = asyncio.Event()
        self.shown = ""
        self._loop.add_reader(master, self._read)

    async def until(self, words: str, *, timeout_s: float = PATIENCE_S) -> str:
        """Wait until `words` are shown; returns all that was."""
        async with asyncio.timeout(timeout_s):
            while words not in self.shown:
                self._new.clear()
                await self._new.wait()
        return self.shown

    def type(self, line: str) -> None:
        """Type a line; what was shown before it is forgotten."""
        self.shown = ""
        os.write(self._master, f"{line}\n".encode())

    async def end(self, *, timeout_s: float = PATIENCE_S) -> int:
        """Wait for the command's end; returns its exit code."""
        async with asyncio.timeout(timeout_s):
            return await self._process.wait()

    def close(self) -> None:
        """Take the terminal away."""
        self._loop.remove_reader(self._master)
        os.close(self._master)
        if self._process.returncode is None:
            self._process.kill()

    def _read(self) -> None:
        piece = b""
        with suppress(OSError):  # the other end is closed
            piece = os.read(self._master, 65536)
        if not piece:
            self._loop.remove_reader(self._master)
        self.shown += _ESCAPES.sub("", piece.decode(errors="replace")).replace("\r", "")
        self._new.set()


@asynccontextmanager
async def in_terminal(commands: Commands, *words: str) -> AsyncIterator[Terminal]:
    """Run a command in a terminal while the context is open."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    environ = {**os.environ, "TABLEWRIGHT_DATA_DIR": str(commands.folder / "data"), "TERM": "xterm", **commands.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STARTER, *words, cwd=commands.folder, env=environ, stdin=slave, stdout=slave, stderr=slave
    )
    os.close(slave)
    terminal = Terminal(process, master)
    try:
        yield terminal
    finally:
        terminal.close()
        await process.wait()
