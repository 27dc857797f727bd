"""Finds the numbers in prose: Chinese and English notations, separators, percentages, 万 and 亿, millions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SCALES = {
    "万亿": 1e12,
    "千万": 1e7,
    "百万": 1e6,
    "亿": 1e8,
    "万": 1e4,
    "千": 1e3,
    "trillion": 1e12,
    "billion": 1e9,
    "million": 1e6,
    "thousand": 1e3,
    "bn": 1e9,
    "mn": 1e6,
    "B": 1e9,
    "M": 1e6,
    "K": 1e3,
    "k": 1e3,
}
_CHINESE = "|".join(name for name in _SCALES if name > "~")
_ENGLISH = "|".join(name for name in _SCALES if name < "~")
_FIGURE = re.compile(
    rf"""
    (?<![A-Za-z0-9_.])
    (?P<sign>(?<![\d%）)\]])[-−+])?
    (?P<number>\d{{1,3}}(?:[,，]\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)
    (?![\d_]|\.\d)
    (?:\s?(?P<percent>[%％]|percent\b|per\s?cent\b)|\s?(?P<scale>{_CHINESE}|(?:{_ENGLISH})(?![A-Za-z])))?
    """,
    re.VERBOSE,
)
_NOT_A_FIGURE = re.compile(
    r"""
    \d{4}\s?年(?:\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?[日号])?)?
    | \d{1,2}\s?月(?:\s?\d{1,2}\s?[日号])?(?!\s?[均内前后])
    | (?<![\d.,])\d{4}(?:[-/]\d{1,2}){1,2}(?!\d|\.\d)
    | (?<![\d.,])\d{4}\.\d{1,2}\.\d{1,2}(?!\d|\.\d)
    | (?<![\d.,])\d{1,2}[-/]\d{1,2}[-/]\d{4}
    | \d{1,2}:\d{2}(?::\d{2})?
    | 第\s?\d+
    | \d+(?:st|nd|rd|th)\b
    | (?m:^\s*(?:[#*>-]\s*)*\d{1,3}(?:[.)]\s|[、）]))
    """,
    re.VERBOSE,
)
_YEAR = re.compile(r"(?:19\d\d|20\d\d|2100)(?:\.(?:0?[1-9]|1[0-2]))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number as written between `start` and `end`.

    `written` is the number without its scale (12.5 for 12.5%, 1.2 for 1.2亿) and has `decimals` decimal places; `scale`
    multiplies it. `bare_year`: it may be a year, or a month written `2024.10`.
    """

    start: int
    end: int
    written: float
    decimals: int
    scale: float = 1.0
    percent: bool = False
    bare_year: bool = False

    @property
    def value(self) -> int | float:
        """The number that the text states; for a percentage, the number before the sign."""
        value = self.written * self.scale
        return int(value) if value.is_integer() and (not self.decimals or self.scale > 1) else round(value, 12)


def figures(text: str) -> Iterator[Figure]:
    """Yield the numbers of `text` in order; dates, times, ordinals and list markers are not numbers."""
    hidden = list(text)
    for span in _NOT_A_FIGURE.finditer(text):
        hidden[span.start() : span.end()] = " " * (span.end() - span.start())
    for found in _FIGURE.finditer("".join(hidden)):
        yield _figure(found)


def _figure(found: re.Match[str]) -> Figure:
    digits = found["number"].replace(",", "").replace("，", "")
    mantissa, _, exponent = digits.lower().partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    written = float(digits)
    plain = not found["sign"] and not found["percent"] and not found["scale"]
    return Figure(
        start=found.start(),
        end=found.end(),
        written=-written if found["sign"] in {"-", "−"} else written,
        decimals=max(0, decimals),
        scale=_SCALES[found["scale"]] if found["scale"] else 1.0,
        percent=found["percent"] is not None,
        bare_year=plain and _YEAR.fullmatch(found["number"]) is not None,
    )
