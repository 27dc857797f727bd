"""Learns how messages are routed to workflows, and writes `src/tablewright/routing/workflows/learned.json`.

    nice -n 19 .venv/bin/python -m benchmarks.routing_training [--write] [--errors]

From the sets of `benchmarks/routing_cases`, its `strangers.jsonl` and the questions of the sample tables
(`tests/suites/samples`), which are for no workflow. Every message is routed among the workflows of its set alone, among
these as they are described in the other language, and among 1,000; and again without its own workflow, where none is
right. Weights: a conditional logit (`routing_logit`).
Messages are also what messages are compared to.

First in five folds: all messages of a workflow are in one, a message that is for none in that of its own words. What is
said of a fold is learned from the other four, and no message is compared with one of its own fold. The figures, the
curve and the thresholds are of these: the least threshold at which not more than `WRONG_SHARE` of the messages are
routed wrongly, and where there are tables `WRONG_SHARE_WITH_TABLES`. Then the weights are learned from all.
`near`: just above the greatest likeness of two messages that mean different things. Nothing is random. A minute of an
idle processor.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.routing_data import FOLDS, LabelledSet, LabelledUtterance, labelled_sets
from benchmarks.routing_examples import (
    ROOT,
    Example,
    Known,
    blank,
    candidates,
    examples,
    examples_among_few,
    known_messages,
)
from benchmarks.routing_logit import FITTING_COUNTS, Choice, fitted

from tablewright.routing.workflows.index import WorkflowIndex
from tablewright.routing.workflows.learned import Learned
from tablewright.routing.workflows.probabilities import probabilities, weighed

TARGET = ROOT / "src" / "tablewright" / "routing" / "workflows" / "learned.json"
COMMON = 8
"""Examples that have what is learned of how messages are put."""
WITHOUT_COUNTS = 0.5
"""What an example counts whose own workflow is left out."""
SMALL_COUNTS = 0.4
"""What an example counts among the workflows of its set alone, or as they are described in the other language."""
WRONG_SHARE = 0.025
WRONG_SHARE_WITH_TABLES = 0.003
PLACES = ("first", "second", "later")
NOT_FOUND = "not found"
STEPS = tuple(step / 200 for step in range(10, 197))


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """What would be chosen for a message, were there no threshold, and how probable it is.

    `place` is that of the right workflow, 0 for the most probable one; None if none fits, or if the search did not
    find it.
    """

    set_name: str
    said: LabelledUtterance
    workflow: str | None
    chance: float
    place: int | None = None

    def right(self, limit: float) -> bool:
        """Return whether the message is routed right with this threshold."""
        return (self.workflow if self.chance >= limit else None) == self.said.workflow

    def wrong(self, limit: float) -> bool:
        """Return whether a workflow that is not the right one would be started."""
        return self.chance >= limit and self.workflow != self.said.workflow


def every_example(sets: Sequence[LabelledSet], known: Known) -> tuple[Example, ...]:
    """Return the examples of all sets, among many workflows and among few."""
    first = sets[0]
    large = [one for every in sets for one in examples(every, known, more=every is first)]
    return (*large, *(one for every in sets for one in examples_among_few(every, known)))


def learned_from(found: Sequence[Example], known: Known) -> Learned:
    """Return what the examples teach; no thresholds."""
    counted = Counter(part for one in found if one.largest for part in one.evidence.style)
    styles = tuple(sorted(part for part, count in counted.items() if count >= COMMON))
    places = {part: number for number, part in enumerate(styles)}
    choices = [choice for one in found for choice in _choices(one, places, 1.0 if one.largest else SMALL_COUNTS)]
    weights = fitted([one for one in choices if one.fits], len(styles))
    rounded = [round(value, 3) for value in weights.style]
    return replace(
        blank(known),
        fit=tuple(round(value, 3) for value in weights.fit),
        none=tuple(round(value, 3) for value in weights.none),
        style={part: value for part, value in zip(styles, rounded, strict=True) if value},
    )


def _choices(one: Example, places: dict[str, int], counts: float) -> list[Choice]:
    evidence, right = one.evidence, one.right
    styles = tuple(places[part] for part in sorted(evidence.style) if part in places)
    fitting = one.said.workflow is not None
    full = Choice(
        fits=evidence.fits,
        none=evidence.none,
        styles=styles,
        right=right,
        weight=counts * (FITTING_COUNTS if fitting else 1.0),
    )
    others = tuple(row for place, row in enumerate(evidence.fits) if place != right)
    without = replace(full, fits=others, right=None, weight=counts * WITHOUT_COUNTS)
    return [*([] if one.lost else [full]), *([without] if fitting else [])]


def guess(one: Example, found: Learned) -> Guess:
    """Return the most probable workflow of an example."""
    fits = [weighed(found.fit, row) for row in one.evidence.fits]
    none = weighed(found.none, one.evidence.none) + sum(found.style.get(part, 0.0) for part in one.evidence.style)
    chances = probabilities(fits, none).workflows
    best = max(range(len(chances)), key=chances.__getitem__, default=None)
    if best is None:
        return Guess(set_name=one.set_name, said=one.said, workflow=None, chance=0.0)
    return Guess(
        set_name=one.set_name,
        said=one.said,
        workflow=one.evidence.ids[best],
        chance=chances[best],
        place=None if one.right is None else sum(chance > chances[one.right] for chance in chances),
    )


def cross_validated(found: Sequence[Example], known: Known) -> list[Guess]:
    """Return the guesses of every message by what the other folds teach."""
    guesses: list[Guess] = []
    for fold in range(FOLDS):
        taught = learned_from([one for one in found if one.fold != fold], known)
        guesses += [guess(one, taught) for one in found if one.fold == fold and one.largest]
        print(f"fold {fold}: {len(guesses)} messages", flush=True)
    return guesses


def threshold(guesses: Sequence[Guess], share: float) -> float:
    """Return the least threshold from which on at most this share of the messages is routed wrongly."""
    return next(limit for limit in STEPS if sum(one.wrong(limit) for one in guesses) <= share * len(guesses))


def near_messages(sets: Sequence[LabelledSet], found: Learned) -> float:
    """Return the likeness that no two messages with different meanings have."""
    greatest = 0.0
    for every in sets:
        index = WorkflowIndex(candidates(every.workflows, 0), parameters=found)
        texts = [(one.workflow or one.text, one.text) for one in every.utterances]
        texts += [(one.id, text) for one in every.workflows for text in one.utterances]
        passages = [(key, index.passage(text)) for key, text in texts]
        pairs = itertools.combinations(passages, 2)
        likenesses = (index.likeness(one, other) for (a, one), (b, other) in pairs if a != b)
        greatest = max(greatest, *(like for like in likenesses if like < 1.0))
    return round(min(0.95, math.ceil(greatest * 100 + 1) / 100), 2)


def line(guesses: Sequence[Guess], limit: float) -> str:
    """Return the shares of what is routed right, wrongly, and not at all though one fits."""
    right = sum(one.right(limit) for one in guesses) / len(guesses)
    wrong = sum(one.wrong(limit) for one in guesses) / len(guesses)
    return f"right {right:.1%}, wrong {wrong:.1%}, abstained {1 - right - wrong:.1%} of {len(guesses)}"


def places(guesses: Sequence[Guess], limit: float) -> None:
    """Print at which place the right workflow is, of the messages that fit one and are not routed right."""
    for outcome, started in (("abstained", False), ("wrong", True)):
        missed = [one.place for one in guesses if not one.right(limit) and one.wrong(limit) == started]
        counted = Counter(NOT_FOUND if place is None else PLACES[min(place, len(PLACES) - 1)] for place in missed)
        shares = ", ".join(f"{name} {counted[name]}" for name in (*PLACES, NOT_FOUND))
        print(f"  {outcome} though one fits: {len(missed)}; the right one is {shares}")


def report(guesses: Sequence[Guess], limit: float, *, errors: bool) -> None:
    """Print the figures of the folds together: by set, by kind, and over the threshold."""
    for name in sorted({one.set_name for one in guesses}):
        print(f"{name}: {line([one for one in guesses if one.set_name == name], limit)}")
    print(f"all, threshold {limit}: {line(guesses, limit)}")
    for kind in sorted({one.said.kind for one in guesses}):
        print(f"  {kind}: {line([one for one in guesses if one.said.kind == kind], limit)}")
    for step in range(2, 20):
        print(f"  threshold {step / 20:.2f}: {line(guesses, step / 20)}")
    fits = [one for one in guesses if one.said.workflow]
    first = sum(one.workflow == one.said.workflow for one in fits)
    print(f"the right workflow is the most probable one: {first} of {len(fits)}")
    places(fits, limit)
    for one in guesses if errors else ():
        if not one.right(limit):
            print(f"  {one.said.text} | {one.said.workflow} | {one.workflow} {one.chance:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the file")
    parser.add_argument("--errors", action="store_true", help="print what is not routed right")
    arguments = parser.parse_args()
    sets = labelled_sets()
    known = known_messages(sets)
    found_of_all = every_example(sets, known)
    print(f"{len(found_of_all)} examples", flush=True)
    guesses = cross_validated(found_of_all, known)
    limit = threshold(guesses, WRONG_SHARE)
    report(guesses, limit, errors=arguments.errors)
    found = learned_from(found_of_all, known)
    found = replace(
        found,
        threshold=limit,
        threshold_with_tables=max(limit, threshold(guesses, WRONG_SHARE_WITH_TABLES)),
        near=near_messages(sets, found),
    )
    print(f"thresholds {found.threshold}, {found.threshold_with_tables}, near {found.near}")
    if arguments.write:
        Path(TARGET).write_text(json.dumps(asdict(found), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
