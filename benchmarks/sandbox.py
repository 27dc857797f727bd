"""Compares the cost of the sandbox with ipykernel and smolagents' local executor, in one run and with the same cells.

    python benchmarks/sandbox.py [--level L1|L2|L3] [--rounds 20] [--runs 3] [--alone] [--check]

Each run measures all of them in turn, so that other load on the machine affects each of them; the figures are medians
of the runs' medians. The others run under `.venv-bench` (created by `make bench` from requirements/bench.lock) or the
interpreter given by `--peers`; `--alone` leaves them out. `--check` fails if a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tablewright.sandbox.base import Done, LeaseScope, Level, Session, TextOutput
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.session import LeasedSession

SCOPE = LeaseScope(run_id="benchmark")
HERE = Path(__file__).resolve().parent
PEERS = {"kernel": "ipykernel", "smolagents": "smolagents"}
OURS = "tablewright"

IMPORTS = (
    "import pandas, numpy, matplotlib.pyplot, scipy.stats, scipy.optimize, statsmodels.api, statsmodels.formula.api"
)
FIRST = "1 + 1"
MILLION = (
    "import pandas as pd, numpy as np\nd = pd.DataFrame({'k': np.arange(1_000_000) % 1000, 'v': np.ones(1_000_000)})"
)
GROUP = "d.groupby('k')['v'].sum().iloc[0]"
LOOP = "total = 0\nfor n in range(200_000):\n    total += n"
PRINTS = "import time\nprint('x')\ntime.sleep(0.5)"

CELLS = {"imports": IMPORTS, "first": FIRST, "million": MILLION, "group": GROUP, "loop": LOOP, "prints": PRINTS}
"""The cells that each program runs."""
UNITS: Mapping[str, str] = {
    "started with all packages, first result": "ms",
    "session, cold: first result": "ms",
    "session, warm: first result": "ms",
    "round trip of `pass`": "ms",
    "round trip of `print(1)`": "ms",
    "first printed word": "ms",
    "group-by of 1 million rows": "ms",
    "loop of 200,000": "ms",
    "private memory of a session": "MB",
    "private memory, packages imported": "MB",
    "sessions a second": "/s",
}
"""The measurements in display order, with their units; more is better for sessions a second only."""

Samples = dict[str, list[float]]


async def run(session: Session, code: str) -> None:
    """Run a cell that must succeed."""
    last = None
    async for output in session.execute(code, step_id="s", timeout_s=60.0):
        last = output
    assert isinstance(last, Done), last
    assert last.status == "ok", last


async def took(session: Session, code: str, rounds: int) -> list[float]:
    """Return the milliseconds of each of `rounds` executions of a cell."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        await run(session, code)
        times.append((time.perf_counter() - started) * 1000)
    return times


async def first_word(session: Session) -> float:
    """Return the milliseconds until the first printed word arrives, while the code is still running."""
    started = time.perf_counter()
    heard = 0.0
    async for output in session.execute(PRINTS, step_id="s", timeout_s=10.0):
        if isinstance(output, TextOutput) and not heard:
            heard = (time.perf_counter() - started) * 1000
    return heard


def private_mb(session: Session) -> float:
    """Return the private memory of the session's process; readable by root or the process's own user."""
    assert isinstance(session, LeasedSession)
    process = session._worker.process  # noqa: SLF001 - no one else needs to know
    text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    fields = dict(line.split(":", 1) for line in text.splitlines()[1:])
    return sum(int(fields[name].split()[0]) / 1024 for name in ("Private_Clean", "Private_Dirty"))


def medians(samples: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the median of each measurement."""
    return {name: statistics.median(values) for name, values in samples.items() if values}


async def idle(sandbox: EmbeddedSandbox, count: int = 1) -> None:
    while sandbox.stats().idle < count:  # noqa: ASYNC110 - a count has no event
        await asyncio.sleep(0.001)


async def lives(sandbox: EmbeddedSandbox, rounds: int, samples: Samples) -> None:
    """Measure sessions from lease to release: warm, cold, and many at once."""

    async def life() -> float:
        started = time.perf_counter()
        session = await sandbox.acquire(SCOPE)
        await run(session, FIRST)
        elapsed = (time.perf_counter() - started) * 1000
        await session.release()
        return elapsed

    for _ in range(rounds):
        await idle(sandbox, 2)
        samples["session, warm: first result"].append(await life())
    for _ in range(rounds):
        await idle(sandbox, 2)
        pool = sandbox._pool  # noqa: SLF001 - it is there to make this rare
        pool.drop_idle()
        await asyncio.gather(*pool._closing)  # noqa: SLF001
        samples["session, cold: first result"].append(await life())
    count = rounds * 2
    started = time.perf_counter()
    await asyncio.gather(*(life() for _ in range(count)))
    samples["sessions a second"].append(count / (time.perf_counter() - started))


async def cells(sandbox: EmbeddedSandbox, rounds: int, samples: Samples) -> None:
    session = await sandbox.acquire(SCOPE)
    await run(session, "1")
    samples["private memory of a session"].append(private_mb(session))
    await run(session, f"{IMPORTS}\n1")
    samples["private memory, packages imported"].append(private_mb(session))
    await run(session, MILLION)
    samples["round trip of `pass`"] += await took(session, "pass", rounds * 5)
    samples["round trip of `print(1)`"] += await took(session, "print(1)", rounds * 5)
    samples["first printed word"] += [await first_word(session) for _ in range(rounds // 2)]
    samples["group-by of 1 million rows"] += await took(session, GROUP, rounds)
    samples["loop of 200,000"] += await took(session, LOOP, rounds)
    await session.release()


async def ours(level: Level, rounds: int) -> tuple[str, Samples]:
    """Measure this sandbox; return the isolation level it reached, and the samples."""
    samples: Samples = {name: [] for name in UNITS}
    sandbox = EmbeddedSandbox(EmbeddedConfig(strongest=level, size=PoolSize(minimum=2, maximum=4)))
    started = time.perf_counter()
    await sandbox.start()
    try:
        session = await sandbox.acquire(SCOPE)
        await run(session, f"{IMPORTS}\n{FIRST}")
        samples["started with all packages, first result"].append((time.perf_counter() - started) * 1000)
        await session.release()
        await lives(sandbox, rounds, samples)
        await cells(sandbox, rounds, samples)
    finally:
        await sandbox.stop()
    return sandbox.level().name, samples


def peer(python: Path, name: str, rounds: int) -> Samples:
    """Measure another program under its own interpreter."""
    command = [str(python), str(HERE / "sandbox_peers.py"), name, "--rounds", str(rounds)]
    asked = json.dumps(CELLS).encode()
    done = subprocess.run(command, check=True, input=asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    found: Samples = json.loads(done.stdout.splitlines()[-1])
    return found


def show(found: Mapping[str, Mapping[str, float]]) -> None:
    """Print the table: each figure, and for the others how many times better ours is."""
    others = [name for name in found if name != OURS]
    print(f"| {'what':46} | {OURS:>12} |" + "".join(f" {name:>12} | ratio |" for name in others))
    print(f"|{'-' * 48}|{'-' * 13}:|" + "".join(f"{'-' * 13}:|------:|" for _ in others))
    for name, unit in UNITS.items():
        mine = found[OURS].get(name)
        line = f"| {name + ', ' + unit:46} | {_figure(mine)} |"
        for other in others:
            line += f" {_figure(found[other].get(name))} | {_ratio(name, mine, found[other].get(name))} |"
        print(line)


def _figure(value: float | None) -> str:
    return f"{'—':>12}" if value is None else f"{value:12.4g}" if value < 1000 else f"{value:12,.0f}"


def _ratio(name: str, mine: float | None, other: float | None) -> str:
    if not mine or not other:
        return f"{'':5}"
    ratio = mine / other if name == "sessions a second" else other / mine
    return f"{ratio:5.1f}" if ratio < 1000 else f"{ratio:5.0f}"


def missed(found: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Print each target and whether it was reached; return those missed."""
    mine = found[OURS]
    kernel = found.get("ipykernel", {}).get("round trip of `pass`")
    bars = {
        "warm lease to first result at most 10 ms": mine["session, warm: first result"] <= 10,
        "private memory of a session at most 15 MB": mine["private memory of a session"] <= 15,
    }
    if kernel is not None:
        bars["round trip at least 10 times faster than ipykernel"] = kernel >= 10 * mine["round trip of `pass`"]
    for words, reached in bars.items():
        print(f"{'reached' if reached else 'MISSED '}  {words}")
    return [words for words, reached in bars.items() if not reached]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", choices=["L1", "L2", "L3"], default="L3")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--peers", type=Path, default=HERE.parent / ".venv-bench" / "bin" / "python")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    names = [] if arguments.alone else list(PEERS)
    if names and not arguments.peers.is_file():
        parser.error(f"{arguments.peers} is not there: `make bench` makes it; --alone measures without the others")
    samples: dict[str, Samples] = {OURS: {}, **{PEERS[name]: {} for name in names}}
    level = ""
    for _ in range(arguments.runs):
        level, mine = asyncio.run(ours(Level[arguments.level], arguments.rounds))
        turns = {OURS: mine} | {PEERS[name]: peer(arguments.peers, name, arguments.rounds) for name in names}
        for name, found in turns.items():
            for what, middle in medians(found).items():
                samples[name].setdefault(what, []).append(middle)
    print(f"level {level}; medians of {arguments.runs} runs")
    table = {name: medians(kept) for name, kept in samples.items()}
    show(table)
    return 1 if missed(table) and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
