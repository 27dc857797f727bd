"""The shared strings of a workbook, by index.

New texts are written inline into their cells, so that this part never changes.
"""

from __future__ import annotations

import re

from tablewright.workbook.package.spelling import without_sections
from tablewright.workbook.package.xml import unescaped

_ITEM = re.compile(rb"<si\b[^>]*?(?:/>|>(.*?)</si>)", re.DOTALL)
_PHONETIC = re.compile(rb"<rPh\b.*?</rPh>", re.DOTALL)
_TEXT = re.compile(rb"<t\b[^>]*?(?:/>|>(.*?)</t>)", re.DOTALL)


class SharedStrings:
    """The shared strings of a package; an index without a text reads as empty."""

    def __init__(self, part: bytes) -> None:
        self._items: list[bytes | str] = [match[1] or b"" for match in _ITEM.finditer(without_sections(part))]

    def __getitem__(self, index: int) -> str:
        if not 0 <= index < len(self._items):
            return ""
        item = self._items[index]
        if isinstance(item, bytes):
            item = self._items[index] = plain_text(item)
        return item


def plain_text(item: bytes) -> str:
    """Return the text of a `<si>` or `<is>`: its runs joined, without phonetic guides."""
    if b"<rPh" in item:
        item = _PHONETIC.sub(b"", item)
    return "".join(unescaped(match[1] or b"") for match in _TEXT.finditer(item))
