"""Conditions on columns of outcomes (`W 3-1`, `Loss`, `胜`) from words such as `wins`, `lost`, `draws`."""

from __future__ import annotations

import re

from tablewright.analyst.linking.mentions import RowsMention
from tablewright.analyst.plan import Col, Matches
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.domain.dataset import ColumnFacts

_OUTCOME = re.compile(r"\s*(?:(?:[WLTD]|win|won|loss|lost|draw|drew|tie|tied)\b)", re.IGNORECASE)
_SAID = {
    "win": "w", "winning": "w", "victory": "w", "victories": "w",
    "lose": "l", "loss": "l", "losing": "l", "losse": "l", "losses": "l", "loses": "l",
    "tie": "t", "tied": "t", "draw": "d", "drew": "d", "drawn": "d",
}  # fmt: skip
_LEAST = 2


def read_outcomes(parse: Parse) -> None:
    """Take the only outcome that a question mentions, if the table has a column of outcomes and none that counts
    them."""
    if parse.language != "en":
        return
    column = next((facts for facts in parse.table.facts.columns if _tells_outcomes(facts)), None)
    free = set(parse.unexplained())
    said = [place for place, token in enumerate(parse.tokens) if place in free and token.lemma in _SAID]
    sides = {_SAID[parse.tokens[place].lemma] for place in said}
    if column is None or len(sides) != 1 or any(clause.column == column.name for clause in parse.clauses):
        return
    side = sides.pop()
    first, last = said[0], said[-1] + 1
    condition = Matches(of=Col(name=column.name), how="starts", text=side)
    parse.clauses.append(Clause(condition=condition, start=first, end=last, column=column.name))
    for place in said:
        noun = RowsMention(start=place, end=place + 1, score=1.0, column=None)
        parse.mentions.append(noun)
        parse.take(noun)


def _tells_outcomes(facts: ColumnFacts) -> bool:
    samples = [str(sample) for sample in facts.samples if sample is not None]
    named = facts.kind in {"text", "mixed"} and (facts.distinct or 0) >= _LEAST
    return named and len(samples) >= _LEAST and all(_OUTCOME.match(sample) for sample in samples)
