"""Compares how long a plan takes whose process is killed in its middle with the longest path through it.

    .venv/bin/python -m benchmarks.killed_plans [--sandboxes] [--whole] [--runs 3] [--turn 0.4] [--rows 200000]

A scripted model plans four tasks that are done at the same time, and sums up. Two of them call a tool twice, one fails
in its second turn, one hangs in its tool until its time is over. The process is killed once the first of them has
ended; another takes the plan over. With `--sandboxes` each task has a sandbox of its own, in which pandas reads a file
of so many rows; without, the tool returns at once. `--whole` kills nothing.

Each turn of the model takes a fixed time. The longest path is the planner's turns, the time of the task that hangs and
the summary, one after the other. What that task had worked since the last heartbeat of the process that died is not
known to the other, and counts anew (`lost_s`, at most five seconds): it belongs to the path. The seconds do not count
what it takes until the other process has loaded what it needs, which is printed apart. Nothing that had ended is done
again, or the benchmark fails.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.patience import found
from tests.support.plan_bench import CHILD, PlanBench, plan_bench
from tests.support.work_bench import called, planning, results

from tablewright.agent.plan_solve.rules import PlanRules
from tablewright.domain.events import Event, EventBody, RunFinished, ToolFinished, ToolStarted
from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.domain.run import Run, RunLimits
from tablewright.domain.scope import Scope
from tablewright.domain.task import PlanTasks, SumUp, UseTools
from tablewright.errors import ModelRejected
from tablewright.models.base import ModelRequest, ToolSpec
from tablewright.models.scripted import Delay, Fail, Reply, ScriptedModel
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize
from tablewright.service.runs.leases import process_alive, this_instance
from tablewright.store.sql import SqlStore
from tablewright.tools.base import Tool, ToolContext, ToolResult
from tablewright.tools.python_imports import IMPORTS
from tablewright.tools.run_python import RunPython

PLANNING_S = 0.3
FAILS, HANGS = "2023", "2024"
TASKS = ("2021", FAILS, HANGS, "2022")
OUTCOMES = {"2021": "completed", FAILS: "failed", HANGS: "limit", "2022": "completed"}
CODE = "import pandas as pd\nd = pd.read_csv('/data/shared/sales.csv')\nprint(d[d.year == {year}].amount.sum())"
HANG = "import time\nwhile True:\n    time.sleep(1)"
SCOPE = Scope()


@dataclass(frozen=True, slots=True)
class Given:
    """What is measured: a turn of a task takes `turn_s`, a task at most `limit_s`; code reads a file of `rows`."""

    turn_s: float
    rows: int
    sandboxes: bool

    @property
    def limit_s(self) -> float:
        """Longer than the tasks that do not hang take, also with code in their sandboxes."""
        return 15.0 if self.sandboxes else 6 * self.turn_s

    def __call__(self, request: ModelRequest) -> Reply:
        """Say what the model says."""
        task = request.task
        if isinstance(task, PlanTasks):
            made = planning("create", title="Years", steps=["<sep>".join(TASKS)])
            return Reply.of(Delay(seconds=PLANNING_S), planning("finish") if task.plan else made)
        if isinstance(task, SumUp):
            return Reply.of(Delay(seconds=PLANNING_S), " ".join(done.text for done in task.tasks))
        assert isinstance(task, UseTools)
        wait, year = Delay(seconds=self.turn_s), task.question
        made_calls = len(results(request))
        if made_calls == 1 and year == FAILS:
            return Reply.of(wait, Fail(error=ModelRejected(model="m")))
        if made_calls == 2:
            return Reply.of(wait, "Done.")
        return Reply.of(wait, self._call(year, made_calls))

    def _call(self, year: str, number: int) -> Any:
        code = HANG if year == HANGS else CODE.format(year=year)
        name = "run_python" if self.sandboxes else Pause.name
        return called(name, f"{year}-{number}", code=code, **({"timeout": 60} if self.sandboxes else {}))


class Pause:
    """A tool that returns at once, or hangs."""

    name = "pause"

    @property
    def spec(self) -> ToolSpec:
        properties = {"code": {"type": "string"}}
        return ToolSpec(name=self.name, description="Acts.", parameters={"type": "object", "properties": properties})

    async def call(self, arguments: Mapping[str, Any], _context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        if arguments["code"] == HANG:
            await asyncio.Event().wait()
        yield ToolResult(text="Done.")


@dataclass(frozen=True, slots=True)
class FreshTools:
    """A `ToolProvider` whose tools belong to one run."""

    sandboxes: bool

    async def tools(self) -> tuple[Tool, ...]:
        return (RunPython((*IMPORTS, "time")),) if self.sandboxes else (Pause(),)


@asynccontextmanager
async def service(folder: Path, given: Given) -> AsyncIterator[PlanBench]:
    """Return a service of this process on the database and the files of `folder`."""
    store = SqlStore(f"sqlite+aiosqlite:///{folder}/store.db")
    sandbox = EmbeddedSandbox(EmbeddedConfig(size=PoolSize(minimum=4, maximum=5))) if given.sandboxes else None
    if sandbox is not None:
        await sandbox.start()
    await store.open()
    limits = RunLimits(steps=CHILD.limits.steps, tokens=CHILD.limits.tokens, wall_clock_s=given.limit_s)
    told = plan_bench(
        folder,
        ScriptedModel(given),
        FreshTools(given.sandboxes),
        rules=PlanRules(at_once=len(TASKS), task_limits=limits),
        store=store,
        sandbox=sandbox,
        instance=this_instance(Uuid7Ids().new(), SystemClock().now()),
        alive=process_alive,
    )
    await told.bench.runs.open_up()
    try:
        yield told
    finally:
        await told.close()
        await store.close()
        if sandbox is not None:
            await sandbox.stop()


async def warm() -> None:
    """Load what a plan needs, with one of short turns: that is no part of the figures."""
    with tempfile.TemporaryDirectory() as folder:
        async with service(Path(folder), Given(turn_s=0.02, rows=4, sandboxes=False)) as told:
            await told.ended(await told.start())


async def serve(folder: Path, given: Given) -> None:
    """Begin the plan, tell its run and when it began, and carry it out."""
    await warm()
    async with service(folder, given) as told:
        file = await told.bench.files.upload(told.bench.scope, name="sales.csv", content=sales(given))
        began = time.time()
        run = await told.start(file_ids=(file.id,))
        sys.stdout.write(json.dumps({"run": run.id, "began": began}) + "\n")
        sys.stdout.flush()
        await told.ended(run)
        sys.stdout.write(json.dumps({"ended": time.time()}) + "\n")


async def sales(given: Given) -> AsyncIterator[bytes]:
    """The file: years and amounts."""
    yield b"year,amount\n"
    for start in range(0, given.rows if given.sandboxes else 4, 1000):
        yield "".join(f"{2021 + number % 4},{number % 97}\n" for number in range(start, start + 1000)).encode()


async def killed(folder: Path, given: Given, arguments: list[str], *, whole: bool) -> dict[str, float]:
    """Have a process carry the plan out until one of its tasks has ended, and another the rest; return the seconds."""
    await warm()
    program = [sys.executable, "-m", "benchmarks.killed_plans", "--serve", str(folder), *arguments]
    process = await asyncio.create_subprocess_exec(*program, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    first = json.loads(await process.stdout.readline())
    store = SqlStore(f"sqlite+aiosqlite:///{folder}/store.db")
    await store.open()
    if whole:
        ended = json.loads(await process.stdout.readline())["ended"]
        await process.wait()
        return await _figures(store, first["run"], given, took=ended - first["began"], lost=0.0)
    lost, died = await _kill(store, first["run"], process)
    async with service(folder, given) as told:
        again = time.time()
        await told.ended(await told.bench.runs.get(told.bench.scope, first["run"]))
        took = time.time() - again + died - first["began"]
    figures = await _figures(store, first["run"], given, took=took, lost=lost)
    return {**figures, "taken_over_after_s": again - died}


async def _kill(store: SqlStore, run_id: str, process: asyncio.subprocess.Process) -> tuple[float, float]:
    """Kill the process in the middle; return what the task that hangs had worked unseen, and when it died."""

    async def one_ended() -> bool | None:
        children = await store.runs.children(SCOPE, run_id)
        return any(child.state == "finished" for child in children) or None

    await found(one_ended)
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    died = time.time()
    working = [child for child in await store.runs.children(SCOPE, run_id) if child.state != "finished"]
    assert len(working) == len(TASKS) - 1
    hangs = next(child for child in working if child.question == HANGS)
    return died - hangs.created_at.timestamp() - hangs.worked_s, died


async def _figures(store: SqlStore, run_id: str, given: Given, *, took: float, lost: float) -> dict[str, float]:
    """Check what became of the tasks, and return the figures."""
    log = await store.log.events(SCOPE, run_id, limit=100_000)
    children = await store.runs.children(SCOPE, run_id)
    found_out = {child.question: child.outcome for child in children}
    assert found_out == OUTCOMES, found_out
    assert (await store.runs.get(SCOPE, run_id)).outcome == "completed"
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    await store.close()
    for child in children:
        _check(child, [event for event in log if event.run_id == child.id])
    code = [event.body.elapsed_s for event in log if isinstance(event.body, ToolFinished)]
    longest = 3 * PLANNING_S + given.limit_s + lost
    more = {"lost_s": lost, "slowest_code_s": max(code)}
    return {"took_s": took, "longest_path_s": longest, "by_longest_path": took / longest, **more}


def _check(child: Run, own: list[Event]) -> None:
    """Assert that a task ended once, and that no call was made again that had its result."""
    assert sum(isinstance(event.body, RunFinished) for event in own) == 1
    over: set[str] = set()
    for event in own:
        if isinstance(event.body, ToolStarted):
            assert event.body.tool_call_id not in over, child.question
        elif isinstance(event.body, ToolFinished):
            over.add(event.body.tool_call_id)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sandboxes", action="store_true")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--turn", type=float, default=0.4)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--serve", type=Path)
    read = parser.parse_args()
    given = Given(turn_s=read.turn, rows=read.rows, sandboxes=read.sandboxes)
    if read.serve is not None:
        await serve(read.serve, given)
        return
    runs: list[dict[str, float]] = []
    for _ in range(read.runs):
        with tempfile.TemporaryDirectory() as folder:
            runs.append(await killed(Path(folder), given, sys.argv[1:], whole=read.whole))
    medians = {name: round(statistics.median(run[name] for run in runs), 3) for name in runs[0]}
    worst = round(max(run["by_longest_path"] for run in runs), 3)
    sys.stdout.write(json.dumps({**medians, "worst_by_longest_path": worst}) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
