"""How a message is put, whatever it is about: the words without content in it, and what it asks of a table.

Whether somebody wants something done (`I want to`, `帮我`) or known (`how many`, `为什么`) shows in these. How much
each counts is learned.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tablewright.analyst.linking.lexicon import operations, stopwords
from tablewright.analyst.linking.tokens import Token

LONGEST = 4
"""Tokens of the longest phrase of an operation that is looked for."""


def style_of(tokens: Sequence[Token]) -> frozenset[str]:
    """Return the words without content, their pairs, and the codes of operations on tables."""
    without, known = stopwords(), operations()
    lemmas = [token.lemma for token in tokens if token.kind != "mark"]
    found = {f"~{word}" for word in lemmas if word in without}
    found |= {f"~{one} {other}" for one, other in itertools.pairwise(lemmas) if one in without and other in without}
    for place in range(len(lemmas)):
        for length in range(1, LONGEST + 1):
            if place + length <= len(lemmas) and (entry := known.get(tuple(lemmas[place : place + length]))):
                found.add(f"@{entry.code}")
    if any(token.norm in {"?", "？"} for token in tokens):
        found.add("?")
    return frozenset(found)
