"""plotly figures, which need a browser: converted to our charts if the kind of chart is supported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import charts
from .emitter import Emitter
from .tables import table_of

_CANNOT = "This plotly figure cannot be shown here: use tw.chart or matplotlib.\n"


def _kind(traces: list[Any], layout: Any) -> str | None:
    types = {trace.type for trace in traces}
    if len(types) != 1:
        return None
    kind = types.pop()
    several = len(traces) > 1
    if kind == "bar":
        return "stacked bar" if several and layout.barmode in ("stack", "relative") else "bar"
    if kind in ("scatter", "scattergl"):
        if any("lines" in (trace.mode or "lines") for trace in traces):
            return "grouping line" if several else "line"
        return "grouping scatter" if several else "scatter"
    return kind if kind in ("pie", "histogram") and not several else None


def _list(values: Any) -> list[Any]:
    table = table_of([] if values is None else list(values))
    return [] if table is None else [row[0] for row in table["rows"]]


def _points(trace: Any, kind: str) -> tuple[list[Any], list[Any]]:
    if kind == "pie":
        return _list(trace.labels), _list(trace.values)
    if kind == "histogram":
        values = _list(trace.x if trace.x is not None else trace.y)
        return values, [None] * len(values)
    xs, ys = _list(trace.x), _list(trace.y)
    xs = xs or list(range(len(ys)))
    return (ys, xs) if trace.type == "bar" and trace.orientation == "h" else (xs, ys)


def _labels(layout: Any) -> dict[str, str]:
    found = {"x": layout.xaxis.title.text, "y": layout.yaxis.title.text}
    return {name: text for name, text in found.items() if text}


def chart_of(figure: Any) -> dict[str, Any] | None:
    """Return a figure as a chart in plain form, or None if its kind is not supported."""
    traces = list(figure.data)
    kind = _kind(traces, figure.layout) if traces else None
    if kind is None:
        return None
    chart: dict[str, Any] = {"kind": kind, "x": [], "y": [], "series": [] if len(traces) > 1 else None}
    for number, trace in enumerate(traces, start=1):
        xs, ys = _points(trace, kind)
        chart["x"] += xs
        chart["y"] += ys
        if chart["series"] is not None:
            chart["series"] += [trace.name or str(number)] * len(xs)
    fits = len(chart["x"]) == len(chart["y"]) <= charts.MAX_POINTS
    return {**chart, "labels": _labels(figure.layout), "title": figure.layout.title.text} if fits else None


def shower(emitter: Emitter) -> Callable[[Any], None]:
    """Return the action for plotly's renderers module after its import."""

    def show(figure: Any, *_arguments: Any, **_options: Any) -> None:
        chart = chart_of(figure) if hasattr(figure, "data") else None
        if chart is None:
            emitter.write("stderr", _CANNOT)
        else:
            emitter.chart(chart, None)
            emitter.image(charts.picture_of(chart))

    def replace(module: Any) -> None:
        module.show = show

    return replace
