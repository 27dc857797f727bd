"""Measures whether a conversation of many turns stays as quick and as small as it began.

    .venv/bin/python -m benchmarks.memory [--turns 2000] [--url URL]

One conversation, in which an agent with tools answers each question after one call of a tool; the model is scripted and
takes no time. Printed are, for the first and the last tenth of the turns, the median milliseconds, the median
milliseconds of processor time, which other work on the machine changes less, and the KiB that the process grew by per
turn (resident, after a collection), and the quotients of the times. Without a URL a new SQLite file is written; a
PostgreSQL database is given as `postgresql+psycopg://…` and must be empty.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.plan_bench import KINDS, scripts
from tests.support.service_bench import Bench, bench
from tests.support.structured_bench import EchoTool
from tests.support.work_bench import called

from tablewright.domain.message import ToolResultPart
from tablewright.models.base import ModelRequest, StreamPart
from tablewright.models.scripted import Reply, ScriptedModel
from tablewright.service.runs.runs import Ask
from tablewright.store.sql import SqlStore


class Forgetful:
    """A scripted model that keeps no request, so that what grows is not the bench."""

    name = "scripted:model"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        made = any(isinstance(part, ToolResultPart) for part in request.messages[-1].parts + request.messages[-2].parts)
        reply = Reply.of("The answer is 7.") if made else Reply.of(called("echo", text="what stands there"))
        async for part in ScriptedModel([reply]).stream(request):
            yield part


def resident_kib() -> float:
    """Return the resident memory of this process in KiB."""
    gc.collect()
    words = Path("/proc/self/status").read_text(encoding="ascii")
    return float(words.partition("VmRSS:")[2].split()[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn; `resident_kib` only at the ends of tenths, else 0."""

    took_ms: float
    worked_ms: float
    resident_kib: float


async def measured(desk: Bench, turns: int) -> list[Turn]:
    """Take the turns."""
    conversation = await desk.conversations.create(desk.scope)
    figures: list[Turn] = []
    for turn in range(1, turns + 1):
        began, worked = time.perf_counter(), time.process_time()
        run = await desk.runs.start(
            desk.scope, conversation.id, Ask(text=f"What stands in row {turn}?", agent="react", mode="react")
        )
        await desk.events(run)
        took_ms = 1_000 * (time.perf_counter() - began)
        await desk.settled(run)
        worked_ms = 1_000 * (time.process_time() - worked)
        size = resident_kib() if turn % (turns // 10) == 0 else 0.0
        figures.append(Turn(took_ms=took_ms, worked_ms=worked_ms, resident_kib=size))
    return figures


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=2_000)
    parser.add_argument("--url", default="")
    given = parser.parse_args()
    tenth = max(1, given.turns // 10)
    with tempfile.TemporaryDirectory() as folder:
        store = SqlStore(given.url or f"sqlite+aiosqlite:///{folder}/store.db")
        await store.open()
        others = scripts(Forgetful(), [EchoTool()])
        desk = bench(Path(folder), others["react"], others=others, kinds=KINDS, store=store)
        figures = await measured(desk, 10 * tenth)
        await desk.runs.close()
        await store.close()
    sizes = [turn.resident_kib for turn in figures if turn.resident_kib]
    tenths = (figures[:tenth], figures[-tenth:])
    first, last = (statistics.median(turn.took_ms for turn in part) for part in tenths)
    first_worked, last_worked = (statistics.median(turn.worked_ms for turn in part) for part in tenths)
    printed = {
        "turns": len(figures),
        "first_tenth_ms": round(first, 1),
        "last_tenth_ms": round(last, 1),
        "last_by_first": round(last / first, 2),
        "first_tenth_worked_ms": round(first_worked, 1),
        "last_tenth_worked_ms": round(last_worked, 1),
        "last_by_first_worked": round(last_worked / first_worked, 2),
        "grown_kib_per_turn_second_tenth": round((sizes[1] - sizes[0]) / tenth, 1),
        "grown_kib_per_turn_last_tenth": round((sizes[-1] - sizes[-2]) / tenth, 1),
        "resident_mib_at_tenths": [round(size / 1024, 1) for size in sizes],
    }
    print(json.dumps(printed))


if __name__ == "__main__":
    asyncio.run(main())
