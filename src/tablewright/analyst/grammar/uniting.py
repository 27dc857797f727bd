"""Several questions in one text, each read by itself or going on from the one before it; looks at several tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.grammar.lexicon import words
from tablewright.analyst.grammar.naming import phrases
from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.grammar.shared_keys import shared_keys
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.plan import Aggregate, Col, Derive, Join, Lit, Named, Part, Plan, Project, Relation
from tablewright.domain.language import Language

_ENDS = frozenset("?？。；;!！")
_PAUSES = frozenset(",，、")
_ASKING = frozenset({"wh", "count", "list", "yes", "chart", "look"})
_LEAST = 2
MOST = 3
"""So many readings of each question are united with those of the other."""
COMPOUND = "compound"
SHARED = "compound:groups"
HALF = "left:half"
"""The feature of a reading that answers one question where two are asked."""
_ONE = "_one"
ALL = "look:all"
TABLES = 5
"""At most so many tables are looked at, if none is named."""


def halves(question: str) -> tuple[str, str] | None:
    """Return the first question of a text and the rest of it, or None if it asks only once. Within a sentence that is
    where it asks how much there is for the second time."""
    tokens = tokenize(question)
    found = words(tokens)
    asking = [word.start for word in found if word.type in _ASKING]
    counting = _counting(found)
    ends = [place for place, token in enumerate(tokens) if token.kind == "mark" and token.norm in _ENDS]
    pauses = [place for place, token in enumerate(tokens) if token.kind == "mark" and token.norm in _PAUSES]
    pauses += [word.start for word in found if word.type == "and" and word.end in counting]
    for places, said in ((ends, asking), (sorted(pauses), counting)):
        for place in places:
            apart = any(one < place for one in said) and any(one > place for one in said)
            if apart and place >= _LEAST and len(tokens) - place > _LEAST:
                return question[: tokens[place].end], question[tokens[place].end :].strip()
    return None


def within_sentence(both: tuple[str, str]) -> bool:
    """Return whether two questions stand in one sentence."""
    return both[0].rstrip()[-1:] not in _ENDS


def counts_twice(both: tuple[str, str]) -> bool:
    """Return whether each of two questions asks how much there is: a reading of one alone leaves the other out."""
    return all(_counting(words(tokenize(text))) for text in both)


def _counting(found: Sequence[Word]) -> list[int]:
    """Return where it is asked how much there is."""
    return [word.start for word in found if word.type == "count" or (word.type == "wh" and word.meaning == "much")]


def united(
    first: Sequence[GrammarReading],
    second: Sequence[GrammarReading],
    language: Language,
    by: Mapping[str, float],
    *,
    within: bool = False,
) -> Iterator[GrammarReading]:
    """Yield the readings of two questions together; those `within` one sentence are of the same groups, if one of them
    names groups."""
    for one in first[:MOST]:
        for other in second[:MOST]:
            features = dict(one.features)
            for name, value in other.features.items():
                features[name] = features.get(name, 0.0) + value
            features[COMPOUND] = features.get(COMPOUND, 0.0) + 1.0
            both = GrammarReading(
                plan=side_by_side(one, other) or Plan(parts=(*one.plan.parts, *other.plan.parts)),
                said=phrases(language)["united"].format(first=one.said, second=other.said),
                features=features,
                score=one.score + other.score + by.get(COMPOUND, 0.0),
                named=tuple(dict.fromkeys((*one.named, *other.named))),
                unread=(*one.unread, *other.unread),
            )
            table = shared_keys(one, other) if within else None
            if table is None:
                yield both
                continue
            said = phrases(language)["united_groups"].format(first=one.said, second=other.said)
            score = both.score + by.get(SHARED, 0.0)
            yield replace(both, plan=table, said=said, features={**features, SHARED: 1.0}, score=score)


def side_by_side(one: GrammarReading, other: GrammarReading) -> Plan | None:
    """Return the plan that gives two numbers in one row, each named by what it is; None of readings that give more."""
    if len(one.plan.parts) > 1 or len(other.plan.parts) > 1 or one.said == other.said:
        return None
    first, second = (reading.plan.parts[0] for reading in (one, other))
    values = (_only_value(first), _only_value(second))
    if values[0] is None or values[1] is None:
        return None
    key = (Named(name=_ONE, of=Lit(value=1)),)
    both = Join(
        left=Derive(source=_renamed(first.relation, values[0], one.said), columns=key),
        right=Derive(source=_renamed(second.relation, values[1], other.said), columns=key),
        on=((_ONE, _ONE),),
    )
    shown = tuple(Named(name=reading.said, of=Col(name=reading.said)) for reading in (one, other))
    return Plan(parts=(replace(first, relation=Project(source=both, columns=shown)),))


def _only_value(part: Part) -> str | None:
    """Return the name of the only value that a part gives; None if it gives more, or a chart."""
    match part.relation:
        case Aggregate(groups=(), measures=(measure,)) if part.drawing is None:
            return measure.name
        case _:
            return None


def _renamed(relation: Relation, name: str, said: str) -> Relation:
    return Project(source=relation, columns=(Named(name=said, of=Col(name=name)),))


def beside_each_other(readings: Sequence[tuple[str, GrammarReading]], by: Mapping[str, float]) -> GrammarReading:
    """Return the same look at several tables, given with their names, as one; it is as likely as the least likely."""
    parts = tuple(replace(part, caption=name) for name, reading in readings[:TABLES] for part in reading.plan.parts)
    least = min((reading for _, reading in readings), key=lambda one: one.score)
    score = least.score + by.get(ALL, 0.0)
    return replace(least, plan=Plan(parts=parts), features={**least.features, ALL: 1.0}, score=score)
