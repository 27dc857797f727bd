"""What images cost, as their providers say: Anthropic by pixels, OpenAI by tiles or by patches. Pure.

Which of OpenAI's models count tiles, which patches, and by how much, stands in its guide "Images and vision", section
"Calculating costs" (developers.openai.com/api/docs/guides/images-vision#calculating-costs), as copies of it and issue
2851 of openai/openai-python give it in November 2026. Of models that it does not name nothing is known.
"""

from __future__ import annotations

import base64
import math
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from tablewright.domain.image_header import HEAD_BYTES, ImageHeader, image_header
from tablewright.domain.message import ImagePart

IMAGE_TOKENS = 1_600
"""The most that an image costs where pixels are counted, and the estimate for an image of unknown size."""
PIXELS_PER_TOKEN = 750
LONGEST_SIDE = 1_568
"""Anthropic makes images smaller until their longer side has so many pixels."""
SQUARE, SHORT_SIDE, TILE = 2_048, 768, 512
"""OpenAI fits images into a square, then makes their shorter side so short, and counts tiles."""
MOST_TILES = 8
PATCH, MOST_PATCHES = 32, 1_536
"""OpenAI's smaller models count patches; an image of more is made smaller until it has no more."""
Detail = Literal["high", "low"]


@dataclass(frozen=True, slots=True)
class _Tiles:
    """What an image costs: `base`, which is all for low detail, and more for each tile."""

    base: int
    tile: int

    def tokens(self, size: ImageHeader | None, detail: Detail) -> int:
        if detail == "low":
            return self.base
        return self.base + self.tile * (MOST_TILES if size is None else _tiles(size))


@dataclass(frozen=True, slots=True)
class _Patches:
    """What an image costs: `tokens_per_patch`, whatever the detail."""

    tokens_per_patch: float

    def tokens(self, size: ImageHeader | None, _detail: Detail) -> int:
        patches = MOST_PATCHES if size is None else _patches(size)
        return math.ceil(patches * self.tokens_per_patch)


_BY_MODEL: tuple[tuple[str, _Tiles | _Patches], ...] = (
    ("*gpt-5-mini*", _Patches(1.62)),
    ("*gpt-5-nano*", _Patches(2.46)),
    ("*gpt-4.1-mini*", _Patches(1.62)),
    ("*gpt-4.1-nano*", _Patches(2.46)),
    ("openai:o4-mini*", _Patches(1.72)),
    ("*gpt-4o-mini*", _Tiles(2_833, 5_667)),
    ("*gpt-4o*", _Tiles(85, 170)),
    ("*gpt-4.1", _Tiles(85, 170)),
    ("*gpt-4.1-20*", _Tiles(85, 170)),
    ("*gpt-4.5*", _Tiles(85, 170)),
    ("*gpt-4-turbo*", _Tiles(85, 170)),
    ("*gpt-5", _Tiles(70, 140)),
    ("*gpt-5-20*", _Tiles(70, 140)),
    ("*gpt-5-chat*", _Tiles(70, 140)),
    ("openai:o1*", _Tiles(75, 150)),
    ("openai:o3*", _Tiles(75, 150)),
)
"""Models that count tiles or patches. Any other is counted by pixels, as Anthropic's are."""


def image_tokens(image: ImagePart, model: str = "", *, detail: Detail = "high") -> int:
    """Return the tokens of an image for `model` (`provider:model`); one of unknown size costs the most."""
    size = _size(image)
    for pattern, tiles in _BY_MODEL:
        if fnmatchcase(model.lower(), pattern):
            return tiles.tokens(size, detail)
    return IMAGE_TOKENS if size is None else _pixels(size)


def _pixels(size: ImageHeader) -> int:
    scale = min(1.0, LONGEST_SIDE / max(size.width, size.height))
    return max(1, min(IMAGE_TOKENS, int(size.width * scale * size.height * scale) // PIXELS_PER_TOKEN))


def _patches(size: ImageHeader) -> int:
    """Return the patches of an image: one that has too many is made smaller, so that whole patches fit its width."""
    wide, high = size.width / PATCH, size.height / PATCH
    if math.ceil(wide) * math.ceil(high) <= MOST_PATCHES:
        return math.ceil(wide) * math.ceil(high)
    scale = math.sqrt(MOST_PATCHES / (wide * high))
    scale *= min(math.floor(side * scale) / (side * scale) for side in (wide, high) if side * scale >= 1)
    fitted = (max(1, math.ceil(round(side * scale, 6))) for side in (wide, high))
    return min(MOST_PATCHES, math.prod(fitted))


def _tiles(size: ImageHeader) -> int:
    scale = min(1.0, SQUARE / max(size.width, size.height))
    scale *= min(1.0, SHORT_SIDE / (min(size.width, size.height) * scale))
    wide, high = (max(1, math.ceil(round(side * scale, 3) / TILE)) for side in (size.width, size.height))
    return wide * high


def _size(image: ImagePart) -> ImageHeader | None:
    """Return the size of an image; only as much of it is decoded as a header takes."""
    for length in (64, HEAD_BYTES * 4 // 3 // 4 * 4):
        try:
            found = image_header(base64.b64decode(image.data_base64[:length]))
        except ValueError:
            return None
        if found is not None or len(image.data_base64) <= length:
            return found
    return None
