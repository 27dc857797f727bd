"""Tokenization: one token per English word or number, and one per Chinese character."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tablewright.analyst.linking.text import fold, is_han, lemma

TokenKind = Literal["word", "han", "number", "ordinal", "mark"]
_PATTERN = re.compile(
    r"(?P<ordinal>\d+(?:st|nd|rd|th)\b)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"|(?P<han>[㐀-鿿豈-﫿])"
    r"|(?P<word>[^\W\d_㐀-鿿豈-﫿]+)"
    r"|(?P<mark>[^\s_])"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^”]+)”|「([^」]+)」|『([^』]+)』|《([^》]+)》|(?<!\w)['‘]([^'’]+)['’](?!\w)|`([^`]+)`"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token and its place in the text. `norm` is the folded text; `lemma` is also singular."""

    text: str
    norm: str
    lemma: str
    start: int
    end: int
    kind: TokenKind


def _kind(match: re.Match[str]) -> TokenKind:
    found = match.lastgroup
    return found if found in {"word", "han", "number", "ordinal"} else "mark"  # type: ignore[return-value]


@lru_cache(maxsize=8192)
def tokenize(text: str) -> tuple[Token, ...]:
    """Split `text` into tokens; camelCase and snake_case names are split into their words."""
    folded = fold(text)
    tokens: list[Token] = []
    for match in _PATTERN.finditer(folded):
        kind = _kind(match)
        start, end = match.span()
        cuts = [start, end]
        if kind == "word":
            cuts = [start, *(start + cut.start() for cut in _CAMEL.finditer(text[start:end])), end]
        for first, last in itertools.pairwise(cuts):
            norm = folded[first:last]
            base = lemma(norm) if kind == "word" else norm.replace(",", "")
            tokens.append(Token(text=text[first:last], norm=norm, lemma=base, start=first, end=last, kind=kind))
    return tuple(tokens)


@lru_cache(maxsize=16384)
def lemmas(text: str) -> tuple[str, ...]:
    """Return the lemmas of the tokens of `text` that are not punctuation."""
    return form_of(text, _is_word)


def form_of(text: str, speaks: Callable[[Token], bool]) -> tuple[str, ...]:
    """Return the lemmas of the tokens of `text` that speak; all do but some punctuation.

    Vocabularies have thousands of forms of small letters and spaces or of Chinese characters alone, whose lemmas are
    found without making tokens.
    """
    if text.isascii() and text.islower() and text.replace(" ", "").isalpha():
        return tuple(map(lemma, text.split()))
    if text and all(map(is_han, folded := fold(text))):
        return tuple(folded)
    return tuple(token.lemma for token in tokenize(text) if speaks(token))


def _is_word(token: Token) -> bool:
    return token.kind != "mark"


def quoted_spans(text: str, tokens: tuple[Token, ...]) -> list[tuple[int, int]]:
    """Return the token spans (start, end) inside quotation marks, without the marks."""
    spans: list[tuple[int, int]] = []
    for match in _QUOTED.finditer(text):
        group = next(number for number in range(1, 8) if match.group(number) is not None)
        start, end = match.span(group)
        inside = [place for place, token in enumerate(tokens) if token.start >= start and token.end <= end]
        if inside:
            spans.append((inside[0], inside[-1] + 1))
    return spans


def weight(tokens: tuple[Token, ...], start: int, end: int) -> float:
    """Return how much text a span holds: an English word or a number weighs as much as two Chinese characters."""
    return sum(1.0 if is_han(token.norm[0]) else 2.0 for token in tokens[start:end] if token.kind != "mark")
