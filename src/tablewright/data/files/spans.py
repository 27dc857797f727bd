"""Spans of time in several units, `1h 35m` beside `45分钟` or `0:45`, `18个月` beside `4岁`, as numbers in one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from tablewright.data.files.span_words import Unit, bracketed, clock_of, is_label, units_of, words
from tablewright.data.files.tallies import Tally
from tablewright.domain.spans import NUMBER, Clock, Spans, span_number

_PART = re.compile(rf"{NUMBER}\s*([^\W\d_]*)\.?")
_CLOCK = re.compile(r"\d+(?::[0-5]\d){1,2}")
_FEW = 3
"""So many different texts there must be if each unit is a single letter, and all cells have but one."""
_MOST_YEARS = 200
_OF_CLOCKS = frozenset("hms")
Parts = list[tuple[float, str]]
"""The numbers of a cell, each with how its unit is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanNumbers:
    """A column's texts as numbers of `unit`, aligned with the given texts; `units` are the ways in which it is written,
    the longest first."""

    values: pl.Series
    spans: Spans
    unit: str
    units: tuple[str, ...]


def span_numbers(counted: Tally, name: str) -> SpanNumbers | None:
    """Parse texts that are all spans of time, in two units or more; None if it is doubtful what they mean.

    `name` is that of the column: it may say what numbers without a unit and clocks are.
    """
    read = _read(counted, name)
    if read is None:
        return None
    cells, units, clock = read
    own = bracketed(name) if bracketed(name) in units else None
    if not _evident(list(cells), units, name):
        return None
    base = _base(cells, counted.counts, units) if own is None else units[own]
    written = {way for cell in cells for _, way in cell}
    if "" in written and own is None and any(number for cell in cells for number, way in cell if not way):
        return None
    units[""] = base
    sizes = {way: units[way].ms for way in written}
    smallest = min(base.ms, *sizes.values())
    ways = sorted(((way, size / smallest) for way, size in sizes.items()), key=lambda entry: (-len(entry[0]), entry[0]))
    average = len({size >= words().units["month"].ms for size in sizes.values()}) > 1
    spans = Spans(ways=tuple(ways), each=base.ms / smallest, clock=clock, average=average)
    return SpanNumbers(
        values=pl.Series([span_number(text, spans) for text in counted.texts], dtype=pl.Float64),
        spans=spans,
        unit=base.chinese if _in_chinese(cells, name) else base.english,
        units=tuple(way for way, size in ways if way and size * smallest == base.ms),
    )


def _read(counted: Tally, name: str) -> tuple[list[Parts], dict[str, Unit], Clock | None] | None:
    """Return the parts of each text, the units by how they are written, and what clocks are; None if one is none."""
    texts = [text.strip() for text in counted.texts]
    clocks = {text for text in texts if _CLOCK.fullmatch(text)}
    parts = {text: _parts(text) for text in texts if text not in clocks}
    cells = [cell for cell in parts.values() if cell]
    ways = {way for cell in cells for _, way in cell} - {""}
    if len(cells) < len(parts) or is_label(name) or _shouted(ways, cells):
        return None
    certain = {words().ways[way.casefold()] for way in ways if way.casefold() in words().ways}
    clock = clock_of(name, clocks, certain) if clocks else None
    if clocks and clock is None:
        return None
    parts |= {text: _of_clock(text, clock) for text in clocks}
    every = {way for cell in parts.values() for _, way in cell or ()} - {""}
    beside = () if clock is None else ("minute", "hour" if clock == "h:m" else "second")
    own = bracketed(name)
    found = (units_of({*every, own}, beside) if own else None) or units_of(every, beside)
    if found is None:
        return None
    return [parts[text] or [] for text in texts], {way: words().units[unit] for way, unit in found.items()}, clock


def _parts(text: str) -> Parts | None:
    """Return the numbers in a text; None if there is anything but numbers with units, or several without."""
    left = _PART.sub(" ", text).split()
    found = [(float(number), way) for number, way in _PART.findall(text)]
    if not found or not words().between.issuperset(left):
        return None
    return None if len(found) > 1 and any(not way for _, way in found) else found


def _of_clock(text: str, clock: Clock | None) -> Parts:
    numbers = [float(number) for number in text.split(":")]
    ways = "hms" if len(numbers) == 3 else "hm" if clock == "h:m" else "ms"
    return list(zip(numbers, ways, strict=True))


def _shouted(ways: set[str], cells: Sequence[Parts]) -> bool:
    """Return whether some unit is a capital letter that stands alone behind a number: 3D, 5M, 2H are no spans."""
    capital = any(len(way) == 1 and way.isupper() for way in ways)
    return capital and not any(len(cell) > 1 for cell in cells)


def _evident(cells: list[Parts], units: dict[str, Unit], name: str) -> bool:
    """Return whether the parts of each cell are in order, and the column is of spans and no codes."""
    for cell in cells:
        sizes = [units[way].ms for _, way in cell if way]
        if sizes != sorted(set(sizes), reverse=True):
            return False
        if any(number > _MOST_YEARS and units[way].name == "year" for number, way in cell if way):
            return False
    written = {way for cell in cells for _, way in cell if way}
    own = {bracketed(name)} & set(units) if any(not way for cell in cells for _, way in cell) else set[str]()
    if len({units[way].ms for way in written | own}) < 2 and not any(way in words().depending for way in written):
        return False
    terse = all(len(way) == 1 and way.isascii() for way in written) and all(len(cell) == 1 for cell in cells)
    return not terse or len(cells) >= _FEW


def _base(cells: list[Parts], counts: pl.Series, units: dict[str, Unit]) -> Unit:
    """Return the unit in which all count: years if there are some, else that which most cells begin with, but minutes
    for hours beside minutes."""
    known = words().units
    often: Counter[str] = Counter()
    for cell, count in zip(cells, counts, strict=True):
        begins = next((way for number, way in cell if way and number), cell[-1][1])
        often[units[begins].name if begins else ""] += int(count)
    del often[""]
    present = {unit.name for unit in units.values()}
    years = [name for name in ("year", "age") if name in present]
    if years:
        return known[max(years, key=lambda name: often[name])]
    if "minute" in present:
        often["minute"] += often.pop("hour", 0)
    return known[max(often, key=lambda name: (often[name], known[name].ms))]


def _in_chinese(cells: list[Parts], name: str) -> bool:
    ways = [way for cell in cells for _, way in cell if way]
    foreign = sum(not way.isascii() for way in ways)
    # The parts of clocks are in no language.
    return foreign * 2 > len(ways) or (not name.isascii() and all(way in _OF_CLOCKS for way in ways if way.isascii()))
