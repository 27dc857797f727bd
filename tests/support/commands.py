"""Runs `tablewright` as a person does: in a process of its own, in a folder of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.patience import PATIENCE_S
from tests.support.warm_start import Process, WarmStart

STARTER = "from tablewright.cli.main import main; main()"
FEW_PACKAGES = {"TABLEWRIGHT_SANDBOX__PRELOAD_PACKAGES": "pandas,numpy"}
"""What is imported for sessions ahead of time changes how quick they are, not what they can do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


@dataclass(slots=True, kw_only=True)
class Commands:
    """Starts commands in `folder`, with their data in it; `environ` completes the environment. `before` is a command
    that starts them, such as one that sets limits. With `warm`, they need not import what they use."""

    folder: Path
    before: tuple[str, ...] = ()
    environ: dict[str, str] = field(default_factory=dict[str, str])
    warm: WarmStart | None = None

    async def run(self, *words: str, timeout_s: float = PATIENCE_S) -> Said:
        """Run a command to its end."""
        process = await self.start(*words)
        async with asyncio.timeout(timeout_s):
            out, err = await process.communicate()
        assert process.returncode is not None
        return Said(code=process.returncode, out=out.decode(), err=err.decode())

    async def start(self, *words: str) -> Process:
        """Start a command."""
        environ = {**os.environ, **FEW_PACKAGES, "TABLEWRIGHT_DATA_DIR": str(self.folder / "data"), **self.environ}
        if self.warm is not None and not self.before:
            return await self.warm.start(words, self.folder, environ)
        return await asyncio.create_subprocess_exec(
            *self.before,
            sys.executable,
            "-c",
            STARTER,
            *words,
            cwd=self.folder,
            env=environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    @asynccontextmanager
    async def serving(self, *words: str) -> AsyncIterator[tuple[str, Process]]:
        """Run `serve` on a free port while the context is open; yields its URL."""
        process = await self.start("serve", "--port", "0", *words)
        assert process.stdout is not None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while "http://" not in (line := (await process.stdout.readline()).decode()):
                    assert line, "the service ended before it was ready"
            yield line[line.index("http://") :].split()[0], process
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
                try:
                    async with asyncio.timeout(PATIENCE_S):
                        await process.communicate()
                except TimeoutError:
                    process.kill()
                    await process.communicate()
                    raise


@contextmanager
def service(folder: Path) -> Iterator[str]:
    """Run `serve` on a free port for tests that share it, whatever event loop each has; yields its URL."""
    environ = {**os.environ, **FEW_PACKAGES, "TABLEWRIGHT_DATA_DIR": str(folder / "data")}
    command = [sys.executable, "-c", STARTER, "serve", "--port", "0"]
    with (
        (folder / "said.log").open("wb") as said,
        subprocess.Popen(
            command, cwd=folder, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said, text=True
        ) as process,
    ):
        assert process.stdout is not None
        try:
            while "http://" not in (line := process.stdout.readline()):
                assert line, "the service ended before it was ready"
            yield line[line.index("http://") :].split()[0]
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
