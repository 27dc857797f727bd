"""Write what the built-in analyst weighs for suites' questions, for `benchmarks.grammar.trust`.

These are the grammar's readings by weights that have not seen the question's table, and the old readers' plan, each
with its features, whether it is right by the suite's own check, and the key of its result:

    .venv/bin/python -m benchmarks.grammar.judged OUT.jsonl SUITE_DIR… --learn CANDIDATES.jsonl… --score SCORE.py
        --cache DIR [--limit N]

Nothing that is written there may enter the repository."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.grammar.candidates import MOST_ROWS, SECONDS, SEED, right_by, stored_tables, table_files_kept
from benchmarks.grammar.learn import FOLDS, HAND, TIMES, fold_of_table, learned, questions
from benchmarks.grammar.tables import suite_cases, suite_tables

from tablewright.analyst.evaluating.memory import evaluate_all
from tablewright.analyst.grammar import executed_features, readings
from tablewright.analyst.grammar.weights import weighed
from tablewright.analyst.reading import read
from tablewright.analyst.understanding.candidates import MOST, OLD, candidates
from tablewright.analyst.understanding.circumstances import circumstances
from tablewright.analyst.understanding.judging import SCORE, is_empty, key_of
from tablewright.domain.language import language_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What every question needs: where tables are kept, the suites' check, and weights by fold."""

    cache: Path
    score: Path
    weights: tuple[Mapping[str, float], ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("suites", type=Path, nargs="+")
    parser.add_argument("--learn", type=Path, nargs="+", required=True)
    parser.add_argument("--score", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    hand, known = json.loads(HAND.read_text(encoding="utf-8")), questions(given.learn)
    folds = (learned([one for one in known if fold_of_table(one.table) != fold], hand) for fold in range(FOLDS))
    setting = Setting(cache=given.cache, score=given.score, weights=tuple(folds))
    jobs: list[tuple[dict[str, Any], Path]] = []
    for suite in given.suites:
        cases = suite_cases(suite)
        random.Random(SEED).shuffle(cases)
        cases = cases[: given.limit]
        table_files_kept(suite, cases, given.cache, given.workers)
        jobs += [(case, suite) for case in cases]
    with ProcessPoolExecutor(given.workers) as pool, given.out.open("w", encoding="utf-8") as out:
        for line in pool.map(partial(_line, setting), jobs, chunksize=4):
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def _line(setting: Setting, job: tuple[dict[str, Any], Path]) -> dict[str, Any]:
    case, suite = job
    try:
        told, found = _judged(setting, case, suite)
    except Exception as error:  # noqa: BLE001 - one case must not end the others
        print(f"{case['id']}: {error!r}", file=sys.stderr)
        told, found = dict[str, Any](), []
    table = case["files"][0]
    told |= {"weight": TIMES.get(suite.name, 1)}
    return {"table": table, "suite": suite.name, "id": case["id"], "told": told, "candidates": found}


def _judged(setting: Setting, case: dict[str, Any], suite: Path) -> tuple[dict[str, Any], list[Any]]:
    tables, language = suite_tables(suite, case["files"], setting.cache), language_of(case["prompt"])
    by = setting.weights[fold_of_table(case["files"][0])]
    asked = (case["prompt"], language, tables.datasets, tables, (), tables.relations)
    old = asyncio.run(read(*asked))
    tried = candidates(asyncio.run(readings(*asked, most=MOST, by=by)), old)
    ran = evaluate_all(
        [reading.plan for reading in tried], stored_tables(case, suite, tables, setting.cache), tables.datasets,
        most_rows=MOST_ROWS, language=language, deadline=time.thread_time() + SECONDS,
    )  # fmt: skip
    found = []
    for reading, evaluated in zip(tried, ran, strict=True):
        if evaluated.failure is not None:
            continue
        features = {**reading.features, "empty": float(not evaluated.charts and is_empty(evaluated.tables))}
        if not features.get(OLD):
            executed = executed_features(reading, evaluated.tables, tables.datasets)
            features |= executed
            features[SCORE] = weighed([*reading.features.items(), *executed.items()], by)
        else:
            features[SCORE] = 0.0
        kept = {name: round(value, 4) for name, value in features.items()}
        found.append([kept, right_by(case, evaluated, suite, setting.score), key_of(evaluated, features)])
    return {"around": circumstances(case["prompt"], tables.datasets)}, found


if __name__ == "__main__":
    main()
