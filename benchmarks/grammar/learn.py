"""Learn the weights of readings' features from candidates: log-linear, marginal likelihood of the right ones, AdaGrad,
drawn towards the weights set by hand: `.venv/bin/python -m benchmarks.grammar.learn CANDIDATES.jsonl… [--write]`.

What is reported is cross-validated by table: no question is judged by weights that saw its table."""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tablewright.analyst.understanding.judging import NEVER_FREE

SEED = 14
FOLDS = 5
EPOCHS = 6
RATE = 0.1
PULL = 0.01
TIMES = {"office": 5, "everyday": 3, "samples": 2, "plain": 5, "wikitablequestions": 2, "tablebench": 2}
"""So often is a question of a suite drawn; suites that are numbered are so often drawn as the first of them."""
NUMBERED = re.compile(r"-\d+$")
HAND = Path(__file__).resolve().parent / "hand.json"
WEIGHTS = Path(__file__).resolve().parents[2] / "src" / "tablewright" / "analyst" / "grammar" / "weights.json"
CAPPED = frozenset({*NEVER_FREE, "bare_sum:level"})
"""Features of words without which no question is understood, and of sums of what does not add up that nobody asked for:
what is right so is right by chance, and they never cost less than by hand."""
BY_HAND = "follow:"
"""How a question goes on from another is not learned: the suites' questions stand alone, and what the parts of one
question show of it is another thing."""
MOST_SEEN = 2
"""A feature that fewer tables than this have is not learned: it could name one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question's candidates: features, and which are right."""

    id: str
    suite: str
    table: str
    prompt: str
    features: tuple[dict[str, float], ...]
    right: tuple[bool, ...]
    said: tuple[str, ...]


def questions(paths: Sequence[Path]) -> list[Question]:
    """Return the questions of files that `candidates` wrote."""
    found = []
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            features, right, said, _ = zip(*row["candidates"], strict=True) if row["candidates"] else ((), (), (), ())
            found.append(
                Question(
                    id=row["id"], suite=row["suite"], table=row["table"], prompt=row["prompt"], features=features,
                    right=right, said=said,
                )
            )  # fmt: skip
    return found


def fold_of(question: Question) -> int:
    """Return the fold of a question, which is that of its table."""
    return fold_of_table(question.table)


def fold_of_table(table: str) -> int:
    """Return the fold of all questions about a table."""
    return int(hashlib.sha256(table.encode()).hexdigest(), 16) % FOLDS


def learned(given: Sequence[Question], hand: Mapping[str, float]) -> dict[str, float]:
    """Return weights learned from these questions, starting at and drawn towards those set by hand."""
    weights: defaultdict[str, float] = defaultdict(float, hand)
    squares: defaultdict[str, float] = defaultdict(float)
    known = _general(given)
    useful = [question for question in given if any(question.right) and not all(question.right)]
    drawn = [question for question in useful for _ in range(times(question.suite))]
    shuffler = random.Random(SEED)
    for _ in range(EPOCHS):
        shuffler.shuffle(drawn)
        for question in drawn:
            for name, slope in _gradient(question, weights).items():
                if name not in known:
                    continue
                step = slope - PULL * (weights[name] - hand.get(name, 0.0))
                squares[name] += step * step
                weights[name] += RATE * step / math.sqrt(squares[name] + 1e-8)
                if name in CAPPED:
                    weights[name] = min(weights[name], hand.get(name, 0.0))
    return dict(weights)


def times(suite: str) -> int:
    """Return how often a question of a suite is drawn, which is its weight."""
    return TIMES.get(NUMBERED.sub("", suite), 1)


def _general(given: Sequence[Question]) -> frozenset[str]:
    """Return the features that candidates on several tables have, of those that are learned."""
    tables: defaultdict[str, set[str]] = defaultdict(set)
    for question in given:
        for features in question.features:
            for name in features:
                tables[name].add(question.table)
    return frozenset(name for name, seen in tables.items() if len(seen) >= MOST_SEEN and not name.startswith(BY_HAND))


def _gradient(question: Question, weights: Mapping[str, float]) -> dict[str, float]:
    """Return the gradient of the log of the likelihood of the right candidates."""
    scores = [score(features, weights) for features in question.features]
    top = max(scores)
    shares = [math.exp(one - top) for one in scores]
    whole = sum(shares)
    right = sum(share for share, ok in zip(shares, question.right, strict=True) if ok) or 1e-12
    slope: defaultdict[str, float] = defaultdict(float)
    for features, share, ok in zip(question.features, shares, question.right, strict=True):
        change = (share / right if ok else 0.0) - share / whole
        if abs(change) > 1e-6:
            for name, value in features.items():
                slope[name] += change * value
    return slope


def score(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the score of a candidate."""
    return sum(weights.get(name, 0.0) * value for name, value in features.items())


def ranks(given: Sequence[Question], weights: Mapping[str, float]) -> dict[str, int | None]:
    """Return at which place, from 0, the first right candidate of each question stands; None if there is none."""
    found: dict[str, int | None] = {}
    for question in given:
        order = sorted(range(len(question.right)), key=lambda place: -score(question.features[place], weights))
        found[question.id] = next((rank for rank, place in enumerate(order) if question.right[place]), None)
    return found


def report(given: Sequence[Question], places: Mapping[str, int | None]) -> list[str]:
    """Return the figures by suite: right, right among three, right among all candidates."""
    lines = []
    for suite in sorted({question.suite for question in given}):
        mine = [places[question.id] for question in given if question.suite == suite]
        counts: Counter[int] = Counter()
        for place in mine:
            counts.update(n for n in (1, 3, 10, 1000) if place is not None and place < n)
        shares = " ".join(
            f"{n if n < 1000 else 'all'}: {counts[n]} = {counts[n] / len(mine):.0%}" for n in (1, 3, 10, 1000)
        )
        lines.append(f"{suite:22} n {len(mine):4}  {shares}")
    return lines


def data_of(given: Sequence[Question]) -> dict[str, object]:
    """Return what was learned from: how many questions of which suites, and a hash of questions and candidates."""
    lines = sorted(json.dumps([one.id, one.prompt, one.features, one.right], sort_keys=True) for one in given)
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return {"questions": dict(sorted(Counter(one.suite for one in given).items())), "sha256": digest}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("candidates", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    given, hand = questions(options.candidates), json.loads(HAND.read_text(encoding="utf-8"))
    print("set by hand", *report(given, ranks(given, hand)), sep="\n")
    places: dict[str, int | None] = {}
    for fold in range(FOLDS):
        kept = [question for question in given if fold_of(question) == fold]
        places |= ranks(kept, learned([question for question in given if fold_of(question) != fold], hand))
    print("learned, by table", *report(given, places), sep="\n")
    if options.write:
        weights = learned(given, hand)
        rounded = {name: round(weight, 3) for name, weight in sorted(weights.items()) if abs(weight) >= 0.02}
        told = {"about": "learned by benchmarks/grammar/learn.py", "data": data_of(given), "weights": rounded}
        WEIGHTS.write_text(json.dumps(told, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
        print(f"{len(rounded)} weights")


if __name__ == "__main__":
    main()
