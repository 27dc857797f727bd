"""Starts commands from a process that has imported what they need: an import is most of what a short command costs.

Each command is a process of its own, with its own folder, environment and output; one that begins with `-m` is a module
of ours, as `python -m` runs it. `python -m tests.support.warm_server
DESCRIPTOR` takes commands from the socket of that number until its other end is closed."""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import runpy
import socket
import sys
import tempfile
import time
from pathlib import Path

from tablewright.cli.commands import COMMANDS
from tablewright.cli.main import main
from tablewright.domain.events import TextDelta
from tablewright.store.codec import decode_body, encode_body
from tablewright.store.sql import SqlStore

MESSAGE_BYTES = 1 << 18
BESIDE_COMMANDS = (
    "tablewright.analyst.evaluating.pooled",
    "tablewright.analyst.model",
    "tablewright.api.app",
    "tablewright.bootstrap.build",
    "tablewright.cli.clients.in_process",
    "tablewright.cli.ask_command",
    "tablewright.cli.clients.local",
    "tablewright.data.pool",
    "tablewright.mcp_server.server",
    "tablewright.sandbox.embedded.sandbox",
    "tablewright.store.blobs",
    "tablewright.workbook.package.editor",
    "tablewright.workbook.package.viewer",
)
"""What commands import once they run."""


async def rehearse(folder: Path) -> None:
    """Make a database and read an event: what that imports and builds is used by nearly every command."""
    store = SqlStore(f"sqlite+aiosqlite:///{folder / 'store.db'}")
    await store.open()
    await store.close()
    decode_body(encode_body(TextDelta(text="")))


def next_command(control: socket.socket) -> list[str] | None:
    """Return the words of a command, in a process of its own; None once nobody asks any more."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MESSAGE_BYTES, 3)
        if not message:
            return None
        if not os.fork():
            control.close()
            told, out, err = descriptors
            command = os.fork()
            if command:
                _keep(command, told)
            return _begin(json.loads(message), told, out, err)
        for descriptor in descriptors:
            os.close(descriptor)
        _reap()


def _begin(command: dict[str, object], told: int, out: int, err: int) -> list[str]:
    """Make this process that of the command."""
    os.close(told)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  # a descriptor is wanted
        os.dup2(nothing.fileno(), 0)
    for source, target in ((out, 1), (err, 2)):
        os.dup2(source, target)
        os.close(source)
    environ, words = command["environ"], command["words"]
    assert isinstance(environ, dict)
    assert isinstance(words, list)
    os.chdir(str(command["folder"]))
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    tempfile.tempdir = None
    return words


def _keep(command: int, told: int) -> None:
    """Tell the command's process and, once it has ended, its exit code as `subprocess` gives it."""
    os.closerange(0, told)
    os.closerange(told + 1, told + 16)
    try:
        os.write(told, str(command).encode())
        _, status = os.waitpid(command, 0)
        os.write(told, str(os.waitstatus_to_exitcode(status)).encode())
    finally:
        os._exit(0)


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


if __name__ == "__main__":
    for name in (*(command.target.partition(":")[0] for command in COMMANDS), *BESIDE_COMMANDS):
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(rehearse(Path(folder)))
    assert len(os.listdir("/proc/self/task")) == 1, "a process with threads cannot be copied"  # noqa: PTH208
    gc.collect()
    gc.freeze()
    words = next_command(socket.socket(fileno=int(sys.argv[1])))
    if words is not None and words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words is not None:
        main(words)
