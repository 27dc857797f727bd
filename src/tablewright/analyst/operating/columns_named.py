"""The columns that a piece of text names: by header, by letters said to be columns, or by place."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.mentions import ColumnMention, choose
from tablewright.analyst.linking.text import fold
from tablewright.analyst.linking.tokens import tokenize
from tablewright.domain.dataset import DatasetFacts

SURE = 0.72
_LETTERS = re.compile(
    r"\bcol(?:umn)?s?\s+([a-z]{1,2}(?:\s*(?:,|and|&|、|和)\s*(?:and\s+)?[a-z]{1,2})*)\b(?!['’])"
    r"|(?<![a-z])([a-z]{1,2}(?:\s*[、,，和及与]\s*[a-z]{1,2})*)\s*(?:两|三|四)?列"
    r"|第?\s*([a-z])\s*(?:栏)",
    re.IGNORECASE,
)
_SPAN = re.compile(
    r"\bcol(?:umn)?s?\s+([a-z]{1,2})\s*(?:to|through|thru|-|–|:|and up to)\s*(?:col(?:umn)?\s+)?([a-z]{1,2})\b"
    r"|(?<![a-z])([a-z]{1,2})\s*列?\s*(?:到|至|-|~|:)\s*([a-z]{1,2})\s*列"
    r"|(?<![a-z0-9$:])([a-z]{1,2}):([a-z]{1,2})(?![a-z0-9])",
    re.IGNORECASE,
)
_WORDS = frozenset(
    {"is", "in", "by", "to", "of", "on", "as", "at", "if", "it", "or", "so", "no", "an", "be", "do", "we"}
)


def named_columns(text: str, facts: DatasetFacts, *, least: float = SURE) -> list[tuple[int, int, str]]:
    """Return (start, end, column) for every column that a text names by its header; offsets are in characters."""
    tokens = tokenize(text)
    mentions = choose(columns(tokens, column_names(facts.columns)), tokens)
    found = [
        (tokens[mention.start].start, tokens[mention.end - 1].end, mention.column)
        for mention in mentions
        if isinstance(mention, ColumnMention) and mention.score >= least
    ]
    return _known_parts(found, facts)


def written_columns(text: str, names: Iterable[str]) -> list[tuple[int, int, str]]:
    """Return (start, end, column) for every header that a text contains literally, longest first."""
    low = fold(text)
    found: list[tuple[int, int, str]] = []
    for name in sorted(names, key=len, reverse=True):
        edge = r"(?<![a-z0-9_])" if name[:1].isascii() else ""
        tail = r"(?![a-z0-9_])" if name[-1:].isascii() else ""
        for match in re.finditer(edge + re.escape(fold(name)) + tail, low):
            if not any(start < match.end() and match.start() < end for start, end, _ in found):
                found.append((*match.span(), name))
    return sorted(found)


def _known_parts(found: list[tuple[int, int, str]], facts: DatasetFacts) -> list[tuple[int, int, str]]:
    known = {column.name for column in facts.columns}
    return [part for part in found if part[2] in known]


def letter_spans(text: str) -> list[tuple[int, int, str, str]]:
    """Return (start, end, first, last) for ranges of columns given by letters: `columns C to E`, `C到E列`, `C:E`."""
    found: list[tuple[int, int, str, str]] = []
    for match in _SPAN.finditer(text):
        first, last = (group.upper() for group in match.groups() if group)
        if not {first.lower(), last.lower()} & _WORDS:
            found.append((*match.span(), first, last))
    return found


def said_letters(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, letters) for single columns given by letters: `column F`, `B、C列`."""
    found: list[tuple[int, int, str]] = []
    for match in _LETTERS.finditer(text):
        listed = next(group for group in match.groups() if group)
        found += [
            (*match.span(), one.upper())
            for one in re.findall(r"[A-Za-z]{1,2}", listed)
            if one.lower() not in _WORDS | {"and"} and (len(one) == 1 or one.isupper())
        ]
    return found


def leveled_columns(text: str, names: Iterable[str]) -> list[tuple[int, str]]:
    """Return (start, column) for columns under a header of two rows whose upper header is said once for several:
    `一季度预算和实际`, `Q1 budget and actual`, `一季度和二季度的实际`."""
    levels = [(*name.split(LEVELS, 1), name) for name in names if name.count(LEVELS) == 1]
    low = fold(text)
    found: list[tuple[int, str]] = []
    for lower in {lower for _, lower, _ in levels}:
        for match in re.finditer(_edged(lower), low):
            before = [
                (at.start(), at.end(), name)
                for upper, one, name in levels
                if one == lower
                for at in re.finditer(_edged(upper), low[: match.start()])
            ]
            nearest = max(before, default=None)
            while nearest is not None:
                found.append((match.start(), nearest[2]))
                start = nearest[0]
                nearest = max((one for one in before if _ENUMERATED.fullmatch(low[one[1] : start])), default=None)
    return found


def abbreviated_columns(text: str, names: Iterable[str]) -> list[tuple[int, str]]:
    """Return (start, column) for headers with an abbreviation whose words the text writes out: `Est. Hours` for
    `estimated vs actual hours`."""
    low = fold(text)
    found: list[tuple[int, str]] = []
    for name in names:
        words = fold(name).split()
        short = [word[:-1] for word in words if re.fullmatch(r"[a-z]{3,}\.", word)]
        rest = [word for word in words if not word.endswith(".")]
        at = re.search(rf"(?<![a-z]){re.escape(short[0])}[a-z]+", low) if len(short) == 1 and rest else None
        if at is not None and all(re.search(rf"(?<![a-z]){re.escape(word)}", low) for word in rest):
            found.append((at.start(), name))
    return found


def under_any_header(text: str, names: Iterable[str]) -> list[tuple[int, int, str]]:
    """Return (start, end, column) for the first column under each lower header that a text says without the upper
    one."""
    found: list[tuple[int, int, str]] = []
    levels = [name.partition(LEVELS) for name in names]
    said = {lower for upper, _, lower in levels if lower and re.search(_edged(upper), fold(text))}
    for upper, sign, lower in levels:
        name = f"{upper}{sign}{lower}"
        match = re.search(_edged(lower), fold(text)) if lower and lower not in said else None
        if match is not None:
            said.add(lower)
            found.append((*match.span(), name))
    return found


LEVELS = " / "
"""What stands in a column's name between the headers of two rows."""
_ENUMERATED = re.compile(r"\s*(?:、|和|与|及|,|，|and|&|\+)\s*")


def _edged(name: str) -> str:
    edge = (r"(?<![a-z0-9_])" if name[:1].isascii() else "", r"(?![a-z0-9_])" if name[-1:].isascii() else "")
    return edge[0] + re.escape(fold(name)) + edge[1]


_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5} | {
    sign: at for at, sign in enumerate("一二三四五六七八九十", 1)
}
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "两": 2} | _ORDINALS
_PLACED = re.compile(
    r"第\s*(?P<zh>[一二三四五六七八九十]|\d+)\s*列|\b(?P<en>first|second|third|fourth|fifth)\s+column\b"
    r"|\b(?P<nth>\d+)(?:st|nd|rd|th)\s+column\b"
    r"|(?P<last>\blast\s+column\b|最后一?列|末列)|(?:\bfirst\s+(?P<some>two|three|four|five|\d+)\s+columns\b"
    r"|前\s*(?P<zsome>[两二三四五六七八九]|\d+)\s*列)",
    re.IGNORECASE,
)


def placed_columns(text: str, count: int) -> list[tuple[int, int]]:
    """Return (start, number) for columns given by their place in a table of `count` columns."""
    found: list[tuple[int, int]] = []
    for match in _PLACED.finditer(text):
        some = match["some"] or match["zsome"]
        if match["last"]:
            found.append((match.start(), count))
        elif some:
            found += [(match.start(), at) for at in range(1, _counted(some) + 1)]
        else:
            found.append((match.start(), _counted(match["zh"] or match["en"] or match["nth"])))
    return [(start, at) for start, at in found if 1 <= at <= count]


def _counted(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]
