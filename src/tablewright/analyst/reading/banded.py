"""Bands that a question lists: `by age group 20-30, 30-40`, `按年龄段20-40、40-60、60以上`."""

from __future__ import annotations

import itertools
import math
import re

from tablewright.analyst.linking.columns import column_names
from tablewright.analyst.linking.lexicon import concepts
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Col, Cut, Named
from tablewright.analyst.reading.defining import Defined
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

_NUMBER = r"\d+(?:\.\d+)?"
_UNIT = r"(?:岁|元|分|天|万|\s*years?)?"
_ITEM = (
    rf"(?:{_NUMBER}{_UNIT}\s*(?:-|–|—|~|to|到|至)\s*{_NUMBER}{_UNIT}"
    rf"|{_NUMBER}{_UNIT}\s*(?:\+|及?以上|and (?:over|above|up|older)|or (?:more|over|older|above))"
    rf"|(?:over|above|超过)\s*{_NUMBER}{_UNIT}|(?:under|below|不到)\s*{_NUMBER}{_UNIT}|{_NUMBER}{_UNIT}及?以下)"
)
_LIST = rf"\s*(?:of|为|[:：,，(（])?\s*(?P<list>{_ITEM}(?:\s*(?:,\s*and\s|[,，、;/和]|and\s)\s*{_ITEM})+)\s*[)）]?"
_ENGLISH = re.compile(
    rf"\b(?P<lead>by|per|each|for each|in|into)\s+(?P<noun>(?P<name>[a-z]+(?: [a-z]+)?) (?:group|band|range"
    rf"|bracket|bin))s?{_LIST}",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    rf"(?P<lead>按照?|各|每个?)(?P<noun>(?P<name>[\u4e00-\u9fff]{{1,6}}?)(?:段|区间|分段|范围"
    rf"|档))(?:来)?(?:进行)?(?:分组|划分|分成|统计)?{_LIST}"
)
_AGAIN = re.compile(
    r"[，,]?\s*(?:每一?组|各组|每个组)的?|\s*\b(?:for|in|of|per) each (?:group|band|range|bin)\b", re.IGNORECASE
)
"""A repeated mention of the bands."""
_NUMERIC = frozenset({"number", "integer"})
_SHARED_END = 1
"""Largest gap between neighbouring bands of whole numbers, as in `20-29, 30-39`."""


def said_bands(question: str, facts: DatasetFacts) -> Defined | None:
    """Return the column of bands that a question lists for a numeric column, with the question shortened to the name
    of that column."""
    match = _ENGLISH.search(question) or _CHINESE.search(question)
    column = _column(match["name"].lower(), facts) if match is not None else None
    if match is None or column is None or any(known.name == match["noun"] for known in facts.columns):
        return None
    bands = sorted(_bands(match["list"]), key=lambda band: band[0])
    edges = _edges(bands, whole=_whole(column))
    if edges is None:
        return None
    cut = Cut(of=Col(name=column.name), edges=edges, labels=tuple(label for _, _, label in bands))
    plain = f"{question[: match.start()]}{match['lead']}{'' if is_han(match['lead'][0]) else ' '}{match['noun']}"
    return Defined(column=Named(name=match["noun"], of=cut), question=plain + _AGAIN.sub("", question[match.end() :]))


def _column(name: str, facts: DatasetFacts) -> ColumnFacts | None:
    """Return the only numeric column that `name` can mean; None if there is none or more than one."""
    numeric = [column for column in facts.columns if column.kind in _NUMERIC]
    exact = [column for column in numeric if column.name.strip().lower() == name]
    within = [column for column in numeric if name in column.name.lower()]
    found = exact or within or _meant(name, numeric)
    return found[0] if len(found) == 1 else None


def _whole(column: ColumnFacts) -> bool:
    """Return whether a column holds whole numbers; with missing cells these are written as `31.0`."""
    if column.kind == "integer":
        return True
    return bool(column.samples) and all(re.fullmatch(r"-?\d+(?:\.0+)?", str(sample)) for sample in column.samples)


def _meant(name: str, numeric: list[ColumnFacts]) -> list[ColumnFacts]:
    """Return the columns whose name is a synonym (`age` for 年龄)."""
    said = lemmas(name)
    about = {named.column for named in column_names(numeric) if any(said in concepts()[of] for of in named.concepts)}
    return [column for column in numeric if column.name in about]


def _bands(listed: str) -> list[tuple[float, float, str]]:
    """Return the low end, high end and label of each band; an open end is infinite."""
    found: list[tuple[float, float, str]] = []
    for item in re.findall(_ITEM, listed, re.IGNORECASE):
        numbers = [float(number) for number in re.findall(_NUMBER, item)]
        if len(numbers) > 1:
            found.append((numbers[0], numbers[1], item.strip()))
        elif re.search(r"under|below|不到|以下", item, re.IGNORECASE):
            found.append((-math.inf, numbers[0], item.strip()))
        else:
            found.append((numbers[0], math.inf, item.strip()))
    return found


def _edges(bands: list[tuple[float, float, str]], *, whole: bool) -> tuple[float, ...] | None:
    """Return the lower ends of the bands and the end of the last; None if they overlap or leave gaps."""
    for left, right in itertools.pairwise(bands):
        apart = right[0] - left[1]
        if apart != 0 and not (whole and apart == _SHARED_END):
            return None
    last = bands[-1][1]
    return (*(low for low, _, _ in bands), last + 1 if whole and last != math.inf else last)
