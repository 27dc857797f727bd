"""Divides a text at its natural borders: pages and headings, then paragraphs, lines, sentences, words. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tablewright.tools.deep_search.passages import terms_of
from tablewright.tools.digest.base import Piece, Span

Tokens = Callable[[str], float]
PAGE, HEADING, PARAGRAPH, LINE, SENTENCE, WORD = 5, 4, 3, 2, 1, 0
"""How strong a border is; of those in the later half of a piece, the strongest divides."""
_HEADING = re.compile(r"#{1,6} |第[一二三四五六七八九十百零\d]+[章节条部]|(?:chapter|section|part) \S", re.IGNORECASE)
_LINE_ENDS = re.compile(r"\r\n|[\r\n]")
_BREAKS = re.compile(r"\r\n|[\r\n\f]")
_SENTENCES = re.compile(r"(?<=[。！？；])|(?<=[.!?;]) ")
_WORDS = re.compile(r"(?<=\s)(?=\S)")


@dataclass(frozen=True, slots=True)
class _Atom:
    """A stretch that is never divided; `border` is what stands before it."""

    start: int
    stop: int
    tokens: float
    border: int


def pieces_of(text: str, budget: float, tokens: Tokens) -> tuple[Piece, ...]:
    """Divide `text` into pieces of at most `budget` tokens each, which together are the text again.

    `tokens` must be additive. A single character may exceed a budget that is smaller than it.
    """
    atoms = list(_atoms(text, budget, tokens))
    places = _Places(text)
    found: list[Piece] = []
    begin = 0
    while begin < len(atoms):
        end, held = begin, 0.0
        while end < len(atoms) and (end == begin or held + atoms[end].tokens <= budget):
            held += atoms[end].tokens
            end += 1
        if end < len(atoms):
            end = _border(atoms, begin, end, held)
        start, stop = atoms[begin].start, atoms[end - 1].stop
        found.append(Piece(text=text[start:stop], span=places.span(start, stop)))
        begin = end
    return tuple(found)


def fitting(pieces: Sequence[Piece], question: str, most: int) -> tuple[Piece, ...]:
    """Return the `most` pieces with the most words of `question`, in the order of the text; of equal ones the first."""
    if len(pieces) <= most:
        return tuple(pieces)
    wanted = set(terms_of(question))
    scores = [len(wanted & set(terms_of(piece.text))) for piece in pieces]
    ranked = sorted(range(len(pieces)), key=lambda place: (-scores[place], place))
    return tuple(pieces[place] for place in sorted(ranked[:most]))


def _border(atoms: Sequence[_Atom], begin: int, end: int, held: float) -> int:
    """Return where a piece of `atoms[begin:end]` ends: before the strongest border of its later half, the last such."""
    best, strength, tokens = end, atoms[end].border, held
    for place in range(end - 1, begin, -1):
        tokens -= atoms[place].tokens
        if tokens < held / 2:
            break
        if atoms[place].border > strength:
            best, strength = place, atoms[place].border
    return best


def _atoms(text: str, budget: float, tokens: Tokens) -> Iterator[_Atom]:
    """Yield the lines of a text; of a line that is longer than a piece, its sentences, words, or parts of a word."""
    blank, page, at = False, True, 0
    for stop in (*_ends(text, _BREAKS), len(text)):
        if stop == at:
            continue
        line = text[at:stop]
        words = line.strip()
        yield from _divided(line, at, _strength(words, page=page, blank=blank), budget, tokens)
        blank, page, at = not words, line.endswith("\f"), stop


def _strength(words: str, *, page: bool, blank: bool) -> int:
    """Return the strength of the border before a line."""
    if page:
        return PAGE
    if _HEADING.match(words):
        return HEADING
    return PARAGRAPH if blank and words else LINE


def _divided(words: str, at: int, border: int, budget: float, tokens: Tokens) -> Iterator[_Atom]:
    count = tokens(words)
    if count <= budget or len(words) == 1:
        yield _Atom(at, at + len(words), count, border)
        return
    ends, strength = _inner(words)
    for place, (start, stop) in enumerate(zip([0, *ends], [*ends, len(words)], strict=True)):
        yield from _divided(words[start:stop], at + start, border if place == 0 else strength, budget, tokens)


def _inner(words: str) -> tuple[list[int], int]:
    """Return where a stretch is divided, and how strong these borders are: at least at its middle."""
    for pattern, strength in ((_SENTENCES, SENTENCE), (_WORDS, WORD)):
        if ends := [at for at in _ends(words, pattern) if 0 < at < len(words)]:
            return ends, strength
    return [len(words) // 2], WORD


class _Places:
    """Finds the lines and pages of characters."""

    def __init__(self, text: str) -> None:
        self._lines = [0, *_ends(text, _LINE_ENDS)]
        pages = [at + 1 for at, one in enumerate(text) if one == "\f"] if "\f" in text else []
        self._pages = [0, *pages] if pages else []

    def span(self, start: int, stop: int) -> Span:
        last = max(start, stop - 1)
        return Span(
            first_line=bisect_right(self._lines, start),
            last_line=bisect_right(self._lines, last),
            start=start,
            stop=stop,
            first_page=bisect_right(self._pages, start) or None,
            last_page=bisect_right(self._pages, last) or None,
        )


def _ends(text: str, pattern: re.Pattern[str]) -> list[int]:
    return [found.end() for found in pattern.finditer(text)]
