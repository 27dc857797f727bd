"""The parts of a text that are compared: words, runs of characters, which survive typing mistakes, and meanings."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.linking.tokens import tokenize
from tablewright.routing.workflows.style import style_of
from tablewright.routing.workflows.vocabulary import meanings_of

GRAM = 3
"""Characters of a run within a word that is written with letters."""

PartKind = Literal["words", "grams", "meanings"]
KINDS: tuple[PartKind, ...] = ("words", "grams", "meanings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The distinct parts of a text.

    `words`: lemmas, and pairs of Chinese characters that stand side by side. `grams`: runs of three letters within
    words and at their edges, and single Chinese characters. `meanings`: what the words mean, across languages.
    `style`: how it is put. Numbers are left out: they name things, not deeds.
    """

    words: frozenset[str] = frozenset()
    grams: frozenset[str] = frozenset()
    meanings: frozenset[str] = frozenset()
    style: frozenset[str] = frozenset()

    def of(self, kind: PartKind) -> frozenset[str]:
        """Return the parts of one kind."""
        match kind:
            case "words":
                return self.words
            case "grams":
                return self.grams
            case "meanings":
                return self.meanings


def tokens_of(text: str) -> Tokens:
    """Return the parts of `text`."""
    words: set[str] = set()
    grams: set[str] = set()
    found = tokenize(text)
    for token in found:
        if token.kind == "word":
            words.add(token.lemma)
            edged = f"<{token.norm}>"
            grams.update(edged[place : place + GRAM] for place in range(len(edged) - GRAM + 1))
        elif token.kind == "han":
            grams.add(token.norm)
    for before, after in itertools.pairwise(found):
        if before.kind == after.kind == "han" and before.end == after.start:
            words.add(before.norm + after.norm)
    return Tokens(
        words=frozenset(words),
        grams=frozenset(grams),
        meanings=meanings_of(found),
        style=style_of(found),
    )


def together(texts: Iterable[Tokens]) -> Tokens:
    """Return the parts that any of `texts` has."""
    every = tuple(texts)
    return Tokens(
        words=frozenset().union(*(text.words for text in every)),
        grams=frozenset().union(*(text.grams for text in every)),
        meanings=frozenset().union(*(text.meanings for text in every)),
    )
