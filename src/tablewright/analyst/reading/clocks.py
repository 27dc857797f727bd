"""Conditions on times of day and durations: `started at 7:00`, `songs longer than 3:00`, `19:30 之后`."""

from __future__ import annotations

import re
from typing import Literal, cast

from tablewright.analyst.linking.columns import hinted
from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.plan import Col, Compare, Condition, Lit, Matches
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.domain.dataset import ColumnFacts

_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:])")
_NEAR = 3
_MOST = 0.6
_SIDES = {"after": ">", "before": "<"}


def read_clocks(parse: Parse) -> None:
    """Take each time written with a colon as a condition on the column of times."""
    for match in _CLOCK.finditer(parse.question):
        inside = [
            place for place, token in enumerate(parse.tokens) if token.start < match.end() and token.end > match.start()
        ]
        word = parse.before(inside[0], WordMention, 1, "compare", "after", "before")
        column = _column(parse, inside[0], word.hint if word is not None else "")
        if column is None or not set(inside) <= _left(parse) or (column.kind != "time" and _sided(word)):
            continue
        parse.clauses.append(
            Clause(
                condition=_condition(column, word, match.group()),
                start=inside[0],
                end=inside[-1] + 1,
                column=column.name,
            )
        )
        parse.take_span(inside[0], inside[-1] + 1)
        said = RowsMention(start=inside[0], end=inside[-1] + 1, score=1.0, column=None)
        parse.mentions.append(said)
        near = parse.before(inside[0], ColumnMention, _NEAR)
        parse.take(said, word, near if near is not None and near.column == column.name else None)


def _sided(word: WordMention | None) -> bool:
    """Return whether a comparison needs an order (`less than 2:02`), which times stored as text do not have."""
    return word is not None and word.value not in {"=", ""}


def _left(parse: Parse) -> set[int]:
    """Return the places of the tokens that nothing has taken."""
    taken = {
        place
        for mention in (parse.mentions[place] for place in parse.taken)
        for place in range(mention.start, mention.end)
    }
    return set(range(len(parse.tokens))) - taken


def _column(parse: Parse, place: int, hint: str) -> ColumnFacts | None:
    """Return the column said beside the time, else the one it implies (`longer than`), else the only column of
    times."""
    timed = [facts for facts in parse.table.facts.columns if _timed(facts)]
    implied = set(hinted(hint, parse.table.names)) if hint else set()
    timed = sorted((facts for facts in timed if facts.name in implied), key=lambda facts: len(facts.name))[:1] or timed
    near = parse.before(place, ColumnMention, _NEAR)
    beside = next((facts for facts in timed if near is not None and facts.name == near.column), None)
    return beside or (timed[0] if len(timed) == 1 else None)


def _timed(facts: ColumnFacts) -> bool:
    samples = [str(sample) for sample in facts.samples if sample is not None]
    written = [sample for sample in samples if _CLOCK.search(sample)]
    return facts.kind == "time" or (facts.kind == "text" and bool(samples) and len(written) > _MOST * len(samples))


def _condition(facts: ColumnFacts, word: WordMention | None, time: str) -> Condition:
    of = Col(name=facts.name)
    operator = _SIDES.get(word.code, word.value) if word is not None else "="
    if operator == "=" or facts.kind != "time":
        return Matches(of=of, how="starts", text=time)
    return Compare(op=cast("Literal['!=', '<', '<=', '>', '>=']", operator), left=of, right=Lit(value=time))
