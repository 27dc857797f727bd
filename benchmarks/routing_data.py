"""Reads the labelled utterances of `benchmarks/routing_cases`, set by set, and says to which fold each belongs."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES = Path(__file__).resolve().parent / "routing_cases"
SETS = ("first", "second")
FOLDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedWorkflow:
    """What is said of a workflow where it is published."""

    id: str
    name: str
    description: str
    utterances: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledUtterance:
    """A message, and the id of the workflow that fits it, if one does."""

    text: str
    workflow: str | None
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """Workflows of one organisation, and messages of its people."""

    name: str
    workflows: tuple[PublishedWorkflow, ...]
    utterances: tuple[LabelledUtterance, ...]

    def fold(self, one: LabelledUtterance) -> int:
        """Return the fold of an utterance: that of its workflow, else that of its own words."""
        key = f"{self.name} {one.workflow}" if one.workflow else one.text
        return int(hashlib.sha256(key.encode()).hexdigest(), 16) % FOLDS


def labelled_set(folder: Path) -> LabelledSet:
    """Return the set of a folder with `workflows.jsonl` and `utterances.jsonl`."""
    workflows = _rows(folder / "workflows.jsonl")
    return LabelledSet(
        name=folder.name,
        workflows=tuple(PublishedWorkflow(**{**row, "utterances": tuple(row["utterances"])}) for row in workflows),
        utterances=tuple(LabelledUtterance(**row) for row in _rows(folder / "utterances.jsonl")),
    )


def labelled_sets() -> tuple[LabelledSet, ...]:
    """Return the sets that weights are learned from."""
    return tuple(labelled_set(CASES / name) for name in SETS)


def more_strangers() -> tuple[str, ...]:
    """Return further messages that are for no workflow, to learn from only."""
    return tuple(row["text"] for row in _rows(CASES / "strangers.jsonl"))


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
