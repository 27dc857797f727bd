"""Charts of a report, in the form that pages show: an ECharts option as data, in a block of HTML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

Option = dict[str, Any]


def bars(names: Sequence[str], values: Sequence[float], *, title: str | None) -> Option:
    """Return bars, one per name."""
    axis: Option = {"type": "value"}
    series = [{"type": "bar", "data": [_short(value) for value in values]}]
    return _titled({"xAxis": {"type": "category", "data": list(names)}, "yAxis": axis, "series": series}, title)


def line(names: Sequence[str], values: Sequence[float | None], *, title: str, mark: str | None = None) -> Option:
    """Return a line over periods; `mark` is the period at which something changes."""
    series: Option = {"type": "line", "showSymbol": False, "data": [_short(value) for value in values]}
    if mark is not None:
        series["markLine"] = {"symbol": "none", "data": [{"xAxis": mark}]}
    axes: Option = {"xAxis": {"type": "category", "data": list(names)}, "yAxis": {"type": "value", "scale": True}}
    return _titled({**axes, "series": [series]}, title)


def points(pairs: Sequence[Sequence[float]], *, x: str, y: str, title: str | None = None) -> Option:
    """Return a cloud of points."""
    data = [[_short(value) for value in pair] for pair in pairs]
    axes: Option = {
        "xAxis": {"type": "value", "name": x, "scale": True},
        "yAxis": {"type": "value", "name": y, "scale": True},
    }
    return _titled({**axes, "series": [{"type": "scatter", "symbolSize": 6, "data": data}]}, title)


def block(option: Option, number: int) -> str:
    """Return the HTML that shows an option. No text of a table can end the script."""
    data = json.dumps(option, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", " ").replace("\u2029", " ")
    name = f"chart-{number}"
    return (
        f'<div id="{name}" style="width:100%;height:320px"></div>\n'
        f'<script>echarts.init(document.getElementById("{name}")).setOption({data});</script>'
    )


def _titled(option: Option, title: str | None) -> Option:
    titled = {"title": {"text": title, "textStyle": {"fontSize": 14}}} if title else {}
    return {**titled, "tooltip": {}, "grid": {"containLabel": True}, **option}


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")
