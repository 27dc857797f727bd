"""Spans of time that are written in several units, `1h 35m` beside `45分钟`, as numbers in one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from pydantic import Field

Clock = Literal["h:m", "m:s"]
"""What two numbers with a colon between them are: hours and minutes, or minutes and seconds."""
_THREE = (r"(\d+):(\d+):(\d+)", r"\1h \2m \3s")
_TWO: dict[Clock, tuple[str, str]] = {
    "h:m": (r"(\d+):(\d+)", r"\1h \2m"),
    "m:s": (r"(\d+):(\d+)", r"\1m \2s"),
}
NUMBER = r"(\d+(?:\.\d+)?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spans:
    """How the cells of a column are written that are spans of time.

    `ways` are all ways in which units stand behind numbers, the longest first, each with how many of the smallest of
    these units it is (an empty way is a number without unit); `each` is how many of the smallest the unit of the
    column is. `clock` says what `1:30` is, where some cell is written so; then `h`, `m` and `s` are among the ways.
    `average` means that days stand beside months or years, which are then as long as in an average year.
    """

    ways: tuple[tuple[str, float], ...]
    each: float = 1
    clock: Clock | None = None
    average: Annotated[bool, Field(exclude_if=lambda average: not average)] = False


def span_expression(texts: str, spans: Spans) -> str:
    """Return the expression that converts the series of texts `texts` to numbers in the unit of the column."""
    for pattern, parts in _clocks(spans):
        texts += f'.str.replace(r"{pattern}", r"{parts}", regex=True)'
    sizes = "{" + ", ".join(f"{json.dumps(way, ensure_ascii=False)}: {_plain(size)}" for way, size in spans.ways) + "}"
    summed = f"sum(float(number) * {sizes}[unit] for number, unit in parts)"
    summed += "" if spans.each == 1 else f" / {_plain(spans.each)}"
    mapped = f'.map(lambda parts: {summed} if parts else None, na_action="ignore")'
    return f'pd.to_numeric({texts}.str.findall(r"{span_pattern(spans)}"){mapped}, errors="coerce")'


def span_pattern(spans: Spans) -> str:
    """Return the regular expression of a number and its unit, each of them a group."""
    return rf"{NUMBER}\s*({'|'.join(re.escape(way) for way, _ in spans.ways)})"


def span_parts(text: str, spans: Spans) -> list[tuple[float, float]]:
    """Return the numbers in a cell, each with how many of the smallest unit its own is; none of a mark."""
    for pattern, parts in _clocks(spans):
        text = re.sub(pattern, parts, text)
    sizes = dict(spans.ways)
    return [(float(number), sizes[way]) for number, way in _compiled(span_pattern(spans)).findall(text)]


def span_number(text: str, spans: Spans) -> float | None:
    """Return a cell as a number in the unit of the column; None of a mark."""
    parts = span_parts(text, spans)
    return sum(number * size for number, size in parts) / spans.each if parts else None


def _clocks(spans: Spans) -> Iterator[tuple[str, str]]:
    """Yield what is written for the parts of a clock, as regular expression and replacement."""
    if spans.clock is not None:
        yield from (_THREE, _TWO[spans.clock])


def _plain(size: float) -> str:
    return str(int(size)) if float(size).is_integer() else str(size)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
