"""Columns by their letters beside the table."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.lettered import letters_at
from tablewright.analyst.operating.instructing.parts import Part


def columns_beyond(clause: Clause) -> Iterator[Part]:
    """Yield the letters of columns that the table does not have, where something new may stand."""
    for noun in clause.of("noun:column"):
        for at in (noun.end, noun.start - 1):
            name = letters_at(clause.tokens, at)
            if name is not None and clause.place.by_letters(name) is None:
                yield Part(mask=noun.mask | mask_of(at, at + 1), value=name, start=at)
