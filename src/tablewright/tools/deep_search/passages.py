"""Passages of documents, and how well they fit a query. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablewright.tools.deep_search.base import Document

PASSAGE_CHARS = 600
_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*", re.UNICODE)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_COMMON = frozenset(
    ("a", "an", "and", "are", "as", "at", "by", "for", "from", "in", "is", "it", "of", "on", "or", "the", "to")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A part of a document, in its own words."""

    document: Document
    text: str


def terms_of(text: str) -> list[str]:
    """Return the words of a text; of Chinese each two neighbouring characters, or a lone one."""
    found: list[str] = []
    for word in _WORD.findall(text.casefold()):
        rest = word
        for han in _HAN.findall(word):
            rest = rest.replace(han, " ")
            found += [han[at : at + 2] for at in range(len(han) - 1)] or [han]
        found += [one for one in rest.split() if one not in _COMMON]
    return found


def passages_of(document: Document) -> Iterator[Passage]:
    """Divide a document at the ends of lines, into parts of about `PASSAGE_CHARS`."""
    held: list[str] = []
    for line in document.text.splitlines():
        for at in range(0, max(1, len(line)), PASSAGE_CHARS):
            piece = line[at : at + PASSAGE_CHARS].strip()
            if held and sum(map(len, held)) + len(piece) > PASSAGE_CHARS:
                yield Passage(document=document, text="\n".join(held))
                held = []
            if piece:
                held.append(piece)
    if held:
        yield Passage(document=document, text="\n".join(held))


def best(passages: Sequence[Passage], query: str, count: int) -> list[Passage]:
    """Return the passages that fit a query best, at most `count`; one without any of its words does not fit."""
    wanted = set(terms_of(query))
    counted = [Counter(terms_of(f"{passage.document.title} {passage.text}")) for passage in passages]
    weights = {
        term: math.log(1 + len(passages) / (1 + sum(term in terms for terms in counted))) for term in wanted
    }  # fmt: skip
    scores = [
        sum(weight * terms[term] / (terms[term] + 1) for term, weight in weights.items()) for terms in counted
    ]  # fmt: skip
    ranked = sorted((-score, place) for place, score in enumerate(scores) if score > 0)
    return [passages[place] for _, place in ranked[:count]]
