"""Times one question as a user experiences it: cold command line, warm server, help, and an idle server's memory.

    .venv/bin/python benchmarks/question.py [--runs 7] [--rest 75]

Every figure is the median of several runs on the sample files, and on a table of 100,000 rows that is asked twice: the
first question of a conversation loads it. Memory is measured after a rest, when what was started ahead and not used has
ended, and after the last answer, when conversations keep their sessions. The lower bound for the cold command is the
same pandas code in a bare interpreter of the sandbox's environment, without isolation, store or interpretation of the
question.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from tablewright.samples import sample_files

ROOT = Path(__file__).resolve().parent.parent
COMMAND = [str(Path(sys.prefix) / "bin" / "tablewright")]
SANDBOX_PYTHON = ROOT / ".venv-sandbox" / "bin" / "python"
QUESTION = "What is the total revenue by category?"
LARGE_ROWS = 100_000
LARGE_QUESTION = "What is the total revenue by channel?"
AGAIN = "What is the average price by channel?"
BOUND = "import pandas as pd; print(pd.read_csv({path!r}).groupby('Category')['Revenue'].sum())"
PORT = 8791


def large_table(rows: int) -> str:
    """Return a CSV of ten columns: numbers, days and words."""
    lines = ["id,day,city,product,channel,units,price,discount,revenue,note\n"]
    for at in range(rows):
        day, channel = f"2024-{at % 12 + 1:02}-{at % 28 + 1:02}", "web" if at % 3 else "shop"
        numbers = f"{at % 9},{at % 83}.5,0.{at % 7},{at}.25"
        lines.append(f"{at},{day},city {at % 97},product {at % 41},{channel},{numbers},order number {at}\n")
    return "".join(lines)


def timed(runs: int, once: Callable[[], object]) -> float:
    """Return the median seconds of `runs` calls, after one that is not counted."""
    once()
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        once()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def command(environment: dict[str, str], *arguments: str) -> None:
    subprocess.run([*COMMAND, *arguments], env=environment, check=True, capture_output=True)


def resident_bytes(pid: int) -> int:
    """Return the memory (PSS, in bytes) of a process and its descendants; 0 for one that has just ended."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    own = next((int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:")), 0)
    return own + sum(resident_bytes(int(child)) for child in children)


@contextmanager
def server(environment: dict[str, str]) -> Iterator[tuple[httpx2.Client, int]]:
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", str(PORT)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    client = httpx2.Client(base_url=f"http://127.0.0.1:{PORT}", timeout=60)
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if client.get("/health/ready").json()["ready"]:
                    break
            except (httpx2.HTTPError, KeyError):
                time.sleep(0.1)
        yield client, process.pid
    finally:
        process.terminate()
        process.wait(30)


def conversation_with(client: httpx2.Client, csv: Path) -> str:
    conversation = str(client.post("/api/v1/conversations", json={}).json()["id"])
    with csv.open("rb") as file:
        path = f"/api/v1/files?conversation_id={conversation}"
        client.post(path, files={"file": (csv.name, file)}).raise_for_status()
    return conversation


def ask_over_http(client: httpx2.Client, conversation: str, question: str) -> dict[str, float]:
    """Ask; return the seconds to the first announced step and to the answer."""
    begun = time.perf_counter()
    seen: dict[str, float] = {}
    path, wanted = f"/api/v1/conversations/{conversation}/messages", {"Accept": "text/event-stream"}
    with client.stream("POST", path, json={"text": question}, headers=wanted) as stream:
        for line in stream.iter_lines():
            for word, name in (("step.announced", "first step"), ("answer.completed", "answer")):
                if word in line:
                    seen.setdefault(name, time.perf_counter() - begun)
    return seen


def warm_figures(client: httpx2.Client, csv: Path, large: Path, runs: int) -> dict[str, object]:
    """Return the medians of questions to a warm server: the sample, then a large table."""
    small, first, again = list[dict[str, float]](), list[dict[str, float]](), list[dict[str, float]]()
    for _ in range(runs + 1):
        small.append(ask_over_http(client, conversation_with(client, csv), QUESTION))
        conversation = conversation_with(client, large)
        first.append(ask_over_http(client, conversation, LARGE_QUESTION))
        again.append(ask_over_http(client, conversation, AGAIN))
    named = {"": small, f"{LARGE_ROWS} rows, ": first, f"{LARGE_ROWS} rows, asked again, ": again}
    return {
        f"warm server, {words}{name}, s": statistics.median(answer[name] for answer in answers[1:])
        for words, answers in named.items()
        for name in answers[0]
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--rest", type=float, default=75, help="seconds before the idle memory is measured")
    given = parser.parse_args()
    runs = given.runs
    csv = sample_files()[0]
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, TABLEWRIGHT_DATA_DIR=folder)
        figures["--help, s"] = timed(runs, lambda: command(environment, "--help"))
        figures["bare pandas, s"] = timed(
            runs,
            lambda: subprocess.run(
                [str(SANDBOX_PYTHON), "-c", BOUND.format(path=str(csv))], check=True, capture_output=True
            ),
        )
        figures["cold ask, s"] = timed(runs, lambda: command(environment, "ask", str(csv), QUESTION, "--json"))
        with server(environment) as (client, pid):
            large = Path(folder) / "large.csv"
            large.write_text(large_table(LARGE_ROWS), encoding="utf-8")
            time.sleep(given.rest)
            figures["idle server, all processes, MB"] = round(resident_bytes(pid) / 1e6)
            figures |= warm_figures(client, csv, large, runs)
            figures["server after the last answer, all processes, MB"] = round(resident_bytes(pid) / 1e6)
            own = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").split("Rss:")[1].split()[0]
            figures["idle server, its own process (RSS), MB"] = round(int(own) * 1024 / 1e6)
    print(
        json.dumps(
            {name: round(value, 3) if isinstance(value, float) else value for name, value in figures.items()}, indent=2
        )
    )


if __name__ == "__main__":
    main()
