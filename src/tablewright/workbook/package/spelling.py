"""XML that other programs spell differently, brought to the spelling in which the bytes of a package are read."""

from __future__ import annotations

import re
from typing import NamedTuple

_SECTION = re.compile(rb"<!--.*?-->|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_SINGLE = re.compile(rb"<(?:row|c|f)\s[^>]*='")
_CELL = re.compile(rb"<c(?:[\n\r\t]|(?=/>))")


def without_sections(part: bytes) -> bytes:
    """Return a part's bytes without comments, and with CDATA sections as the escaped text that they stand for."""
    return _SECTION.sub(_text, part) if b"!" in part and b"<!" in part else part  # one byte is found far faster


class Spelling(NamedTuple):
    """The rows of a sheet from `start` to `end` of `part`; `uniform`: every cell begins with `<c r="`."""

    part: bytes
    start: int
    end: int
    uniform: bool


def respelled(part: bytes, start: int, end: int) -> Spelling:
    """Return a sheet's rows, which lie there in its part, without sections and with cells that begin with `<c `.

    They usually stay in the part itself. Errors: `ValueError` when attributes are in single quotes.
    """
    if part.find(b"!", start, end) >= 0 and part.find(b"<!", start, end) >= 0:  # one byte is found far faster
        part = without_sections(part[start:end])
        start, end = 0, len(part)
    uniform = _uniform(part, start, end)
    if not uniform and _CELL.search(part, start, end):
        part = _CELL.sub(b"<c ", part[start:end])
        start, end = 0, len(part)
        uniform = _uniform(part, start, end)
    if part.find(b"'", start, end) >= 0 and part.find(b"='", start, end) >= 0 and _SINGLE.search(part, start, end):
        raise ValueError("attributes in single quotes")
    return Spelling(part, start, end, uniform)


def _uniform(part: bytes, start: int, end: int) -> bool:
    return part.count(b"<c", start, end) == part.count(b'<c r="', start, end)


def _text(section: re.Match[bytes]) -> bytes:
    return (section[1] or b"").replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
