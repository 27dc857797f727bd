"""Measures whether a conversation of many turns stays as quick and as small as it began.

    .venv/bin/python -m benchmarks.memory [--turns 2000] [--written 1800] [--url URL]

One conversation, in which an agent with tools answers each question after one call of a tool; the model is scripted and
takes no time. Printed are, for the first and the last tenth of the turns, the median milliseconds, the median
milliseconds of processor time, and the KiB that the process grew by per turn that was taken (resident, after a
collection), and the quotients of the times. As other work on the machine changes between the first and the last turn,
a young conversation of the same store then takes turns by turns with the old one: `old_by_young` are the quotients of
these. `--written` of the turns, between the first and the last ones, are written into the store as the turn before them
was, without an agent: what the last turns find is the same, in a fraction of the time. Without a URL a new SQLite file
is written; a PostgreSQL database is given as `postgresql+psycopg://…` and must be empty.
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
from dataclasses import dataclass, replace
from pathlib import Path

from tests.support.plan_bench import KINDS, scripts
from tests.support.service_bench import Bench, bench
from tests.support.structured_bench import EchoTool
from tests.support.work_bench import called

from tablewright.domain.conversation import Conversation
from tablewright.domain.message import ToolResultPart, TranscriptEntry
from tablewright.models.base import ModelRequest, StreamPart
from tablewright.models.scripted import Reply, ScriptedModel
from tablewright.service.runs.runs import Ask
from tablewright.store.run_store import Batch, RunEnd, Stamped
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
    """One turn; `resident_kib` only ten times, else 0."""

    took_ms: float
    worked_ms: float
    resident_kib: float


YOUNG = 20
"""So many turns a young conversation has had: more than a run is told of."""
PAIRS = 60


async def beside_young(desk: Bench, old_id: str) -> tuple[list[Turn], list[Turn]]:
    """Have an old and a young conversation take turns by turns; return those of each."""
    young_id = (await desk.conversations.create(desk.scope)).id
    for number in range(YOUNG):
        await taken(desk, young_id, number, resident=False)
    pairs = [
        (await taken(desk, old_id, number, resident=False), await taken(desk, young_id, number, resident=False))
        for number in range(PAIRS)
    ]
    return [old for old, _ in pairs], [young for _, young in pairs]


async def measured(desk: Bench, conversation: Conversation, turns: int, written: int) -> list[Turn]:
    """Take the turns, of which `written` in the middle are copies."""
    figures: list[Turn] = []
    played = turns - written
    for number in range(played):
        if number == played // 2 and figures:
            await copied(desk, conversation.id, written)
        figures.append(await taken(desk, conversation.id, number, resident=number % max(1, played // 10) == 0))
    return figures


async def taken(desk: Bench, conversation_id: str, number: int, *, resident: bool) -> Turn:
    """Take one turn."""
    began, worked = time.perf_counter(), time.process_time()
    ask = Ask(text=f"What stands in row {number}?", agent="react", mode="react")
    run = await desk.runs.start(desk.scope, conversation_id, ask)
    await desk.events(run)
    took_ms = 1_000 * (time.perf_counter() - began)
    await desk.settled(run)
    worked_ms = 1_000 * (time.process_time() - worked)
    return Turn(took_ms=took_ms, worked_ms=worked_ms, resident_kib=resident_kib() if resident else 0.0)


async def copied(desk: Bench, conversation_id: str, count: int) -> None:
    """Write the last turn of a conversation so many times more."""
    store, scope = desk.store, desk.scope
    said = await store.conversations.latest_messages(scope, conversation_id, 2)
    model = await store.runs.get(scope, said[-1].run_id or "")
    bodies = [event.body for event in await store.log.events(scope, model.id)]
    transcript = [TranscriptEntry(message=one) for one in await store.log.transcript(scope, model.id)]
    assert model.outcome is not None
    for _ in range(count):
        run = replace(
            model, id=desk.ids.new(), state="running", attempt=1, last_seq=0, tokens=0, outcome=None, finished_at=None,
            answer=None,
        )  # fmt: skip
        question, answer = (replace(each, id=desk.ids.new(), run_id=run.id) for each in said)
        events = tuple(Stamped(at=run.created_at, body=body) for body in bodies)
        first = Batch(run_id=run.id, attempt=1, events=events[:2], messages=(question,))
        end = RunEnd(outcome=model.outcome, finished_at=run.created_at, answer=model.answer)
        rest = Batch(
            run_id=run.id, attempt=1, events=events[2:], transcript=tuple(transcript), messages=(answer,), end=end
        )  # fmt: skip
        await store.runs.begin(scope, run, first, title="")
        await store.log.append(scope, rest)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=2_000)
    parser.add_argument("--written", type=int, default=0)
    parser.add_argument("--url", default="")
    given = parser.parse_args()
    tenth = max(1, min(given.turns // 10, (given.turns - given.written) // 2))
    with tempfile.TemporaryDirectory() as folder:
        store = SqlStore(given.url or f"sqlite+aiosqlite:///{folder}/store.db")
        await store.open()
        others = scripts(Forgetful(), [EchoTool()])
        desk = bench(Path(folder), others["react"], others=others, kinds=KINDS, store=store)
        conversation = await desk.conversations.create(desk.scope)
        figures = await measured(desk, conversation, given.turns, given.written)
        old, young = await beside_young(desk, conversation.id)
        await desk.runs.close()
        await store.close()
    sizes = [turn.resident_kib for turn in figures if turn.resident_kib]
    tenths = (figures[:tenth], figures[-tenth:])
    first, last, aged, fresh = (statistics.median(turn.took_ms for turn in part) for part in (*tenths, old, young))
    worked = [statistics.median(turn.worked_ms for turn in part) for part in (*tenths, old, young)]
    printed = {
        "turns": given.turns,
        "taken": len(figures),
        "first_tenth_ms": round(first, 1),
        "last_tenth_ms": round(last, 1),
        "last_by_first": round(last / first, 2),
        "first_tenth_worked_ms": round(worked[0], 1),
        "last_tenth_worked_ms": round(worked[1], 1),
        "last_by_first_worked": round(worked[1] / worked[0], 2),
        "old_by_young": round(aged / fresh, 2),
        "old_by_young_worked": round(worked[2] / worked[3], 2),
        "grown_kib_per_taken_turn": round((sizes[-1] - sizes[1]) / (len(figures) * (len(sizes) - 2) / 10), 1),
        "resident_mib": [round(size / 1024, 1) for size in sizes],
    }
    print(json.dumps(printed))


if __name__ == "__main__":
    asyncio.run(main())
