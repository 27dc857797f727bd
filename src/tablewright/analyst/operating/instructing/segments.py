"""The stretches of an instruction that may be clauses."""

from __future__ import annotations

from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.operating.instructing.words import said_words

_APART = frozenset(",，.。;；:：!！?？\n")
_JOINTS = frozenset({"and", "then", "并", "然后", "再"})


def segments_of(text: str) -> list[tuple[int, int]]:
    """Return the stretches of a text between marks that end clauses, and before words that join them."""
    found: list[tuple[int, int]] = []
    start, deep = 0, 0
    tokens = tokenize(text)
    verbs = [word for word in said_words(tokens) if word.type == "act" and word.end - word.start > 1]
    within = {at for word in verbs for at in range(word.start + 1, word.end)}
    for at, token in enumerate(tokens):
        deep += (token.norm in "(（") - (token.norm in ")）")
        spaced = token.norm not in ",.:" or token.end == len(text) or text[token.end].isspace() or at + 1 == len(tokens)
        zh = token.norm == "," and token.end < len(text) and not text[token.end].isascii()
        ends = token.norm in _APART and (spaced or zh) and deep <= 0
        if ends or (token.norm in _JOINTS and token.start > start and at not in within):
            if token.start > start and text[start : token.start].strip():
                found.append((start, token.start))
            start = token.end if ends else token.start
    if text[start:].strip():
        found.append((start, len(text)))
    return found
