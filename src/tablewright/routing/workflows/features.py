"""How near a message is to texts, as numbers. All are general: none knows a word."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablewright.routing.workflows.tokens import (
    DEEDS,
    GRAMS,
    KINDS,
    MEANINGS,
    PROBLEMS,
    THINGS,
    WORDS,
    Parts,
    Tokens,
    together,
)
from tablewright.routing.workflows.weights import Rarity

COMPARED = ("grams", "deeds", "problems", "things", "meanings")
MEASURES = ("covered", "said_often", "near", "at_once", "name", "mass")
FIT_FEATURES = (
    *(f"{kind}_{measure}" for kind in COMPARED for measure in MEASURES),
    "deed_and_thing",
    "problem_and_thing",
)
"""Of a workflow, per kind of parts (`meanings` are all of them together): the share of the message that its texts have;
what they share, more where several texts have it; the likeness of the nearest of its texts, and what that one shares;
the share of its name that the message has; and what they share without a limit. Then what is done and what is wrong,
together with what it is about."""

LIKENESS = ("words", "grams", "meanings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text: per kind, its parts with their strengths, what each of them weighs and what they weigh together, and
    its meanings of all kinds (`meaning`); and how it is put."""

    parts: Parts
    weighed: Parts
    masses: tuple[float, ...]
    meaning: float
    tokens: Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowText:
    """Everything that is written of a workflow: per kind the parts of all of it, and how often each is said (twice as
    often in the name); each text, of which the first is the name, and what they weigh, per kind and in meaning."""

    parts: Parts
    often: tuple[Mapping[str, float], ...]
    passages: tuple[Passage, ...]
    masses: tuple[tuple[float, ...], ...]
    meanings: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """What a message shares with a workflow in one kind: in all its texts, weighed by how often it is said, and with
    each text."""

    shared: float
    often: float
    by_text: tuple[float, ...]


NOTHING = Overlap(shared=0.0, often=0.0, by_text=())
NO_MEASURES = (0.0,) * len(MEASURES)


class Scale:
    """What parts weigh, among the texts of workflows and the messages that it was made of."""

    def __init__(self, texts: Sequence[Parts], messages: Sequence[Parts]) -> None:
        self._kinds = tuple(
            Rarity((text[kind] for text in texts), (message[kind] for message in messages))
            for kind in range(len(KINDS))
        )
        self._unseen = self._kinds[GRAMS].unseen

    def passage(self, tokens: Tokens) -> Passage:
        """Return a text as it is weighed."""
        weighed = tuple(
            {part: weights[part] * strength for part, strength in own.items()}
            for weights, own in zip(self._kinds, tokens.parts, strict=True)
        )
        masses = tuple(sum(own.values()) for own in weighed)
        meaning = sum(masses[kind] for kind in MEANINGS)
        return Passage(parts=tokens.parts, weighed=weighed, masses=masses, meaning=meaning, tokens=tokens)

    def workflow(self, texts: Sequence[Tokens]) -> WorkflowText:
        """Return the texts of a workflow as they are weighed; the first is its name."""
        often: tuple[dict[str, float], ...] = tuple({} for _ in KINDS)
        for number, text in enumerate(texts):
            for counts, parts in zip(often, text.parts, strict=True):
                for part, strength in parts.items():
                    counts[part] = counts.get(part, 0.0) + strength * (1.0 if number else 2.0)
        passages = tuple(map(self.passage, texts))
        return WorkflowText(
            parts=together(texts),
            often=often,
            passages=passages,
            masses=tuple(tuple(one.masses[kind] for one in passages) for kind in range(len(KINDS))),
            meanings=tuple(one.meaning for one in passages),
        )

    def fit(self, message: Passage, workflow: WorkflowText) -> tuple[float, ...]:
        """Return the `FIT_FEATURES` of a message and a workflow."""
        found = {kind: self._overlap(message, workflow, kind) for kind in (GRAMS, *MEANINGS)}
        of_kinds = {
            kind: self._measures(found[kind], message.masses[kind], workflow.masses[kind])
            for kind in (GRAMS, DEEDS, PROBLEMS, THINGS)
        }
        every = [one for kind in MEANINGS if (one := found[kind]).shared]
        meant = Overlap(
            shared=sum([one.shared for one in every]),
            often=sum([one.often for one in every]),
            by_text=tuple(map(sum, zip(*(one.by_text for one in every), strict=True))),
        )
        said = MEASURES.index("said_often")
        about = of_kinds[THINGS][said]
        return (
            *(value for measures in of_kinds.values() for value in measures),
            *self._measures(meant, message.meaning, workflow.meanings),
            of_kinds[DEEDS][said] * about,
            of_kinds[PROBLEMS][said] * about,
        )

    def likenesses(self, one: Passage, other: Passage) -> tuple[float, float, float]:
        """Return how alike two texts are in each of `LIKENESS`, 0 to 1."""
        words, grams = (
            _cosine(self._shared(one, other, kind), one.masses[kind], other.masses[kind]) for kind in (WORDS, GRAMS)
        )
        meant = sum([self._shared(one, other, kind) for kind in MEANINGS])
        return words, grams, _cosine(meant, one.meaning, other.meaning)

    def likeness(self, one: Passage, other: Passage) -> float:
        """Return how alike two texts are, 0 to 1: the mean over what both of them have."""
        masses = (
            (one.masses[WORDS], other.masses[WORDS]),
            (one.masses[GRAMS], other.masses[GRAMS]),
            (one.meaning, other.meaning),
        )
        have = [like for like, (own, its) in zip(self.likenesses(one, other), masses, strict=True) if own and its]
        return sum(have) / len(have) if have else 0.0

    def _shared(self, one: Passage, other: Passage, kind: int) -> float:
        its = other.parts[kind]
        return sum([value * its[part] for part, value in one.weighed[kind].items() if part in its])

    def _overlap(self, message: Passage, workflow: WorkflowText, kind: int) -> Overlap:
        whole, often = workflow.parts[kind], workflow.often[kind]
        common = [(part, value) for part, value in message.weighed[kind].items() if part in whole]
        if not common:
            return NOTHING
        texts = [text.parts[kind] for text in workflow.passages]
        return Overlap(
            shared=sum([value * whole[part] for part, value in common]),
            often=sum([value * often[part] / (1.0 + often[part]) for part, value in common]),
            by_text=tuple([sum([value * text[part] for part, value in common if part in text]) for text in texts]),
        )

    def _measures(self, found: Overlap, mass: float, masses: Sequence[float]) -> tuple[float, ...]:
        """Return the `MEASURES` of what is shared, where a message and each text weigh so much."""
        if not found.shared:
            return NO_MEASURES
        most = max(found.by_text)
        return (
            found.shared / mass,
            found.often / (found.often + self._unseen),
            max([_cosine(shared, mass, its) for shared, its in zip(found.by_text, masses, strict=True)]),
            most / (most + self._unseen),
            found.by_text[0] / masses[0] if masses[0] else 0.0,
            found.often / (3.0 * self._unseen),
        )


def _cosine(shared: float, one: float, other: float) -> float:
    return shared / math.sqrt(one * other) if shared else 0.0
