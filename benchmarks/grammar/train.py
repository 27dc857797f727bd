"""Train the grammar of questions and how far it is trusted, from suites to the two files of weights that ship:

    .venv/bin/python -m benchmarks.grammar.train BENCH_DIR WORK_DIR [--write]

BENCH_DIR holds the suites and their check `score.py`, as well as `train/`, whose questions are learned from but judge
nothing; the project's own suites of questions are taken along. WORK_DIR keeps tables and candidates, which must not
enter the repository. Figures are cross-validated by table. A quarter of an hour on two cores; seeded."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from tablewright.samples import sample_files

OWN = Path(__file__).resolve().parents[2] / "tests" / "suites"
SUITES = ("office", "nvbench", "retqa", "wikitablequestions", "tablebench")
LEARNED_ONLY = ("nvbench", "retqa", "wikitablequestions", "tablebench")
UNSEEN = frozenset({"office-10"})
"""Suites of the project's own that are kept apart until the program has been measured on them."""
JUDGED, LEARNED = 200, 1_000
"""So many questions of a suite judge, and so many of one that is only learned from are taken."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--judged", type=int, default=JUDGED)
    parser.add_argument("--learned", type=int, default=LEARNED)
    given = parser.parse_args()
    score, work, write = given.bench / "score.py", given.work, ["--write"] if given.write else []
    judging = {f"judging-{name}": given.bench / name for name in SUITES}
    own = (suite for suite in sorted(OWN.glob("office*")) if suite.name not in UNSEEN)
    judging |= {f"judging-own-{suite.name}": suite for suite in own}
    judging["judging-everyday"] = OWN / "everyday"
    judging["judging-samples"] = _samples(work)
    learning = {f"learning-{name}": given.bench / "train" / name for name in LEARNED_ONLY}
    learning["learning-plain"] = OWN / "plain"
    files: list[Path] = []
    for name, suite in (judging | learning).items():
        out, cache = work / f"{name}.jsonl", work / "tables" / name
        cache.mkdir(parents=True, exist_ok=True)
        most = given.judged if name in judging else given.learned
        _run("candidates", suite, out, "--score", score, "--cache", cache, "--limit", most, "--most", 60)
        files.append(out)
    _run("learn", *files, *write)
    out = work / "judged.jsonl"
    _run("judged", out, *(work / f"{name}.jsonl" for name in judging), "--learn", *files)
    _run("trust", out, *write)


def _samples(work: Path) -> Path:
    """Return a suite of the questions about the sample files: plain ones, on tidy tables of a business."""
    suite = work / "samples"
    suite.mkdir(parents=True, exist_ok=True)
    for path in (*sample_files(), OWN / "samples" / "suite.jsonl"):
        shutil.copy(path, suite)
    return suite


def _run(module: str, *given: object) -> None:
    print(f"== {module}", flush=True)
    subprocess.run([sys.executable, "-m", f"benchmarks.grammar.{module}", *map(str, given)], check=True)


if __name__ == "__main__":
    main()
