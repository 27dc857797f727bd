"""Ranks in words: `top 3`, `the two cheapest`, `金额最高的3个`."""

from __future__ import annotations

import re
from functools import cache

from tablewright.analyst.linking.columns import hinted
from tablewright.analyst.linking.lexicon import Entry, operations
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.operating.cells_said import number
from tablewright.analyst.operating.measures import is_code, measured
from tablewright.analyst.operating.wish import Wish

_NUM = r"\d+|[一二两三四五六七八九十]|one|two|three|four|five|six|seven|eight|nine|ten"
_MORE = {"top": True, "bottom": False, "maximum": True, "minimum": False, "max": True, "min": False, "前": True,
    "后": False, "末": False, "末尾": False, "倒数": False, "最大值": True, "最小值": False}  # fmt: skip
_WORDS = frozenset({"last", "first", "latest", "earliest", "most"})
_COUNTER = r"(?:名|个|行|位|条|大|小|项|种|家|笔|单)?"


@cache
def _superlatives() -> dict[str, Entry]:
    """Return the superlatives of the lexicon, keyed by their words."""
    found: dict[str, Entry] = {}
    for phrase, entry in operations().items():
        if not phrase:
            continue
        words = "".join(phrase) if is_han(phrase[0][0]) else " ".join(phrase)
        if entry.code == "superlative" and words not in _WORDS:
            found[words] = entry
    return found


@cache
def _pattern() -> re.Pattern[str]:
    known = sorted({*_superlatives(), *_MORE}, key=len, reverse=True)
    latin = "|".join(re.escape(word) for word in known if word.isascii())
    han = "|".join(re.escape(word) for word in known if not word.isascii())
    return re.compile(
        rf"\b(?P<way>{latin})(?:[- ]selling)?\s+(?P<n>{_NUM})\b|\b(?P<n2>{_NUM})\s+(?:\w+\s+)?(?P<way2>{latin})\b"
        rf"|\b(?:with|has|have|had|the|of)\s+(?:the\s+)?(?P<way3>{latin})\b(?!\s+(?:{_NUM})\b)"
        rf"|(?P<zh>{han})的?(?:前)?\s*(?P<zhn>{_NUM})\s*{_COUNTER}"
        rf"|(?P<zh2>最(?:{'|'.join(word[1:] for word in known if word.startswith('最'))}))"
    )


def ranked(wish: Wish) -> tuple[str | None, int, bool] | None:
    """Return (column, count, largest) if the words mention a rank, else None; the column is None if it is not known."""
    match = _pattern().search(wish.low)
    if match is None or wish.has(r"\b(?:top|first) row\b|前\s*\S+\s*[行列](?!名)(?:加|标|冻|填|高|设)"):
        return None
    count = next((number(group) for group in (match["n"], match["n2"], match["zhn"]) if group), 1)
    way = next(match[name] for name in ("way", "way2", "way3", "zh", "zh2") if match[name])
    entry = _superlatives().get(way)
    largest = _MORE[way] if entry is None else entry.value == "max"
    return _column(wish, entry), count, largest


def _column(wish: Wish, entry: Entry | None) -> str | None:
    numeric = wish.numeric(wish.said())
    measuring = [name for name in numeric if not is_code(wish, name)]
    if numeric:
        return (measuring or numeric)[0]
    meant = hinted(entry.hint, wish.linked.names) if entry is not None and entry.hint else []
    numbers = wish.numeric(meant) or measured(wish)
    return numbers[0] if numbers else None
