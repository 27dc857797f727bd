"""Compares how long a plan takes with the longest path through it.

    .venv/bin/python -m benchmarks.plans [--tasks 4] [--rounds 2] [--runs 5] [--url URL]

A scripted model plans rounds of so many tasks, carries them out in two turns with a call of a tool between them, reads
the results and sums up; each of its turns takes a fixed time, which differs by task. The longest path is the turns of
the planner, of the slowest task of each round, and of the summary, one after the other. Beside the tasks of each round
one fails at once. Printed are the seconds of both, and their quotient: the median and the worst of the runs. Without a
URL a new SQLite file is written; a PostgreSQL database is given as `postgresql+psycopg://…` and must be empty.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from tests.support.plan_bench import CHILD, PlanBench, plan_bench
from tests.support.structured_bench import EchoTool
from tests.support.work_bench import called, planning

from tablewright.agent.plan_solve.rules import PlanRules
from tablewright.domain.message import ToolResultPart
from tablewright.domain.task import PlanTasks, SumUp, UseTools
from tablewright.errors import ModelRejected
from tablewright.models.base import ModelRequest
from tablewright.models.scripted import Delay, Fail, Reply, ScriptedModel
from tablewright.store.sql import SqlStore

PLANNING_S = 0.3
TURN_S = 0.4
SLOWER_S = 0.1
"""How much longer than the task before it each task takes for a turn."""
FAILS = "fails"


class Model:
    """What a model says that plans `rounds` of `tasks`."""

    def __init__(self, tasks: int, rounds: int) -> None:
        self._tasks = tasks
        self._rounds = rounds

    def __call__(self, request: ModelRequest) -> Reply:
        task = request.task
        if isinstance(task, PlanTasks):
            return self._planned(task)
        if isinstance(task, SumUp):
            return Reply.of(Delay(seconds=PLANNING_S), "All in all.")
        assert isinstance(task, UseTools)
        if task.question.startswith(FAILS):
            return Reply.of(Fail(error=ModelRejected(model="m")))
        made = any(isinstance(part, ToolResultPart) for part in request.messages[-2].parts)
        wait = Delay(seconds=turn_s(int(task.question.split()[-1])))
        return Reply.of(wait, "Done.") if made else Reply.of(wait, called("echo", text=task.question))

    def _planned(self, task: PlanTasks) -> Reply:
        if task.plan is None:
            steps = [self._step(number) for number in range(self._rounds)]
            return Reply.of(Delay(seconds=PLANNING_S), planning("create", title="Plan", steps=steps))
        done = task.plan.next is None
        return Reply.of(Delay(seconds=PLANNING_S), planning("finish") if done else "Go on.")

    def _step(self, number: int) -> str:
        return "<sep>".join((*(f"round {number} task {place}" for place in range(self._tasks)), f"{FAILS} {number}"))


def turn_s(place: int) -> float:
    """Return how long a turn of the task at a place takes."""
    return TURN_S + place * SLOWER_S


def longest_s(tasks: int, rounds: int) -> float:
    """Return the seconds of the longest path."""
    return PLANNING_S * (rounds + 2) + rounds * 2 * turn_s(tasks - 1)


async def measured(told: PlanBench) -> float:
    """Carry the plan out once; return its seconds."""
    began = time.perf_counter()
    ended = await told.ended(await told.start())
    assert ended.outcome == "completed", ended.failure
    return time.perf_counter() - began


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--url", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = SqlStore(given.url or f"sqlite+aiosqlite:///{folder}/store.db")
        await store.open()
        model = ScriptedModel(Model(given.tasks, given.rounds))
        rules = PlanRules(at_once=given.tasks + 1, task_limits=CHILD.limits)
        told = plan_bench(Path(folder), model, [EchoTool()], rules=rules, store=store)
        await measured(told)  # what is loaded with the first run is no part of the others
        took = [await measured(told) for _ in range(given.runs)]
        await told.close()
        await store.close()
    path = longest_s(given.tasks, given.rounds)
    figures = {
        "longest_path_s": round(path, 2),
        "median_s": round(statistics.median(took), 3),
        "worst_s": round(max(took), 3),
        "median_by_longest_path": round(statistics.median(took) / path, 3),
        "worst_by_longest_path": round(max(took) / path, 3),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main())
