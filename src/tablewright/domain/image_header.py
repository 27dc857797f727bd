"""The kind and size of a picture, read from its first bytes. Pure; nothing of a picture is ever decoded here."""

from __future__ import annotations

import struct
from dataclasses import dataclass

HEAD_BYTES = 262_144
"""In so many bytes the size of a picture is looked for: those of JPEG may stand behind previews and profiles."""
_PNG = b"\x89PNG\r\n\x1a\n"
_START_OF_SCAN, _END = 0xDA, 0xD9
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers of JPEG without a length."""
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageHeader:
    """The media type of a picture, and its sides in pixels, each at least 1."""

    mime: str
    width: int
    height: int


def image_header(content: bytes) -> ImageHeader | None:
    """Return what PNG, JPEG, GIF and WebP pictures say of themselves; None for what is none or is broken off."""
    try:
        mime, (width, height) = _read(content[:HEAD_BYTES])
    except (struct.error, IndexError, ValueError):
        return None
    return ImageHeader(mime=mime, width=width, height=height) if width > 0 and height > 0 else None


def _read(head: bytes) -> tuple[str, tuple[int, int]]:
    if head.startswith(_PNG) and head[12:16] == b"IHDR":
        return "image/png", struct.unpack(">II", head[16:24])
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif", struct.unpack("<HH", head[6:10])
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg", _jpeg(head)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp", _webp(head)
    raise ValueError(head[:4])


def _jpeg(head: bytes) -> tuple[int, int]:
    at = 2
    while True:
        if head[at] != 0xFF:
            raise ValueError(at)
        while head[at] == 0xFF:  # markers may be filled up
            at += 1
        marker = head[at]
        at += 1
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", head[at + 3 : at + 7])
            return width, height
        if marker in {_START_OF_SCAN, _END}:
            raise ValueError(marker)
        if marker not in _ALONE:
            (length,) = struct.unpack(">H", head[at : at + 2])
            at += max(2, length)


def _webp(head: bytes) -> tuple[int, int]:
    kind = head[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(head[24:27], "little"), 1 + _last(head[27:30])
    if kind == b"VP8L" and head[20] == 0x2F:
        bits = struct.unpack("<I", head[21:25])[0]
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 " and head[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", head[26:30])
        return width & 0x3FFF, height & 0x3FFF
    raise ValueError(kind)


def _last(head: bytes) -> int:
    """Return three bytes as a number; raises where they are missing."""
    if len(head) < 3:
        raise ValueError(len(head))
    return int.from_bytes(head, "little")
