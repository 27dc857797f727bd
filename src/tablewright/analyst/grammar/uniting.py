"""Several questions in one text, each read by itself or going on from the one before it; looks at several tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.grammar.lexicon import words
from tablewright.analyst.grammar.naming import phrases
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.plan import Plan
from tablewright.domain.language import Language

_ENDS = frozenset("?？。；;!！")
_ASKING = frozenset({"wh", "count", "list", "yes", "chart", "look"})
_LEAST = 2
MOST = 3
"""So many readings of each question are united with those of the other."""
COMPOUND = "compound"
ALL = "look:all"
TABLES = 5
"""At most so many tables are looked at, if none is named."""


def halves(question: str) -> tuple[str, str] | None:
    """Return the first question of a text and the rest of it, or None if it asks only once."""
    tokens = tokenize(question)
    asking = [word.start for word in words(tokens) if word.type in _ASKING]
    for place, token in enumerate(tokens):
        if token.kind != "mark" or token.norm not in _ENDS:
            continue
        before = [one for one in asking if one < place]
        behind = [one for one in asking if one > place]
        if before and behind and place >= _LEAST and len(tokens) - place > _LEAST:
            return question[: token.end], question[token.end :].strip()
    return None


def united(
    first: Sequence[GrammarReading], second: Sequence[GrammarReading], language: Language, by: Mapping[str, float]
) -> Iterator[GrammarReading]:
    """Yield the readings of two questions together."""
    for one in first[:MOST]:
        for other in second[:MOST]:
            features = dict(one.features)
            for name, value in other.features.items():
                features[name] = features.get(name, 0.0) + value
            features[COMPOUND] = features.get(COMPOUND, 0.0) + 1.0
            yield GrammarReading(
                plan=Plan(parts=(*one.plan.parts, *other.plan.parts)),
                said=phrases(language)["united"].format(first=one.said, second=other.said),
                features=features,
                score=one.score + other.score + by.get(COMPOUND, 0.0),
                named=tuple(dict.fromkeys((*one.named, *other.named))),
                unread=(*one.unread, *other.unread),
            )


def beside_each_other(readings: Sequence[tuple[str, GrammarReading]], by: Mapping[str, float]) -> GrammarReading:
    """Return the same look at several tables, given with their names, as one; it is as likely as the least likely."""
    parts = tuple(replace(part, caption=name) for name, reading in readings[:TABLES] for part in reading.plan.parts)
    least = min((reading for _, reading in readings), key=lambda one: one.score)
    score = least.score + by.get(ALL, 0.0)
    return replace(least, plan=Plan(parts=parts), features={**least.features, ALL: 1.0}, score=score)
