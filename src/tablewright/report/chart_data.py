"""What a chart's option shows, as numbers: for renderers of our own, native charts and the table below a chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

SeriesKind = Literal["bar", "line", "scatter", "pie"]
MOST_POINTS = 5_000
"""The most points of a series that documents show."""

_KINDS: dict[str, SeriesKind] = {
    "bar": "bar", "pictorialBar": "bar", "line": "line", "scatter": "scatter", "effectScatter": "scatter", "pie": "pie",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesData:
    """A series; `values[i]` belongs to category i, or to `places[i]` on an axis of numbers."""

    name: str
    kind: SeriesKind
    values: tuple[float | None, ...]
    places: tuple[float, ...] | None = None
    area: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartData:
    """A chart of bars, lines, points or slices. `horizontal`: the categories stand on the vertical axis."""

    title: str
    categories: tuple[str, ...]
    series: tuple[SeriesData, ...]
    x_title: str = ""
    y_title: str = ""
    horizontal: bool = False
    stacked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartTable:
    """What a chart shows, as rows of names and numbers."""

    header: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]


def title_of(option: dict[str, Any]) -> str:
    """Return the title of a chart, or an empty text."""
    return _words(_first(option.get("title")).get("text"))


def chart_data(option: dict[str, Any]) -> ChartData | None:
    """Return what `option` shows if it is made of bars, lines, points or slices in one pair of axes, else None."""
    listed = [one for one in option["series"] if isinstance(one, dict)]
    kinds = {_KINDS.get(str(one.get("type"))) for one in listed}
    if None in kinds or (("pie" in kinds or "scatter" in kinds) and len(kinds) > 1) or _of_other_axes(option, listed):
        return None
    if kinds == {"pie"}:
        return _pie(option, listed[0]) if len(listed) == 1 else None
    return _cartesian(option, listed)


def chart_table(option: dict[str, Any]) -> ChartTable:
    """Return the numbers of any chart: by category if it has some, else a row for each point."""
    data = chart_data(option)
    if data is None:
        return _points_table(option)
    if any(series.places is not None for series in data.series):
        rows = [
            (series.name, place, value)
            for series in data.series
            for place, value in zip(series.places or (), series.values, strict=False)
        ]
        header: tuple[str, ...] = ("", data.x_title or "x", data.y_title or data.title or "y")
        if not any(series.name for series in data.series):
            return ChartTable(header=header[1:], rows=tuple(row[1:] for row in rows[:MOST_POINTS]))
        return ChartTable(header=header, rows=tuple(rows[:MOST_POINTS]))
    header = _header(option, data)
    columns = [series.values for series in data.series]
    return ChartTable(header=header, rows=tuple(zip(data.categories, *columns, strict=False)))


def _header(option: dict[str, Any], data: ChartData) -> tuple[str, ...]:
    """Return what the categories and each series are called: by themselves, their axis, the columns of the data set
    that they are from, or, of a single series, the chart."""
    listed = [one for one in option["series"] if isinstance(one, dict)]
    across, up = (data.y_title, data.x_title) if data.horizontal else (data.x_title, data.y_title)
    columns = [_columns_of(option, one, at) for at, one in enumerate(listed)]
    names = [""] * len(data.series)
    for at, series in enumerate(data.series):
        alone = (up or data.title or "y") if len(data.series) == 1 else f"{up or 'y'} {at + 1}"
        names[at] = series.name or columns[at][1] or alone
    return (across or columns[0][0] or "x", *names)


def cell_text(cell: str | float | None) -> str:
    """Return a cell of a `ChartTable` as text: whole numbers without decimals."""
    return _words(cell)


def _of_other_axes(option: dict[str, Any], listed: Sequence[dict[str, Any]]) -> bool:
    several = any(isinstance(option.get(axis), list) and len(option[axis]) > 1 for axis in ("grid", "xAxis"))
    return several or any(one.get("coordinateSystem", "cartesian2d") != "cartesian2d" for one in listed)


def _pie(option: dict[str, Any], series: dict[str, Any]) -> ChartData | None:
    pairs = _pairs(option, series, 0)
    kept = [(_words(name), value) for name, value in pairs if isinstance(value, float) and value >= 0]
    if not kept:
        return None
    names, values = zip(*kept, strict=True)
    slices = SeriesData(name=_words(series.get("name")), kind="pie", values=values)
    return ChartData(title=title_of(option), categories=names, series=(slices,))


def _cartesian(option: dict[str, Any], listed: Sequence[dict[str, Any]]) -> ChartData | None:
    x, y = _first(option.get("xAxis")), _first(option.get("yAxis"))
    horizontal = _is_category(y) and not _is_category(x)
    axis = y if horizontal else x
    found = [_pairs(option, one, at, swapped=horizontal) for at, one in enumerate(listed)]
    numeric = not _is_category(axis) and all(_number(name) is not None for pairs in found for name, _ in pairs)
    if not any(found):
        return None
    if numeric and any(one.get("type") != "bar" for one in listed):
        series = [_on_numbers(one, pairs) for one, pairs in zip(listed, found, strict=True)]
        categories: tuple[str, ...] = ()
    else:
        categories = _categories(axis, found)
        series = [_on_categories(one, pairs, categories) for one, pairs in zip(listed, found, strict=True)]
    return ChartData(
        title=title_of(option),
        categories=categories,
        series=tuple(series),
        x_title=_words(x.get("name")),
        y_title=_words(y.get("name")),
        horizontal=horizontal,
        stacked=any(one.get("stack") for one in listed),
    )


def _on_numbers(one: dict[str, Any], pairs: Sequence[tuple[Any, float | None]]) -> SeriesData:
    points = [(place, value) for name, value in pairs if (place := _number(name)) is not None]
    places, values = tuple(place for place, _ in points), tuple(value for _, value in points)
    return SeriesData(name=_words(one.get("name")), kind=_KINDS[one["type"]], values=values, places=places)


def _on_categories(
    one: dict[str, Any], pairs: Sequence[tuple[Any, float | None]], categories: Sequence[str]
) -> SeriesData:
    places = {name: at for at, name in reversed(list(enumerate(categories)))}
    values: list[float | None] = [None] * len(categories)
    for name, value in pairs:
        # A whole number that is not a category's name counts them, as in ECharts.
        at = name if isinstance(name, int) and _words(name) not in places else places.get(_words(name))
        if at is not None and 0 <= at < len(values):
            values[at] = value
    return SeriesData(
        name=_words(one.get("name")),
        kind=_KINDS[one["type"]],
        values=tuple(values),
        area=isinstance(one.get("areaStyle"), dict),
    )


def _categories(axis: dict[str, Any], found: Sequence[Sequence[tuple[Any, float | None]]]) -> tuple[str, ...]:
    given = axis.get("data")
    if isinstance(given, list) and given:
        return tuple(_words(one.get("value") if isinstance(one, dict) else one) for one in given[:MOST_POINTS])
    return tuple(dict.fromkeys(_words(name) for pairs in found for name, _ in pairs))[:MOST_POINTS]


def _pairs(
    option: dict[str, Any], series: dict[str, Any], at: int, *, swapped: bool = False
) -> list[tuple[Any, float | None]]:
    """Return place or category and value of each point."""
    data = series.get("data")
    if not isinstance(data, list):
        return _from_dataset(option, series, at)
    pairs: list[tuple[Any, float | None]] = []
    for index, point in enumerate(data[:MOST_POINTS]):
        name = point.get("name") if isinstance(point, dict) else None
        value = point.get("value") if isinstance(point, dict) else point
        if isinstance(value, list):
            place, height = (
                (value[1], value[0]) if swapped and len(value) > 1 else (value[0] if value else None, value[1:2])
            )
            value = height[0] if isinstance(height, list) and height else height
            name = place
        pairs.append((index if name is None else name, _number(value)))
    return pairs


def _from_dataset(option: dict[str, Any], series: dict[str, Any], at: int) -> list[tuple[Any, float | None]]:
    names, rows = _dataset(option)
    name_at, value_at = _places_in(names, series, at)
    return [(row[name_at], _number(row[value_at])) for row in rows if len(row) > max(name_at, value_at)]


def _columns_of(option: dict[str, Any], series: dict[str, Any], at: int) -> tuple[str, str]:
    """Return the columns of the data set that a series has its categories and its values from; empty if there are
    none."""
    names, _ = ([], []) if isinstance(series.get("data"), list) else _dataset(option)
    places = _places_in(names, series, at)
    name, value = (_words(names[place]) if place < len(names) else "" for place in places)
    return name, value


def _dataset(option: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """Return the names of the columns of the data set, if it has some, and its rows."""
    source = _first(option.get("dataset")).get("source")
    if not isinstance(source, list) or not source:
        return [], []
    rows = source[: MOST_POINTS + 1]
    if isinstance(rows[0], dict):
        names = list(rows[0])
        rows = [[row.get(name) for name in names] for row in rows if isinstance(row, dict)]
    else:
        rows = [row for row in rows if isinstance(row, list)]
        headed = bool(rows) and all(isinstance(one, str) for one in rows[0])
        names, rows = (list(map(_words, rows[0])), rows[1:]) if headed else ([], rows)
    return names, rows


def _places_in(names: Sequence[str], series: dict[str, Any], at: int) -> tuple[int, int]:
    """Return which columns of the data set have the categories and the values of a series."""
    encode = _first(series.get("encode"))
    name_at = _dimension(encode.get("x", encode.get("itemName")), names, 0)
    return name_at, _dimension(encode.get("y", encode.get("value")), names, at + 1)


def _dimension(given: Any, names: Sequence[str], otherwise: int) -> int:
    one = given[0] if isinstance(given, list) and given else given
    if isinstance(one, int) and not isinstance(one, bool) and one >= 0:
        return one
    return names.index(one) if isinstance(one, str) and one in names else otherwise


def _points_table(option: dict[str, Any]) -> ChartTable:
    rows: list[tuple[str | float | None, ...]] = []
    for at, series in enumerate(one for one in option["series"] if isinstance(one, dict)):
        data = series.get("data")
        for index, point in enumerate(data if isinstance(data, list) else ()):
            value = point.get("value") if isinstance(point, dict) else point
            name = point.get("name", index + 1) if isinstance(point, dict) else index + 1
            numbers = [_number(one) if _number(one) is not None else _words(one) for one in _listed(value)]
            rows.append((_words(series.get("name")) or str(at + 1), _words(name), *numbers))
            if len(rows) >= MOST_POINTS:
                break
    width = min(max(map(len, rows), default=2), 12)
    full = tuple((*row[:width], *(None,) * (width - len(row))) for row in rows[:MOST_POINTS])
    axes = [_words(one.get("name")) for one in _indicators(option)][: width - 2]
    numbered = [str(at) for at in range(len(axes) + 1, width - 1)]
    return ChartTable(header=("", "", *axes, *numbered), rows=full)


def _indicators(option: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the axes of a radar."""
    listed = _first(option.get("radar")).get("indicator")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _listed(value: Any) -> list[Any]:
    return value[:10] if isinstance(value, list) else [value]


def _is_category(axis: dict[str, Any]) -> bool:
    return axis.get("type") == "category" or (bool(axis.get("data")) and axis.get("type") is None)


def _first(value: Any) -> dict[str, Any]:
    one = value[0] if isinstance(value, list) and value else value
    return one if isinstance(one, dict) else {}


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str) and len(value) > 40:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _words(value: Any) -> str:
    if value is None or isinstance(value, dict | list):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)[:300]
