"""Times a small question of one person while another opens large tables, over HTTP against a served product.

    .venv/bin/python benchmarks/noisy.py [--questions 20] [--rows 100000] [--tabs 2] [--edit]

Each person has a key of their own. The noisy one opens a CSV as the page does, in several tabs without a pause: it is
uploaded, its workbook is described, its first cells are read. The quiet one sends a table of six rows, sees its cells
and asks for a total. The figures are the median and the 95th percentile of the quiet one's seconds, alone and beside
the other; with `--edit` the noisy one also edits a cell, for which the table becomes a workbook.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

COMMAND = [str(Path(sys.prefix) / "bin" / "tablewright")]
SMALL = "city,product,amount\nOslo,tea,120\nOslo,coffee,30\nRome,tea,80\nRome,coffee,55\nLima,tea,12\nLima,coffee,9\n"
QUESTION = "What is the total amount by city?"
PAUSE_S = 0.05


def large_table(rows: int) -> str:
    """Return a CSV of ten columns: numbers, days and words."""
    header = "id,day,city,product,channel,units,price,discount,revenue,note\n"
    line = "{0},2024-{1:02}-{2:02},city {3},product {4},{5},{6},{7}.5,0.{8},{9}.25,order number {0}\n"
    return header + "".join(
        line.format(
            at, at % 12 + 1, at % 28 + 1, at % 97, at % 41, "web" if at % 3 else "shop", at % 9, at % 83, at % 7, at
        )
        for at in range(rows)
    )


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def served(environment: dict[str, str]) -> Iterator[str]:
    """Provide the address of a served product."""
    port = free_port()
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", str(port)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if httpx2.get(f"{url}/health/ready").json()["ready"]:
                    break
            except (httpx2.HTTPError, KeyError):
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(60)


def person(url: str, environment: dict[str, str], name: str) -> httpx2.Client:
    """Return a client with a key of its own."""
    said = subprocess.run(
        [*COMMAND, "key", "create", "--name", name, "--owner", name],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    key = next(word for word in said.stdout.split() if word.startswith("tw_"))
    return httpx2.Client(base_url=f"{url}/api/v1", headers={"authorization": f"Bearer {key}"}, timeout=600)


def conversation_with(client: httpx2.Client, name: str, content: str) -> str:
    made = str(client.post("conversations", json={}).json()["id"])
    sent = client.post("files", params={"conversation_id": made}, files={"file": (name, content.encode())})
    sent.raise_for_status()
    return made


def ask(client: httpx2.Client) -> float:
    """Send the small table, look at its cells, ask a question about it; return the seconds until the answer."""
    begun = time.perf_counter()
    made = conversation_with(client, "small.csv", SMALL)
    look(client, made)
    answered = False
    path, wanted = f"conversations/{made}/messages", {"Accept": "text/event-stream"}
    with client.stream("POST", path, json={"text": QUESTION}, headers=wanted) as stream:
        for line in stream.iter_lines():
            answered = answered or "answer.completed" in line
    if not answered:
        raise SystemExit("the question was not answered")
    return time.perf_counter() - begun


def look(client: httpx2.Client, conversation: str) -> str:
    """Show the workbook of a conversation as the page does; return its id."""
    book = client.get(f"workbooks/{conversation}").raise_for_status().json()
    sheet = book["outline"]["sheets"][0]["name"]
    client.get(f"workbooks/{book['id']}/sheets/{sheet}/cells", params={"range": "A1:H20"}).raise_for_status()
    return str(book["id"])


def open_large(client: httpx2.Client, content: str, *, edit: bool) -> float:
    """Open a large table as the page does; return the seconds until its cells are there."""
    begun = time.perf_counter()
    book = look(client, conversation_with(client, "large.csv", content))
    if edit:
        typed = {"operations": [{"function": "set_values", "range": "A2", "values": [[7]]}]}
        client.post(f"workbooks/{book}/edits", json=typed).raise_for_status()
    return time.perf_counter() - begun


@contextmanager
def noise(tabs: int, once: Callable[[], float]) -> Iterator[list[float]]:
    """Repeat `once` in each of `tabs` threads; provide the seconds of each time."""
    over, took = threading.Event(), list[float]()

    def repeat() -> None:
        while not over.is_set():
            took.append(once())

    threads = [threading.Thread(target=repeat) for _ in range(tabs)]
    for thread in threads:
        thread.start()
    try:
        yield took
    finally:
        over.set()
        for thread in threads:
            thread.join()


def questions(client: httpx2.Client, count: int) -> list[float]:
    taken = []
    for _ in range(count):
        taken.append(ask(client))
        time.sleep(PAUSE_S)
    return taken


def told(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return {
        "median, s": round(statistics.median(ordered), 3),
        "p95, s": round(p95, 3),
        "most, s": round(ordered[-1], 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--tabs", type=int, default=2, help="how many tables the noisy person opens at a time")
    parser.add_argument("--edit", action="store_true", help="the noisy person edits a cell too")
    given = parser.parse_args()
    content = large_table(given.rows)
    with tempfile.TemporaryDirectory(prefix="tablewright-noisy-") as folder:
        environment = dict(os.environ, TABLEWRIGHT_DATA_DIR=folder)
        with served(environment) as url:
            quiet, noisy = person(url, environment, "quiet"), person(url, environment, "noisy")
            questions(quiet, 3)
            alone = questions(quiet, given.questions)
            with noise(given.tabs, lambda: open_large(noisy, content, edit=given.edit)) as opened:
                time.sleep(1.0)
                beside = questions(quiet, given.questions)
            figures = {"alone": told(alone), "beside": told(beside), "the noisy one's tables": told(opened)}
            figures["times"] = {"p95": round(figures["beside"]["p95, s"] / figures["alone"]["p95, s"], 2)}
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
