"""The refusal of a question that is not understood."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz

from tablewright.analyst.base import NotUnderstood
from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.linker import LinkedTable
from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, TableMention, ValueMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.suggesting import suggestions
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

_COLUMNS = 8
"""Most columns that a refusal names; nobody reads more."""
_WORDS = 12
"""Most words of the question that a refusal repeats."""
_ALIKE = 70.0


def declined(
    language: Language, tables: Sequence[LinkedTable], offers: Sequence[Offer | None], tokens: Sequence[Token] = ()
) -> NotUnderstood:
    """Return a refusal: what was recognised, what was not, the nearest columns, and questions these tables can
    answer."""
    if not tables:
        return NotUnderstood(
            understood=(), reason="reading.no_table", params={"words": "", "columns": ""}, suggestions=()
        )
    ordered = sorted(tables, key=_known, reverse=True)
    unknown = _unknown(tables, offers, tokens)
    comma = text("words.comma", language)
    said = [mention.column for table in ordered for mention in table.mentions if isinstance(mention, ColumnMention)]
    return NotUnderstood(
        understood=tuple(dict.fromkeys([*_understood(ordered)])),
        reason="reading.words_unknown" if unknown else "reading.no_family",
        params={"words": unknown, "columns": comma.join(_nearest(ordered, unknown, said))},
        suggestions=suggestions(language, [table.facts for table in ordered], said),
    )


def _known(table: LinkedTable) -> float:
    linked = [mention for mention in table.mentions if isinstance(mention, ColumnMention | ValueMention)]
    return sum(mention.score * (mention.end - mention.start) for mention in linked)


def _understood(tables: Sequence[LinkedTable]) -> list[str]:
    found: list[str] = []
    for table in tables:
        for mention in table.mentions:
            if isinstance(mention, ColumnMention):
                found.append(mention.column)
            elif isinstance(mention, ValueMention):
                found.append(mention.places[0][1])
    return found


def _unknown(tables: Sequence[LinkedTable], offers: Sequence[Offer | None], tokens: Sequence[Token]) -> str:
    """Return the content words that the best plan leaves unexplained, or else those that no table links."""
    best = max((offer for offer in offers if offer is not None), key=Offer.score, default=None)
    left = best.parse.unexplained() if best is not None else []
    if not left:
        covered = {
            place
            for table in tables
            for mention in table.mentions
            if not isinstance(mention, RowsMention | TableMention)
            for place in range(mention.start, mention.end)
        }
        stop = stopwords()
        left = [
            place
            for place, token in enumerate(tokens)
            if place not in covered and token.kind != "mark" and token.lemma not in stop and token.norm not in stop
        ]
    words = [best.parse.tokens[place] if best is not None else tokens[place] for place in left]
    told = list({word.norm: word for word in reversed(words)}.values())[::-1]
    return _joined(told[:_WORDS]) + (" …" if len(told) > _WORDS else "")


def _joined(words: Sequence[Token]) -> str:
    text = ""
    for previous, word in zip([None, *words], words, strict=False):
        near = previous is not None and previous.end == word.start
        text += word.text if not text or (near and is_han(word.text[0])) else f" {word.text}"
    return text


def _nearest(tables: Sequence[LinkedTable], unknown: str, said: Sequence[str]) -> list[str]:
    """Return the columns named, then those spelled most like the unknown words, then those of the likeliest table."""
    every = [column.name for table in tables for column in table.facts.columns]
    alike = {name: fuzz.partial_ratio(unknown.lower(), name.lower()) for name in every} if unknown else {}
    near = sorted((name for name in alike if alike[name] >= _ALIKE), key=lambda name: -alike[name])
    return list(dict.fromkeys([*said, *near, *every]))[:_COLUMNS]
