"""Charts as pictures of the kind that needs no script: bars, lines, points and slices as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from tablewright.report.chart_data import ChartData, SeriesData

WIDTH, HEIGHT = 720, 400
COLORS = ("#2f6fb2", "#e08a2e", "#4b9b5e", "#c2504d", "#7d67a8", "#8a6d5b", "#cf79a9", "#777777", "#a8a13b", "#3fa3b5")
_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 20, 62, 64
_FONT = "font-family='Noto Sans CJK SC, Microsoft YaHei, PingFang SC, Arial, sans-serif'"


def svg_of(data: ChartData) -> str:
    """Return an SVG element that shows `data`. All text in it is escaped."""
    pie = data.series[0].kind == "pie"
    inner = "".join(_slices(data) if pie else _plot(data))
    title = _text(WIDTH / 2, 24, data.title, anchor="middle", size=16, more=" font-weight='bold'")
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}'"
        f" role='img' {_FONT}>{title}{inner}</svg>"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Maps numbers to places; `ticks` are round numbers that cover them."""

    ticks: tuple[float, ...]
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the place of `value`."""
        low, high = self.ticks[0], self.ticks[-1]
        return self.start + (value / high - low / high if high > 1e300 else value - low) / (
            (1 - low / high if high > 1e300 else high - low) or 1
        ) * (self.end - self.start)


def scale_of(values: Sequence[float], start: float, end: float, *, from_zero: bool) -> Scale:
    """Return the scale of `values` between two places, with about five round steps."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        low, high = (low - 1, high + 1) if abs(low) < 1e12 else (low * 0.9, high * 1.1) if low > 0 else (low * 1.1, 0)
    rough = high / 5 - low / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next((unit * times for times in (1, 2, 2.5, 5, 10) if unit * times >= rough), unit * 10)
    first, last = math.floor(low / step), math.ceil(high / step)
    return Scale(ticks=tuple(number * step for number in range(first, last + 1)), start=start, end=end)


def _plot(data: ChartData) -> Iterator[str]:
    across = (_LEFT + (30 if data.horizontal else 0), WIDTH - _RIGHT)
    down = (HEIGHT - _BOTTOM, _TOP)
    along, upward = (down[::-1], across) if data.horizontal else (across, down)
    heights = scale_of(
        _extent(data), *upward, from_zero=any(series.kind == "bar" or series.area for series in data.series)
    )
    yield from _value_axis(data, heights, along)
    if data.categories:
        yield from _category_axis(data, along, upward)
        yield from _by_category(data, heights, along)
    else:
        places = [place for series in data.series for place in series.places or ()]
        widths = scale_of(places, *along, from_zero=False)
        yield from (
            _text(widths.at(tick), HEIGHT - _BOTTOM + 18, _figure(tick), anchor="middle") for tick in widths.ticks
        )
        yield from _on_numbers(data, heights, widths)
    yield _text(WIDTH / 2, HEIGHT - 8, data.x_title, anchor="middle")
    yield _text(_LEFT - 60, _TOP - 12, data.y_title)
    yield from _legend([series.name for series in data.series])


def _extent(data: ChartData) -> list[float]:
    if not data.stacked:
        return [value for series in data.series for value in series.values if value is not None]
    sums: list[float] = []
    for at in range(len(data.categories)):
        values = [series.values[at] or 0.0 for series in data.series]
        sums += [sum(value for value in values if value > 0), sum(value for value in values if value < 0)]
    return [value for value in sums if math.isfinite(value)]


def _value_axis(data: ChartData, scale: Scale, along: tuple[float, float]) -> Iterator[str]:
    for tick in scale.ticks:
        place = scale.at(tick)
        if data.horizontal:
            yield _line(place, along[0], place, along[1], "#e3e3e3")
            yield _text(place, HEIGHT - _BOTTOM + 18, _figure(tick), anchor="middle")
        else:
            yield _line(along[0], place, along[1], place, "#e3e3e3")
            yield _text(along[0] - 8, place + 4, _figure(tick), anchor="end")


def _category_axis(data: ChartData, along: tuple[float, float], upward: tuple[float, float]) -> Iterator[str]:
    room = (along[1] - along[0]) / len(data.categories)
    every = max(1, math.ceil(len(data.categories) * (18 if data.horizontal else 60) / (along[1] - along[0])))
    for at in range(0, len(data.categories), every):
        middle = along[0] + room * (at + 0.5)
        words = _short(data.categories[at], 12)
        if data.horizontal:
            yield _text(upward[0] - 8, middle + 4, words, anchor="end")
        else:
            yield _text(middle, upward[0] + 18, words, anchor="middle")


def _by_category(data: ChartData, scale: Scale, along: tuple[float, float]) -> Iterator[str]:
    bars = [series for series in data.series if series.kind == "bar"]
    room = (along[1] - along[0]) / len(data.categories)
    stacks: dict[tuple[int, bool], float] = {}
    for number, series in enumerate(data.series):
        color = COLORS[number % len(COLORS)]
        middles = [along[0] + room * (at + 0.5) for at in range(len(data.categories))]
        if series.kind == "bar":
            slots = 1 if data.stacked else len(bars)
            width = room * 0.72 / slots
            shift = 0.0 if data.stacked else (bars.index(series) - (slots - 1) / 2) * width
            for at, value in enumerate(series.values):
                if value is None:
                    continue
                base = stacks.get((at, value >= 0), 0.0) if data.stacked else 0.0
                stacks[at, value >= 0] = base + value
                yield _bar(data, scale, (base, base + value), middles[at] + shift - width / 2, width, color)
        else:
            yield from _marks(series, middles, scale, color, joined=series.kind == "line", horizontal=data.horizontal)


def _bar(data: ChartData, scale: Scale, reach: tuple[float, float], place: float, width: float, color: str) -> str:
    first, last = sorted((scale.at(reach[0]), scale.at(reach[1])))
    x, y, across, down = (first, place, last - first, width) if data.horizontal else (place, first, width, last - first)
    return f"<rect x='{x:.1f}' y='{y:.1f}' width='{across:.1f}' height='{down:.1f}' fill='{color}'/>"


def _on_numbers(data: ChartData, heights: Scale, widths: Scale) -> Iterator[str]:
    for number, series in enumerate(data.series):
        places = [widths.at(place) for place in series.places or ()]
        color = COLORS[number % len(COLORS)]
        yield from _marks(series, places, heights, color, joined=series.kind == "line", horizontal=data.horizontal)


def _marks(
    series: SeriesData, places: Sequence[float], scale: Scale, color: str, *, joined: bool, horizontal: bool
) -> Iterator[str]:
    """Yield the points of a series; a line is cut where a value is missing."""
    pieces: list[list[str]] = [[]]
    for place, value in zip(places, series.values, strict=False):
        if value is None:
            pieces.append([])
            continue
        x, y = (scale.at(value), place) if horizontal else (place, scale.at(value))
        pieces[-1].append(f"{x:.1f},{y:.1f}")
        if not joined or len(places) <= 40:
            yield f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{3 if joined else 4}' fill='{color}' fill-opacity='0.8'/>"
    if joined:
        for piece in pieces:
            if len(piece) > 1:
                yield f"<polyline points='{' '.join(piece)}' fill='none' stroke='{color}' stroke-width='2'/>"


def _slices(data: ChartData) -> Iterator[str]:
    values = [value or 0.0 for value in data.series[0].values]
    total = sum(values)
    x, y, radius = 240.0, 225.0, 145.0
    angle = -math.pi / 2
    for at, value in enumerate(values):
        share = value / total if total and math.isfinite(total) else 0.0
        color = COLORS[at % len(COLORS)]
        if share > 0.9999:
            yield f"<circle cx='{x}' cy='{y}' r='{radius}' fill='{color}'/>"
        elif share > 0:
            end = angle + share * 2 * math.pi
            from_x, from_y = x + radius * math.cos(angle), y + radius * math.sin(angle)
            to_x, to_y = x + radius * math.cos(end), y + radius * math.sin(end)
            yield (
                f"<path d='M{x},{y} L{from_x:.1f},{from_y:.1f} A{radius},{radius} 0 {int(share > 0.5)} 1"
                f" {to_x:.1f},{to_y:.1f} Z' fill='{color}' stroke='white'/>"
            )
            angle = end
        if at < 14:
            words = f"{_short(data.categories[at], 20)}: {_figure(value)} ({share:.1%})"
            yield f"<rect x='430' y='{70 + at * 22}' width='12' height='12' fill='{color}'/>" + _text(
                450, 81 + at * 22, words
            )


def _legend(names: Sequence[str]) -> Iterator[str]:
    if sum(map(bool, names)) < 2:
        return
    x = float(_LEFT)
    for at, name in enumerate(names):
        words = _short(name, 18)
        if x > WIDTH - 100:
            return
        yield f"<rect x='{x:.0f}' y='34' width='12' height='12' fill='{COLORS[at % len(COLORS)]}'/>" + _text(
            x + 16, 44, words
        )
        x += 34 + sum(12 if ord(letter) > 0x2E80 else 7 for letter in words)


def _line(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    return f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{color}'/>"


def _text(x: float, y: float, words: str, *, anchor: str = "start", size: int = 12, more: str = "") -> str:
    if not words:
        return ""
    look = f"font-size='{size}' text-anchor='{anchor}' fill='#333'{more}"
    return f"<text x='{x:.1f}' y='{y:.1f}' {look}>{escape(words)}</text>"


def _short(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def _figure(value: float) -> str:
    size = abs(value)
    if size >= 1e15 or 0 < size < 1e-4:
        return f"{value:.3g}"
    return f"{value:,.10g}" if size < 1e6 else f"{value:,.0f}"
