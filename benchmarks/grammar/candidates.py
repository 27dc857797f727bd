"""Write the candidate readings of suites' questions as lines of JSON, each reading with its features and whether it is
right by the suite's own check: `.venv/bin/python -m benchmarks.grammar.candidates SUITE_DIR OUT.jsonl --score SCORE.py
--cache DIR [--limit N] [--most 80]`. Nothing that is written there may enter the repository."""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import importlib.util
import json
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.grammar.cells import cells_of, load_all
from benchmarks.grammar.tables import SuiteTables, suite_cases, suite_tables

from tablewright.analyst.evaluating.base import Evaluated
from tablewright.analyst.evaluating.memory import StoredTable, evaluate_all
from tablewright.analyst.grammar import GrammarReading, executed_features, readings
from tablewright.analyst.understanding.circumstances import circumstances
from tablewright.analyst.understanding.judging import key_of
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import language_of

DECLINED = frozenset({"decline", "declined"})
"""The kinds of checks of what must be declined."""
SEED = 14
SECONDS = 10.0
MOST_ROWS = 5_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--score", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--most", type=int, default=80)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    cases = suite_cases(options.suite)
    random.Random(SEED).shuffle(cases)
    cases = cases[: options.limit]
    table_files_kept(options.suite, cases, options.cache, options.workers)
    jobs = [(case, options.suite, options.cache, options.score, options.most) for case in cases]
    started, right = time.perf_counter(), 0
    with ProcessPoolExecutor(options.workers) as pool, options.out.open("w", encoding="utf-8") as out:
        for line in pool.map(_job, jobs, chunksize=4):
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            right += any(one[1] for one in line["candidates"])
    print(f"{options.suite.name}: {right} of {len(cases)} among {options.most}, {time.perf_counter() - started:.0f} s")


def table_files_kept(suite: Path, cases: list[dict[str, Any]], cache: Path, workers: int) -> None:
    """Read the tables of these cases, so that they are in `cache`."""
    names = sorted({name for case in cases for name in case["files"]})
    with ProcessPoolExecutor(workers) as pool:
        found = [table for tables in pool.map(_tables, [(suite, name, cache) for name in names]) for table in tables]
    load_all(found, cache)


def _tables(job: tuple[Path, str, Path]) -> list[tuple[DatasetFacts, Path]]:
    suite, name, cache = job
    try:
        return [(facts, suite / name) for facts in suite_tables(suite, [name], cache).datasets]
    except Exception as error:  # noqa: BLE001 - a file that cannot be read has no candidates
        print(f"{name}: {error}", file=sys.stderr)
        return []


def _job(job: tuple[dict[str, Any], Path, Path, Path, int]) -> dict[str, Any]:
    case, suite, cache, score, most = job
    around: dict[str, float] = {}
    try:
        found = candidates(case, suite, cache, score, most)
        around = circumstances(case["prompt"], suite_tables(suite, case["files"], cache).datasets)
    except Exception as error:  # noqa: BLE001 - one case must not end the others
        print(f"{case['id']}: {error!r}", file=sys.stderr)
        found = []
    return {
        "id": case["id"],
        "prompt": case["prompt"],
        "table": case["files"][0],
        "suite": suite.name,
        "around": around,
        "candidates": found,
    }


def candidates(case: dict[str, Any], suite: Path, cache: Path, score: Path, most: int) -> list[tuple[Any, bool, str]]:
    """Return the features of each reading, whether it is right, what it says, and the key of its result."""
    tables = suite_tables(suite, case["files"], cache)
    language = language_of(case["prompt"])
    found = asyncio.run(readings(case["prompt"], language, tables.datasets, tables, (), tables.relations, most=most))
    stored = stored_tables(case, suite, tables, cache)
    ran = evaluate_all(
        [reading.plan for reading in found], stored, tables.datasets, most_rows=MOST_ROWS, language=language,
        deadline=time.thread_time() + SECONDS,
    )  # fmt: skip
    return [
        _candidate(reading, evaluated, case, suite, score, tables)
        for reading, evaluated in zip(found, ran, strict=True)
    ]


def stored_tables(case: dict[str, Any], suite: Path, tables: SuiteTables, cache: Path) -> dict[str, StoredTable]:
    """Return the cells of a case's tables by the id of their data set; those that could not be loaded are missing."""
    stored = {}
    for facts in tables.datasets:
        name = next(name for name in case["files"] if Path(name).name == facts.file_name)
        cells = cells_of(facts, suite / name, cache)
        if cells is not None:
            stored[facts.id] = cells
    return stored


def _candidate(reading: GrammarReading, ran: Evaluated, case: Any, suite: Path, score: Path, tables: Any) -> Any:
    results = None if ran.failure is not None else ran.tables
    features = {**reading.features, **executed_features(reading, results, tables.datasets)}
    said = reading.said if ran.failure is None else f"{reading.said} !{ran.failure}"
    key = None if ran.failure is not None else hashlib.sha256(key_of(ran, features).encode()).hexdigest()[:16]
    kept = {name: round(value, 4) for name, value in features.items()}
    return (kept, right_by(case, ran, suite, score), said, key)


def right_by(case: Any, ran: Evaluated, suite: Path, score: Path) -> bool:
    """Return whether a result is right by the suite's own check; where a case must be declined, none is."""
    if ran.failure is not None or not ran.tables or case["check"]["kind"] in DECLINED:
        return False
    last = ran.tables[-1]
    answer: dict[str, Any] = {"result": {"columns": last.columns, "rows": last.rows}, "charts": [], "answer": ""}
    for chart in ran.charts:
        answer["charts"].append({"type": chart.kind, "x": chart.x, "y": chart.y, "series": chart.series})
    return bool(_judge(str(score))(case, answer, suite)[0])


_JUDGES: dict[str, Any] = {}


def _judge(path: str) -> Any:
    """Return the check of `score.py`, which runs itself when it is imported: its last line is left out."""
    if path not in _JUDGES:
        source = Path(path).read_text(encoding="utf-8").rstrip().removesuffix("main()")
        spec = importlib.util.spec_from_loader("score", loader=None)
        if spec is None:
            raise ImportError(path)
        module = importlib.util.module_from_spec(spec)
        exec(compile(source, path, "exec"), module.__dict__)
        _JUDGES[path] = module.judged
    return _JUDGES[path]


if __name__ == "__main__":
    main()
