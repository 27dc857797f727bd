"""Runs the cells of the sandbox comparison in other programs, for benchmarks/sandbox.py, in the `bench` environment.

    .venv-bench/bin/python benchmarks/sandbox_peers.py kernel|smolagents [--rounds 20] < CELLS

Reads the cells from standard input and prints the samples, both as JSON. `kernel` is ipykernel through jupyter_client
with its defaults; `smolagents` is its local executor, an interpreter within this process, without a process, isolation
or output stream of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psutil

Cells = Mapping[str, str]
Samples = dict[str, list[float]]

_MODULES = ["pandas", "numpy", "matplotlib", "matplotlib.*", "scipy", "scipy.*", "statsmodels", "statsmodels.*", "time"]
_CREATED = 20


def timed(count: int, act: Callable[[], object]) -> list[float]:
    """Return the milliseconds that each of `count` calls took."""
    times = []
    for _ in range(count):
        started = time.perf_counter()
        act()
        times.append((time.perf_counter() - started) * 1000)
    return times


def private_mb(process: int) -> float:
    """Return the private memory of a process, in MB."""
    return float(psutil.Process(process).memory_full_info().uss) / 1024**2


def _kernel_first_word(client: Any, code: str) -> float:
    heard = 0.0
    started = time.perf_counter()

    def hear(message: dict[str, Any]) -> None:
        nonlocal heard
        if message["msg_type"] == "stream" and not heard:
            heard = (time.perf_counter() - started) * 1000

    client.execute_interactive(code, output_hook=hear)
    return heard


def kernel(cells: Cells, rounds: int) -> Samples:
    """Measure ipykernel, collecting every output as a caller would."""
    from jupyter_client.manager import start_new_kernel

    samples: Samples = {name: [] for name in ("all", "cold", "life")}
    manager: Any = None
    client: Any = None

    def run(code: str) -> None:
        reply = client.execute_interactive(code, output_hook=lambda _message: None)
        assert reply["content"]["status"] == "ok", reply

    def start(code: str) -> None:
        nonlocal manager, client
        manager, client = start_new_kernel()
        run(code)

    def end() -> None:
        client.stop_channels()
        manager.shutdown_kernel(now=True)

    def life() -> None:
        start(cells["first"])
        end()

    for name, code in (("cold", cells["first"]), ("all", f"{cells['imports']}\n{cells['first']}")):
        for _ in range(3):
            samples[name] += timed(1, lambda code=code: start(code))  # type: ignore[misc]  # a default argument
            end()
    lives = timed(3, life)
    start(cells["first"])
    memory = private_mb(manager.provisioner.pid)
    run(f"{cells['imports']}\n1")
    imported = private_mb(manager.provisioner.pid)
    run(cells["million"])
    found: Samples = {
        "started with all packages, first result": samples["all"],
        "session, cold: first result": samples["cold"],
        "round trip of `pass`": timed(rounds * 5, lambda: run("pass")),
        "round trip of `print(1)`": timed(rounds * 5, lambda: run("print(1)")),
        "first printed word": [_kernel_first_word(client, cells["prints"]) for _ in range(rounds // 2)],
        "group-by of 1 million rows": timed(rounds, lambda: run(cells["group"])),
        "loop of 200,000": timed(rounds, lambda: run(cells["loop"])),
        "private memory of a session": [memory],
        "private memory, packages imported": [imported],
        "sessions a second": [1000 / took for took in lives],
    }
    end()
    return found


def _executor() -> Any:
    from smolagents.local_python_executor import LocalPythonExecutor

    executor = LocalPythonExecutor(_MODULES, timeout_seconds=60)
    executor.send_tools({})
    return executor


def first_of_a_process(cells: Cells) -> None:
    """Create an executor and run its first cell; run in a new interpreter to time `started with all packages`."""
    _executor()(f"{cells['imports']}\n{cells['first']}")


def smolagents(cells: Cells, rounds: int) -> Samples:
    """Measure the local executor of smolagents."""
    command = [sys.executable, str(Path(__file__)), "smolagents-first"]
    asked = json.dumps(cells).encode()
    started = timed(3, lambda: subprocess.run(command, check=True, input=asked, stdout=subprocess.DEVNULL))
    created = timed(_CREATED, lambda: _executor()(cells["first"]))
    executor = _executor()
    executor(cells["first"])
    memory = private_mb(os.getpid())
    executor(cells["imports"])
    imported = private_mb(os.getpid())
    executor(cells["million"])
    return {
        "started with all packages, first result": started,
        "session, cold: first result": created[1:],
        "round trip of `pass`": timed(rounds * 5, lambda: executor("pass")),
        "round trip of `print(1)`": timed(rounds * 5, lambda: executor("print(1)")),
        "first printed word": timed(rounds // 2, lambda: executor(cells["prints"])),
        "group-by of 1 million rows": timed(rounds, lambda: executor(cells["group"])),
        "loop of 200,000": timed(3, lambda: executor(cells["loop"])),
        "private memory of a session": [memory],
        "private memory, packages imported": [imported],
        "sessions a second": [1000 / took for took in created[1:]],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=["kernel", "smolagents", "smolagents-first"])
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    cells: Cells = json.load(sys.stdin)
    if arguments.peer == "smolagents-first":
        first_of_a_process(cells)
        return
    measure = kernel if arguments.peer == "kernel" else smolagents
    print(json.dumps(measure(cells, arguments.rounds)))


if __name__ == "__main__":
    main()
