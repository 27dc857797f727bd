"""Implementation of `tw.chart`: a chart as data, and its image."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from . import plotting
from .cells import plain
from .tables import table_of

KINDS = (
    "bar",
    "line",
    "area",
    "pie",
    "scatter",
    "histogram",
    "stacked bar",
    "grouping line",
    "grouping scatter",
)
MAX_POINTS = 10_000


def _column_of(table: dict[str, Any], name: str) -> list[Any]:
    if name not in table["columns"]:
        raise KeyError(f"no column {name!r}; the columns are {', '.join(table['columns'])}")
    position = table["columns"].index(name)
    return [row[position] for row in table["rows"]]


def _values(table: dict[str, Any] | None, given: Any, default: str) -> tuple[list[Any], str]:
    """Return the values that `given` is or names as a column, and their label."""
    if given is None:
        return [], ""
    if isinstance(given, str):
        if table is None:
            raise ValueError(f"{default}={given!r} names a column, but no data was given")
        return _column_of(table, given), given
    series = table_of(given)
    if series is None:
        raise TypeError(f"{default} must be a column's name or a sequence, not {type(given).__name__}")
    return [row[-1] for row in series["rows"]], series["columns"][-1] if hasattr(given, "name") else default


def _several(table: dict[str, Any], x: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return one series per column named in `y`."""
    xs, x_label = _values(table, x, "x")
    columns = [_column_of(table, name) for name in names]
    return {
        "x": xs * len(names),
        "y": [value for column in columns for value in column],
        "series": [name for name in names for _ in xs],
        "labels": {"x": x_label, "y": ""},
    }


def _points(data: Any, x: Any, y: Any, series: Any) -> dict[str, Any]:
    table = None if data is None else table_of(data)
    if isinstance(y, list | tuple) and y and table and all(isinstance(name, str) for name in y):
        return _several(table, x, y)
    xs, x_label = _values(table, x, "x")
    ys, y_label = _values(table, y, "y")
    groups, group_label = _values(table, series, "series")
    points: dict[str, Any] = {"x": xs, "y": ys, "labels": {"x": x_label, "y": y_label}}
    if groups:
        points["series"] = groups
        points["labels"]["series"] = group_label
    return points


def chart_of(kind: str, data: Any, x: Any, y: Any, *, series: Any, title: str | None) -> dict[str, Any]:
    """Return the chart in plain form. Raises if the arguments do not fit together."""
    if kind not in KINDS:
        raise ValueError(f"no chart kind {kind!r}; the kinds are {', '.join(KINDS)}")
    points = _points(data, x, y, series)
    if not points["y"] and kind == "histogram":
        points["y"] = [None] * len(points["x"])
    lengths = {len(points[name]) for name in ("x", "y", "series") if name in points}
    if len(lengths) != 1:
        raise ValueError("x, y and series must have the same length")
    cut: dict[str, Any] = {name: points[name][:MAX_POINTS] for name in ("x", "y", "series") if name in points}
    labels = {name: text for name, text in points["labels"].items() if text}
    return {"kind": kind, "series": None, **cut, "labels": labels, "title": None if title is None else str(title)}


def _groups(chart: Mapping[str, Any]) -> dict[Any, tuple[list[Any], list[Any]]]:
    groups: dict[Any, tuple[list[Any], list[Any]]] = {}
    for position, x in enumerate(chart["x"]):
        key = chart["series"][position] if chart["series"] else None
        xs, ys = groups.setdefault(key, ([], []))
        xs.append(x)
        ys.append(chart["y"][position])
    return groups


def _numbers(values: list[Any]) -> list[float]:
    return [float(value) if isinstance(value, int | float) else float("nan") for value in values]


def _positions(values: list[Any]) -> list[Any]:
    return [str(value) if not isinstance(value, int | float) else value for value in values]


def _draw_bars(axes: Any, groups: dict[Any, tuple[list[Any], list[Any]]], *, stacked: bool) -> None:
    names = list(dict.fromkeys(str(x) for xs, _ in groups.values() for x in xs))
    place = {name: index for index, name in enumerate(names)}
    width = 0.8 if stacked else 0.8 / max(1, len(groups))
    base = [0.0] * len(names)
    for number, (label, (xs, ys)) in enumerate(groups.items()):
        spots = [place[str(x)] for x in xs]
        heights = [0.0 if height != height else height for height in _numbers(ys)]  # noqa: PLR0124 - NaN
        shift = 0.0 if stacked else (number - (len(groups) - 1) / 2) * width
        bottom = [base[spot] for spot in spots] if stacked else 0.0
        axes.bar([spot + shift for spot in spots], heights, width, bottom=bottom, label=label)
        for spot, height in zip(spots, heights, strict=True):
            base[spot] += height if stacked else 0.0
    axes.set_xticks(
        range(len(names)), names, rotation=45 if len(names) > 6 else 0, ha="right" if len(names) > 6 else "center"
    )


def _draw_lines(axes: Any, kind: str, groups: dict[Any, tuple[list[Any], list[Any]]]) -> None:
    for label, (xs, ys) in groups.items():
        places, heights = _positions(xs), _numbers(ys)
        if kind.endswith("scatter"):
            axes.scatter(places, heights, label=label, s=18)
            continue
        axes.plot(places, heights, label=label, marker="o" if len(places) <= 40 else None)
        if kind == "area":
            axes.fill_between(places, heights, alpha=0.3)
    if any(isinstance(x, str) for xs, _ in groups.values() for x in xs):
        axes.tick_params(axis="x", rotation=45)


def _draw(axes: Any, chart: Mapping[str, Any]) -> None:
    kind, groups = chart["kind"], _groups(chart)
    if kind == "pie":
        axes.pie(_numbers(chart["y"]), labels=[str(x) for x in chart["x"]], autopct="%1.1f%%")
    elif kind == "histogram" and all(y is None for y in chart["y"]):
        axes.hist(_numbers(chart["x"]), bins="auto")
    elif kind in ("bar", "histogram", "stacked bar"):
        _draw_bars(axes, groups, stacked=kind == "stacked bar")
    else:
        _draw_lines(axes, kind, groups)
    if kind != "pie":
        axes.set_xlabel(chart["labels"].get("x", ""))
        axes.set_ylabel(chart["labels"].get("y", ""))
    if chart["series"] and kind != "pie":
        axes.legend(title=chart["labels"].get("series"))
    if chart["title"]:
        axes.set_title(chart["title"])


def picture_of(chart: Mapping[str, Any]) -> bytes:
    """Render the chart as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(layout="tight")
    _draw(figure.add_subplot(), chart)
    return plotting.png(figure)


def option_of(option: Any) -> dict[str, Any] | None:
    """Convert the `option` argument to JSON values. Raises TypeError unless it is a mapping or None."""
    if option is None:
        return None
    if not isinstance(option, Mapping):
        raise TypeError(f"option must be a dict, not {type(option).__name__}")
    return {str(key): _jsonable(value) for key, value in option.items()}


def _jsonable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _jsonable(part) for key, part in value.items()}
    if isinstance(value, list | tuple) or (
        "numpy" in sys.modules and hasattr(value, "tolist") and getattr(value, "ndim", None)
    ):
        return [_jsonable(part) for part in value]
    return plain(value)
