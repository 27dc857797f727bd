"""Charts as a spreadsheet program draws them, from the figures on their sheet."""

from __future__ import annotations

from typing import Any

from tablewright.report.blocks import writable
from tablewright.report.chart_data import ChartData, SeriesData

MOST_TITLE = 200


def native_chart(book: Any, sheet: str, data: ChartData) -> Any:
    """Return a chart of the figures on the sheet called `sheet`.

    The first row has the names. With categories they stand in the first column and each series in the next; without
    any each point is a row of series, place and value.
    """
    charts: dict[str, Any] = {}
    row = 1
    for at, series in enumerate(data.series):
        options = _options(data, series)
        chart = charts.setdefault(options["type"], None) or book.add_chart(options)
        charts[options["type"]] = chart
        if data.categories:
            chart.add_series(_places(sheet, 1, len(data.categories), 0, at + 1) | {"name": [sheet, 0, at + 1]})
        else:
            chart.add_series(_places(sheet, row, len(series.values), 1, 2) | {"name": _title(series.name)})
            row += len(series.values)
    # Lines lie over bars, so the bars are the chart that the others join.
    first, *others = sorted(charts, key=lambda kind: kind not in {"column", "bar"})
    for kind in others:
        charts[first].combine(charts[kind])
    _name(charts[first], data)
    return charts[first]


def _options(data: ChartData, series: SeriesData) -> dict[str, str]:
    if not data.categories:
        straight = {"subtype": "straight"} if series.kind == "line" else {}
        return {"type": "scatter", **straight}
    kind = {"bar": "bar" if data.horizontal else "column", "scatter": "line", "line": "line", "pie": "pie"}[series.kind]
    if data.stacked and kind in {"bar", "column"}:
        return {"type": kind, "subtype": "stacked"}
    return {"type": kind}


def _places(sheet: str, row: int, count: int, names: int, values: int) -> dict[str, Any]:
    last = row + max(count, 1) - 1
    return {"categories": [sheet, row, names, last, names], "values": [sheet, row, values, last, values]}


def _name(chart: Any, data: ChartData) -> None:
    chart.set_title({"name": _title(data.title)} if data.title else {"none": True})
    if data.series[0].kind != "pie":
        # A chart of horizontal bars keeps its categories on what the format calls the x axis.
        along, upward = (data.y_title, data.x_title) if data.horizontal else (data.x_title, data.y_title)
        chart.set_x_axis({"name": _title(along)})
        chart.set_y_axis({"name": _title(upward)})


def _title(words: str) -> str:
    """Return `words` as a title: one that begins like a formula would be read as a reference."""
    short = writable(words)[:MOST_TITLE]
    return f" {short}" if short.startswith("=") else short
