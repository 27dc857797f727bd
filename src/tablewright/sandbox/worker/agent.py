"""Process 1 of a container: starts one worker, relays what is sent to and by it, and reports its end.

stdin    frames of the supervisor; the agent handles `interrupt`, `pause`, `resume` and `kill`, the worker all others
stdout   chunks (see channels): the worker's frames untouched, and the agent's own messages in JSON:
         hello{level, reason, landlock, program}, stray{text}, load{memory_bytes, cpu_s, orphan_bytes}, exited{code}

Stray output of the worker is reported before any frame that the worker wrote later. While the supervisor does not read,
the worker is not read either.
"""

from __future__ import annotations

import codecs
import json
import os
import select
import signal
import sys
import time
from typing import Any

from . import channels, contained, orphans, program
from .framing import MAX_FRAME_BYTES, PREFIX
from .jail import libc

_READ_BYTES = 32 * 1024
_STRAY_BYTES = 16 * 1024
_PART_BYTES = 8 * 1024
_DRAIN_BYTES = 1024**2
_HIGH_BYTES = 1024**2
_LOAD_MS = 100
_WORK = "/data/sessions"
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


def _message(kind: str, /, **fields: Any) -> bytes:
    return channels.chunk(channels.AGENT, json.dumps({"kind": kind, **fields}).encode(errors="replace"))


class WorkerAgent:
    """Relays and watches; `run` returns when the worker has ended or the supervisor is gone."""

    def __init__(self, child: int, pipes: contained.Pipes) -> None:
        self._child = child
        self._pipes = pipes
        self._to_worker = bytearray()
        self._to_supervisor = bytearray()
        self._heard = bytearray()
        self._stray_left = _STRAY_BYTES
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._running = False
        self._looked_at = 0.0
        self._ended: set[int] = set()
        self._code: int | None = None
        self._wake, waking = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.set_wakeup_fd(waking)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for descriptor in (0, 1, pipes.to_worker, pipes.from_worker, pipes.stray):
            os.set_blocking(descriptor, False)

    def run(self) -> None:
        """Relay until the end."""
        while self._code is None:
            ready = self._poll()
            self._look()
            if 0 in ready and not self._hear():
                os.kill(self._child, signal.SIGKILL)
                return
            if self._wake in ready:
                self._read(self._wake)
                self._reap()
            if self._pipes.stray in ready:
                self._take_stray()
            if self._pipes.from_worker in ready:
                self._take_frames()
            self._give(self._pipes.to_worker, self._to_worker)
            self._give(1, self._to_supervisor)
        self._end(self._code)

    def _poll(self) -> set[int]:
        wanted = {0: select.POLLIN, self._wake: select.POLLIN, self._pipes.stray: select.POLLIN}
        if len(self._to_supervisor) < _HIGH_BYTES:
            wanted[self._pipes.from_worker] = select.POLLIN
        if self._to_supervisor:
            wanted[1] = select.POLLOUT
        if self._to_worker:
            wanted[self._pipes.to_worker] = select.POLLOUT
        poll = select.poll()
        for descriptor in wanted.keys() - self._ended:
            poll.register(descriptor, wanted[descriptor])
        return {descriptor for descriptor, _ in poll.poll(_LOAD_MS if self._running else None)}

    def _read(self, descriptor: int) -> bytes:
        """Return the available bytes; stop watching the descriptor at its end."""
        try:
            part = os.read(descriptor, _READ_BYTES)
        except BlockingIOError:
            return b""
        if not part:
            self._ended.add(descriptor)
        return part

    def _give(self, descriptor: int, data: bytearray) -> None:
        try:
            while data:
                del data[: os.write(descriptor, data[:_READ_BYTES])]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._ended.add(descriptor)
            data.clear()

    def _hear(self) -> bool:
        """Process the supervisor's frames; return False when it is gone."""
        self._heard += self._read(0)
        if 0 in self._ended:
            return False
        while len(self._heard) >= PREFIX.size:
            header_length, blob_length = PREFIX.unpack_from(self._heard)
            length = PREFIX.size + header_length + blob_length
            if length > MAX_FRAME_BYTES:
                return False
            if len(self._heard) < length:
                break
            frame = bytes(self._heard[:length])
            del self._heard[:length]
            self._obey(frame, json.loads(frame[PREFIX.size : PREFIX.size + header_length])["kind"])
        return True

    def _obey(self, frame: bytes, kind: str) -> None:
        if kind == "interrupt":
            os.kill(self._child, signal.SIGINT)
        elif kind == "kill":
            os.kill(self._child, signal.SIGKILL)
        elif kind == "pause":
            os.kill(self._child, signal.SIGSTOP)
            self._running = False
            self._say_load()
        elif kind == "resume":
            self._stray_left = _STRAY_BYTES
            self._running = True
            os.kill(self._child, signal.SIGCONT)
        else:
            self._to_worker += frame

    def _look(self) -> None:
        """Report the load at intervals, however busy the line is; not while the supervisor does not read."""
        now = time.monotonic()
        if self._running and now - self._looked_at >= _LOAD_MS / 1000 and len(self._to_supervisor) < _HIGH_BYTES:
            self._say_load()
            # Looking takes long where there is much to look at, and the line must go on.
            self._looked_at = time.monotonic()

    def _say_load(self) -> None:
        try:
            with open(f"/proc/{self._child}/statm", encoding="ascii") as file:  # noqa: PTH123 - ten times a second
                memory = int(file.read().split()[1]) * _PAGE
            with open(f"/proc/{self._child}/stat", encoding="ascii") as file:  # noqa: PTH123
                times = file.read().rpartition(")")[2].split()
        except (OSError, ValueError, IndexError):
            return
        cpu = (int(times[11]) + int(times[12])) / _TICKS
        kept = orphans.space(self._child, (_WORK,))
        self._to_supervisor += _message("load", memory_bytes=memory, cpu_s=cpu, orphan_bytes=kept)

    def _take_stray(self) -> None:
        """Keep the beginning of the stray output and drop the rest, so that the worker never blocks on a full pipe."""
        taken = 0
        while taken < _DRAIN_BYTES and (part := self._read(self._pipes.stray)):
            taken += len(part)
            kept = part[: self._stray_left]
            self._stray_left -= len(kept)
            # In pieces: each byte may take six characters of JSON.
            for start in range(0, len(kept), _PART_BYTES):
                text = self._decoder.decode(kept[start : start + _PART_BYTES])
                self._to_supervisor += _message("stray", text=text)

    def _take_frames(self) -> None:
        part = self._read(self._pipes.from_worker)
        if part:
            self._take_stray()
            self._to_supervisor += channels.chunk(channels.WORKER, part)

    def _reap(self) -> None:
        child, status = os.waitpid(self._child, os.WNOHANG)
        if child:
            self._code = os.waitstatus_to_exitcode(status)

    def _end(self, code: int) -> None:
        """Pass on the worker's last output and report how it ended."""
        while part := self._read(self._pipes.from_worker):
            self._to_supervisor += channels.chunk(channels.WORKER, part)
        self._take_stray()
        self._to_supervisor += _message("exited", code=code)
        os.set_blocking(1, True)
        self._give(1, self._to_supervisor)


def _first_frame() -> dict[str, Any]:
    """Wait for `begin`, the supervisor's first frame."""
    data = b""
    length = PREFIX.size
    while len(data) < length:
        part = os.read(0, length - len(data))
        if not part:
            sys.exit(0)
        data += part
        if len(data) == PREFIX.size:
            length += PREFIX.unpack(data)[0]
    message: dict[str, Any] = json.loads(data[PREFIX.size :])
    return message


def main() -> None:
    """Report the isolation level, then start the worker and relay for it."""
    # Process 1 is only ended by signals that it handles.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    os.umask(0o022)
    os.environ.clear()
    os.environ.update(program.ENVIRONMENT)
    place = contained.look()
    os.write(
        1, _message("hello", level=place.level, reason=place.reason, landlock=place.landlock, program=program.digest())
    )
    begin = _first_frame()
    child, pipes = contained.start(begin["packages"], place)
    # The worker, which has the same user, must not read this process's memory or descriptors.
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    WorkerAgent(child, pipes).run()
