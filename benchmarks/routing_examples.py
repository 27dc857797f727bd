"""What is learned from: for each labelled message, what the index finds among the workflows of its set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.routing_crowd import crowd
from benchmarks.routing_data import LabelledSet, LabelledUtterance, PublishedWorkflow, more_strangers

from tablewright.analyst.linking.text import is_han
from tablewright.routing.workflows.candidates import Candidate
from tablewright.routing.workflows.features import FIT_FEATURES
from tablewright.routing.workflows.index import Evidence, WorkflowIndex
from tablewright.routing.workflows.known import NONE_FEATURES
from tablewright.routing.workflows.learned import Learned

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "tests" / "suites" / "samples" / "suite.jsonl"
LARGEST = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A message among the published workflows of a set and others. `fold` is None of one that no
    fold holds."""

    evidence: Evidence
    said: LabelledUtterance
    set_name: str
    fold: int | None
    largest: bool

    @property
    def right(self) -> int | None:
        """Return the place of the right workflow; None if none fits, or if it did not come into question."""
        workflow = self.said.workflow
        return self.evidence.ids.index(workflow) if workflow in self.evidence.ids else None

    @property
    def lost(self) -> bool:
        """Return whether the right workflow did not come into question."""
        return self.said.workflow is not None and self.right is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Messages whose kind is known: for none, and for some workflow; with their folds, in this order."""

    strangers: tuple[str, ...]
    requests: tuple[str, ...]
    folds: tuple[int | None, ...]

    def without(self, said: LabelledUtterance, fold: int | None) -> frozenset[int]:
        """Return the numbers of what would give the message away: itself, and all of its fold."""
        own = (number for number, text in enumerate(self.strangers) if text == said.text)
        held = (number for number, one in enumerate(self.folds) if fold is not None and one == fold)
        return frozenset((*own, *held))


def candidates(own: Sequence[PublishedWorkflow], total: int) -> tuple[Candidate, ...]:
    """Return published workflows, among others up to `total`, as the index takes them."""
    every = (*own, *crowd(max(0, total - len(own))))
    return tuple(
        Candidate(id=one.id, name=one.name, description=one.description, utterances=one.utterances) for one in every
    )


def questions() -> tuple[LabelledUtterance, ...]:
    """Return messages that are for no workflow of any set, to learn from only."""
    asked = [json.loads(line)["prompt"] for line in SAMPLES.read_text(encoding="utf-8").splitlines()]
    return tuple(LabelledUtterance(text=text, workflow=None, kind="other") for text in (*more_strangers(), *asked))


def known_messages(sets: Sequence[LabelledSet]) -> Known:
    """Return all messages, to compare with."""
    said = [(one, every.fold(one)) for every in sets for one in every.utterances]
    none = [(one.text, fold) for one, fold in said if one.workflow is None]
    fits = [(one.text, fold) for one, fold in said if one.workflow]
    more = tuple(one.text for one in questions())
    return Known(
        strangers=(*(text for text, _ in none), *more),
        requests=tuple(text for text, _ in fits),
        folds=(*(fold for _, fold in none), *(None for _ in more), *(fold for _, fold in fits)),
    )


def blank(known: Known) -> Learned:
    """Return parameters that choose nothing."""
    return Learned(
        fit=(0.0,) * len(FIT_FEATURES),
        none=(0.0,) * len(NONE_FEATURES),
        style={},
        threshold=1.0,
        threshold_with_tables=1.0,
        near=1.0,
        strangers=known.strangers,
        requests=known.requests,
    )


def examples(given: LabelledSet, known: Known, *, more: bool = False) -> tuple[Example, ...]:
    """Return what the index finds for the messages of a set, and for `more`, among its workflows and others.

    Each is compared with the known messages of other folds than its own.
    """
    said: list[tuple[LabelledUtterance, int | None]] = [(one, given.fold(one)) for one in given.utterances]
    said += [(one, None) for one in (questions() if more else ())]
    return _found(given, candidates(given.workflows, LARGEST), said, known, largest=True)


def examples_among_few(given: LabelledSet, known: Known) -> tuple[Example, ...]:
    """Return what the index finds for the messages of a set among its workflows alone; and among these as they are
    described in the other language: in Chinese where a message has no Chinese character, without Chinese where it
    has."""
    said = [(one, given.fold(one)) for one in given.utterances]
    found = _found(given, candidates(given.workflows, 0), said, known, largest=False)
    for chinese in (False, True):
        described = tuple(filter(None, (_described(one, chinese=chinese) for one in given.workflows)))
        others = [(one, fold) for one, fold in said if _is_chinese(one.text) != chinese]
        found += _found(given, candidates(described, 0), others, known, largest=False)
    return found


def _found(
    given: LabelledSet,
    texts: Sequence[Candidate],
    said: Sequence[tuple[LabelledUtterance, int | None]],
    known: Known,
    *,
    largest: bool,
) -> tuple[Example, ...]:
    index = WorkflowIndex(texts, parameters=blank(known))
    return tuple(
        Example(
            evidence=index.evidence(index.passage(one.text), without=known.without(one, fold)),
            said=one,
            set_name=given.name,
            fold=fold,
            largest=largest,
        )
        for one, fold in said
    )


def _described(one: PublishedWorkflow, *, chinese: bool) -> PublishedWorkflow | None:
    """Return a workflow with what is said of it in Chinese, or without that; None if nothing is left."""
    texts = [text for text in (one.name, one.description, *one.utterances) if _is_chinese(text) == chinese]
    if not texts:
        return None
    return PublishedWorkflow(
        id=one.id, name=texts[0], description=texts[1] if len(texts) > 1 else "", utterances=tuple(texts[2:])
    )


def _is_chinese(text: str) -> bool:
    return any(map(is_han, text))
