"""Questions that only change one thing in the previous question: `and in 2023?`, `那华北呢？`, `what about the West?`.

The new mention replaces the one of its kind in the earlier question (a period, a cell of the same column, a column,
or an aggregate); the result is read like any other question. What only says how the answer is to be shown (`as a line
chart`, `从高到低排序`) is read by `presenting`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.linker import LinkedTable
from tablewright.analyst.linking.mentions import (
    AnyMention,
    ColumnMention,
    NumberMention,
    PeriodMention,
    ValueMention,
    WordMention,
)
from tablewright.analyst.linking.tokens import Token
from tablewright.analyst.reading.presenting import presented, shown_anew

_ENGLISH = re.compile(r"^\s*(?:and|but|also|what about|how about|now|then|same|only|instead)\b", re.IGNORECASE)
_CHINESE = re.compile(r"^\s*(?:那么?|还有|换成|改成|再看|如果是|只看|再|而)|呢[？?]?\s*$")
_SAID = frozenset("那么换成改再看如果只而呢还") | {"now", "then", "instead", "same", "again"}
"""Words that mark a question as a continuation."""
_LONGEST_ENGLISH = 9
_LONGEST_CHINESE = 16
_KINDS = (PeriodMention, ValueMention, ColumnMention, NumberMention)


def follows_up(question: str, tokens: Sequence[Token]) -> bool:
    """Return whether a question is too short to stand alone and refers to an earlier one."""
    if shown_anew(tokens):
        return True
    words = sum(token.kind != "mark" for token in tokens)
    if _CHINESE.search(question):
        return words <= _LONGEST_CHINESE
    return _ENGLISH.search(question) is not None and words <= _LONGEST_ENGLISH


def completed(
    earlier: str, before: LinkedTable, before_tokens: Sequence[Token], after: LinkedTable, after_tokens: Sequence[Token]
) -> str | None:
    """Return the earlier question with the later one's changes; None if nothing in it fits."""
    if ways := shown_anew(after_tokens):
        return presented(earlier, before_tokens, ways)
    if _unknown(after, after_tokens):
        return None
    changes: list[tuple[int, int, str]] = []
    added: list[str] = []
    taken: set[int] = set()
    for mention in after.mentions:
        said = _text(after_tokens, mention)
        place = _slot(mention, before, taken, after)
        if place is not None:
            taken.add(place)
            old = before.mentions[place]
            changes.append((before_tokens[old.start].start, before_tokens[old.end - 1].end, said))
        elif isinstance(mention, PeriodMention | ValueMention):
            added.append(said)
    if not changes and not added:
        return None
    text = earlier
    for start, end, said in sorted(changes, reverse=True):
        text = text[:start] + said + text[end:]
    return _with(text, added)


def _unknown(after: LinkedTable, tokens: Sequence[Token]) -> bool:
    """Return whether some content word is not linked to the table."""
    covered = {place for mention in after.mentions for place in range(mention.start, mention.end)}
    stop = stopwords() | _SAID
    return any(
        place not in covered and token.kind != "mark" and token.lemma not in stop and token.norm not in stop
        for place, token in enumerate(tokens)
    )


def _slot(mention: AnyMention, before: LinkedTable, taken: set[int], after: LinkedTable) -> int | None:
    for place, old in enumerate(before.mentions):
        if place not in taken and _same_kind(mention, old, before, after):
            return place
    return None


def _same_kind(mention: AnyMention, old: AnyMention, before: LinkedTable, after: LinkedTable) -> bool:
    if isinstance(mention, WordMention):
        said = isinstance(old, WordMention) and old.code == mention.code
        return said and mention.code in {"aggregate", "superlative", "unit", "comparative"}
    if not isinstance(mention, _KINDS) or not isinstance(old, type(mention)):
        return False
    if isinstance(mention, ValueMention) and isinstance(old, ValueMention):
        return bool({column for column, _ in mention.places} & {column for column, _ in old.places})
    if isinstance(mention, ColumnMention) and isinstance(old, ColumnMention):
        return _numeric(after, mention.column) == _numeric(before, old.column)
    return True


def _numeric(table: LinkedTable, column: str) -> bool:
    return table.column(column).kind in {"number", "integer"}


def _text(tokens: Sequence[Token], mention: AnyMention) -> str:
    """Return the words of a mention as they were written."""
    inside = tokens[mention.start : mention.end]
    pieces = [inside[0].text]
    for left, right in itertools.pairwise(inside):
        pieces.append((" " if right.start > left.end else "") + right.text)
    return "".join(pieces)


def _with(question: str, added: Sequence[str]) -> str:
    """Return a question with further conditions: put before a Chinese one, at the end of an English one."""
    if not added:
        return question
    if re.search(r"[㐀-鿿]", question):
        return "".join(added) + "的" + question
    stem = question.rstrip(" ?.!")
    return f"{stem} in {' and '.join(added)}?"
