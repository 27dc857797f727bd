"""XML that other programs spell differently, brought to the spelling in which the bytes of a package are read."""

from __future__ import annotations

import re

_SECTION = re.compile(rb"<!--.*?-->|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_SINGLE = re.compile(rb"<(?:row|c|f)\s[^>]*='")
_CELL = re.compile(rb"<c(?:[\n\r\t]|(?=/>))")


def without_sections(part: bytes) -> bytes:
    """Return a part's bytes without comments, and with CDATA sections as the escaped text that they stand for."""
    return _SECTION.sub(_text, part) if b"!" in part and b"<!" in part else part  # one byte is found far faster


def respelled(part: bytes, start: int, end: int) -> tuple[bytes, int, int]:
    """Return a sheet's rows, which lie there in its part, without sections and with cells that begin with `<c `.

    They are returned with where they start and end: usually in the part itself. Errors: `ValueError` when attributes
    are in single quotes.
    """
    if part.find(b"!", start, end) >= 0 and part.find(b"<!", start, end) >= 0:  # one byte is found far faster
        part = without_sections(part[start:end])
        start, end = 0, len(part)
    if part.count(b"<c", start, end) != part.count(b'<c r="', start, end) and _CELL.search(part, start, end):
        part = _CELL.sub(b"<c ", part[start:end])
        start, end = 0, len(part)
    if part.find(b"'", start, end) >= 0 and part.find(b"='", start, end) >= 0 and _SINGLE.search(part, start, end):
        raise ValueError("attributes in single quotes")
    return part, start, end


def _text(section: re.Match[bytes]) -> bytes:
    return (section[1] or b"").replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
