"""Conditions on cells that are abbreviated (`H`, `GK`, `PB`) but said in full: `played at home`, `goalkeepers`, `a
personal best`."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import RowsMention, WordMention
from tablewright.analyst.plan import Col, Compare, Condition, Lit, Not
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.domain.dataset import ColumnFacts

_SHORT: dict[tuple[str, ...], tuple[str, ...]] = {
    ("home",): ("h", "home"), ("away",): ("a", "away"), ("neutral",): ("n", "neutral"),
    ("goalkeeper",): ("gk", "g"), ("goalie",): ("gk", "g"), ("defender",): ("df", "d", "def"),
    ("midfielder",): ("mf", "m", "mid"), ("forward",): ("fw", "f", "fwd"), ("striker",): ("fw", "st"),
    ("guard",): ("g",), ("center",): ("c",), ("pitcher",): ("p",), ("quarterback",): ("qb",),
    ("personal", "best"): ("pb",), ("season", "best"): ("sb",), ("world", "record"): ("wr",),
    ("national", "record"): ("nr",),
    ("did", "not", "finish"): ("dnf",), ("did", "not", "start"): ("dns",), ("disqualified",): ("dq", "dsq"),
    ("republican",): ("r", "rep"), ("democrat",): ("d", "dem"), ("independent",): ("i", "ind"),
    ("male",): ("m",), ("men",): ("m",), ("female",): ("f",), ("women",): ("f",),
}  # fmt: skip
_LONGEST = 4
"""Most letters that an abbreviated cell may have."""


def read_abbreviated(parse: Parse) -> None:
    """Take words that stand for an abbreviated cell, if only one column has it."""
    if parse.language != "en":
        return
    for place in range(len(parse.tokens)):
        for words, cells in _SHORT.items():
            said = tuple(token.lemma for token in parse.tokens[place : place + len(words)])
            if said == words and _left(parse, place, len(words)):
                _add(parse, place, place + len(words), cells)


def _left(parse: Parse, place: int, length: int) -> bool:
    """Return whether the span is unexplained and holds nothing but words of the lexicon (`did not`, `best`)."""
    unknown = set(parse.unexplained())
    covered = [mention for mention in parse.mentions if mention.start < place + length and place < mention.end]
    return all(isinstance(mention, WordMention) for mention in covered) and bool(
        unknown & set(range(place, place + length))
    )


def _add(parse: Parse, start: int, end: int, cells: tuple[str, ...]) -> None:
    found = [
        (facts, str(sample))
        for facts in parse.table.facts.columns
        if _coded(facts)
        for sample in facts.samples
        if str(sample).strip().lower() in cells
    ]
    if len(found) != 1:
        return
    facts, cell = found[0]
    negation = parse.before(start, WordMention, 3, "not")
    condition: Condition = Compare(op="=", left=Col(name=facts.name), right=Lit(value=cell))
    said = RowsMention(start=start, end=end, score=0.8, column=None)
    parse.mentions.append(said)
    parse.clauses.append(
        Clause(
            condition=Not(of=condition) if negation else condition,
            start=start,
            end=end,
            column=facts.name,
            values=(cell,),
            negated=negation is not None,
        )
    )
    parse.take(said, negation)
    parse.take_span(start, end)


def _coded(facts: ColumnFacts) -> bool:
    told = [str(sample) for sample in facts.samples if sample is not None]
    return facts.kind in {"text", "mixed"} and bool(told) and all(len(cell) <= _LONGEST for cell in told)
