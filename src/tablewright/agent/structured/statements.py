"""What a report states, apart from the markup that it is written in. Pure.

A report may be HTML with scripts that draw charts. Sizes, colours and places are numbers too, and state nothing; the
data of a chart does.
"""

from __future__ import annotations

import re

_OPENING = re.compile(r"<!--|<(?:style|script)\b[^<>]*>|</?[a-zA-Z][^<>]*>", re.IGNORECASE)
_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_KEY = re.compile(r"\bvalue[\"']?\s{0,20}:")
_NO_NUMBER = re.compile(rf"{_KEY.pattern}|\.0+(?!\d)")
"""In a point: its key, and the fraction of a whole number that a program writes."""
_DATA = re.compile(rf"(?<=[\[,])\s{{0,40}}{_NUMBER}(?=\s{{0,40}}[,\]])|{_KEY.pattern}\s{{0,20}}{_NUMBER}")
"""In a script: elements of a list, and values of points."""


def statements_of(report: str) -> str:
    """Return a report of the same length, with blanks in place of whatever states nothing."""
    folded = report.translate(_LOWER)
    pieces: list[str] = []
    at = 0
    unclosed: set[str] = set()
    while (found := _OPENING.search(report, at)) is not None:
        pieces.append(report[at : found.start()])
        at = _end(folded, found, unclosed)
        inside = report[found.start() : at]
        pieces.append(_data_of(inside) if folded.startswith("<script", found.start()) else _blanks(inside))
    return "".join((*pieces, report[at:]))


_CLOSINGS = {"<!--": "-->", "<style": "</style", "<script": "</script"}
_LOWER = {ord("A") + place: ord("a") + place for place in range(26)}


def _end(report: str, found: re.Match[str], unclosed: set[str]) -> int:
    """Return where what begins at `found` ends: a script that is never closed with the report, all else at once.

    `unclosed` are closings that there are none of any more, so that a report is read once.
    """
    opening = found[0].translate(_LOWER)
    closing = next((end for begin, end in _CLOSINGS.items() if opening.startswith(begin)), "")
    at = report.find(closing, found.end()) if closing and closing not in unclosed else -1
    if at >= 0:
        return at
    unclosed.add(closing)
    return len(report) if opening.startswith("<script") else found.end()


def _data_of(script: str) -> str:
    pieces: list[str] = []
    at = 0
    for data in _DATA.finditer(script):
        pieces += [_blanks(script[at : data.start()]), _NO_NUMBER.sub(lambda rest: _blanks(rest[0]), data[0])]
        at = data.end()
    return "".join((*pieces, _blanks(script[at:])))


def _blanks(text: str) -> str:
    return " " * len(text)
