"""Reads the labelled utterances of `benchmarks/routing_cases` and says to which third each belongs."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

CASES = Path(__file__).resolve().parent / "routing_cases"
Third = Literal["train", "tune", "held"]
THIRDS: tuple[Third, ...] = ("train", "tune", "held")


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

    @property
    def third(self) -> Third:
        """Return the third of its workflow, else that of its own words."""
        return third_of(self.workflow or self.text)


def third_of(key: str) -> Third:
    """Return the third of a workflow's id, or of a text."""
    return THIRDS[int(hashlib.sha256(key.encode()).hexdigest(), 16) % 3]


def published() -> tuple[PublishedWorkflow, ...]:
    """Return the workflows that the utterances are labelled with."""
    return tuple(
        PublishedWorkflow(**{**row, "utterances": tuple(row["utterances"])}) for row in _rows("workflows.jsonl")
    )


def labelled(third: Third | None = None) -> tuple[LabelledUtterance, ...]:
    """Return the utterances of one third, or all."""
    every = (LabelledUtterance(**row) for row in _rows("utterances.jsonl"))
    return tuple(one for one in every if third in {None, one.third})


def more_strangers() -> tuple[str, ...]:
    """Return further messages that are for no workflow, to learn from only."""
    return tuple(row["text"] for row in _rows("strangers.jsonl"))


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]
