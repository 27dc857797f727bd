"""Columns that are named by their letters, as links to columns like any other: `column M`, `columns A, D and F`,
`M列`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tablewright.analyst.grammar.scene import ColumnLink
from tablewright.analyst.grammar.scene import Scene as Linked
from tablewright.analyst.grammar.semantics import Word, mask_of
from tablewright.analyst.linking.tokens import Token
from tablewright.analyst.operating.scene import Place

_LETTERS = 3
_QUOTES = frozenset("\"'“”‘’(（[")
_JOINTS = frozenset({",", "，", "、", "and", "&", "和", "及", "跟"})


def is_letters(token: Token) -> bool:
    """Return whether a token may be the letters of a column."""
    return token.text.isascii() and token.text.isalpha() and len(token.text) <= _LETTERS


def letters_at(tokens: Sequence[Token], at: int) -> str | None:
    """Return the letters of a column that stand at a token, written large and not part of a cell; or None."""
    if not 0 <= at < len(tokens) or not is_letters(tokens[at]):
        return None
    name = tokens[at].text
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    if behind is not None and behind.kind == "number" and behind.start == tokens[at].end:
        return None
    return name if name.isupper() else None


def with_letters(linked: Linked, words: Sequence[Word], place: Place) -> Linked:
    """Return a scene in which letters beside a word for a column name that column, and nothing else."""
    views = {column.name: column for column in linked.columns}
    found: list[ColumnLink] = []
    for noun in words:
        if noun.type == "noun" and noun.meaning == "column":
            found += (
                ColumnLink(start=start, end=end, column=views[name], score=1.0)
                for start, end, letters in _beside(linked.tokens, noun)
                if (name := place.by_letters(letters)) in views
            )
    whole = 0
    for link in linked.links:
        whole |= link.mask if link.score >= 1 and link.end - link.start > 1 else 0
    found = [link for link in found if not link.mask & whole]
    if not found:
        return linked
    taken = 0
    for link in found:
        taken |= link.mask
    kept = [link for link in linked.links if not link.mask & taken]
    links = tuple(sorted([*kept, *found], key=lambda link: (link.start, -link.score)))
    return replace(
        linked, links=links, cells=tuple(one for one in linked.cells if not taken & mask_of(one.start, one.end))
    )


def _beside(tokens: Sequence[Token], noun: Word) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, letters) of columns ahead of and behind a word for one; the nearest takes the word along."""
    at = noun.end
    while at < len(tokens) and tokens[at].norm in _QUOTES:
        at += 1
    start, letters = noun.start, letters_at(tokens, at)
    if letters is None and (letters := letters_at(tokens, noun.start - 1)) is not None:
        yield noun.start - 1, noun.end, letters
        return
    while letters is not None:
        yield start, at + 1, letters
        start = at + 1
        while start < len(tokens) and tokens[start].norm in _JOINTS:
            start += 1
        at, letters = start, letters_at(tokens, start) if start > at + 1 else None
