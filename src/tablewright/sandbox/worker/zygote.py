"""The process that workers are forked from: it enters the jail, loads packages, then forks on request.

Control messages are single packets of JSON; descriptors are passed along with them.
    to the zygote     spawn{tag, user} + [worker's socket, pipe for stray output]
    from the zygote   level{level, landlock, reason}, ready{missing}, spawned{tag} + [pidfd], failed{tag, reason},
                      exited{tag, code}
"""

from __future__ import annotations

import faulthandler
import json
import os
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress
from typing import Any, NamedTuple

from . import preload, wait
from .emitter import Emitter
from .framing import FrameWriter
from .interrupts import Interrupts
from .jail import identity, limits, mounts, stages
from .runner import Runner
from .session import Worker

_PACKET_BYTES = 65_536


class WorkerChild(NamedTuple):
    """A worker: the supervisor's name for it, and the handle that becomes readable when it has ended."""

    tag: str
    handle: int


class Zygote:
    """Forks workers and reports their ends."""

    def __init__(self, control: socket.socket, house: stages.JailMounts, way: stages.IsolationPlan) -> None:
        self.control = control
        self.house = house
        self.way = way
        self.children: dict[int, WorkerChild] = {}
        self.poll = select.poll()
        self.interrupts = Interrupts()
        nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        self.emitter = Emitter(FrameWriter(nowhere, nowhere, self.interrupts), self.interrupts)
        self.runner = Runner(self.emitter, self.interrupts)
        self.fonts: dict[str, bytes] = {}

    def say(self, kind: str, descriptors: list[int] | None = None, /, **fields: Any) -> None:
        """Send a message to the supervisor."""
        packet = json.dumps({"kind": kind, **fields}).encode()
        if descriptors:
            socket.send_fds(self.control, [packet], descriptors)
        else:
            self.control.send(packet)

    def prepare(self, packages: list[str]) -> None:
        """Load what sessions share."""
        missing = preload.load(packages)
        preload.rehearse(self.runner)
        count = preload.threads()
        if count > 1:
            raise RuntimeError(f"{count} threads after preloading: a fork would lose all but one")
        self.fonts = preload.fonts()
        preload.freeze()
        self.say("ready", missing=missing)

    def serve(self) -> None:
        """Fork on request and reap ended workers, until the supervisor is gone.

        Ends are seen by process handles: SIGCHLD would also tell of each pause and resumption, twice in every cell.
        """
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # Whoever started the service may have had it ignored, and then no end could be waited for.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self.poll.register(self.control, select.POLLIN)
        while True:
            ready = {descriptor for descriptor, _ in self.poll.poll()}
            control = self.control.fileno() in ready
            if len(ready) > control:
                self._reap()
            if control and not self._obey():
                return

    def _reap(self) -> None:
        """Report every child that ended."""
        while self.children:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                return
            ended = self.children.pop(child, None)
            if ended is not None:
                self.poll.unregister(ended.handle)
                os.close(ended.handle)
                self.say("exited", tag=ended.tag, code=os.waitstatus_to_exitcode(status))

    def _obey(self) -> bool:
        packet, descriptors, _, _ = socket.recv_fds(self.control, _PACKET_BYTES, 4)
        if not packet:
            return False
        message = json.loads(packet)
        try:
            self._spawn(message["tag"], message["user"], descriptors)
        except OSError as error:
            self.say("failed", tag=message["tag"], reason=str(error))
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        return True

    def _spawn(self, tag: str, user: int | None, descriptors: list[int]) -> None:
        if self.way.level == "L1":
            child = os.fork()
            if child == 0:
                self._become_worker(user, descriptors, separated=False)
        else:
            child = self._spawn_separated(user, descriptors)
        handle = os.pidfd_open(child)
        self.children[child] = WorkerChild(tag, handle)
        self.poll.register(handle, select.POLLIN)
        self.say("spawned", [handle], tag=tag)

    def _spawn_separated(self, user: int | None, descriptors: list[int]) -> int:
        """Fork twice: the first child leaves the namespaces, the second is process 1 of the new ones and
        becomes our child."""
        reading, writing = os.pipe2(os.O_CLOEXEC)
        between = os.fork()
        if between == 0:
            try:
                stages.separate(self.way)
                child = os.fork()
                if child == 0:
                    self._become_worker(user, descriptors, separated=True)
                os.write(writing, str(child).encode())
                os._exit(0)
            except BaseException as error:  # noqa: BLE001 - a fork must not return into its parent's code
                os.write(writing, f"!{error}".encode())
                os._exit(1)
        os.close(writing)
        with os.fdopen(reading, "rb") as stream:
            answer = stream.read().decode()
        os.waitpid(between, 0)
        if not answer.isdigit():
            raise OSError(answer or "the fork died")
        return int(answer)

    def _become_worker(self, user: int | None, descriptors: list[int], *, separated: bool) -> None:
        code = 70
        try:
            self._run_worker(user, descriptors, separated=separated)
            code = 0
        except BaseException:  # noqa: BLE001 - a fork must not return into its parent's code
            os.write(2, traceback.format_exc().encode(errors="replace")[-4096:])
        os._exit(code)

    def _run_worker(self, user: int | None, descriptors: list[int], *, separated: bool) -> None:
        channel, stray = descriptors
        os.dup2(stray, 1)
        os.dup2(stray, 2)
        _close_all_but({0, 1, 2, channel})
        if separated:
            mounts.private_memory(self.house.read_only, tmp_bytes=self.house.tmp_bytes, shm_bytes=self.house.shm_bytes)
        faulthandler.enable(file=2, all_threads=False)
        preload.awaken()
        preload.stretch(self.runner)
        wire = FrameWriter(channel, channel, self.interrupts)
        self.emitter.connect(wire)

        def lease(header: dict[str, Any]) -> str:
            room = stages.SessionMounts(user=user, **header["room"])
            os.environ.update(TMPDIR=room.tmp, HOME=room.tmp, MPLCONFIGDIR=f"{room.tmp}/matplotlib")
            quota = limits.Quota(own_user=user is not None or self.way.nested, **header["quota"])
            stages.lock_down(self.house, self.way, room, quota)
            preload.give_fonts(self.fonts)
            return room.work

        Worker(wire, self.emitter, self.runner, self.interrupts, lease).serve()


def _close_all_but(kept: set[int]) -> None:
    start = 0
    for descriptor in sorted(kept):
        if start < descriptor:  # an empty range would mean all of them
            os.closerange(start, descriptor)
        start = descriptor + 1
    os.closerange(start, 65_536)


def _house(message: dict[str, Any]) -> stages.JailMounts:
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    own = [sys.prefix, sys.base_prefix, sys.exec_prefix, here]
    # An environment may refer elsewhere: through path files, links, and libraries outside its prefix.
    there = [entry for entry in (*own, *sys.path, *mounts.mapped_libraries()) if os.path.isdir(entry)]  # noqa: PTH112
    seen = {path for entry in there for path in (entry, os.path.realpath(entry))}
    return stages.JailMounts(
        base=message["base"],
        sessions=message["sessions"],
        read_only=tuple(mounts.outermost(seen)),
        users=tuple(message["users"]),
        tmp_bytes=message["tmp_bytes"],
        shm_bytes=message["shm_bytes"],
        landlock=message["landlock"],
    )


def _enter(house: stages.JailMounts, way: stages.IsolationPlan) -> None:
    """Leave the host.

    The process that returns is process 1 inside; the original one waits for it and exits with its status.
    """
    stages.enter(house, user_namespace=way.user_namespace)
    child = os.fork()
    if child:
        os.closerange(3, 65_536)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(OSError):
            os.execv(sys.executable, [sys.executable, "-I", "-S", wait.__file__, str(child)])  # noqa: S606 - no shell
        wait.exit_with(child)
    identity.die_with_parent()
    stages.settle()
    if not way.user_namespace:
        identity.keep_what_forking_needs()


def main(control: socket.socket) -> None:
    """Enter the jail as far as possible, report the level, load, and serve."""
    identity.die_with_parent()
    os.umask(0o022)
    message = json.loads(control.recv(_PACKET_BYTES))
    house = _house(message)
    way = stages.trial(house, message["strongest"])
    found = {"level": way.level, "landlock": way.landlock, "reason": way.reason}
    control.send(json.dumps({"kind": "level", **found}).encode())
    if way.level == "NONE" or control.recv(_PACKET_BYTES) != b"go":
        return
    if way.level != "L1":
        _enter(house, way)
    tmp = message["tmp"] if way.level == "L1" else "/tmp"  # noqa: S108 - the jail's own
    fonts = f"{house.sessions if way.level == 'L1' else mounts.SESSIONS}/{message['fonts']}"
    os.environ.update(HOME=tmp, TMPDIR=tmp, IPYTHONDIR=f"{tmp}/ipython", MPLCONFIGDIR=fonts)
    zygote = Zygote(control, house, way)
    zygote.prepare(message["packages"])
    zygote.serve()
