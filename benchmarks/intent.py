"""Learns whether a message asks for a change of a workbook or asks a question: `python -m benchmarks.intent SUITES…`.

The messages are those of suites of questions and of instructions (`check.kind` is `edit`; what must be declined stands
beside them). Figures are those of messages about files that were left out in learning; `--write` learns from all.
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.routing_logit import least

from tablewright.analyst.operating.instructing import intent

FOLDS = 5
PENALTY = 0.004
ANSWERABLE = frozenset({"reads", "talks", "asks", "declines", "ran", "charts", "chart_kind", "new_sheet_has"})
SEEN = 3
"""Messages in which a feature must occur."""
MOST_WRONG = 0.0075
"""The share of questions that may be taken for changes."""
EITHER = 0.1
"""What an instruction counts that an answer fulfils as well."""
LEAST_WEIGHT = 0.005
MOST_MISSED = 0.03
"""The share of instructions that are not even taken for a possible change."""
WEIGHTS = Path(intent.__file__).with_name("intent.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message about a file, and whether it asks for a change; it counts `weight`."""

    text: str
    file: str
    changes: bool
    suite: str
    features: frozenset[str]
    weight: float = 1.0


def messages(suite: Path, most: int) -> list[Said]:
    """Return the messages of a suite, at most so many, evenly chosen."""
    if suite.suffix == ".json":
        return _sentences(suite)
    rows = [json.loads(line) for line in (suite / "suite.jsonl").read_text(encoding="utf-8").splitlines()]
    changes = any(row["check"]["kind"] == "edit" for row in rows)
    step = max(1, len(rows) // most)
    return [
        Said(text=row["prompt"], file=f"{suite.name}/{row['files'][0]}", changes=changes, suite=suite.name,
             features=intent.intent_features(row["prompt"]), weight=EITHER if _only_draws(row["check"]) else 1.0)
        for row in rows[::step]
    ]  # fmt: skip


def _only_draws(check: dict[str, Any]) -> bool:
    """Return whether all that an instruction wants is charts, which an answer may draw as well."""
    wanted = {name for one in check.get("all") or [] for name in one}
    return "chart" in wanted and wanted <= {"chart", "unchanged_elsewhere"}


def _sentences(path: Path) -> list[Said]:
    """Return the sentences of tests that change the workbook they are said to; charts and summaries may answer."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [
        Said(text=row["say"], file=f"{path.stem}/{row['book']}", changes=True, suite=path.stem,
             features=intent.intent_features(row["say"]))
        for row in rows
        if not ANSWERABLE & set(row["then"])
    ]  # fmt: skip


def learned(known: Sequence[Said], penalty: float = PENALTY) -> dict[str, float]:
    """Return the weight of each feature."""
    seen: dict[str, int] = {}
    for one in known:
        for name in one.features:
            seen[name] = seen.get(name, 0) + 1
    names = sorted(name for name, count in seen.items() if count >= SEEN)
    place = {name: at for at, name in enumerate(names)}
    rows = [([place[name] for name in one.features if name in place], one.changes, one.weight) for one in known]
    both = [sum(weight for _, changes, weight in rows if changes is kind) for kind in (False, True)]

    def objective(at: list[float]) -> tuple[float, list[float]]:
        loss = sum(penalty * value * value / 2 for value in at)
        slope = [penalty * value for value in at]
        for found, changes, weight in rows:
            total = sum(at[one] for one in found)
            sign, share = (1.0 if changes else -1.0), weight / (2 * both[changes])
            loss += share * (max(-sign * total, 0.0) + math.log1p(math.exp(-abs(total))))
            pull = -sign * share / (1 + math.exp(min(sign * total, 500.0)))
            for one in found:
                slope[one] += pull
        return loss, slope

    return dict(zip(names, least(objective, [0.0] * len(names)), strict=True))


def total(weights: dict[str, float], one: Said) -> float:
    """Return what the features of a message say for a change."""
    return sum(weights.get(name, 0.0) for name in one.features)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="+", type=Path)
    parser.add_argument("--penalty", type=float, default=PENALTY)
    parser.add_argument("--weight", nargs="*", default=[], help="NAME=W: what the messages of a suite count")
    parser.add_argument("--most", type=int, default=400, help="messages taken of one suite")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--show", type=int, default=0, help="misjudged messages that are shown")
    given = parser.parse_args()
    weights_of = dict(one.split("=") for one in given.weight)
    known = [
        replace(one, weight=one.weight * float(weights_of.get(one.suite, 1.0)))
        for suite in given.suites
        for one in messages(suite, given.most)
    ]
    folds = [[one for one in known if zlib.crc32(one.file.encode()) % FOLDS == fold] for fold in range(FOLDS)]
    sums: list[tuple[float, Said]] = []
    for fold in folds:
        weights = learned([one for one in known if one not in fold], given.penalty)
        sums += [(total(weights, one), one) for one in fold]
    asked = sorted((value for value, one in sums if not one.changes and one.weight >= 1), reverse=True)
    edge = asked[int(MOST_WRONG * len(asked))] + 1e-6
    meant = sorted(value for value, one in sums if one.changes)
    perhaps = meant[int(MOST_MISSED * len(meant))]
    for suite in dict.fromkeys(one.suite for one in known):
        values = [value for value, one in sums if one.suite == suite]
        sure, doubt = (sum(value >= least for value in values) for least in (edge, perhaps))
        print(f"{suite:24} of {len(values):4} taken for changes {sure:4}, perhaps {doubt - sure:4}")
    wrong = sorted((one.changes, -value, one.text) for value, one in sums if one.changes is (value < edge))
    for changes, value, text in wrong[: given.show]:
        print("  missed " if changes else "  taken ", round(-value, 2), text[:110])
    print(f"edge {edge:.2f}, perhaps from {perhaps:.2f}, {len(known)} messages")
    if given.write:
        whole = learned(known, given.penalty)
        kept = {name: round(value, 3) for name, value in whole.items() if abs(value) >= LEAST_WEIGHT}
        WEIGHTS.write_text(_written(kept, round(edge, 3), round(perhaps, 3)), encoding="utf-8")


def _written(weights: dict[str, float], edge: float, perhaps: float) -> str:
    lines = ",\n".join(f"{json.dumps(name, ensure_ascii=False)}: {value}" for name, value in sorted(weights.items()))
    return f'{{"least": {edge}, "perhaps": {perhaps}, "features": {{\n{lines}\n}}}}\n'


if __name__ == "__main__":
    main()
