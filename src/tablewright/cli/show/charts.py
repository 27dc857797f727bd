"""Draws charts with characters: bars for categories, a field of dots for values along an axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite

from rich.cells import cell_len, set_cell_size

from tablewright.cli.show.clean import one_line
from tablewright.domain.chart import Chart
from tablewright.domain.table import Cell

BARS = 30
LABEL = 24
EIGHTHS = " ▏▎▍▌▋▊▉█"
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
HEIGHT = 12
FIRST_YEAR, LAST_YEAR = 1800, 2200
MARKS = "●▲■◆○△□◇"
Place = tuple[float, float, int]


def draw(chart: Chart, width: int) -> list[str]:
    """Return the lines of `chart`, at most `width` cells wide; empty if nothing in it can be drawn."""
    lines = _bars(chart, width) if _is_bars(chart) else _field(chart, width)
    title = [one_line(chart.title)] if chart.title else []
    return [*title, *lines] if lines else []


def number_text(value: Cell) -> str:
    """Format a value: integers in full, large floats with two decimals, small ones with six significant digits."""
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value)
    if isinstance(value, float):
        return _float_text(value)
    return f"{value:,}" if isinstance(value, int) else one_line(value)


def _axis_text(values: Sequence[Cell]) -> Callable[[Cell], str]:
    """Return how the values of an axis are written: years as they are, anything else like other values."""
    years = all(isinstance(value, int) and FIRST_YEAR <= value <= LAST_YEAR for value in values)
    return str if years else number_text


def _float_text(value: float) -> str:
    if not isfinite(value):
        return str(value)
    if value.is_integer() and abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:,.2f}".rstrip("0").rstrip(".") if 1000 <= abs(value) < 1e15 else f"{value:,.6g}"


def _number(value: Cell) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _is_bars(chart: Chart) -> bool:
    if chart.kind in {"bar", "pie", "histogram", "stacked bar"}:
        return True
    return any(_number(y) is None for y in chart.y)


def _bars(chart: Chart, width: int) -> list[str]:
    series: Sequence[Cell] = chart.series or (None,) * len(chart.x)
    label_of, name_of = _axis_text(chart.x), _axis_text(series)
    rows = [
        (" · ".join(part for part in (label_of(x), name_of(name)) if part), value)
        for x, y, name in zip(chart.x, chart.y, series, strict=False)
        if (value := _number(y)) is not None
    ]
    if not rows:
        return []
    label = min(LABEL, max(cell_len(name) for name, _ in rows[:BARS]))
    figures = max(cell_len(number_text(value)) for _, value in rows[:BARS])
    room = max(width - label - figures - 3, 8)
    longest = max(abs(value) for _, value in rows) or 1.0
    lines = [f"{_fit(name, label)} {_bar(abs(v) / longest * room)} {number_text(v)}" for name, v in rows[:BARS]]
    return [*lines, f"… +{len(rows) - BARS}"] if len(rows) > BARS else lines


def _fit(name: str, width: int) -> str:
    return set_cell_size(name, width) if cell_len(name) <= width else set_cell_size(name, width - 1) + "…"


def _bar(length: float) -> str:
    whole, part = divmod(round(length * 8), 8)
    return "█" * whole + (EIGHTHS[part] if part else "")


def _field(chart: Chart, width: int) -> list[str]:
    names: list[Cell] = list(dict.fromkeys(chart.series)) if chart.series else [None]
    series: Sequence[Cell] = chart.series or (None,) * len(chart.x)
    ranks = _along(chart.x)
    places = [
        (rank, y, names.index(name))
        for rank, value, name in zip(ranks, chart.y, series, strict=False)
        if (y := _number(value)) is not None
    ]
    if not places:
        return []
    low, high = min(y for _, y, _ in places), max(y for _, y, _ in places)
    top, bottom = number_text(high), number_text(low)
    margin = max(len(top), len(bottom))
    columns = max(width - margin - 2, 10)
    joined = "line" in chart.kind or chart.kind == "area"
    rows = (_dots if len(names) == 1 else _marks)(places, columns, low, high, joined=joined)
    lines = [
        f"{top if row == 0 else bottom if row == HEIGHT - 1 else '':>{margin}} │{text}" for row, text in enumerate(rows)
    ]
    lines.append(f"{'':>{margin}} └{'─' * columns}")
    label_of, name_of = _axis_text(chart.x), _axis_text(series)
    ends = (label_of(chart.x[0]), label_of(chart.x[-1])) if joined else _ends(chart.x, label_of)
    gap = max(columns - cell_len(ends[0]) - cell_len(ends[1]), 1)
    lines.append(f"{'':>{margin}}  {ends[0]}{' ' * gap}{ends[1]}")
    if len(names) > 1:
        lines.append("  ".join(f"{MARKS[i % len(MARKS)]} {name_of(name)}" for i, name in enumerate(names)))
    return lines


def _ends(values: Sequence[Cell], label_of: Callable[[Cell], str]) -> tuple[str, str]:
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    return (label_of(min(numbers)), label_of(max(numbers))) if numbers else ("", "")


def _along(values: Sequence[Cell]) -> list[float]:
    """Map x values to 0 to 1: numbers by size, anything else by order of first appearance."""
    numbers = [_number(value) for value in values]
    if any(number is None for number in numbers):
        order = {value: float(place) for place, value in enumerate(dict.fromkeys(values))}
        numbers = [order[value] for value in values]
    known = [number for number in numbers if number is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    return [(number - low) / ((high - low) or 1.0) for number in known]


def _between(places: Sequence[Place], columns: int) -> Iterator[Place]:
    """Interpolate between each place and the next of its series."""
    last: dict[int, Place] = {}
    for x, y, name in places:
        if (before := last.get(name)) is not None:
            for step in range(1, steps := max(int(abs(x - before[0]) * columns * 4), 1)):
                share = step / steps
                yield before[0] + (x - before[0]) * share, before[1] + (y - before[1]) * share, name
        yield x, y, name
        last[name] = (x, y, name)


def _dots(places: Sequence[Place], columns: int, low: float, high: float, *, joined: bool) -> list[str]:
    grid = [[0] * columns for _ in range(HEIGHT)]
    for x, y, _ in _between(places, columns) if joined else places:
        column = round(x * (columns * 2 - 1))
        row = round((high - y) / ((high - low) or 1.0) * (HEIGHT * 4 - 1))
        grid[row // 4][column // 2] |= DOTS[row % 4][column % 2]
    return ["".join(chr(0x2800 + cell) if cell else " " for cell in row).rstrip() for row in grid]


def _marks(places: Sequence[Place], columns: int, low: float, high: float, *, joined: bool) -> list[str]:
    grid = [[" "] * columns for _ in range(HEIGHT)]
    if joined:
        for x, y, _ in _between(places, columns):
            grid[_row(y, low, high)][round(x * (columns - 1))] = "·"
    for x, y, name in places:
        grid[_row(y, low, high)][round(x * (columns - 1))] = MARKS[name % len(MARKS)]
    return ["".join(row).rstrip() for row in grid]


def _row(y: float, low: float, high: float) -> int:
    return round((high - y) / ((high - low) or 1.0) * (HEIGHT - 1))
