"""How Chinese characters sound: what is typed by sound is mistaken for what sounds alike.

`pinyin.json` has the usual reading of each character of GB 2312, without tones, as pypinyin 0.55 (MIT) gives it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files


@cache
def _readings() -> dict[str, str]:
    rows = json.loads(files(__package__).joinpath("pinyin.json").read_text(encoding="utf-8"))
    return {character: reading for reading, characters in rows.items() for character in characters}


def sound(characters: Sequence[str]) -> tuple[str, ...] | None:
    """Return the readings of characters; None if one of them has none here."""
    readings = _readings()
    found = tuple(readings[character] for character in characters if character in readings)
    return found if len(found) == len(characters) else None
