"""Measures what the built-in analyst's reports find: recall per planted effect, and false findings.

    .venv/bin/python -m benchmarks.reports [--seed 1] [--effects 108] [--nulls 207] [--misses] [--file FILE…]

Tables come from `report_tables` and `report_nulls`, which know nothing of how effects are looked for. Seeds 1 to 99 are
for changing the analyst, seeds from 100 for the figures that are published. `--file` prints the report on a file of
your own instead.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.report_nulls import null_tables
from benchmarks.report_parts import MadeTable, Planted
from benchmarks.report_rounds import Told, Worker, reported
from benchmarks.report_tables import EFFECTS, effect_tables

from tablewright.analyst.reporting.agenda import agenda_of
from tablewright.analyst.reporting.answer import report_of
from tablewright.analyst.reporting.finding import Finding

DESCRIPTIONS = frozenset({"leaders", "missing"})
"""Kinds of findings that describe a table and claim no effect."""


@dataclass(slots=True, kw_only=True)
class Score:
    """What was found in tables: planted effects by kind, false findings by form of table, seconds."""

    planted: Counter[str] = field(default_factory=Counter[str])
    found: Counter[str] = field(default_factory=Counter[str])
    tables: Counter[str] = field(default_factory=Counter[str])
    false: Counter[str] = field(default_factory=Counter[str])
    remarks: list[str] = field(default_factory=list[str])
    failures: list[str] = field(default_factory=list[str])
    seconds: list[float] = field(default_factory=list[float])

    def add(self, form: str, table: MadeTable, told: Told) -> None:
        """Count what the report on `table` found."""
        agenda = agenda_of(told.task)
        findings = [one for one in report_of(agenda, told.task).findings if one.kind not in DESCRIPTIONS]
        self.failures += told.failures
        self.seconds.append(told.seconds)
        for planted in table.planted:
            if planted.counted:
                hit = any(is_about(one, planted) for one in findings)
                self.planted[planted.kind] += 1
                self.found[planted.kind] += hit
                if not hit:
                    others = ", ".join(f"{one.kind} {one.columns}" for one in findings)
                    self.remarks.append(f"missed {planted.kind} {planted.columns} {planted.strength} [{others}]")
        wrong = [one for one in findings if not any(is_about(one, planted) for planted in table.planted)]
        self.tables[form] += 1
        self.false[form] += bool(wrong)
        self.remarks += [f"false in {form} of {table.rows} rows: {one.kind} {one.columns} p={one.p}" for one in wrong]


def is_about(finding: Finding, planted: Planted) -> bool:
    """Return whether a finding is the planted effect: its kind, in its columns."""
    said, true = set(finding.columns), set(planted.columns)
    return finding.kind == planted.kind and (true <= said or (said <= true and planted.kind == "dominant"))


async def measure(tables: Iterable[tuple[str, MadeTable]], folder: Path, *, remark: bool = False) -> Score:
    """Return the score over `tables`, each reported on by itself; with `remark`, say at once what was missed or
    false."""
    score, worker = Score(), Worker()
    try:
        for form, table in tables:
            path = folder / f"{table.name}.csv"
            path.write_text(table.csv(), encoding="utf-8")
            score.add(form, table, await reported(path, table.language, worker))
            path.unlink()
            while remark and score.remarks:
                print(score.remarks.pop(0), flush=True)
    finally:
        worker.close()
    return score


def summary(effects: Score, nulls: Score) -> str:
    """Return the figures as lines."""
    lines = ["recall per effect"]
    lines += [
        f"  {kind:<12} {effects.found[kind]:>3} of {effects.planted[kind]:>3}  {effects.found[kind] / of:.0%}"
        for kind in EFFECTS
        if (of := effects.planted[kind])
    ]
    total = sum(effects.planted.values())
    lines.append(f"  {'all':<12} {sum(effects.found.values()):>3} of {total:>3}")
    lines.append(f"  false besides: {sum(effects.false.values())} of {sum(effects.tables.values())} tables")
    lines.append("null tables with any false finding")
    lines += [f"  {form:<16} {nulls.false[form]:>3} of {nulls.tables[form]:>3}" for form in nulls.tables]
    wrong, of = sum(nulls.false.values()), max(1, sum(nulls.tables.values()))
    lines.append(f"  {'all':<16} {wrong:>3} of {of:>3}  {wrong / of:.1%}")
    seconds = sorted(effects.seconds + nulls.seconds)
    lines.append(f"seconds per report: median {seconds[len(seconds) // 2]:.1f}, worst {seconds[-1]:.1f}")
    lines.append(f"calls that failed: {len(effects.failures) + len(nulls.failures)}")
    return "\n".join(lines)


async def _files(paths: Iterable[Path], language: str, question: str) -> None:
    worker = Worker()
    for path in paths:
        told = await reported(path, "zh" if language == "zh" else "en", worker, question)
        print(f"\n{'=' * 100}\n{path}  {told.seconds:.1f} s\n{told.report}")
        print("\n".join(f"? {question}" for question in told.answer["action"].get("recommended_questions", [])))
        print("\n".join(told.failures))
    worker.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--effects", type=int, default=108)
    parser.add_argument("--nulls", type=int, default=207)
    parser.add_argument("--misses", action="store_true", help="list what was missed and what was false")
    parser.add_argument("--file", type=Path, nargs="*", help="print the report on these files")
    parser.add_argument("--language", choices=("zh", "en"), default="en")
    parser.add_argument("--question", default="")
    asked = parser.parse_args()
    if asked.file:
        asyncio.run(_files(asked.file, asked.language, asked.question))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        made = (("effect", table) for table in effect_tables(asked.seed, asked.effects))
        effects = asyncio.run(measure(made, Path(folder), remark=asked.misses))
        nulls = asyncio.run(measure(null_tables(asked.seed, asked.nulls), Path(folder), remark=asked.misses))
    print(summary(effects, nulls))
    for failure, count in Counter(effects.failures + nulls.failures).most_common(5):
        print(f"failed {count} times:\n{failure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
