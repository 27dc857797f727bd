"""Opens every file under a folder as the product does; prints the outcome, seconds and the child's peak memory.

python benchmarks/opening.py FOLDER [--slowest N]
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tablewright.data.base import FileProfile, OpenLimits
from tablewright.data.files.tables import WARM, FileTables
from tablewright.data.pool import WorkerPool
from tablewright.errors import TablewrightError


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The outcome of opening one file."""

    path: Path
    outcome: str
    seconds: float
    peak_mb: float
    tables: str


def child_pids() -> list[int]:
    """Return the child processes of this process, which are the pool's."""
    lists = Path("/proc/self/task").glob("*/children")
    return [int(pid) for listed in lists for pid in listed.read_text().split()]


def forget_peaks() -> None:
    for pid in child_pids():
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def peak_mb() -> float:
    """Return the highest resident memory of the children since `forget_peaks`, in MB, ignoring dead children."""
    peaks = [0]
    for pid in child_pids():
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        peaks += [int(line.split()[1]) for line in lines if line.startswith("VmHWM")]
    return max(peaks) / 1024


def described(profile: FileProfile) -> str:
    shapes = [f"{table.facts.rows}x{len(table.facts.columns)}" for table in profile.datasets]
    return f"{profile.kind} {' '.join(shapes[:6])}{' …' if len(shapes) > 6 else ''}"


async def opened(tables: FileTables, path: Path) -> Opening:
    forget_peaks()
    start = time.perf_counter()
    try:
        profile = await tables.profile(path, path.name)
        outcome, shapes = "opened", described(profile)
    except TablewrightError as error:
        outcome, shapes = f"{error.code} {error.detail}".strip(), ""
    return Opening(path=path, outcome=outcome, seconds=time.perf_counter() - start, peak_mb=peak_mb(), tables=shapes)


async def run(paths: list[Path], slowest: int) -> None:
    limits = OpenLimits()
    tables = FileTables(limits, WorkerPool(limits, size=1, warm=WARM))
    try:
        await tables.start()
        openings = [await opened(tables, path) for path in paths]
    finally:
        await tables.stop()
    shown = openings if not slowest else sorted(openings, key=lambda opening: -opening.seconds)[:slowest]
    for opening in shown:
        print(
            f"{opening.seconds:8.3f} s {opening.peak_mb:7.0f} MB  {opening.outcome:<34} {opening.path.name}  "
            f"{opening.tables}"
        )
    print()
    for outcome, count in Counter(opening.outcome for opening in openings).most_common():
        print(f"{count:6} {outcome}")
    worst, largest = max(opening.seconds for opening in openings), max(opening.peak_mb for opening in openings)
    print(f"{len(openings):6} files, slowest {worst:.2f} s, largest {largest:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--slowest", type=int, default=0, help="show only the N slowest files")
    given = parser.parse_args()
    folder: Path = given.folder
    paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else [folder]
    asyncio.run(run(paths, given.slowest))


if __name__ == "__main__":
    main()
