"""What an ECharts option may hold to be shown as a chart: known series, bounded sizes, nothing that loads or runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tablewright.report.literals import NotData

SERIES = frozenset({
    "bar", "boxplot", "candlestick", "chord", "effectScatter", "funnel", "gauge", "graph", "heatmap", "line", "lines",
    "parallel", "pictorialBar", "pie", "radar", "sankey", "scatter", "sunburst", "themeRiver", "tree", "treemap",
})  # fmt: skip
"""Series types that ECharts has, without `custom`, which needs a function, and `map`, which needs a map."""
PARTS = frozenset({
    "angleAxis", "animation", "aria", "backgroundColor", "calendar", "color", "dataZoom", "dataset", "darkMode", "grid",
    "legend", "parallel", "parallelAxis", "polar", "radar", "radiusAxis", "series", "singleAxis", "textStyle", "title",
    "tooltip", "useUTC", "visualMap", "xAxis", "yAxis",
})  # fmt: skip
"""The members of an option that are kept."""
MOST_SERIES = 50
MOST_NODES = 150_000
MOST_TEXT = 2_000

_REFUSED = frozenset({
    "appendTo", "appendToBody", "className", "extraCssText", "graphic", "image", "link", "renderItem", "renderMode",
    "rich",
    "sublink", "subtarget", "toolbox", "transform",
})  # fmt: skip
_SYMBOLS = frozenset({
    "arrow", "circle", "diamond", "emptyCircle", "none", "pin", "rect", "roundRect", "triangle",
})  # fmt: skip
_SYMBOL_KEYS = frozenset({"symbol", "icon"})
_LOADING = re.compile(r"image://|url\s*\(|javascript:|data:|expression\s*\(|@import|\\", re.IGNORECASE)
_DATA_KEYS = frozenset({"data", "categories", "nodes", "links", "edges", "source", "name", "text", "subtext"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SafeOption:
    """An option with what was allowed of it; `dropped` are the paths of what was not, at most 50."""

    option: dict[str, Any]
    dropped: tuple[str, ...]


def safe_option(given: dict[str, Any]) -> SafeOption:
    """Return what may be shown of the option `given`. Raises `NotData` if it is no chart that is known."""
    series = given.get("series")
    listed = series if isinstance(series, list) else [series]
    if not 1 <= len(listed) <= MOST_SERIES:
        raise NotData("no_chart" if not listed else "too_large")
    if any(not isinstance(one, dict) or one.get("type") not in SERIES for one in listed):
        raise NotData("no_chart")
    sieve = _Sieve()
    wanted = {key: value for key, value in given.items() if key in PARTS and not _refused(key, value)}
    sieve.dropped.extend(key for key in given if key not in wanted)
    kept = {key: sieve.kept(value, key, key) for key, value in wanted.items()}
    kept["series"] = kept["series"] if isinstance(series, list) else [kept["series"]]
    for tooltip in _tooltips(kept):
        # ECharts draws tooltips as HTML by default.
        tooltip["renderMode"] = "richText"
    return SafeOption(option=kept, dropped=tuple(sieve.dropped[:50]))


def _tooltips(option: dict[str, Any]) -> list[dict[str, Any]]:
    tooltip = option.get("tooltip")
    if isinstance(tooltip, list):
        option["tooltip"] = tooltip = next((one for one in tooltip if isinstance(one, dict)), {})
    if tooltip is not None and not isinstance(tooltip, dict):
        option["tooltip"] = tooltip = {}
    return [tooltip] if tooltip is not None else []


class _Sieve:
    """Copies a value without what is refused, and counts its nodes."""

    def __init__(self) -> None:
        self.dropped: list[str] = []
        self._nodes = 0

    def kept(self, value: Any, key: str, path: str) -> Any:
        """Return the copy of `value`, which stands under `key`. Raises `NotData` if the option is too large."""
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise NotData("too_large")
        if isinstance(value, dict):
            return self._members(value, path)
        if isinstance(value, list):
            return [self.kept(one, key, path) for one in value]
        return value[:MOST_TEXT] if isinstance(value, str) else value

    def _members(self, value: dict[str, Any], path: str) -> dict[str, Any]:
        made = {}
        for key, one in value.items():
            if _refused(key, one):
                self.dropped.append(f"{path}.{key}"[:200])
            else:
                made[key] = self.kept(one, key, f"{path}.{key}" if len(path) < 200 else path)
        return made


def _refused(key: str, value: Any) -> bool:
    if key in _REFUSED or key.startswith("on"):
        return True
    words = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    texts = [word for word in words[:100] if isinstance(word, str)]
    if key in _SYMBOL_KEYS:
        return any(word not in _SYMBOLS for word in texts)
    if key.lower().endswith("formatter"):
        return any("<" in word or len(word) > 200 for word in texts)
    return key not in _DATA_KEYS and any(_LOADING.search(word) for word in texts)
