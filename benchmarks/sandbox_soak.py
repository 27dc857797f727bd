"""Runs sessions in a row with random faults, and fails if any resource grows.

    python benchmarks/sandbox_soak.py [--sessions 2000] [--seed 1] [--level L1|L2|L3]

Each session has one fault, drawn from a seed. The resources of the service and the zygote are measured after a tenth of
the sessions, in the middle and at the end, when nothing is leased. Zygotes are killed only in the first half, so that
one survives the second half and its memory can be compared.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import gc
import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import asdict, dataclass
from pathlib import Path

from tablewright.errors import MachineError
from tablewright.sandbox.base import Done, LeaseScope, Level, Limits, Output, Session, Status, TextOutput
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.process import PRELOADED_LEAST
from tablewright.sandbox.session import LeasedSession

LIMITS = Limits(memory_bytes=256 * 1024**2, files=1_000, text_chars=100_000)
SIZE = PoolSize(minimum=2, maximum=4)
AT_ONCE = 3
GROWTH_MB = 6.0
"""The tolerated difference in a process's memory: an interpreter's heap varies between measurements."""
WAITS = "import time\nprint('running')\ntime.sleep(60)"
_MEMORY = "import numpy\nkept = []\nwhile True:\n    kept.append(numpy.ones(4 * 1024**2))"
_STUBBORN = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass"
_SLEEPER = "threading.Thread(target=time.sleep, args=(60,), daemon=True)"
_THREADS = f"import threading, time\nwhile True:\n    {_SLEEPER}.start()"
_WRITES = "    try:\n        os.write(descriptor, bytes([255]) * 64)\n    except OSError:\n        pass"
_GARBAGE = f"import os\nfor descriptor in range(3, 64):\n{_WRITES}"
CELLS: dict[str, tuple[str, float, tuple[Status, ...]]] = {
    "work": ("import pandas\nresult = pandas.DataFrame({'a': range(1000)}).a.sum()", 20.0, ("ok",)),
    "error": ("kept = list(range(1000))\n1 / 0", 20.0, ("error",)),
    "output": ("for number in range(50_000):\n    print(number)", 20.0, ("ok",)),
    "memory": (_MEMORY, 20.0, ("oom", "oom_killed")),
    "timeout": ("while True:\n    pass", 0.2, ("interrupted",)),
    "stubborn": (_STUBBORN, 0.1, ("timeout_killed",)),
    "forks": ("import ctypes\nassert {ctypes.CDLL(None).fork() for _ in range(500)} == {-1}", 20.0, ("ok",)),
    "threads": (_THREADS, 20.0, ("error", "oom")),
    "disk": (
        "import time\nfor n in range(3000):\n    open(f'f{n}', 'w').close()\ntime.sleep(60)",
        60.0,
        ("disk_quota", "error"),
    ),
    "crash": ("import faulthandler\nfaulthandler._read_null()", 20.0, ("crashed",)),
    "exit": ("import os\nos._exit(3)", 20.0, ("exited",)),
    "garbage": (_GARBAGE, 20.0, ("protocol_violation",)),
}
"""Cells, each with its time limit in seconds and the statuses it may end with."""
SLOW = ("stubborn", "disk")
"""These take seconds, so they are drawn one tenth as often as the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """The resources held when nothing is leased."""

    processes: int
    descriptors: int
    threads: int
    tasks: int
    folders: int
    groups: int
    zygote_descriptors: int
    memory_mb: float
    zygote_mb: float


def _parents() -> dict[int, int]:
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                found[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    return found


def _below(process: int) -> set[int]:
    """Return the descendants of a process, including dead ones that have not been reaped."""
    parents = _parents()
    found = {process}
    while grown := {child for child, parent in parents.items() if parent in found} - found:
        found |= grown
    return found - {process}


def _anonymous_mb(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon:"))


def _count(folder: str) -> int:
    return len(os.listdir(folder))  # noqa: PTH208 - names do


class Soak:
    """Runs sessions on one sandbox. `faults` counts the faults by name; `wrong` lists what did not end as expected."""

    def __init__(self, folder: Path, level: Level, seed: int) -> None:
        config = EmbeddedConfig(
            strongest=level,
            folder=folder,
            limits=LIMITS,
            size=SIZE,
            preload=PRELOADED_LEAST,
            imports=ImportPolicy(checked=False),
        )
        self.sandbox = EmbeddedSandbox(config)
        self.faults: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._folder = folder
        self._random = random.Random(seed)
        self._zygotes_killed = 0
        self._parked: list[Session] = []
        self._others = _below(os.getpid())
        self._acts: dict[str, Callable[[Session], Awaitable[None]]] = {
            "worker killed": self._kill_worker,
            "parked": self._park,
            "reader left": self._leave,
            "reader cancelled": self._cancel_reader,
            "released while running": self._release_running,
        }

    def _zygote(self) -> int:
        zygote = self.sandbox._zygote  # noqa: SLF001 - inspected from outside
        assert zygote is not None
        return zygote.process

    def _draw(self, *, zygotes: bool) -> str:
        if zygotes and self._random.random() < 0.01:
            return "zygote killed"
        names = [*CELLS, *self._acts, "lease cancelled"]
        name = self._random.choice(names)
        return self._random.choice(names) if name in SLOW and self._random.random() < 0.9 else name

    async def some(self, count: int, *, zygotes: bool) -> None:
        """Run `count` sessions, up to `AT_ONCE` at the same time."""
        drawn = [(self._draw(zygotes=zygotes), self._random.random()) for _ in range(count)]

        async def line() -> None:
            while drawn:
                await self._one(*drawn.pop())

        async with asyncio.TaskGroup() as lines:
            for _ in range(AT_ONCE):
                lines.create_task(line())

    async def _one(self, name: str, chance: float) -> None:
        self.faults[name] += 1
        if name == "lease cancelled":
            await self._cancel_lease(chance * 0.012)
            return
        killed = self._zygotes_killed
        session = await self._acquired()
        try:
            if name in CELLS:
                await self._cell(session, name, killed)
            elif name == "zygote killed":
                await self._kill_zygote(session)
            else:
                await self._acts[name](session)
        finally:
            # A parked session gives its worker up when another needs it.
            if name != "parked":
                await session.release()

    async def _acquired(self) -> Session:
        """Lease a session, trying again if a dying zygote takes the lease with it: it is soon replaced."""
        deadline = time.monotonic() + 60
        while True:
            try:
                return await self.sandbox.acquire(LeaseScope(run_id="soak"))
            except MachineError:
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.1)

    async def _cell(self, session: Session, name: str, killed: int) -> None:
        code, timeout_s, expected = CELLS[name]
        last: Output | None = None
        async for output in session.execute(code, step_id=name, timeout_s=timeout_s):
            last = output
        assert isinstance(last, Done)
        if last.status not in expected and not (last.status == "backend_lost" and self._zygotes_killed > killed):
            self.wrong.append(f"{name} ended as {last.status}")

    def _running(self, session: Session) -> AsyncGenerator[Output]:
        return session.execute(WAITS, step_id="waits", timeout_s=60.0)

    async def _until_lost(self, session: Session, act: Callable[[], Awaitable[None]]) -> None:
        last: Output | None = None
        async with aclosing(self._running(session)) as outputs:
            async for output in outputs:
                last = output
                if isinstance(output, TextOutput):
                    await act()
        if not isinstance(last, Done) or not last.session_lost:
            self.wrong.append(f"killed, and yet {last}")

    async def _kill_worker(self, session: Session) -> None:
        assert isinstance(session, LeasedSession)
        process = session._worker.process  # noqa: SLF001

        async def kill() -> None:
            if process is not None:
                os.kill(process, signal.SIGKILL)

        await self._until_lost(session, kill)

    async def _kill_zygote(self, session: Session) -> None:
        async def kill() -> None:
            self._zygotes_killed += 1
            os.kill(self._zygote(), signal.SIGKILL)

        await self._until_lost(session, kill)

    async def _release_running(self, session: Session) -> None:
        await self._until_lost(session, session.release)

    async def _park(self, session: Session) -> None:
        await self._cell(session, "work", self._zygotes_killed)
        await session.park()
        self._parked.append(session)

    async def _leave(self, session: Session) -> None:
        async with aclosing(self._running(session)) as outputs:
            async for _ in outputs:
                break

    async def _cancel_reader(self, session: Session) -> None:
        reading = asyncio.create_task(self._leave_never(session))
        await asyncio.sleep(self._random.random() * 0.02)
        reading.cancel()
        await asyncio.wait((reading,))

    async def _leave_never(self, session: Session) -> None:
        async for _ in self._running(session):
            pass

    async def _cancel_lease(self, after_s: float) -> None:
        leasing = asyncio.create_task(self._acquired())
        await asyncio.sleep(after_s)
        leasing.cancel()
        await asyncio.wait((leasing,))
        if not leasing.cancelled() and leasing.exception() is None:
            await leasing.result().release()

    async def look(self) -> Footprint:
        """Wait until nothing is leased and the pool has shrunk to its minimum, then measure."""
        while self._parked:
            await self._parked.pop().release()
        pool = self.sandbox._pool  # noqa: SLF001
        moving = (pool._spawning, pool._closing)  # noqa: SLF001  # live sets
        async with asyncio.timeout(60):
            while pool.stats().leased or pool.stats().idle != SIZE.minimum or any(moving):
                pool.fill()
                await asyncio.sleep(0.01)
            while len(processes := _below(os.getpid()) - self._others) > SIZE.minimum + 2:  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.01)
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        zygote = min(_below(self._zygote()), default=self._zygote())
        zygote = self._zygote() if self.sandbox.level() is Level.L1 else zygote
        groups = self.sandbox._groups  # noqa: SLF001
        made = [] if groups is None else [entry for root in set(groups.folders.values()) for entry in root.iterdir()]
        return Footprint(
            processes=len(processes),
            descriptors=_count(f"/proc/{os.getpid()}/fd"),
            threads=_count(f"/proc/{os.getpid()}/task"),
            tasks=len(asyncio.all_tasks()),
            folders=len(list(self._folder.glob("*/sessions/*"))),
            groups=sum(entry.is_dir() for entry in made),
            zygote_descriptors=_count(f"/proc/{zygote}/fd"),
            memory_mb=round(_anonymous_mb(os.getpid()), 1),
            zygote_mb=round(_anonymous_mb(zygote), 1),
        )


def grown(before: Footprint, after: Footprint) -> list[str]:
    """Return a message for each resource that grew."""
    found = []
    for name, now in asdict(after).items():
        least = asdict(before)[name]
        if now > least + (GROWTH_MB if name.endswith("_mb") else 0):
            found.append(f"{name} grew from {least:g} to {now:g}")
    return found


async def soak(sessions: int, *, seed: int, level: Level, folder: Path) -> tuple[Soak, list[Footprint]]:
    """Return the soak, and the footprints at the start, in the middle and at the end."""
    made = Soak(folder, level, seed)
    await made.sandbox.start()
    # Have the event loop create all its threads now rather than when first needed.
    await asyncio.gather(*(asyncio.to_thread(time.sleep, 0.02) for _ in range(64)))
    looks = []
    try:
        first, middle = sessions // 10, sessions // 2
        for count, zygotes in ((first, True), (middle - first, True), (sessions - middle, False)):
            await made.some(count, zygotes=zygotes)
            looks.append(await made.look())
    finally:
        await made.sandbox.stop()
    return made, looks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", choices=["L1", "L2", "L3"], default="L3")
    parser.add_argument("--folder", type=Path, default=Path("/tmp", f"tablewright-soak-{os.getpid()}"))
    given = parser.parse_args()
    started = time.monotonic()
    level = Level[given.level]
    made, looks = asyncio.run(soak(given.sessions, seed=given.seed, level=level, folder=given.folder))
    print(f"{given.sessions} sessions at level {made.sandbox.level().name} in {time.monotonic() - started:.0f} s")
    print(", ".join(f"{name} {count}" for name, count in made.faults.most_common()))
    for when, look in zip(("start", "middle", "end"), looks, strict=True):
        print(f"{when:7}", ", ".join(f"{name} {value:g}" for name, value in asdict(look).items()))
    faults = [*made.wrong, *grown(looks[0], looks[1]), *grown(looks[1], looks[2])]
    faults += [f"left on the disk: {path}" for path in given.folder.iterdir()]
    shutil.rmtree(given.folder)
    print("\n".join(faults) or "nothing grew, and everything ended as it should")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
