"""Learns how messages are routed to workflows, and writes `src/tablewright/routing/workflows/learned.json`.

    .venv/bin/python -m scripts.learn_routing [--write]

From the training third of `benchmarks/routing_cases`, and from its `strangers.jsonl` and the questions of the sample
tables (`tests/suites/samples`), which are for no workflow. Every message is routed among the 12 workflows of the third,
and among these and 100 and 980 others; and again without its own workflow, where none is right. Weights: a conditional
logit (each workflow against the others and none), by gradient with a penalty on their squares. Messages that are for
none are also what messages are compared to (`strangers`); each is learned from with the quarter of them left out that
has itself. Thresholds: among 992, the least at which not more than `WRONG_SHARE` of the messages are routed wrongly,
and where there are tables `WRONG_SHARE_WITH_TABLES`. `near`: just above the greatest likeness of two messages that mean
different things. Penalties, shares and the vocabulary were chosen by the tuning third, whose figures are printed; the
held third is not read. Takes some minutes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.routing_crowd import crowd
from benchmarks.routing_data import LabelledUtterance, PublishedWorkflow, labelled, more_strangers, published, third_of

from tablewright.routing.workflows.candidates import Candidate
from tablewright.routing.workflows.features import FIT_FEATURES, NONE_FEATURES
from tablewright.routing.workflows.index import Evidence, WorkflowIndex
from tablewright.routing.workflows.learned import Learned
from tablewright.routing.workflows.probabilities import probabilities, weighed

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "src" / "tablewright" / "routing" / "workflows" / "learned.json"
SAMPLES = ROOT / "tests" / "suites" / "samples" / "suite.jsonl"
CROWDS = (0, 100, 980)
FOLDS = 4
ROUNDS = 500
RATE = 0.1
MOMENTUM = 0.9
PENALTY = 0.000_5
STYLE_PENALTY = 0.002
NEGLIGIBLE = 1e-9
COMMON = 8
FITTING_COUNTS = 3.0
"""Three of four examples are for no workflow, most people's messages are not: one that fits counts so often."""
WRONG_SHARE = 0.02
WRONG_SHARE_WITH_TABLES = 0.003


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What speaks for which workflow, and the place of the right one among them; None: none is right.

    `lost`: the right one is published, but not among those that came into question.
    """

    evidence: Evidence
    right: int | None
    lost: bool = False


def candidates(workflows: Sequence[PublishedWorkflow]) -> tuple[Candidate, ...]:
    """Return published workflows as the index takes them."""
    return tuple(
        Candidate(id=one.id, name=one.name, description=one.description, utterances=one.utterances) for one in workflows
    )


def strangers() -> tuple[str, ...]:
    """Return the messages to learn from that are for no workflow."""
    questions = [json.loads(line)["prompt"] for line in SAMPLES.read_text(encoding="utf-8").splitlines()]
    return (*(one.text for one in labelled("train") if one.workflow is None), *more_strangers(), *questions)


def example(index: WorkflowIndex, text: str, workflow: str | None, among: frozenset[str]) -> Example:
    """Return what the index finds for a message among some workflows."""
    evidence = index.evidence(index.passage(text), among=among)
    expected = workflow if workflow in among else None
    return Example(
        evidence=evidence,
        right=evidence.ids.index(expected) if expected in evidence.ids else None,
        lost=expected is not None and expected not in evidence.ids,
    )


def training() -> tuple[list[Example], list[Example]]:
    """Return the examples that weights are learned from, and those of the largest index, for the threshold."""
    own = [one for one in published() if third_of(one.id) == "train"]
    fits = [one for one in labelled("train") if one.workflow]
    every, none = strangers(), len(strangers())
    learned_from: list[Example] = []
    largest: list[Example] = []
    for size in CROWDS:
        texts = candidates([*own, *crowd(size)])
        ids = frozenset(one.id for one in texts)
        for fold in range(FOLDS):
            rest = tuple(text for number, text in enumerate(every) if number % FOLDS != fold)
            index = WorkflowIndex(texts, parameters=blank(rest))
            found = [example(index, one.text, one.workflow, ids) for one in fits[fold::FOLDS]]
            found += [example(index, every[number], None, ids) for number in range(fold, none, FOLDS)]
            learned_from += [one for one in found if not one.lost]
            learned_from += [example(index, one.text, None, ids - {one.workflow or ""}) for one in fits[fold::FOLDS]]
            largest += found if size == CROWDS[-1] else []
    return learned_from, largest


def blank(texts: tuple[str, ...]) -> Learned:
    """Return parameters that choose nothing."""
    return Learned(
        fit=(0.0,) * len(FIT_FEATURES),
        none=(0.0,) * len(NONE_FEATURES),
        style={},
        threshold=1.0,
        threshold_with_tables=1.0,
        near=1.0,
        strangers=texts,
    )


def styles(examples: Sequence[Example]) -> tuple[str, ...]:
    """Return what is common enough in how messages are put to be learned from."""
    counts = Counter(part for one in examples for part in one.evidence.style)
    return tuple(sorted(part for part, count in counts.items() if count >= COMMON))


def weights(examples: Sequence[Example]) -> Learned:
    """Return the weights that make the right choices most probable."""
    parts = styles(examples)
    number_of = {part: number for number, part in enumerate(parts, len(NONE_FEATURES))}
    fit, none = Slope(len(FIT_FEATURES), 0), Slope(len(NONE_FEATURES), len(parts))
    rows = [(one, [number_of[part] for part in one.evidence.style if part in number_of]) for one in examples]
    total = sum(1.0 if one.right is None else FITTING_COUNTS for one in examples)
    for _ in range(ROUNDS):
        for one, numbers in rows:
            apart = weighed(none.weights[: len(NONE_FEATURES)], one.evidence.none)
            apart += sum([none.weights[number] for number in numbers])
            found = probabilities([weighed(fit.weights, row) for row in one.evidence.fits], apart)
            counts = (1.0 if one.right is None else FITTING_COUNTS) / total
            for place, (row, chance) in enumerate(zip(one.evidence.fits, found.workflows, strict=True)):
                pull = ((place == one.right) - chance) * counts
                if abs(pull) > NEGLIGIBLE:
                    fit.add(pull, enumerate(row))
            pull = ((one.right is None) - found.none) * counts
            none.add(pull, (*enumerate(one.evidence.none), *((number, 1.0) for number in numbers)))
        fit.move()
        none.move()
    base, style_weights = none.rounded[: len(NONE_FEATURES)], none.rounded[len(NONE_FEATURES) :]
    style = {part: weight for part, weight in zip(parts, style_weights, strict=True) if weight}
    return replace(blank(strangers()), fit=fit.rounded, none=base, style=style)


class Slope:
    """Weights that follow a gradient, with momentum; `plain` of them and `many`, which are held closer to 0."""

    def __init__(self, plain: int, many: int) -> None:
        self.weights = [0.0] * (plain + many)
        self._steps = [0.0] * (plain + many)
        self._speeds = [0.0] * (plain + many)
        self._penalties = [PENALTY] * plain + [STYLE_PENALTY] * many

    def add(self, pull: float, features: Iterable[tuple[int, float]]) -> None:
        """Add what one example pulls at the weights of some features."""
        for number, value in features:
            self._steps[number] += pull * value

    def move(self) -> None:
        """Take a step."""
        for number, penalty in enumerate(self._penalties):
            self._speeds[number] *= MOMENTUM
            self._speeds[number] += self._steps[number] - penalty * self.weights[number]
            self.weights[number] += RATE * self._speeds[number]
            self._steps[number] = 0.0

    @property
    def rounded(self) -> tuple[float, ...]:
        """Return the weights as they are written down."""
        return tuple(round(weight, 3) for weight in self.weights)


def threshold(examples: Sequence[Example], found: Learned, share: float) -> float:
    """Return the least probability from which on at most this share of the messages is routed wrongly."""
    choices: list[tuple[float, bool]] = []
    for one in examples:
        fits = [weighed(found.fit, row) for row in one.evidence.fits]
        apart = weighed(found.none, one.evidence.none)
        chances = probabilities(fits, apart + sum(found.style.get(part, 0.0) for part in one.evidence.style)).workflows
        best = max(range(len(chances)), key=chances.__getitem__, default=None)
        if best is not None:
            choices.append((chances[best], best == one.right))
    limits = [step / 200 for step in range(10, 191)]
    return next(
        limit
        for limit in limits
        if sum(not right for chance, right in choices if chance >= limit) <= share * len(examples)
    )


def nearness(index: WorkflowIndex) -> float:
    """Return the likeness that no two messages with different meanings have."""
    own = [one for one in published() if third_of(one.id) == "train"]
    texts = [(one.workflow or one.text, one.text) for one in labelled("train")]
    texts += [(one.id, text) for one in (*own, *crowd(50)) for text in one.utterances]
    passages = [(key, index.passage(text)) for key, text in texts]
    pairs = itertools.combinations(passages, 2)
    greatest = max(index.likeness(one, other) for (a, one), (b, other) in pairs if a != b)
    return round(math.ceil(greatest * 100 + 1) / 100, 2)


def score(index: WorkflowIndex, utterances: Sequence[LabelledUtterance]) -> str:
    """Return how many of the utterances are routed right, wrongly, and not at all though they should be."""
    right = wrong = 0
    for one in utterances:
        chosen = index.match(one.text).workflow_id
        right += chosen == one.workflow
        wrong += chosen is not None and chosen != one.workflow
    total = len(utterances)
    return (
        f"right {right / total:.1%}, wrong {wrong / total:.1%}, abstained {1 - (right + wrong) / total:.1%} of {total}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the file")
    arguments = parser.parse_args()
    learned_from, largest = training()
    found = weights(learned_from)
    every = candidates([*published(), *crowd(952)])
    near = nearness(WorkflowIndex(every, parameters=found))
    found = replace(
        found,
        threshold=threshold(largest, found, WRONG_SHARE),
        threshold_with_tables=threshold(largest, found, WRONG_SHARE_WITH_TABLES),
        near=near,
    )
    print(dict(zip(FIT_FEATURES, found.fit, strict=True)), dict(zip(NONE_FEATURES, found.none, strict=True)))
    print(f"thresholds {found.threshold}, {found.threshold_with_tables}, near {found.near}")
    index = WorkflowIndex(every, parameters=found)
    for third in ("train", "tune"):
        print(third, score(index, labelled(third)))
    if arguments.write:
        TARGET.write_text(json.dumps(asdict(found), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
