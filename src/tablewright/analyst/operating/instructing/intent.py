"""Whether a message asks to change a workbook or asks something about its data, learned from messages of both kinds.

What is judged is which words of the two vocabularies a message says, that of questions and that of instructions, and
where: at the beginning of a clause, at its end, or in between. No feature names a table, a column or a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tablewright.analyst.grammar.lexicon import words as words_of_questions
from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.linking.tokens import Token, tokenize
from tablewright.analyst.operating.instructing.segments import segments_of
from tablewright.analyst.operating.instructing.words import said_words

_LENGTHS = (4, 8, 12, 18, 26, 40, 70)
_SMALL = frozenset({"filler", "reply", "also"})
"""Types of words that only fill a sentence: before the first other word, a clause has not begun yet."""
_SPOKEN = 160
"""Tokens from which on a message is judged by its beginning only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weights:
    """What each feature says for a change, and from which sum on a message asks for one, or perhaps does."""

    features: dict[str, float]
    least: float
    perhaps: float


@cache
def _weights() -> _Weights:
    rows = json.loads(files(__package__).joinpath("intent.json").read_text(encoding="utf-8"))
    return _Weights(features=rows["features"], least=rows["least"], perhaps=rows["perhaps"])


def asks_for_change(said: str) -> bool:
    """Return whether a message asks to change a workbook; of one that may as well be a question, it does not."""
    return leaning_of(said) >= 0


def leaning_of(said: str) -> float:
    """Return how much more a message says for a change than one must that asks for it."""
    return _sum(said) - _weights().least


def may_ask_for_change(said: str) -> bool:
    """Return whether a message may ask to change a workbook, if it can be read as such."""
    return bool(said.strip()) and _sum(said) >= _weights().perhaps


def _sum(said: str) -> float:
    weights = _weights().features
    return sum(weights.get(name, 0.0) for name in intent_features(said))


def intent_features(said: str) -> frozenset[str]:
    """Return the features of a message."""
    return frozenset(_features(said))


def _features(said: str) -> Iterator[str]:
    yield "always"
    tokens = tokenize(said)[:_SPOKEN]
    spoken = [token for token in tokens if token.kind != "mark"]
    yield from (f"longer:{length}" for length in _LENGTHS if len(spoken) > length)
    if any(token.norm == "?" for token in tokens):
        yield "sign:?"
    yield from (f"sign:{token.norm}" for token in tokens if token.norm in {":", "=", '"', "“"})
    instructed, asked = said_words(tokens), words_of_questions(tokens)
    yield from (name for word in instructed for name in _names("do", word, tokens))
    yield from (name for word in asked for name in _names("ask", word, tokens))
    for start, end in segments_of(said):
        yield from _edges(tokens, (start, end), instructed, asked)


def _names(side: str, word: Word, tokens: tuple[Token, ...]) -> Iterator[str]:
    if word.type in _SMALL:
        yield f"{side}:{word.type}:{' '.join(token.lemma for token in tokens[word.start : word.end])}"
    else:
        yield f"{side}:{word.type}:{word.meaning}"


def _edges(
    tokens: tuple[Token, ...], span: tuple[int, int], instructed: tuple[Word, ...], asked: tuple[Word, ...]
) -> Iterator[str]:
    """Yield the features of the first and the last word of a clause."""
    inside = [at for at, token in enumerate(tokens) if span[0] <= token.start < span[1] and token.kind != "mark"]
    filled = {at for word in instructed if word.type in _SMALL for at in range(word.start, word.end)}
    verbs = {at for word in instructed if word.type == "act" for at in range(word.start, word.end)}
    begun = [at for at in inside if at not in filled or at in verbs]
    if not begun:
        return
    first, last = begun[0], begun[-1]
    opens = {word.start for word in (*instructed, *asked)}
    yield from (f"first:{inside[0] == first}:{kind}" for kind in ("known" if first in opens else tokens[first].kind,))
    for side, words in (("do", instructed), ("ask", asked)):
        for word in words:
            if word.start == first and word.type not in _SMALL:
                yield f"first:{side}:{word.type}:{word.meaning}"
                yield f"first:{side}:{word.type}"
            if word.end == last + 1 and word.type not in _SMALL:
                yield f"last:{side}:{word.type}:{word.meaning}"
                yield f"last:{side}:{word.type}"
