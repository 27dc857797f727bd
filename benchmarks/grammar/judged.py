"""Write what the built-in analyst weighs for suites' questions, for `benchmarks.grammar.trust`.

These are the readings that `benchmarks.grammar.candidates` found, scored by weights that have not seen the question's
table, each with its features, whether it is right by the suite's own check, and the key of its result:

    .venv/bin/python -m benchmarks.grammar.judged OUT.jsonl CANDIDATES.jsonl… --learn CANDIDATES.jsonl…

Nothing that is written there may enter the repository."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.grammar.learn import FOLDS, HAND, fold_of_table, learned, questions, score, times

from tablewright.analyst.understanding.judging import SCORE
from tablewright.analyst.understanding.understanding import MOST

EXECUTED = "ran:"
"""How the features begin that only the results give."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("candidates", type=Path, nargs="+")
    parser.add_argument("--learn", type=Path, nargs="+", required=True)
    given = parser.parse_args()
    hand, known = json.loads(HAND.read_text(encoding="utf-8")), questions(given.learn)
    weights = [learned([one for one in known if fold_of_table(one.table) != fold], hand) for fold in range(FOLDS)]
    lines = [line for file in given.candidates for line in file.read_text(encoding="utf-8").splitlines()]
    with given.out.open("w", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps(judged(json.loads(line), weights), ensure_ascii=False) + "\n")


def judged(row: Mapping[str, Any], weights: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Return a question as `trust` wants it; `weights` are those of each fold."""
    by = weights[fold_of_table(row["table"])]
    told = {"weight": times(row["suite"]), "around": row["around"]}
    likeliest = sorted(row["candidates"], key=lambda one: -score(_read(one[0]), by))[:MOST]
    found = [
        [{**features, SCORE: score(features, by)}, right, key]
        for features, right, _, key in likeliest
        if key is not None
    ]
    return {"table": row["table"], "suite": row["suite"], "id": row["id"], "told": told, "candidates": found}


def _read(features: Mapping[str, float]) -> dict[str, float]:
    """Return the features that a reading has before it is executed."""
    return {name: value for name, value in features.items() if not name.startswith(EXECUTED)}


if __name__ == "__main__":
    main()
