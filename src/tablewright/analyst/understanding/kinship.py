"""Tells results that agree, though one says more: the same rows with a further column. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from typing import Any

MOST_COLUMNS = 8
"""Wider results are compared with none."""
MOST_CHARS = 4_000
"""Results with longer keys are compared with none."""


def agree(key: str, other: str) -> bool:
    """Whether of two results, by their keys (`judging.key_of`), one is the other with further columns."""
    if max(len(key), len(other)) > MOST_CHARS:
        return False
    first, second = json.loads(key), json.loads(other)
    if not isinstance(first, list) or not isinstance(second, list):
        return False  # digests of long keys
    (tables, charts), (others, other_charts) = first, second
    if not tables or not others or (charts and other_charts and charts != other_charts):
        return False
    few, many = sorted((tables[-1], others[-1]), key=_width)
    return few[0] == many[0] and len(few[1]) == len(many[1]) and _within(few[1], many[1])


def _width(table: Sequence[Any]) -> int:
    return len(table[1][0]) if table[1] else 0


def _within(few: list[list[str]], many: list[list[str]]) -> bool:
    """Whether rows are those of another table in some of its columns, in any order of rows."""
    if not few or len(many[0]) > MOST_COLUMNS or len(few[0]) >= len(many[0]):
        return False
    found = sorted(few)
    places = range(len(many[0]))
    return any(
        sorted([row[place] for place in kept] for row in many) == found for kept in combinations(places, len(few[0]))
    )
