"""What the Docker backend asks of a daemon, answered with processes: the agent and its frames over stdio, without
Docker.

A container is a process in namespaces of its own with the folders of its session; there are no images, and no limits
but those that the agent's worker sets itself. For tests of the transport, wherever namespaces can be had.
"""

from __future__ import annotations

import asyncio
import json
import struct
import sys
import tempfile
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

_PROGRAM = Path(__file__).with_name("process_container.py")
_SAID = struct.Struct(">BxxxI")
_CHUNK_BYTES = 64 * 1024
_UPGRADED = b"HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n"
Answer = tuple[int, object]


@dataclass(slots=True, kw_only=True)
class _Container:
    specification: dict[str, Any]
    line: tuple[StreamReader, StreamWriter] | None = None
    process: Process | None = None
    tasks: list[asyncio.Task[None]] = field(default_factory=list[asyncio.Task[None]])


class ProcessDaemon:
    """Listens at `socket`. `python` is the interpreter of sessions."""

    def __init__(self, folder: Path, python: Path) -> None:
        self.socket = folder / "docker.sock"
        self._folder = folder
        self._python = python
        self._containers: dict[str, _Container] = {}
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._serve, self.socket)

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for name in list(self._containers):
            await self._remove(name)

    @property
    def names(self) -> list[str]:
        """The containers that there are."""
        return list(self._containers)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                method, target, _ = head[0].split(" ")
                fields = dict(line.lower().split(": ", 1) for line in head[1:] if line)
                body = await reader.readexactly(int(fields.get("content-length", 0)))
                address = urlsplit(target)
                *_, name, act = ["", *address.path.strip("/").split("/")]
                if act == "attach":
                    self._containers[name].line = (reader, writer)
                    writer.write(_UPGRADED)
                    return
                status, told = await self._answer(method, address.path, parse_qs(address.query), body)
                said = json.dumps(told).encode() if told is not None else b""
                writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(said)}\r\n\r\n".encode() + said)
                await writer.drain()
        writer.close()

    async def _answer(self, method: str, path: str, query: dict[str, list[str]], body: bytes) -> Answer:
        parts = path.strip("/").split("/")
        if parts == ["containers", "create"]:
            name = query["name"][0]
            self._containers[name] = _Container(specification=json.loads(body))
            return 201, {"Id": name}
        if parts == ["containers", "json"]:
            known = self._containers.items()
            return 200, [{"Id": name, "Labels": one.specification["Labels"]} for name, one in known]
        if parts[0] == "containers":
            return await self._of_container(method, parts[1], parts[-1])
        answers: dict[str, object] = {"info": {"Runtimes": {"process": {}}}, "volumes": {"Volumes": []}, "images": {}}
        return 200, answers[parts[0]]

    async def _of_container(self, method: str, name: str, act: str) -> Answer:
        if name not in self._containers:
            return 404, {"message": f"No such container: {name}"}
        if method == "DELETE":
            await self._remove(name)
            return 204, None
        container = self._containers[name]
        if act == "start":
            await self._start(container)
        elif act == "kill" and container.process is not None and container.process.returncode is None:
            container.process.kill()
        elif act == "json":
            return 200, {"State": {"OOMKilled": False}}
        return 204, None

    async def _start(self, container: _Container) -> None:
        asked = container.specification
        sources = {
            mount["Target"]: Path(mount["Source"]) for mount in asked["HostConfig"]["Mounts"] if "Source" in mount
        }
        (shared, source), (work, _) = sources.items()
        given = {
            "base": tempfile.mkdtemp(dir=self._folder),
            "sessions": str(source.parents[1]),
            "name": source.parent.name,
            "shared": shared,
            "work": work,
            "user": int(asked["User"].partition(":")[0]),
            "python": str(self._python),
            "read_only": [str(self._python.parent.parent), str(self._python.resolve().parent.parent)],
        }
        container.process = process = await asyncio.create_subprocess_exec(
            sys.executable, _PROGRAM, json.dumps(given), stdin=PIPE, stdout=PIPE, stderr=PIPE
        )
        assert container.line is not None
        assert process.stdout is not None
        assert process.stderr is not None
        reader, writer = container.line
        said = [
            asyncio.create_task(_pass_on(process.stdout, writer, 1)),
            asyncio.create_task(_pass_on(process.stderr, writer, 2)),
        ]
        container.tasks = [*said, asyncio.create_task(_feed(reader, process)), asyncio.create_task(_end(said, writer))]

    async def _remove(self, name: str) -> None:
        container = self._containers.pop(name)
        if container.process is not None:
            with suppress(ProcessLookupError):
                container.process.kill()
            await container.process.wait()
        for task in container.tasks:
            task.cancel()
        await asyncio.gather(*container.tasks, return_exceptions=True)
        if container.line is not None:
            container.line[1].close()


async def _pass_on(reader: StreamReader, writer: StreamWriter, stream: int) -> None:
    """Frame what a process says as a daemon does."""
    with suppress(ConnectionError):
        while said := await reader.read(_CHUNK_BYTES):
            writer.write(_SAID.pack(stream, len(said)) + said)
            await writer.drain()


async def _feed(reader: StreamReader, process: Process) -> None:
    assert process.stdin is not None
    with suppress(ConnectionError):
        while said := await reader.read(_CHUNK_BYTES):
            process.stdin.write(said)
            await process.stdin.drain()
    process.stdin.close()


async def _end(said: list[asyncio.Task[None]], writer: StreamWriter) -> None:
    await asyncio.gather(*said)
    writer.close()
