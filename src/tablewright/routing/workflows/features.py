"""How near a message is to texts, as numbers between 0 and 1. All are general: none knows a word."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tablewright.routing.workflows.tokens import KINDS, Tokens, together
from tablewright.routing.workflows.weights import Rarity

FIT_FEATURES = (
    "grams_covered",
    "grams_near",
    "meanings_covered",
    "meanings_near",
    "name_spoken",
    "meant",
    "meant_at_once",
)
"""Of a workflow, per kind of parts: the share of the message that its texts have, and the likeness of the nearest of
its texts; the share of its name's meaning that the message has; how much of meaning they share, in all its texts and
in one: a deed and what it is done to are more than either. Whole words add nothing to these."""

NONE_FEATURES = ("always", *(f"{kind}_near" for kind in KINDS))
"""Of no workflow: 1, and the likeness of the nearest text that is known to be for none."""


GRAMS, MEANINGS = KINDS.index("grams"), KINDS.index("meanings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text: per kind, its parts and what they weigh together; and how it is put."""

    parts: tuple[frozenset[str], ...]
    masses: tuple[float, ...]
    tokens: Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowText:
    """Everything that is written of a workflow: per kind the parts of all of it, each text, and the name."""

    parts: tuple[frozenset[str], ...]
    passages: tuple[Passage, ...]
    name: Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """The greatest likeness of a message to any of some texts, and the most that it shares with one of them."""

    likeness: float
    shared: float


class Scale:
    """What parts weigh, among the texts that it was made of."""

    def __init__(self, texts: Sequence[Tokens]) -> None:
        self._kinds = tuple(Rarity(text.of(kind) for text in texts) for kind in KINDS)

    def passage(self, tokens: Tokens) -> Passage:
        """Return a text as it is weighed."""
        parts = tuple(map(tokens.of, KINDS))
        masses = tuple(weights.mass(own) for weights, own in zip(self._kinds, parts, strict=True))
        return Passage(parts=parts, masses=masses, tokens=tokens)

    def workflow(self, texts: Sequence[Tokens]) -> WorkflowText:
        """Return the texts of a workflow as they are weighed; the first is its name."""
        passages = tuple(map(self.passage, texts))
        whole = together(texts)
        return WorkflowText(parts=tuple(map(whole.of, KINDS)), passages=passages, name=passages[0])

    def fit(self, message: Passage, workflow: WorkflowText) -> tuple[float, ...]:
        """Return the `FIT_FEATURES` of a message and a workflow."""
        grams, meanings = (self._nearest(message, workflow.passages, kind) for kind in (GRAMS, MEANINGS))
        weights, meant = self._kinds[MEANINGS], message.parts[MEANINGS]
        meant_of_name = weights.mass(meant & workflow.name.parts[MEANINGS])
        shared = weights.mass(meant & workflow.parts[MEANINGS])
        return (
            _share(self._kinds[GRAMS].mass(message.parts[GRAMS] & workflow.parts[GRAMS]), message.masses[GRAMS]),
            grams.likeness,
            _share(shared, message.masses[MEANINGS]),
            meanings.likeness,
            _share(meant_of_name, workflow.name.masses[MEANINGS]),
            shared / (shared + weights.unseen),
            meanings.shared / (meanings.shared + weights.unseen),
        )

    def none(self, message: Passage, strangers: Sequence[Passage]) -> tuple[float, ...]:
        """Return the `NONE_FEATURES` of a message; `strangers` are texts that are for no workflow."""
        return (1.0, *(self._nearest(message, strangers, kind).likeness for kind in range(len(KINDS))))

    def likeness(self, one: Passage, other: Passage) -> float:
        """Return how alike two texts are: the mean over the kinds that they have."""
        have = [kind for kind in range(len(KINDS)) if one.masses[kind] and other.masses[kind]]
        return sum(self._nearest(one, (other,), kind).likeness for kind in have) / len(have) if have else 0.0

    def _nearest(self, message: Passage, passages: Iterable[Passage], kind: int) -> Nearness:
        weights, parts, mass = self._kinds[kind], message.parts[kind], message.masses[kind]
        likeness = most = 0.0
        for passage in passages:
            if common := parts & passage.parts[kind]:
                shared = weights.mass(common)
                most = max(most, shared)
                likeness = max(likeness, shared / math.sqrt(mass * passage.masses[kind]))
        return Nearness(likeness=likeness, shared=most)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
