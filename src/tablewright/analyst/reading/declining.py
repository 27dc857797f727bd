"""What is said when a question is not understood."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.analyst.base import NotUnderstood
from tablewright.analyst.linking.linker import LinkedTable
from tablewright.analyst.linking.mentions import ColumnMention, ValueMention
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.suggesting import suggestions
from tablewright.domain.language import Language


def declined(language: Language, tables: Sequence[LinkedTable], offers: Sequence[Offer | None]) -> NotUnderstood:
    """Say what was recognised, what was not, and what these tables can answer."""
    understood: list[str] = []
    for table in tables:
        for mention in table.mentions:
            if isinstance(mention, ColumnMention):
                understood.append(mention.column)
            elif isinstance(mention, ValueMention):
                understood.append(mention.places[0][1])
    best = max((offer for offer in offers if offer is not None), key=Offer.score, default=None)
    unknown = "" if best is None else " ".join(best.parse.tokens[place].text for place in best.parse.unexplained())
    columns = ", ".join(column.name for table in tables for column in table.facts.columns[:12])
    reason = "reading.no_table" if not tables else "reading.words_unknown" if unknown else "reading.no_family"
    return NotUnderstood(
        understood=tuple(dict.fromkeys(understood)),
        reason=reason,
        params={"words": unknown, "columns": columns},
        suggestions=suggestions(language, [table.facts for table in tables]),
    )
