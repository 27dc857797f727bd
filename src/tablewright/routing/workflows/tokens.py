"""The parts of a text that are compared: words, runs of characters, which survive typing mistakes, and meanings."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.tokens import Token, tokenize
from tablewright.routing.workflows.meanings import meanings_of
from tablewright.routing.workflows.stems import stem
from tablewright.routing.workflows.style import style_of
from tablewright.routing.workflows.vocabulary import MeaningKind, phrases

GRAM = 3
"""Characters of a run within a word that is written with letters."""

PartKind = Literal["words", "grams", "deeds", "problems", "things", "asides"]
KINDS: tuple[PartKind, ...] = ("words", "grams", "deeds", "problems", "things", "asides")
WORDS, GRAMS, DEEDS, PROBLEMS, THINGS, ASIDES = range(len(KINDS))
MEANINGS = (DEEDS, PROBLEMS, THINGS, ASIDES)
ASIDE_KINDS: tuple[MeaningKind, ...] = ("talk", "tables", "times")

Parts = tuple[Mapping[str, float], ...]
"""Per kind, the distinct parts of a text and the strength of each, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The parts of a text, per kind.

    `words`: stems, and pairs of Chinese characters that stand side by side. `grams`: runs of three letters within
    words and at their edges, and single Chinese characters. Then what the words mean, across languages; `asides` are
    meanings that speak for no workflow, and `aside_counts` how many there are of each of `ASIDE_KINDS`. `style`: how
    it is put. Numbers are left out: they name things, not deeds.
    """

    parts: Parts
    style: frozenset[str] = frozenset()
    aside_counts: tuple[int, ...] = field(default=(0,) * len(ASIDE_KINDS))

    def of(self, kind: PartKind) -> Mapping[str, float]:
        """Return the parts of one kind."""
        return self.parts[KINDS.index(kind)]


def tokens_of(text: str) -> Tokens:
    """Return the parts of `text`."""
    found = tokenize(text)
    meanings: tuple[dict[str, float], ...] = tuple({} for _ in MEANINGS)
    kinds, counts = phrases().kinds, Counter[str]()
    for meaning, strength in meanings_of(found).items():
        kind = kinds[meaning]
        meanings[_place(kind)][meaning] = strength
        counts[kind] += 1
    return Tokens(
        parts=(dict.fromkeys(_words(found), 1.0), dict.fromkeys(_grams(found), 1.0), *meanings),
        style=style_of(found),
        aside_counts=tuple(counts[kind] for kind in ASIDE_KINDS),
    )


def together(texts: Iterable[Tokens]) -> Parts:
    """Return the parts that any of `texts` has, with their greatest strength."""
    every: tuple[dict[str, float], ...] = tuple({} for _ in KINDS)
    for text in texts:
        for found, parts in zip(every, text.parts, strict=True):
            for part, strength in parts.items():
                found[part] = max(found.get(part, 0.0), strength)
    return every


def _place(kind: MeaningKind) -> int:
    match kind:
        case "deeds":
            return 0
        case "problems":
            return 1
        case "things":
            return 2
        case "talk" | "tables" | "times":
            return 3


def _words(tokens: Sequence[Token]) -> Iterable[str]:
    for token in tokens:
        if token.kind == "word" and token.lemma not in stopwords():
            yield stem(token.norm)
    for before, after in itertools.pairwise(tokens):
        if before.kind == after.kind == "han" and before.end == after.start:
            yield before.norm + after.norm


def _grams(tokens: Sequence[Token]) -> Iterable[str]:
    for token in tokens:
        if token.kind == "word":
            edged = f"<{stem(token.norm)}>"
            yield from (edged[place : place + GRAM] for place in range(len(edged) - GRAM + 1))
        elif token.kind == "han":
            yield token.norm
