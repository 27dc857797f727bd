"""What a sandbox costs: starting, leasing, a round trip, the first printed word, memory, sessions a second.

    python benchmarks/sandbox.py [--level L1|L2|L3] [--preload all|fast] [--rounds 20]

Medians in milliseconds unless said; `p95` beside them. Where jupyter_client and ipykernel can be imported, the same
cells run in a kernel for comparison.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tablewright.sandbox.base import Done, LeaseScope, Level, Limits, Session, TextOutput
from tablewright.sandbox.embedded.config import PRELOAD_ALL, PRELOAD_FAST, EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.session import LeasedSession

SCOPE = LeaseScope(run_id="benchmark")
MILLION = (
    "import pandas as pd, numpy as np\nd = pd.DataFrame({'k': np.arange(1_000_000) % 1000, 'v': np.ones(1_000_000)})"
)
GROUP = "d.groupby('k')['v'].sum().iloc[0]"
LOOP = "total = 0\nfor n in range(200_000):\n    total += n"
PLOT = "import matplotlib.pyplot as plt\nplt.plot(range(10))\nplt.show()"


async def run(session: Session, code: str) -> None:
    """Run a cell that must succeed."""
    last = None
    async for output in session.execute(code, step_id="s", timeout_s=60.0):
        last = output
    assert isinstance(last, Done), last
    assert last.status == "ok", last


async def measure(rounds: int, action: Callable[[], Awaitable[Any]]) -> list[float]:
    """Return the seconds of each round."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        await action()
        times.append(time.perf_counter() - started)
    return times


def show(name: str, times: list[float]) -> None:
    ordered = sorted(times)
    print(f"{name:44} {statistics.median(times) * 1000:9.2f}   p95 {ordered[int(len(ordered) * 0.95) - 1] * 1000:9.2f}")


async def first_print(session: Session) -> float:
    """Return the seconds until the first printed word is here, the code running on."""
    started = time.perf_counter()
    heard = 0.0
    async for output in session.execute("import time\nprint('x')\ntime.sleep(0.1)", step_id="s", timeout_s=10.0):
        if isinstance(output, TextOutput) and not heard:
            heard = time.perf_counter() - started
    return heard


def private_bytes(session: Session) -> int:
    """Return what the session's process has to itself, as root or its own user may read it."""
    assert isinstance(session, LeasedSession)
    process = session._worker.process  # noqa: SLF001 - no one else needs to know
    text = Path(f"/proc/{process}/smaps_rollup").read_text()
    fields = dict(line.split(":", 1) for line in text.splitlines()[1:])
    return sum(int(fields[name].split()[0]) * 1024 for name in ("Private_Clean", "Private_Dirty"))


async def start_up(config: EmbeddedConfig) -> EmbeddedSandbox:
    started = time.perf_counter()
    sandbox = EmbeddedSandbox(config)
    await sandbox.start()
    level = time.perf_counter() - started
    session = await sandbox.acquire(SCOPE)
    leased = time.perf_counter() - started
    await run(session, "1 + 1")
    first = time.perf_counter() - started
    await session.release()
    print(
        f"level {sandbox.level().name}; ms from the start: level {level * 1000:.0f}, first session {leased * 1000:.0f}, first result {first * 1000:.0f}"
    )
    return sandbox


async def warm(sandbox: EmbeddedSandbox, rounds: int) -> None:
    times: list[float] = []
    for _ in range(rounds):
        while not sandbox.stats().idle:  # noqa: ASYNC110 - a count has no event
            await asyncio.sleep(0.001)
        started = time.perf_counter()
        session = await sandbox.acquire(SCOPE)
        await run(session, "1 + 1")
        times.append(time.perf_counter() - started)
        await session.release()
    show("warm: lease and first result", times)


async def cold(sandbox: EmbeddedSandbox, rounds: int) -> None:
    """A fork past the pool, which is what keeps workers warm."""
    spawned: list[float] = []
    for _ in range(rounds):
        started = time.perf_counter()
        worker = await sandbox._spawn()  # noqa: SLF001 - see above
        spawned.append(time.perf_counter() - started)
        await worker.close()
    show("cold: fork until ready", spawned)


async def sessions_a_second(sandbox: EmbeddedSandbox, rounds: int) -> None:
    async def life() -> None:
        session = await sandbox.acquire(SCOPE)
        await run(session, "1 + 1")
        await session.release()

    started = time.perf_counter()
    await asyncio.gather(*(life() for _ in range(rounds)))
    print(f"{'sessions a second: lease, run, release':44} {rounds / (time.perf_counter() - started):9.1f}")


async def cells(session: Session, rounds: int) -> None:
    await run(session, MILLION)
    await run(session, PLOT)
    show("round trip of `pass`", await measure(rounds * 5, lambda: run(session, "pass")))
    show("round trip of `print(1)`", await measure(rounds * 5, lambda: run(session, "print(1)")))
    show("first printed word", [await first_print(session) for _ in range(rounds)])
    show("group-by of a million rows", await measure(rounds, lambda: run(session, GROUP)))
    show("loop of 200,000", await measure(rounds, lambda: run(session, LOOP)))
    show("plot", await measure(rounds, lambda: run(session, PLOT)))


async def memory(sandbox: EmbeddedSandbox) -> None:
    session = await sandbox.acquire(SCOPE)
    steps = {"leased": "1", "a million rows": MILLION + "\n" + GROUP, "and a plot": PLOT}
    words = []
    for name, code in steps.items():
        await run(session, code)
        words.append(f"{name} {private_bytes(session) / 1024**2:.1f}")
    print("private memory, MB: " + ", ".join(words))
    await session.release()


def kernel(rounds: int) -> None:
    """The same cells in a Jupyter kernel, where one can be had."""
    if not all(importlib.util.find_spec(name) for name in ("jupyter_client", "ipykernel")):
        print("jupyter_client and ipykernel are not importable here: no comparison")
        return
    from jupyter_client.manager import start_new_kernel

    started = time.perf_counter()
    manager, client = start_new_kernel()
    client.execute_interactive("1 + 1", output_hook=lambda _message: None)
    print(f"{'kernel: start and first result':44} {(time.perf_counter() - started) * 1000:9.2f}")
    for name, code, count in (("pass", "pass", rounds * 5), ("group-by", GROUP, rounds), ("loop", LOOP, rounds)):
        client.execute_interactive(MILLION, output_hook=lambda _message: None)
        times = []
        for _ in range(count):
            started = time.perf_counter()
            client.execute_interactive(code, output_hook=lambda _message: None)
            times.append(time.perf_counter() - started)
        show(f"kernel: {name}", times)
    client.stop_channels()
    manager.shutdown_kernel(now=True)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", choices=["L1", "L2", "L3"], default="L3")
    parser.add_argument("--preload", choices=["all", "fast"], default="all")
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    config = EmbeddedConfig(
        strongest=Level[arguments.level],
        preload=PRELOAD_ALL if arguments.preload == "all" else PRELOAD_FAST,
        size=PoolSize(minimum=2, maximum=4),
        limits=Limits(),
    )
    sandbox = await start_up(config)
    try:
        await warm(sandbox, arguments.rounds)
        await cold(sandbox, arguments.rounds)
        await sessions_a_second(sandbox, arguments.rounds * 2)
        session = await sandbox.acquire(SCOPE)
        await cells(session, arguments.rounds)
        await session.release()
        await memory(sandbox)
    finally:
        await sandbox.stop()
    await asyncio.to_thread(kernel, arguments.rounds)


if __name__ == "__main__":
    asyncio.run(main())
