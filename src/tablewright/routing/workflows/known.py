"""Messages that are known to be for some workflow, or for none: what a new one is compared with."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tablewright.routing.workflows.features import LIKENESS, Passage, Scale
from tablewright.routing.workflows.search import TextSearch
from tablewright.routing.workflows.tokens import ASIDE_KINDS, Tokens

COMPARED = 12
"""Known messages of a kind that a message is compared with: those that the search finds nearest."""
MOST = 60
"""Those that the search returns at most, where some are left out."""
FEW = 5
"""Those of them whose likeness is averaged: one may be alike by chance."""

NONE_FEATURES = (
    "always",
    "short",
    *ASIDE_KINDS,
    *(f"stranger_{kind}" for kind in LIKENESS),
    *(f"strangers_{kind}" for kind in LIKENESS),
    *(f"requests_{kind}" for kind in LIKENESS),
)
"""Of no workflow: 1; whether there are few words; how many meanings there are
of each of the kinds that speak for none; the likeness of the nearest message that is known to be for none, the mean
likeness of the nearest few of them, and of those that are for some workflow."""


class KnownMessages:
    """Messages of one kind, on a scale."""

    def __init__(self, texts: Sequence[Tokens], scale: Scale) -> None:
        self._scale = scale
        self._passages = tuple(map(scale.passage, texts))
        self._search = TextSearch([(text,) for text in texts])

    def likenesses(self, message: Passage, without: Collection[int] = ()) -> list[tuple[float, ...]]:
        """Return, for each of `LIKENESS`, those of the nearest few, the greatest first; `without` are left out."""
        numbers = self._search.nearest(message.tokens, min(COMPARED + len(without), MOST))
        near = [self._passages[number] for number in numbers if number not in without][:COMPARED]
        every = [self._scale.likenesses(message, one) for one in near]
        return [tuple(sorted(column, reverse=True)[:FEW]) for column in zip(*every, strict=True)] or [()] * 3


def none_features(
    message: Passage, strangers: Sequence[Sequence[float]], requests: Sequence[Sequence[float]]
) -> tuple[float, ...]:
    """Return the `NONE_FEATURES` of a message, of its likenesses to known ones."""
    return (
        1.0,
        1.0 / (1.0 + len(message.parts[0])),
        *(float(min(count, FEW)) for count in message.tokens.aside_counts),
        *(max(column, default=0.0) for column in strangers),
        *(sum(column) / FEW for column in strangers),
        *(sum(column) / FEW for column in requests),
    )
