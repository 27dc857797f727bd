"""Questions that only say how the previous answer is to be shown: `as a line chart`, `画成饼图`, `从高到低排序`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablewright.analyst.linking.lexicon import Entry, operations, stopwords
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token

_ASKING = frozenset("画做作换改转排成把将用给来再那么按请看出显图序列一下") | {
    *("now", "instead", "again", "same", "plot", "put", "turn", "change", "convert", "sort", "this", "ok", "thanks"),
}
"""Words that ask for it, without content of their own."""
_LONGEST = 6
"""Tokens of the longest phrase that is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way of showing an answer, and where the question says it: tokens `start` to `end`, without the end."""

    entry: Entry
    start: int
    end: int


def shown_anew(tokens: Sequence[Token]) -> list[Way]:
    """Return the ways of showing that a question asks for; empty if it asks for anything else as well."""
    ways = list(_ways(tokens))
    covered = {place for way in ways for place in range(way.start, way.end)}
    plain = stopwords() | _ASKING
    others = (token for place, token in enumerate(tokens) if place not in covered and token.kind != "mark")
    return ways if all(token.lemma in plain or token.norm in plain for token in others) else []


def presented(earlier: str, tokens: Sequence[Token], ways: Sequence[Way]) -> str:
    """Return the earlier question, of `tokens`, with other ways of showing its answer."""
    before = list(_ways(tokens))
    said = {way.entry.code: way for way in before if way.entry.value}
    wanted = {way.entry.code: way.entry for way in ways}
    drawn = "chart" in wanted or any(way.entry.code == "chart" for way in before)
    chinese = any(is_han(letter) for letter in earlier)
    if "chart" in wanted and "direction" in said:
        wanted.setdefault("direction", said["direction"].entry)
    text = earlier
    for code, old in sorted(said.items(), key=lambda item: item[1].start, reverse=True):
        if code in wanted:
            head, tail = text[: tokens[old.start].start], text[tokens[old.end - 1].end :]
            alone = drawn and code == "direction" and head.endswith(_SORTED)
            text = head + _words(wanted[code], chinese=chinese, axis=alone) + tail
    for code in ("direction", "chart"):
        if code in wanted and code not in said:
            text = text.rstrip(" ?？.。!！") + _clause(wanted[code], chinese=chinese, axis=drawn)
    return text


def _ways(tokens: Sequence[Token]) -> Iterator[Way]:
    """Yield the charts and directions named, the longest phrase at each place."""
    place = 0
    while place < len(tokens):
        for length in range(min(_LONGEST, len(tokens) - place), 0, -1):
            entry = operations().get(tuple(token.lemma for token in tokens[place : place + length]))
            if entry is not None and entry.code in {"chart", "direction"}:
                yield Way(entry=entry, start=place, end=place + length)
                place += length
                break
        else:
            place += 1


def _words(entry: Entry, *, chinese: bool, axis: bool = False) -> str:
    """Return what to call a chart, or a direction; with `axis` it says that the values are ordered, not their names."""
    if entry.code == "chart":
        return _CHARTS.get(entry.value, _CHARTS[""])[chinese]
    return (_AXIS[chinese] if axis else "") + _DIRECTIONS[entry.value][chinese]


def _clause(entry: Entry, *, chinese: bool, axis: bool) -> str:
    """Return the words to add to a question for a chart or a direction."""
    words = _words(entry, chinese=chinese, axis=axis)
    if entry.code == "chart":
        return f"，用{words}表示" if chinese else f" as a {words}"
    return _SORTED[chinese] + words + ("排序" if chinese else "")


_SORTED = (", sorted ", "，")
_AXIS = ("by the y-axis ", "按纵轴")
_DIRECTIONS = {"desc": ("descending", "从高到低"), "asc": ("ascending", "从低到高")}
_CHARTS = {
    "": ("chart", "图"),
    "bar": ("bar chart", "柱状图"),
    "stacked bar": ("stacked bar chart", "堆积柱状图"),
    "pie": ("pie chart", "饼图"),
    "line": ("line chart", "折线图"),
    "grouping line": ("grouping line chart", "分组折线图"),
    "scatter": ("scatter chart", "散点图"),
    "grouping scatter": ("grouping scatter chart", "分组散点图"),
    "histogram": ("histogram", "直方图"),
    "area": ("area chart", "面积图"),
}
"""What charts are called in English and in Chinese."""
