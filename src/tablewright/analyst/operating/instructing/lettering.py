"""Columns by their letters, in the table or beside it."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.parts import Part

_LETTERS = 3


def is_letters(clause: Clause, at: int) -> bool:
    """Return whether a token may be the letters of a column."""
    text = clause.tokens[at].text
    return text.isascii() and text.isalpha() and len(text) <= _LETTERS


def letters_at(clause: Clause, at: int) -> str | None:
    """Return the letters of a column that stand at a token, written large and not part of a cell; or None."""
    if not 0 <= at < len(clause.tokens) or not is_letters(clause, at):
        return None
    name = clause.tokens[at].text
    behind = clause.tokens[at + 1] if at + 1 < len(clause.tokens) else None
    if behind is not None and behind.kind == "number" and behind.start == clause.tokens[at].end:
        return None
    return name if name.isupper() else None


def columns_beyond(clause: Clause) -> Iterator[Part]:
    """Yield the letters of columns that the table does not have, where something new may stand."""
    for noun in clause.of("noun:column"):
        for at in (noun.end, noun.start - 1):
            name = letters_at(clause, at)
            if name is not None and clause.place.by_letters(name) is None:
                yield Part(mask=noun.mask | mask_of(at, at + 1), value=name, start=at)
