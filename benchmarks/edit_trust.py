"""Learns how far readings of instructions can be trusted, and writes `instructing/trust.json`.

    python -m benchmarks.edit_trust run SUITE OUT.jsonl
    python -m benchmarks.edit_trust learn OUT.jsonl… --right RIGHT.jsonl… [--write]

`run` answers a suite with every plan carried out that is not vetoed, however little it is trusted, and writes the
evidence beside the outcome, of those that were carried out. A line of RIGHT says what a scoring program found, as
`{"id": …, "right": true}`. Figures and thresholds are those of workbooks that were left out in learning; the weights
that are written are learned from all.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from benchmarks.routing_logit import least

from tablewright.analyst.operating import planning
from tablewright.analyst.operating.instructing import Memory, Reading, read, trusting
from tablewright.analyst.operating.scene import Scene
from tablewright.cli.main import run as tablewright
from tablewright.data.base import ValueLookup

FOLDS = 8
PENALTY = 0.02
SEEN = 3
MOST_WRONG = 0.12
LIKELY = 0.4
WEIGHTS = Path(trusting.__file__).with_name(trusting.WEIGHTS)
_ALL = trusting.Learned(features={}, sure=math.inf, likely=-math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The evidence about the reading of an instruction for a workbook, and whether it is right."""

    id: str
    book: str
    evidence: dict[str, float]
    right: bool
    must_decline: bool


def run(suite: Path, out: Path) -> int:
    """Answer a suite, whatever trust says."""
    found: dict[str, dict[str, float]] = {}

    async def kept(wish: str, scene: Scene, values: ValueLookup, memory: Memory | None = None) -> Reading | None:
        reading = await read(wish, scene, values, memory)
        if reading is not None and trusting.trust_of(reading) != "declined":
            found[wish] = trusting.evidence(reading)
        return reading

    with patch.object(trusting, "learned", lambda: _ALL), patch.object(planning, "read", kept):
        status = tablewright(["eval", str(suite), "--out", str(out)])
    rows = [json.loads(line) for line in (suite / "suite.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    declined = {row["id"] for row in answers if row["declined"]}
    with out.with_suffix(".evidence").open("w", encoding="utf-8") as file:
        for row in rows:
            if row["prompt"] in found and row["id"] not in declined:
                said = {
                    "id": row["id"],
                    "book": f"{suite.name}/{row['files'][0]}",
                    "evidence": found[row["prompt"]],
                    "must_decline": row["check"]["kind"] == "decline",
                }
                file.write(json.dumps(said, ensure_ascii=False) + "\n")
    return status


def cases(outs: Sequence[Path], rights: Sequence[Path]) -> list[Case]:
    """Return the instructions that have a reading."""
    right = {row["id"]: row["right"] for file in rights for row in map(json.loads, file.open(encoding="utf-8"))}
    rows = [json.loads(line) for out in outs for line in out.with_suffix(".evidence").open(encoding="utf-8")]
    return [
        Case(id=row["id"], book=row["book"], evidence=row["evidence"], must_decline=row["must_decline"],
             right=right[row["id"]] and not row["must_decline"])
        for row in rows
    ]  # fmt: skip


def learned(known: Sequence[Case], penalty: float) -> dict[str, float]:
    """Return what each piece of evidence says for a reading."""
    names = sorted({name for one in known for name in one.evidence})
    names = [name for name in names if sum(bool(one.evidence.get(name)) for one in known) >= SEEN]
    rows = [([one.evidence.get(name, 0.0) for name in names], 1.0 if one.right else -1.0) for one in known]

    def objective(at: list[float]) -> tuple[float, list[float]]:
        loss = sum(penalty * value * value / 2 for value in at)
        slope = [penalty * value for value in at]
        for row, sign in rows:
            total = sum(map(float.__mul__, at, row))
            loss += (max(-sign * total, 0.0) + math.log1p(math.exp(-abs(total)))) / len(rows)
            pull = -sign / (1 + math.exp(min(sign * total, 500.0))) / len(rows)
            slope = [one + pull * value for one, value in zip(slope, row, strict=True)]
        return loss, slope

    return dict(zip(names, least(objective, [0.0] * len(names)), strict=True))


def total(weights: dict[str, float], one: Case) -> float:
    """Return what the evidence says for a reading."""
    return sum(weights.get(name, 0.0) * value for name, value in one.evidence.items())


def least_sure(sums: Sequence[tuple[float, Case]]) -> float:
    """Return the least sum from which on at most the share `MOST_WRONG` of the readings is wrong."""
    wrong, found = 0, math.inf
    for count, (value, one) in enumerate(sorted(sums, key=lambda one: -one[0]), 1):
        wrong += not one.right
        if wrong <= MOST_WRONG * count:
            found = value
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    running = steps.add_parser("run")
    running.add_argument("suite", type=Path)
    running.add_argument("out", type=Path)
    learning = steps.add_parser("learn")
    learning.add_argument("outs", nargs="+", type=Path)
    learning.add_argument("--right", nargs="+", type=Path, required=True)
    learning.add_argument("--penalty", type=float, default=PENALTY)
    learning.add_argument("--likely", type=float, default=LIKELY, help="the least probability of a doubtful plan")
    learning.add_argument("--write", action="store_true")
    learning.add_argument("--show", action="store_true")
    given = parser.parse_args()
    if given.step == "run":
        sys.exit(run(given.suite, given.out))
    known = cases(given.outs, given.right)
    folds = [[one for one in known if zlib.crc32(one.book.encode()) % FOLDS == fold] for fold in range(FOLDS)]
    sums: list[tuple[float, Case]] = []
    for fold in folds:
        weights = learned([one for one in known if one not in fold], given.penalty)
        sums += [(total(weights, one), one) for one in fold]
    loss = sum(math.log1p(math.exp(-value if one.right else value)) for value, one in sums) / len(sums)
    sure, likely = least_sure(sums), math.log(given.likely / (1 - given.likely))
    print(f"{len(known)} readings, {sum(one.right for one in known)} right, loss {loss:.3f}, sure from {sure:.2f}")
    for suite in (None, *dict.fromkeys(one.book.split("/")[0] for one in known)):
        of = [(value, one) for value, one in sums if suite is None or one.book.startswith(f"{suite}/")]
        done, doubt = (
            [one for value, one in of if low <= value < high] for low, high in ((sure, math.inf), (likely, sure))
        )
        lost = sum(one.right for value, one in of if value < min(likely, sure))
        print(f"{suite or 'all':10} sure {sum(one.right for one in done)} of {len(done)} right, "
              f"doubtful {sum(one.right for one in doubt)} of {len(doubt)}, declined though right {lost}, "
              f"done that must be declined {sum(one.must_decline for one in [*done, *doubt])}")  # fmt: skip
    for value, one in sorted(sums, key=lambda one: one[0]) if given.show else ():
        print(f"{value:6.2f} {'right' if one.right else 'wrong'} {one.id} {one.evidence}")
    if given.write:
        whole = {name: round(value, 3) for name, value in learned(known, given.penalty).items()}
        lines = ",\n".join(f"{json.dumps(name)}: {value}" for name, value in sorted(whole.items()))
        WEIGHTS.write_text(
            f'{{"sure": {sure:.3f}, "likely": {likely:.3f}, "features": {{\n{lines}\n}}}}\n', encoding="utf-8"
        )


if __name__ == "__main__":
    main()
