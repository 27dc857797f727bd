"""Imports and rehearsals done once, before forking, so that every session starts with them."""

from __future__ import annotations

import gc
import importlib
import linecache
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .jail import libc
from .runner import Runner

SUBMODULES = {
    "matplotlib": ("matplotlib.pyplot", "matplotlib_inline.backend_inline"),
    "scipy": ("scipy.stats", "scipy.optimize"),
    "statsmodels": ("statsmodels.formula.api",),
}
"""What is imported of a package beside itself. The rest of `statsmodels.api`, time series most of all, takes a session
that wants it a quarter of a second, and would take every service that waits 22 MB."""
_STARTS_THREADS = ("polars", "duckdb")
_PANDAS_CELL = """
import pandas as _frames
_table = _frames.DataFrame({"k": ["a", "b", "a"], "v": [1.5, 2.0, None], "d": _frames.to_datetime(["2024-01-01"] * 3)})
_table.groupby("k", as_index=False).agg(v=("v", "sum"))
_table
"""
_FIGURE_CELL = """
import matplotlib.pyplot as _plots
_plots.plot([1, 2], [1, 2])
_plots.title("a")
_plots.show()
"""


@contextmanager
def _without_threads() -> Iterator[None]:
    """Hide packages that start threads on import from libraries that only check whether they are installed."""
    hidden = [name for name in _STARTS_THREADS if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def load(packages: Sequence[str]) -> list[str]:
    """Import the available ones of `packages`, with the submodules that analyses use. Returns the missing ones."""
    missing = []
    gc.disable()  # what is imported stays: to look through it again and again takes a tenth of the time
    with _without_threads():
        for package in packages:
            try:
                importlib.import_module(package)
                for part in SUBMODULES.get(package, ()):
                    importlib.import_module(part)
            except ImportError:
                missing.append(package)
    gc.enable()
    return missing


def rehearse(runner: Runner) -> None:
    """Run one cell, one error, one table and one figure, to initialize everything that is created on first use."""
    runner.execute("1 + 1")
    runner.execute("1 / 0")
    if "pandas" in sys.modules:
        runner.execute(_PANDAS_CELL)
    if "matplotlib" in sys.modules:
        runner.execute(_FIGURE_CELL)
    for name in [name for name in runner.namespace if name.startswith(("_frames", "_table", "_plots"))]:
        del runner.namespace[name]
    runner.namespace["_"] = ""


def fonts() -> dict[str, bytes]:
    """Return the contents of matplotlib's font lists by file name, if there are any."""
    return {path.name: path.read_bytes() for path in Path(os.environ["MPLCONFIGDIR"]).glob("fontlist-*.json")}


def give_fonts(lists: dict[str, bytes]) -> None:
    """In a fork that has not imported matplotlib, provide the font lists built before."""
    if lists and "matplotlib" not in sys.modules:
        folder = Path(os.environ["MPLCONFIGDIR"])
        folder.mkdir(exist_ok=True)
        for name, content in lists.items():
            (folder / name).write_bytes(content)


def threads() -> int:
    """Return the number of threads of this process; 0 if /proc does not say."""
    try:
        return len(list(Path("/proc/self/task").iterdir()))
    except OSError:
        return 0


def freeze() -> None:
    """Give back what loading has left over, and keep the garbage collector from touching, and thereby copying, memory
    shared with forks."""
    linecache.clearcache()
    gc.collect()
    libc.trim()
    gc.freeze()


def awaken() -> None:
    """In a fork, reseed the random number generators."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(int.from_bytes(os.urandom(4), "big"))


def stretch(runner: Runner) -> None:
    """Run a cell in a fork before its lease, so that the pages that it writes are already copied."""
    runner.execute("1 + 1")
    runner.namespace["_"] = ""
