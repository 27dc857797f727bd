"""Learns how far the built-in analyst's readings can be trusted, and writes `analyst/understanding/trust.json`.

    nice -n 19 .venv/bin/python -m benchmarks.grammar.trust CASES.jsonl… [--write]

A line is a question: `{"table": name, "told": {…}, "candidates": [[features, right, key], …]}`. `features` are those of
`understanding.judging.Judged`, `score` among them; `key` is that of the result, and
`right` whether it is what was asked for. `told` may have a `weight` of the question (1), the circumstances `around`
it, and `learned: true` where the grammar's weights were learned from its table: then it counts neither for thresholds
nor for figures.

The temperature is the one that makes right results likeliest. The two logistic models are
fitted in five folds by table; thresholds and figures are of what was said of the fold left out, the shipped weights of
all. A threshold keeps to its share of wrong answers over all questions, and over those that weigh most. Nothing is
random. Seconds for a thousand questions.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from benchmarks.routing_logit import Vector, least

import tablewright.analyst.understanding
from tablewright.analyst.understanding.deciding import MOST_WRONG, WEIGHTS, Completeness, Logit, Trust, completeness
from tablewright.analyst.understanding.judging import OFFERED, Group, Judged, evidence, grouped, is_proven

FOLDS = 5
PENALTY = 0.03
TEMPERATURES = (0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0)
SHARES = (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
LEAST_ANSWERS = 20
"""A threshold that fewer answers reach than these is not known well enough."""
OFFER_FROM = 0.15
"""Readings are offered where the probability that one of them is right is not below this: to decline helps nobody who
would have recognised the right one, and a list of three is quickly passed over."""
COMMON = 0.02
"""Evidence in fewer of the questions than this share has no weight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question with its candidates; `rights` are the keys of right results."""

    table: str
    suite: str
    judged: tuple[Judged, ...]
    rights: frozenset[str]
    weight: float
    learned: bool
    around: dict[str, float]

    @property
    def fold(self) -> int:
        """The fold of its table."""
        return crc32(self.table.encode()) % FOLDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A question's evidence, whether the best or one of those offered is right, and whether it may be answered."""

    case: Case
    evidence: dict[str, float]
    right: bool
    offered: bool
    proven: bool


def read(line: str) -> Case:
    data = json.loads(line)
    judged = tuple(
        Judged(features=features, key=key, place=place) for place, (features, _, key) in enumerate(data["candidates"])
    )
    told = data.get("told") or {}
    return Case(
        table=data["table"],
        suite=str(data.get("suite", "")),
        judged=judged,
        rights=frozenset(key for _, right, key in data["candidates"] if right),
        weight=float(told.get("weight", 1.0)),
        learned=bool(told.get("learned")),
        around=told.get("around") or {},
    )


def likelihood(cases: Sequence[Case], temperature: float) -> float:
    """Return how likely right results are, over the questions that have one."""
    total = 0.0
    for case in cases:
        if case.rights:
            groups = grouped(case.judged, temperature=temperature)
            mass = sum(group.mass for group in groups if group.best.key in case.rights)
            total += case.weight * math.log(max(mass, 1e-9))
    return total


def seen(case: Case, temperature: float) -> Seen:
    groups = grouped(case.judged, temperature=temperature)
    right: Callable[[Group], bool] = lambda group: group.best.key in case.rights  # noqa: E731
    return Seen(
        case=case, evidence=evidence(groups, case.around), right=right(groups[0]),
        offered=any(map(right, groups[:OFFERED])), proven=is_proven(groups),
    )  # fmt: skip


def fitted(cases: Sequence[Seen], wanted: Sequence[bool]) -> Logit:
    """Return the logistic model of `wanted`, with a penalty on the squares of standardised weights."""
    counts: dict[str, int] = {}
    for case in cases:
        for name, value in case.evidence.items():
            counts[name] = counts.get(name, 0) + (value != 0.0)
    names = sorted(name for name, count in counts.items() if count >= COMMON * len(cases))
    rows = [[case.evidence.get(name, 0.0) for name in names] for case in cases]
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    spreads = [
        math.sqrt(sum((value - mean) ** 2 for value in column) / len(rows)) or 1.0
        for column, mean in zip(zip(*rows, strict=True), means, strict=True)
    ]
    plain = [[(v - m) / s for v, m, s in zip(row, means, spreads, strict=True)] for row in rows]
    weights = [case.case.weight for case in cases]
    whole = sum(weights)

    def objective(at: Vector) -> tuple[float, Vector]:
        loss = PENALTY * sum(value * value for value in at[1:]) / 2
        slope = [0.0, *(PENALTY * value for value in at[1:])]
        for row, right, weight in zip(plain, wanted, weights, strict=True):
            said = at[0] + sum(a * b for a, b in zip(at[1:], row, strict=True))
            signed = said if right else -said
            loss += weight / whole * (math.log1p(math.exp(-abs(signed))) + max(0.0, -signed))
            pull = weight / whole * (1 / (1 + math.exp(-max(-60.0, min(60.0, said)))) - right)
            slope[0] += pull
            slope[1:] = [own + pull * value for own, value in zip(slope[1:], row, strict=True)]
        return loss, slope

    found = least(objective, [0.0] * (len(names) + 1))
    scaled = [value / spread for value, spread in zip(found[1:], spreads, strict=True)]
    bias = found[0] - sum(value * mean for value, mean in zip(scaled, means, strict=True))
    return Logit(bias=round(bias, 4), weights={n: round(v, 4) for n, v in zip(names, scaled, strict=True)})


def out_of_fold(cases: Sequence[Seen], wanted: Sequence[bool]) -> list[float]:
    """Return the probability of each question by models that have not seen its table."""
    said = [0.0] * len(cases)
    for fold in range(FOLDS):
        others = [place for place, case in enumerate(cases) if case.case.fold != fold]
        if not others or len(others) == len(cases):
            continue
        model = fitted([cases[place] for place in others], [wanted[place] for place in others])
        for place, case in enumerate(cases):
            if case.case.fold == fold:
                said[place] = model.of(case.evidence)
    return said


def threshold(said: Sequence[float], right: Sequence[bool], most_wrong: float) -> float:
    """Return the least probability from which on at most `most_wrong` are wrong; 1.01 where there is none."""
    wrong, found = 0, 1.01
    known = sorted(((round(value, 4), good) for value, good in zip(said, right, strict=True)), reverse=True)
    for count, (value, good) in enumerate(known, 1):
        wrong += not good
        alike = count < len(known) and known[count][0] == value
        if not alike and count >= LEAST_ANSWERS and wrong <= most_wrong * count:
            found = value
    return found


def curve_of(weights: Sequence[float], said: Sequence[float], right: Sequence[bool]) -> list[tuple[float, float]]:
    """Return for each share of wrong answers the least probability that keeps to it, over all and over those that
    weigh most."""
    every = list(zip(said, right, strict=True))
    weighty = [one for one, weight in zip(every, weights, strict=True) if weight == max(weights)]
    return [
        (share, max(threshold([s for s, _ in of], [r for _, r in of], share) for of in (every, weighty)))
        for share in SHARES
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was said of the cases that nothing was learned from, by their places.

    `free` are all of them, `answered` those that one reading answers, `shown` those whose readings are offered;
    `rights` and `offers` say which of all cases were right as an answer and as an offer."""

    free: Sequence[int]
    answered: set[int]
    shown: set[int]
    rights: Sequence[bool]
    offers: Sequence[bool]


def learn(cases: Sequence[Case]) -> tuple[Trust, dict[str, Any]]:
    """Return what was learned, with figures of tables that nothing was learned from."""
    cases = [case for case in cases if case.judged]
    temperature = max(TEMPERATURES, key=lambda one: likelihood(cases, one))
    known = [seen(case, temperature) for case in cases]
    rights, offers = [case.right for case in known], [case.offered for case in known]
    sure, offer = out_of_fold(known, rights), out_of_fold(known, offers)
    free = [place for place, case in enumerate(known) if not case.case.learned]
    proven = [place for place in free if known[place].proven]

    def curve(read: Completeness) -> list[tuple[float, float]]:
        places = [place for place in proven if completeness(known[place].evidence) == read]
        weights = [known[place].case.weight for place in places]
        return curve_of(weights, [sure[place] for place in places], [rights[place] for place in places])

    trust = Trust(
        temperature=temperature,
        right=fitted(known, rights),
        offer=fitted(known, offers),
        sure_from=((0.0, 1.01), *curve("whole"), (1.0, 0.0)),
        partly_from=((0.0, 1.01), *curve("partly"), (1.0, 0.0)),
        unread_from=((0.0, 1.01), *curve("unread"), (1.0, 0.0)),
        offer_from=OFFER_FROM,
    )
    answered = {
        place
        for place in proven
        if round(sure[place], 4) >= trust.least(MOST_WRONG, completeness(known[place].evidence))
    }
    shown = {place for place in free if place not in answered and trust.offers(offer[place], known[place].evidence)}
    return trust, figures_of(
        [case.case for case in known],
        Outcome(free=free, answered=answered, shown=shown, rights=rights, offers=offers),
    )


def figures_of(cases: Sequence[Case], outcome: Outcome) -> dict[str, Any]:
    """Return the counts of an outcome, over all cases and for each suite."""
    free, answered, shown, rights, offers = (
        outcome.free,
        outcome.answered,
        outcome.shown,
        outcome.rights,
        outcome.offers,
    )
    by_suite: dict[str, list[int]] = {}
    for place in free:
        by_suite.setdefault(cases[place].suite, []).append(place)
    wrong = sum(not rights[place] for place in answered)
    return {
        "questions": len(free),
        "tables": len({cases[place].table for place in free}),
        "best_right": sum(rights[place] for place in free),
        "sure": len(answered),
        "wrong_among_sure": round(wrong / max(1, len(answered)), 3),
        "offered": len(shown),
        "offered_right": sum(offers[place] for place in shown),
        "lost": len(free) - len(answered) - len(shown),
        "suites": {
            suite: {
                "questions": len(places),
                "right": sum(place in answered and rights[place] for place in places),
                "wrong": sum(place in answered and not rights[place] for place in places),
                "offered": sum(place in shown for place in places),
                "offered_right": sum(place in shown and offers[place] for place in places),
            }
            for suite, places in sorted(by_suite.items())
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    lines = [line for file in given.files for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    trust, figures = learn([read(line) for line in lines])
    print(json.dumps(figures))
    if given.write:
        target = Path(tablewright.analyst.understanding.__file__).with_name(WEIGHTS)
        told = {"about": "fitted by benchmarks/grammar/trust.py", "figures": figures, **asdict(trust)}
        target.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
