"""Compares editing workbooks with openpyxl and LibreOffice: seconds, CPU seconds and peak memory, one process per task.

    python benchmarks/workbook.py [--rows 100000] [--columns 20] [--formulas 100000]

The files are created first. Each figure is for a new process, including start-up and imports. Undo joins the earlier
version from its parts.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()


def ours_edit(folder: Path) -> None:
    apply(folder / "table.xlsx", folder / "out.xlsx", [{"function": "set_values", "range": "C5", "values": [[1]]}])


def ours_insert(folder: Path) -> None:
    apply(folder / "table.xlsx", folder / "out.xlsx", [{"function": "insert_rows", "row": 5}])


def ours_sort(folder: Path) -> None:
    by = [{"column": "c1", "descending": True}]
    apply(folder / "table.xlsx", folder / "out.xlsx", [{"function": "sort_rows", "by": by}])


def ours_recalculation(folder: Path) -> None:
    from tablewright.workbook.package.recalculation import recalculate

    shutil.copyfile(folder / "formulas.xlsx", folder / "out.xlsx")
    assert recalculate(folder / "out.xlsx", "formulas.xlsx").computed


def ours_outline(folder: Path) -> None:
    from tablewright.workbook.package import reader

    assert reader.outline(folder / "table.xlsx", name="table.xlsx", tokens=4_000)


def ours_split(folder: Path) -> None:
    from tablewright.workbook.parts import split

    for number, part in enumerate(split((folder / "table.xlsx").read_bytes())):
        (folder / f"part{number:03}").write_bytes(part)


def ours_undo(folder: Path) -> None:
    from tablewright.workbook.parts import join

    whole = join(path.read_bytes() for path in sorted(folder.glob("part*")))
    (folder / "undone.xlsx").write_bytes(whole)
    assert whole == (folder / "table.xlsx").read_bytes()


def openpyxl_edit(folder: Path) -> None:
    import openpyxl

    book = openpyxl.load_workbook(folder / "table.xlsx")
    book["Data"]["C5"] = 1
    book.save(folder / "out.xlsx")


def openpyxl_insert(folder: Path) -> None:
    import openpyxl

    book = openpyxl.load_workbook(folder / "table.xlsx")
    book["Data"].insert_rows(5)
    book.save(folder / "out.xlsx")


def openpyxl_read(folder: Path) -> None:
    import openpyxl

    book = openpyxl.load_workbook(folder / "table.xlsx", read_only=True, data_only=True)
    assert sum(1 for _ in book["Data"].iter_rows(values_only=True)) > 1


def soffice_recalculation(folder: Path) -> None:
    program = shutil.which("soffice")
    assert program is not None, "LibreOffice is not installed"
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    command = [
        program,
        profile,
        "--headless",
        "--convert-to",
        "xlsx",
        "--outdir",
        str(folder / "made"),
        str(folder / "formulas.xlsx"),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=600)


TASKS: dict[str, dict[str, Callable[[Path], None]]] = {
    "open, edit one cell, save": {"tablewright": ours_edit, "openpyxl": openpyxl_edit},
    "insert a row": {"tablewright": ours_insert, "openpyxl (formulas do not follow)": openpyxl_insert},
    "sort by a column": {"tablewright": ours_sort},
    "keep a version": {"tablewright": ours_split},
    "undo": {"tablewright": ours_undo},
    "recalculate": {"tablewright": ours_recalculation, "LibreOffice": soffice_recalculation},
    "read for a model": {"tablewright": ours_outline, "openpyxl (all rows, read-only)": openpyxl_read},
}


def apply(source: Path, target: Path, operations: list[dict[str, Any]]) -> None:
    from tablewright.domain.codec import from_json
    from tablewright.workbook.applying import job
    from tablewright.workbook.base import Applied

    found = from_json(
        Applied, job.apply(source, name=source.name, target=str(target), operations=operations, policy={})
    )
    assert found.written, found.steps


def make_files(folder: Path, rows: int, columns: int, formulas: int) -> None:
    import xlsxwriter

    draw = random.Random(1)
    with xlsxwriter.Workbook(str(folder / "table.xlsx"), {"constant_memory": True}) as book:
        sheet = book.add_worksheet("Data")
        sheet.write_row(0, 0, [f"c{column}" for column in range(columns)])
        for row in range(1, rows + 1):
            sheet.write_row(
                row,
                0,
                [f"name {draw.randrange(1000)}" if at % 5 == 0 else draw.random() * 1000 for at in range(columns)],
            )
    with xlsxwriter.Workbook(str(folder / "formulas.xlsx"), {"constant_memory": True}) as book:
        sheet = book.add_worksheet("Data")
        for row in range(formulas):
            sheet.write_number(row, 0, row)
            sheet.write_formula(row, 1, f"=A{row + 1}*2+SUM($A$1:$A$10)")


def measured(task: str, contender: str, folder: Path) -> tuple[float, float, float]:
    """Run one task in a new process; return its seconds, CPU seconds and peak memory in MB, including children."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(HERE), "--task", task, "--contender", contender, "--folder", str(folder)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    seconds, told = time.perf_counter() - start, json.loads(done.stdout)
    return seconds, float(told["cpu_s"]), float(told["peak_mb"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--formulas", type=int, default=100_000)
    parser.add_argument("--task")
    parser.add_argument("--contender")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.task:
        TASKS[given.task][given.contender](given.folder)
        usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        cpu_s = sum(used.ru_utime + used.ru_stime for used in usage)
        print(json.dumps({"peak_mb": max(used.ru_maxrss for used in usage) / 1024, "cpu_s": cpu_s}))
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder, given.rows, given.columns, given.formulas)
        size_mb = (folder / "table.xlsx").stat().st_size / 1024**2
        print(f"{given.rows:,} rows x {given.columns} columns ({size_mb:.1f} MB), {given.formulas:,} formulas")
        for task, contenders in TASKS.items():
            for contender in contenders:
                seconds, cpu_s, peak_mb = measured(task, contender, folder)
                print(f"{task:28} {contender:34} {seconds:8.2f} s {cpu_s:8.2f} s CPU {peak_mb:8.0f} MB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
