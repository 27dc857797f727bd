"""Times how soon a watcher sees that a node of a workflow has begun.

    .venv/bin/python -m benchmarks.node_events [--nodes 50] [--runs 20] [--url URL]

A workflow of so many nodes, one after the other, runs so many times. From the moment at which a node begins to that at
which a watcher of the run has its event, which is stored before: the median and the 99th percentile in milliseconds;
and the milliseconds of a whole run per node. Without a URL a new SQLite file is written; a PostgreSQL database is given
as `postgresql+psycopg://…` and must be empty.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from tests.support.workflow_bench import WorkflowBench, node, workflow

from tablewright.domain.events import NodeStarted
from tablewright.store.sql import SqlStore


async def measured(bench: WorkflowBench, nodes: int) -> tuple[list[float], float]:
    """Run the workflow once; return the milliseconds until each event was seen, and those of the run."""
    names = [f"n{number}" for number in range(nodes)]
    middle = [node(name, "template", text="{{ inputs | length }}") for name in names]
    definition = workflow([node("start", "start"), *middle, node("end", "end")], " > ".join(("start", *names, "end")))
    began = time.perf_counter()
    run = await bench.start(definition)
    late = [
        (datetime.now(UTC) - event.at).total_seconds() * 1000
        async for event in bench.bench.runs.follow(bench.bench.scope, run.id)
        if isinstance(event.body, NodeStarted)
    ]
    return late, (time.perf_counter() - began) * 1000


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=50)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--url", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = SqlStore(given.url or f"sqlite+aiosqlite:///{folder}/store.db")
        await store.open()
        bench = WorkflowBench(Path(folder), store=store)
        await measured(bench, given.nodes)  # what is loaded with the first run is no part of the others
        seen = [await measured(bench, given.nodes) for _ in range(given.runs)]
        await bench.close()
        await store.close()
    late = [each for events, _ in seen for each in events]
    figures = {
        "events": len(late),
        "median_ms": round(statistics.median(late), 2),
        "p99_ms": round(statistics.quantiles(late, n=100)[98], 2),
        "run_ms_per_node": round(statistics.median(took for _, took in seen) / given.nodes, 2),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main())
