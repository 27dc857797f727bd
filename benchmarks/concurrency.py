"""Measures how late events are, and how much memory a run takes, where many runs work at once.

    .venv/bin/python -m benchmarks.concurrency [--runs 300] [--rate 50] [--seconds 10] [--url URL]

Each run is an agent with tools whose scripted model writes so many tokens a second for so long; each is watched. All of
it is one process: agents, log and watchers, without HTTP. A token is late by the milliseconds from when the model gave
it until the watcher had the event with it: that it waits up to 50 ms for others to share its event is part of that.
Printed are the median and the 99th percentile over all tokens, the same over those of the second half, the tokens that
were written by the second, the processor seconds, and the KiB by which the process grew per run (resident, from before
the runs began to when half of their time was over). Without a URL a new SQLite file is written; a PostgreSQL database
is given as `postgresql+psycopg://…` and must be empty.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

from tests.support.plan_bench import KINDS, scripts
from tests.support.service_bench import Bench, bench

from tablewright.bootstrap.memory import settle
from tablewright.domain.events import TextDelta
from tablewright.domain.message import Message, TextPart
from tablewright.domain.run import Run
from tablewright.models.base import ModelRequest, StreamEnded, StreamPart, TextPiece
from tablewright.store.sql import SqlStore

TOKEN = "word "


class Steady:
    """A model that writes `tokens` at `rate` a second; `given` holds when it gave each, by what was asked."""

    name = "scripted:model"

    def __init__(self, rate: float, tokens: int) -> None:
        self._rate = rate
        self._tokens = tokens
        self.given: dict[str, list[float]] = {}

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        assert request.task is not None
        given = self.given.setdefault(request.task.question, [])
        begin = time.perf_counter()
        for number in range(self._tokens):
            await asyncio.sleep(max(0.0, begin + number / self._rate - time.perf_counter()))
            given.append(time.perf_counter())
            yield TextPiece(text=TOKEN)
        yield StreamEnded(message=Message(role="assistant", parts=(TextPart(text=TOKEN, origin="output"),)))


async def late_ms(desk: Bench, run: Run, model: Steady) -> list[float]:
    """Watch a run to its end; return by how much each of its tokens was late."""
    late: list[float] = []
    async for event in desk.runs.follow(desk.scope, run.id):
        if isinstance(event.body, TextDelta):
            now, upto = time.perf_counter(), len(late) + len(event.body.text) // len(TOKEN)
            late += [1_000 * (now - at) for at in model.given[run.question][len(late) : upto]]
    return late


def resident_kib() -> float:
    """Return the resident memory of this process in KiB."""
    gc.collect()
    words = Path("/proc/self/status").read_text(encoding="ascii")
    return float(words.partition("VmRSS:")[2].split()[0])


async def measured(desk: Bench, model: Steady, runs: int, seconds: float) -> dict[str, float]:
    """Have the runs work, and return the figures."""
    warm = await desk.ask("Warm up.", agent="react", mode="react")
    await desk.events(warm)
    settle()  # as a service does with what it imported
    before, cpu = resident_kib(), time.process_time()
    start = time.perf_counter()
    watching: list[asyncio.Task[list[float]]] = []
    for number in range(runs):
        run = await desk.ask(f"What stands in row {number}?", agent="react", mode="react")
        watching.append(asyncio.create_task(late_ms(desk, run, model)))
    await asyncio.sleep(seconds / 2)
    middle = resident_kib()
    found = await asyncio.gather(*watching)
    took = time.perf_counter() - start
    late = sorted(ms for each in found for ms in each)
    later = sorted(ms for each in found for ms in each[len(each) // 2 :])
    return {
        "runs": runs,
        "tokens_per_s": round(len(late) / took),
        "p50_ms": round(late[len(late) // 2], 1),
        "p99_ms": round(late[round(len(late) * 0.99) - 1], 1),
        "later_half_p50_ms": round(later[len(later) // 2], 1),
        "later_half_p99_ms": round(later[round(len(later) * 0.99) - 1], 1),
        "processor_s": round(time.process_time() - cpu, 1),
        "seconds": round(took, 1),
        "kib_per_run": round((middle - before) / runs, 1),
    }


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--rate", type=float, default=50.0)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--url", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = SqlStore(given.url or f"sqlite+aiosqlite:///{folder}/store.db")
        await store.open()
        model = Steady(given.rate, round(given.rate * given.seconds))
        others = scripts(model)
        desk = bench(Path(folder), others["react"], others=others, kinds=KINDS, store=store)
        print(json.dumps(await measured(desk, model, given.runs, given.seconds)))
        await desk.runs.close()
        await store.close()


if __name__ == "__main__":
    asyncio.run(main())
