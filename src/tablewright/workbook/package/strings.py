"""The shared strings of a workbook, by index.

New texts are written inline into their cells, so that this part never changes. It may be larger than all sheets
together, so its items are located when the first of them is read, and decoded one by one.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import cached_property
from itertools import chain, pairwise

from tablewright.workbook.package.spelling import without_sections
from tablewright.workbook.package.xml import unescaped

_TEXT = re.compile(rb"<t(?:\s[^<>]*)?(?<!/)>([^<]*)")
"""The start of a text and the text: no pattern here looks at a byte twice, however many elements are never closed."""
_ITEM_END = re.compile(rb"</si>")
_AFTER_NAME = b" />\t\r\n"
_PER_LETTER = 12
"""The most bytes that one letter takes: a numeric character reference."""


class SharedStrings:
    """The shared strings of a package; an index without a text reads as empty.

    `longest`, if set, is the number of letters after which texts are cut: set it on books that are only read.
    """

    def __init__(self, part: bytes, longest: int | None = None) -> None:
        self._part = part
        self.longest = longest
        self._texts: dict[int, str] = {}

    def __getitem__(self, index: int) -> str:
        ends = self._ends
        if not 0 <= index < len(ends) // 2:
            return ""
        if index not in self._texts:
            self._texts[index] = plain_text(self._part[ends[2 * index] : ends[2 * index + 1]], self.longest)
        return self._texts[index]

    @cached_property
    def _ends(self) -> array[int]:
        """Where what belongs to each item starts and ends, in turn."""
        self._part = without_sections(self._part)
        closed = [match.end() for match in _ITEM_END.finditer(self._part)]
        regular = self._part.count(b"<si") == len(closed)
        return array("q", chain.from_iterable(pairwise([0, *closed]) if regular else _items(self._part)))


def plain_text(item: bytes, longest: int | None = None) -> str:
    """Return the text of a `<si>` or `<is>`, at most `longest` letters: its runs joined, without phonetic guides."""
    if b"<rPh" in item:
        item = _without_guides(item)
    if longest is None:
        return "".join(map(unescaped, _TEXT.findall(item)))
    text = ""
    for match in _TEXT.finditer(item):
        text += shortened(item[match.start(1) : min(match.end(1), match.start(1) + longest * _PER_LETTER)], longest)
        if len(text) >= longest:
            return text[:longest]
    return text


def shortened(text: bytes, longest: int | None) -> str:
    """Return the text of an element's raw content, at most its first `longest` letters."""
    return unescaped(text) if longest is None else unescaped(text[: longest * _PER_LETTER])[:longest]


def _items(part: bytes) -> Iterator[tuple[int, int]]:
    """Yield where the contents of items start and end, some of which are empty elements or never closed."""
    at = 0
    while (start := part.find(b"<si", at)) >= 0:
        at = start + 3
        if part[at : at + 1] not in _AFTER_NAME:
            continue
        inner = part.find(b">", at) + 1
        empty = part[inner - 2 : inner - 1] == b"/"
        end = inner if empty else part.find(b"</si>", inner)
        if inner == 0 or end < 0:
            return
        yield inner, end
        at = end


def _without_guides(item: bytes) -> bytes:
    """Return an item without its phonetic guides."""
    pieces: list[bytes] = []
    at, closing = 0, b"</rPh>"
    while (start := item.find(b"<rPh", at)) >= 0:
        end = item.find(closing, start)
        if end < 0:
            break
        pieces.append(item[at:start])
        at = end + len(closing)
    return b"".join((*pieces, item[at:]))
