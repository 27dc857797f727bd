"""Finds phrases of the lexicon in a question."""

from __future__ import annotations

import itertools
from functools import cache

from tablewright.analyst.linking.lexicon import operations, row_nouns
from tablewright.analyst.linking.mentions import RowsMention, WordMention
from tablewright.analyst.linking.tokens import Token


@cache
def _longest() -> int:
    return max(map(len, operations()))


_SIGNS = frozenset("$€£¥")
_EXTREMES = frozenset({("maximum", "of"), ("minimum", "of")})


def words(tokens: tuple[Token, ...]) -> list[WordMention]:
    """Return all operation phrases, including overlapping ones; hyphens between their words are ignored."""
    places = [place for place, token in enumerate(tokens) if token.kind != "mark" or token.norm == "、"]
    phrases = operations()
    found: list[WordMention] = []
    for first, start in enumerate(places):
        for length in range(1, _longest() + 1):
            inside = places[first : first + length]
            if len(inside) < length or not _adjacent(tokens, inside):
                break
            norms = tuple(tokens[place].norm for place in inside)
            entry = phrases.get(tuple(tokens[place].lemma for place in inside)) or phrases.get(norms)
            after = tokens[inside[-1] + 1] if inside[-1] + 1 < len(tokens) else None
            counted = after is not None and (after.kind == "number" or after.text in _SIGNS)
            if norms[-2:] in _EXTREMES and not counted:
                continue  # `the maximum of the prices`, not `a maximum of 20`
            if norms == ("over",) and counted:
                entry = phrases[("above",)]  # `over 20 goals`, not `sales over time`
            if _cut(tokens, start) or _cut(tokens, inside[-1] + 1):
                continue
            if entry is not None and not (entry.code == "order" and "orders" in norms):
                found.append(
                    WordMention(
                        start=start, end=inside[-1] + 1, score=0.8, code=entry.code, value=entry.value, hint=entry.hint
                    )
                )
    return found


def rows(tokens: tuple[Token, ...]) -> list[RowsMention]:
    """Return the nouns that stand for rows of any table; English ones only in the plural, where they cannot be
    verbs."""
    nouns = row_nouns()
    longest = max(map(len, nouns))
    found: list[RowsMention] = []
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + longest, len(tokens)) + 1):
            inside = tokens[start:end]
            plural = inside[-1].kind != "word" or inside[-1].norm != inside[-1].lemma
            if plural and tuple(token.lemma for token in inside) in nouns:
                found.append(RowsMention(start=start, end=end, score=0.7, column=None))
    return found


def _cut(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether `place` falls inside a written word (`LoanAmount of applicants` does not contain `amount of`)."""
    if not 0 < place < len(tokens):
        return False
    left, right = tokens[place - 1], tokens[place]
    return left.end == right.start and left.kind == right.kind == "word"


def _adjacent(tokens: tuple[Token, ...], inside: list[int]) -> bool:
    """Return whether only hyphens and apostrophes stand between the words of a phrase."""
    return all(
        tokens[between].norm in {"-", "'", "’"}
        for left, right in itertools.pairwise(inside)
        for between in range(left + 1, right)
    )
