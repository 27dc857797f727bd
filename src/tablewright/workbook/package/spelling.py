"""XML that other programs spell differently, brought to the spelling in which the bytes of a package are read."""

from __future__ import annotations

import re

_SECTION = re.compile(rb"<!--.*?-->|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_SINGLE = re.compile(rb"<(?:row|c|f)\s[^>]*='")
_CELLS = ((b"<c\n", b"<c "), (b"<c\r", b"<c "), (b"<c\t", b"<c "), (b"<c/>", b"<c />"))
"""How a cell may begin, and what it becomes: each begins with `<c ` then."""


def without_sections(part: bytes) -> bytes:
    """Return a part's bytes without comments, and with CDATA sections as the escaped text that they stand for."""
    return _SECTION.sub(_text, part) if b"<!" in part else part


def respelled(rows: bytes) -> bytes:
    """Return the bytes of a sheet's rows without sections, cells beginning with `<c `.

    Errors: `ValueError` when attributes are in single quotes.
    """
    rows = without_sections(rows)
    for found, wanted in _CELLS:
        rows = rows.replace(found, wanted)
    if b"='" in rows and _SINGLE.search(rows):
        raise ValueError("attributes in single quotes")
    return rows


def _text(section: re.Match[bytes]) -> bytes:
    return (section[1] or b"").replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
