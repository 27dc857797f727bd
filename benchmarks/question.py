"""Times one question as a user experiences it: cold command line, warm server, help, and an idle server's memory.

    .venv/bin/python benchmarks/question.py [--runs 7]

Every figure is the median of several runs on the sample files. The lower bound for the cold command is the same pandas
code in a bare interpreter of the sandbox's environment, without isolation, store or interpretation of the question.
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
BOUND = "import pandas as pd; print(pd.read_csv({path!r}).groupby('Category')['Revenue'].sum())"
PORT = 8791


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


def ask_over_http(client: httpx2.Client, csv: Path) -> dict[str, float]:
    """Upload the sample, then ask; return the seconds to the first announced step and to the answer."""
    conversation = client.post("/api/v1/conversations", json={}).json()["id"]
    with csv.open("rb") as file:
        client.post(
            f"/api/v1/files?conversation_id={conversation}", files={"file": (csv.name, file)}
        ).raise_for_status()
    begun = time.perf_counter()
    seen: dict[str, float] = {}
    with client.stream(
        "POST",
        f"/api/v1/conversations/{conversation}/messages",
        json={"text": QUESTION},
        headers={"Accept": "text/event-stream"},
    ) as stream:
        for line in stream.iter_lines():
            for word, name in (("step.announced", "first step"), ("answer.completed", "answer")):
                if word in line:
                    seen.setdefault(name, time.perf_counter() - begun)
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
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
            answers = [ask_over_http(client, csv) for _ in range(runs + 1)][1:]
            for name in answers[0]:
                figures[f"warm server, {name}, s"] = statistics.median(answer[name] for answer in answers)
            figures["idle server, all processes, MB"] = round(resident_bytes(pid) / 1e6)
            own = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").split("Rss:")[1].split()[0]
            figures["idle server, its own process (RSS), MB"] = round(int(own) * 1024 / 1e6)
    print(
        json.dumps(
            {name: round(value, 3) if isinstance(value, float) else value for name, value in figures.items()}, indent=2
        )
    )


if __name__ == "__main__":
    main()
